/** What the tests find in each sandbox, and what they leave there. */
import type { Seed } from '../../src/domain/seed.ts';

/** The drive of the seed whose files are moved and deleted. */
export const outbox = 'outbox';

interface Placed {
  id: string;
  path: string;
}

/** The two files of the seed that a test finds: one to move, one to delete with its tree. */
export function seedFilesOf(test: number): { kept: Placed; lost: Placed } {
  return {
    kept: { id: `kept-${test}`, path: `/drafts/${test}/plan.txt` },
    lost: { id: `lost-${test}`, path: `/drafts/${test}/old/plan.txt` },
  };
}

/** Where a test moves its file: the only thing, but for ids, in which the sandboxes differ. */
export function sentPath(key: string, test: number): string {
  return `/sent/${key}/${test}.txt`;
}

/** The drive that a test creates. */
export function driveName(test: number): string {
  return `Drive ${test}`;
}

/** A starting state with the files of these tests. */
export function seedFor(tests: readonly number[]): Seed {
  const createdAt = '2026-01-05T10:00:00Z';
  const facts = { modifiedAt: createdAt, sizeBytes: 1_024, contentType: 'text/plain' };
  const files = tests.flatMap((test) => Object.values(seedFilesOf(test)).map((file) => ({ ...file, ...facts })));
  const drives = [{ id: outbox, name: 'Outbox', createdAt, files }];
  return { organizations: [{ name: 'Parcel office', keys: ['office-key'], drives }] };
}

/** The drives of a sandbox once its tests are over, with the files of each. */
export function driveLists(key: string, tests: readonly number[]): { name: string; files: Placed[] }[] {
  const sent = tests.map((test) => ({ id: seedFilesOf(test).kept.id, path: sentPath(key, test) }));
  return [{ name: 'Outbox', files: sent }, ...tests.map((test) => ({ name: driveName(test), files: [] }))];
}
