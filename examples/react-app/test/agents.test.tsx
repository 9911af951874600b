import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openSandbox, type Sandbox, show, stranger } from './sandbox.tsx';

interface ListedAgent {
  id: string;
  revisions: { id: string }[];
  activeRevisionId?: string;
}

/** An agent that has never been published, and one of its revisions. */
async function unpublished({ control }: Sandbox) {
  const agents: ListedAgent[] = await control('GET', '/organizations/self/agents');
  const agent = agents.find(({ revisions, activeRevisionId }) => revisions.length > 0 && !activeRevisionId);
  return { agentId: agent?.id ?? '', revisionId: agent?.revisions[0]?.id ?? '' };
}

/** Types a revision into the form of an agent and sends it. */
async function publish(agentId: string, revisionId: string) {
  const item = within((await screen.findByText(agentId)).closest('li') as HTMLElement);
  await userEvent.type(item.getByLabelText('Revision id'), revisionId);
  await userEvent.click(item.getByRole('button', { name: 'Publish' }));
  return item;
}

test('the agents are listed', async () => {
  show('#/agents', await openSandbox());
  expect(await screen.findAllByRole('heading', { level: 2 })).toHaveLength(12);
});

test('a revision is published', async () => {
  const sandbox = await openSandbox();
  const { agentId, revisionId } = await unpublished(sandbox);
  show('#/agents', sandbox);
  const item = await publish(agentId, revisionId);
  await item.findByText(`Revision ${revisionId} is the active version now.`);
  const agent: ListedAgent = await sandbox.control('GET', `/organizations/self/agents/${agentId}`);
  expect(agent.activeRevisionId).toBe(revisionId);
});

test('an unknown revision is refused', async () => {
  const sandbox = await openSandbox();
  const { agentId } = await unpublished(sandbox);
  show('#/agents', sandbox);
  const item = await publish(agentId, 'no-such-revision');
  expect((await item.findByRole('alert')).textContent).toContain('Publication of no-such-revision: not done.');
});

test('without a key the page asks to sign in', async () => {
  show('#/agents', { api: stranger() });
  expect((await screen.findByRole('alert')).textContent).toContain('You are not signed in');
});

test('an organization without agents has an empty list', async () => {
  show('#/agents', await openSandbox({ isEmpty: true }));
  expect(await screen.findByText('There are no agents yet.')).toBeTruthy();
});

test.each([
  { effect: { status: { code: 500 } } },
  { effect: { truncatedBody: {} } },
  { effect: { connectionReset: {} } },
])('a list that fails once is read again ($effect)', async (fault) => {
  const sandbox = await openSandbox();
  await sandbox.addFault({ ...fault, operations: ['listAgents'], when: { next: 1 } });
  show('#/agents', sandbox);
  expect(await screen.findAllByRole('heading', { level: 2 })).toHaveLength(12);
});

test('a list that keeps failing can be tried again by hand', async () => {
  const sandbox = await openSandbox();
  const { id } = await sandbox.addFault({ effect: { status: { code: 500 } }, operations: ['listAgents'] });
  show('#/agents', sandbox);
  expect((await screen.findByRole('alert')).textContent).toContain('The server has a problem (500).');
  await sandbox.control('PATCH', `/faults/${id}`, { isEnabled: false });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findAllByRole('heading', { level: 2 })).toHaveLength(12);
});

test('a slow list says so, and the waiting can be stopped', async () => {
  const sandbox = await openSandbox();
  await sandbox.addFault({ effect: { latency: { delayMs: 600_000 } }, operations: ['listAgents'] });
  show('#/agents', sandbox, { slowAfterMs: 1 });
  await userEvent.click(await screen.findByRole('button', { name: 'Stop waiting' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Stopped waiting for the agents.');
});
