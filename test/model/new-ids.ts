import assert from 'node:assert/strict';
import type { Picture } from './picture.ts';

const formats = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  prefixed: /^[A-Za-z]+[_-]?[A-Za-z0-9]+$/,
  sortable: /^[A-Za-z0-9]+$/,
  numeric: /^\d+$/,
};

/** Asserts that an id is a new one, in the profile's format. */
export function meetId(id: unknown, { profile, ids }: Picture): string {
  assert.equal(typeof id, 'string');
  assert.match(String(id), formats[profile.idFormat]);
  assert.equal(ids.has(String(id)), false, `the id ${id} is not new`);
  ids.add(String(id));
  return String(id);
}
