import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openSandbox, show } from './sandbox.tsx';

/** A new drive with two files, both named on its page. */
async function showFiles() {
  const sandbox = await openSandbox();
  const { id: driveId } = await sandbox.api.createDrive('Launch plans', AbortSignal.timeout(20_000));
  const files = `/organizations/self/drives/${driveId}/files`;
  const [draft, final] = [
    await sandbox.control('POST', files, { path: '/drafts/poster.pdf' }),
    await sandbox.control('POST', files, { path: '/final/poster.pdf' }),
  ];
  show(`#/drives/${encodeURIComponent(driveId)}`, sandbox);
  await name(draft.id, final.id);
  await screen.findByText(final.id);
  await screen.findByText(draft.id);
  return { sandbox, draft: draft.id as string, final: final.id as string, files };
}

async function name(...ids: string[]) {
  await userEvent.type(screen.getByLabelText('File ids'), ids.join(' '));
  await userEvent.click(screen.getByRole('button', { name: 'Show files' }));
}

/** The form of a file, filled. */
async function move(id: string, path: string) {
  const file = within(screen.getByText(id).closest('details') as HTMLElement);
  const input = file.getByLabelText('New path');
  await userEvent.clear(input);
  await userEvent.type(input, path);
  return { file, send: () => userEvent.click(file.getByRole('button', { name: 'Move' })) };
}

test('a renamed file has its new path', async () => {
  const { sandbox, draft, files } = await showFiles();
  await (await move(draft, '/drafts/flyer.pdf')).send();
  await screen.findByText('Moved to /drafts/flyer.pdf.');
  expect((await sandbox.control('GET', `${files}/${draft}`)).path).toBe('/drafts/flyer.pdf');
});

test('a path that breaks the rule is not sent', async () => {
  const { draft } = await showFiles();
  const { file } = await move(draft, '/drafts/../poster.pdf');
  expect((await file.findByRole('alert')).textContent).toBe('A path has no segment “..”.');
  expect(file.getByRole('button', { name: 'Move' })).toHaveProperty('disabled', true);
});

test('after a lost response the page shows where the file is', async () => {
  const { sandbox, draft, files } = await showFiles();
  await sandbox.addFault({ effect: { emptyAnswer: {} }, operations: ['updateDriveFile'], when: { next: 1 } });
  await (await move(draft, '/drafts/flyer.pdf')).send();
  expect((await screen.findByRole('alert')).textContent).toContain('nobody knows whether it was done');
  expect((await sandbox.control('GET', `${files}/${draft}`)).path).toBe('/drafts/flyer.pdf');
});

test('a deleted folder takes its files along, and no others', async () => {
  const { draft, final } = await showFiles();
  const remove = screen.queryByRole('button', { name: 'Delete /drafts' });
  // Without paths, which a file need not have, there are no folders to delete.
  if (remove === null) return expect(screen.getAllByText('Path')).toHaveLength(2);
  await userEvent.click(remove);
  await userEvent.click(screen.getByRole('button', { name: 'Delete everything in it' }));
  await screen.findByText(/Deletion of \/drafts accepted/);
  await screen.findByRole('button', { name: `Forget ${draft}` });
  await waitFor(() => expect(screen.queryByText(final)).not.toBeNull());
  await userEvent.click(screen.getByRole('button', { name: `Forget ${draft}` }));
  expect(screen.queryByText(/Cannot load/)).toBeNull();
});

test('an unknown file is named as such, and can be forgotten', async () => {
  await showFiles();
  await name('no-such-file');
  expect((await screen.findByRole('alert')).textContent).toContain('Cannot load the file no-such-file.');
  await userEvent.click(screen.getByRole('button', { name: 'Forget no-such-file' }));
  expect(screen.queryByRole('alert')).toBeNull();
});
