/** @jest-environment jest-fixed-jsdom */
const { createFetch } = require('agent-platform-contract/fetch');
const { showDrives } = require('./drive-list.js');

const mock = createFetch();
const service = { baseUrl: mock.url, key: mock.key, fetch: mock };
beforeEach(() => mock.reset());

test('shows the drives', async () => {
  const list = document.createElement('ul');
  await showDrives(list, service);
  expect(list.children).toHaveLength(5);
});

test('says that they could not be loaded', async () => {
  mock.faults.add({ effect: { status: { code: 503 } }, operations: ['listDrives'], when: { next: 1 } });
  const list = document.createElement('ul');
  await showDrives(list, service);
  expect(list.textContent).toBe('The drives could not be loaded.');
});
