import * as shared from '../shared/rows.ts';

/** How rows of SQLite become the objects of the interface: booleans are 0 and 1 there, and JSON is text. */
export const toJson: shared.ToJson = {
  ...shared.toJson,
  agent: ({ is_published, has_changes, ...row }) =>
    shared.toJson.agent({ ...row, is_published: is_published === 1, has_changes: has_changes === 1 }),
  file: (row) => shared.toJson.file({ ...row, metadata: JSON.parse(String(row.metadata)) }),
};
