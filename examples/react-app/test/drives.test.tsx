import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openSandbox, show } from './sandbox.tsx';

async function create(name: string) {
  await userEvent.type(screen.getByLabelText('Name'), name);
  await userEvent.click(screen.getByRole('button', { name: 'Create drive' }));
}

const rows = () => screen.queryAllByRole('row').length - 1;

test('a new drive is created and can be opened', async () => {
  const sandbox = await openSandbox();
  show('#/drives', sandbox);
  await create('Launch plans');
  const [link] = await screen.findAllByRole('link', { name: 'Launch plans' });
  await userEvent.click(link as HTMLElement);
  expect(await screen.findByRole('heading', { name: 'Files' })).toBeTruthy();
});

test('all drives are found, page by page', async () => {
  const sandbox = await openSandbox();
  for (let number = 1; number <= 7; number++)
    await sandbox.api.createDrive(`Archive ${number}`, AbortSignal.timeout(20_000));
  await waitFor(async () =>
    expect(await sandbox.api.findDrives('Archive 7', AbortSignal.timeout(20_000))).toHaveLength(1),
  );
  show('#/drives', sandbox);
  await screen.findByText('Drives 1 to 10');
  const next = screen.getByRole('button', { name: 'Next page' });
  await userEvent.click(next);
  await screen.findByText('Drives 11 to 12');
  await waitFor(() => expect(next).toHaveProperty('disabled', true));
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }));
  await screen.findByText('Drives 1 to 10');
  expect(rows()).toBe(10);
});

test('an organization without drives has an empty list', async () => {
  show('#/drives', await openSandbox({ isEmpty: true }));
  expect(await screen.findByText('There are no drives yet.')).toBeTruthy();
});

test('after a lost response the page looks whether the drive is there, and does not create it twice', async () => {
  const sandbox = await openSandbox();
  await sandbox.addFault({
    effect: { emptyAnswer: {} },
    moment: 'after',
    operations: ['createDrive'],
    when: { next: 1 },
  });
  show('#/drives', sandbox);
  await create('Launch plans');
  expect((await screen.findByRole('alert')).textContent).toContain('nobody knows whether it was done');
  expect(await screen.findByText('There is one of this name:')).toBeTruthy();
  expect(await sandbox.api.findDrives('Launch plans', AbortSignal.timeout(20_000))).toHaveLength(1);
});

test('a refused creation keeps what was typed', async () => {
  const sandbox = await openSandbox();
  await sandbox.addFault({ effect: { status: { code: 422 } }, operations: ['createDrive'] });
  show('#/drives', sandbox);
  await create('Launch plans');
  expect((await screen.findByRole('alert')).textContent).toContain('The server refuses it (422)');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Launch plans');
});

test('whoever stops waiting for a creation is told that it may have been done', async () => {
  const sandbox = await openSandbox();
  await sandbox.addFault({ effect: { latency: { delayMs: 600_000 } }, operations: ['createDrive'] });
  show('#/drives', sandbox, { slowAfterMs: 1 });
  await screen.findByRole('table');
  await create('Launch plans');
  await screen.findByText(/takes longer than usual/);
  await userEvent.click(await screen.findByRole('button', { name: 'Stop waiting' }));
  expect((await screen.findByRole('alert')).textContent).toContain('nobody knows whether it was done');
});
