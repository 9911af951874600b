import { withoutNulls } from '../shared/repository.ts';

/** A row as the client reads it: times are dates, booleans and JSON are values. */
export type Row = Record<string, unknown>;

/** How rows become the objects of the interface. */
export const toJson: Record<'agent' | 'drive' | 'file' | 'mcpServer', (row: Row) => object> = {
  agent: ({ organization_id: _, is_published, has_changes, ...row }: Row) =>
    withoutNulls({
      ...{ id: row.id, name: row.name, description: row.description },
      ...{ isPublished: is_published, hasChanges: has_changes },
      ...times(row),
    }),

  drive: (row: Row) => ({ id: row.id, organizationId: row.organization_id, name: row.name, ...times(row) }),

  file: (row: Row) =>
    withoutNulls({
      ...{ kind: 'file', id: row.id, name: row.name, path: row.path, status: row.status },
      // A bigint comes as text, since not every one is a number.
      ...{ modifiedAt: row.modified_at, size: Number(row.size), contentType: row.content_type },
      ...{ description: row.description, summary: row.summary, metadata: row.metadata },
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
