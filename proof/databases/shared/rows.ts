import { withoutNulls } from './repository.ts';

/** A row as the client of the database reads it. */
export type Row = Record<string, unknown>;

/** How the rows of each kind become the objects of the interface. */
export type ToJson = Record<'agent' | 'drive' | 'file' | 'mcpServer', (row: Row) => object>;

/** How rows become objects where both databases have the same columns. What their types are, the databases say. */
export const toJson: ToJson = {
  agent: (row) =>
    withoutNulls({
      ...{ id: row.id, name: row.name, description: row.description },
      ...{ isPublished: row.is_published, hasChanges: row.has_changes },
      ...times(row),
    }),

  drive: (row) => ({ id: row.id, organizationId: row.organization_id, name: row.name, ...times(row) }),

  file: (row) =>
    withoutNulls({
      ...{ kind: 'file', id: row.id, name: row.name, path: row.path, status: row.status },
      ...{ modifiedAt: row.modified_at, size: row.size, contentType: row.content_type },
      ...{ description: row.description, summary: row.summary, metadata: row.metadata },
    }),

  mcpServer: (row) => ({
    ...{ id: row.id, organizationId: row.organization_id, name: row.name, url: row.url, type: row.type },
    ...times(row),
  }),
};

function times(row: Row) {
  return { createdAt: row.created_at, updatedAt: row.updated_at };
}
