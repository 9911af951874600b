import { expect, test } from 'vitest';
import { createDrive, driveNames } from './app.ts';
import { openSandbox } from './sandbox.ts';

test('a new drive is in the list', async () => {
  const api = openSandbox();
  const before = await driveNames(api);
  await createDrive(api, 'Launch plans');
  // The contract does not promise that it is listed immediately.
  await expect.poll(() => driveNames(api)).toEqual([...before, 'Launch plans'].sort());
});

test('a list of more than one page is shown whole', async () => {
  const api = openSandbox();
  const before = await driveNames(api);
  const names = Array.from({ length: 120 }, (_, index) => `Archive ${index + 1}`);
  await Promise.all(names.map((name) => createDrive(api, name)));
  await expect.poll(() => driveNames(api)).toEqual([...before, ...names].sort());
});

test('no test sees the drives of another', async () => {
  const [one, other] = [openSandbox(), openSandbox()];
  await createDrive(one, 'Launch plans');
  await expect.poll(() => driveNames(one)).toContain('Launch plans');
  expect(await driveNames(other)).not.toContain('Launch plans');
});
