import * as shared from '../shared/rows.ts';

/** How rows of PostgreSQL become the objects of the interface: times are dates, booleans and JSON are values. */
export const toJson: shared.ToJson = {
  ...shared.toJson,
  // A bigint comes as text, since not every one is a number.
  file: (row) => shared.toJson.file({ ...row, size: Number(row.size) }),
};
