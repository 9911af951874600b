import { withoutNulls } from '../shared/repository.ts';

/** A row as SQLite answers it. */
export type Row = Record<string, unknown>;

/** How rows become the objects of the interface. */
export const toJson: Record<'agent' | 'drive' | 'file' | 'mcpServer', (row: Row) => object> = {
  agent: (row: Row) =>
    withoutNulls({
      ...{ id: row.id, name: row.name, description: row.description },
      ...{ isPublished: row.is_published === 1, hasChanges: row.has_changes === 1 },
      ...times(row),
    }),

  drive: (row: Row) => ({ id: row.id, organizationId: row.organization_id, name: row.name, ...times(row) }),

  file: (row: Row) =>
    withoutNulls({
      ...{ kind: 'file', id: row.id, name: row.name, path: row.path, status: row.status },
      ...{ modifiedAt: row.modified_at, size: row.size, contentType: row.content_type },
      ...{ description: row.description, summary: row.summary, metadata: JSON.parse(String(row.metadata)) },
    }),

  mcpServer: (row: Row) => ({
    ...{ id: row.id, organizationId: row.organization_id, name: row.name, url: row.url, type: row.type },
    ...times(row),
  }),
};

export type ToJson = typeof toJson;

function times(row: Row) {
  return { createdAt: row.created_at, updatedAt: row.updated_at };
}
