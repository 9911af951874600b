import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openSandbox, type Sandbox, show } from './sandbox.tsx';

const url = 'https://mcp.example.com/tools';

async function register(name: string) {
  await userEvent.type(screen.getByLabelText('Name'), name);
  await userEvent.type(screen.getByLabelText('URL'), url);
  await userEvent.click(screen.getByRole('button', { name: 'Register' }));
}

/** A registered server with tools of this test, and its entry in the list. */
async function withTools({ api, control }: Sandbox, tools: object[]) {
  const { id } = await api.createServer({ name: 'Weather', url }, AbortSignal.timeout(20_000));
  await control('PUT', `/organizations/self/mcp-servers/${id}/tools`, tools);
  await waitFor(async () => {
    expect((await api.listServers(AbortSignal.timeout(20_000))).map((server) => server.id)).toContain(id);
  });
  show('#/mcp-servers', { api });
  const heading = await screen.findByRole('heading', { name: 'Weather' });
  return within(heading.closest('li') as HTMLElement);
}

test('a new MCP server is registered and listed', async () => {
  show('#/mcp-servers', await openSandbox());
  await register('Weather');
  await screen.findByText(/^Registered Weather at https:/);
  expect(await screen.findByRole('heading', { name: 'Weather' })).toBeTruthy();
});

test('the tools of a server are shown', async () => {
  const item = await withTools(await openSandbox(), [{ name: 'forecast', description: 'The weather of tomorrow' }]);
  await userEvent.click(item.getByRole('button', { name: 'Tools' }));
  expect(await item.findByText('The weather of tomorrow')).toBeTruthy();
});

test('a server without tools says so', async () => {
  const item = await withTools(await openSandbox(), []);
  await userEvent.click(item.getByRole('button', { name: 'Tools' }));
  expect(await item.findByText('This MCP server offers no tools, or none yet.')).toBeTruthy();
});

test('tools that cannot be had can be asked for again', async () => {
  const sandbox = await openSandbox();
  const { id } = await sandbox.addFault({ effect: { status: { code: 502 } }, operations: ['listMcpServerTools'] });
  const item = await withTools(sandbox, [{ name: 'forecast', description: 'The weather of tomorrow' }]);
  await userEvent.click(item.getByRole('button', { name: 'Tools' }));
  expect((await item.findByRole('alert')).textContent).toContain('The server has a problem (502).');
  await sandbox.control('PATCH', `/faults/${id}`, { isEnabled: false });
  await userEvent.click(item.getByRole('button', { name: 'Try again' }));
  expect(await item.findByText('forecast')).toBeTruthy();
});

test('an organization without MCP servers has an empty list', async () => {
  show('#/mcp-servers', await openSandbox({ isEmpty: true }));
  expect(await screen.findByText('There are no MCP servers yet.')).toBeTruthy();
});

test('after a lost response the list shows whether the server is registered', async () => {
  const sandbox = await openSandbox();
  await sandbox.addFault({
    effect: { emptyAnswer: {} },
    moment: 'after',
    operations: ['createMcpServer'],
    when: { next: 1 },
  });
  show('#/mcp-servers', sandbox);
  await register('Weather');
  expect((await screen.findByRole('alert')).textContent).toContain('nobody knows whether it was done');
  expect(await screen.findByRole('heading', { name: 'Weather' })).toBeTruthy();
});
