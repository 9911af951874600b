import { expect, test } from 'vitest';
import { type Api, createDrive, deleteFolder, driveNames, moveFile, pathOf } from './app.ts';
import { addFile, openSandbox } from './sandbox.ts';

/** A sandbox with one more drive. Its name is the same in each test, and in those of the other file. */
async function withDrive(): Promise<{ api: Api; driveId: string }> {
  const api = openSandbox();
  const { id } = await createDrive(api, 'Launch plans');
  await expect.poll(async () => (await driveNames(api)).filter((name) => name === 'Launch plans')).toHaveLength(1);
  return { api, driveId: id };
}

test('a moved file is found at its new path', async () => {
  const { api, driveId } = await withDrive();
  const poster = await addFile(api, driveId, '/drafts/poster.pdf');
  await moveFile(api, driveId, poster, '/final/poster.pdf');
  expect(await pathOf(api, driveId, poster)).toBe('/final/poster.pdf');
});

test('a deleted folder takes its files along, and no others', async () => {
  const { api, driveId } = await withDrive();
  const draft = await addFile(api, driveId, '/drafts/2026/poster.pdf');
  const final = await addFile(api, driveId, '/final/poster.pdf');
  await deleteFolder(api, driveId, '/drafts');
  expect(await pathOf(api, driveId, draft)).toBeUndefined();
  expect(await pathOf(api, driveId, final)).toBe('/final/poster.pdf');
});
