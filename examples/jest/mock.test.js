const { createMock } = require('agent-platform-contract');

let mock;
beforeAll(async () => {
  mock = await createMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.close());

test('a new drive is in the list', async () => {
  const headers = { 'X-API-Key': mock.key, 'Content-Type': 'application/json' };
  await fetch(`${mock.url}/drives`, { method: 'POST', headers, body: '{"name":"Launch plans"}' });
  const { data } = await (await fetch(`${mock.url}/drives?limit=100&offset=0`, { headers })).json();
  expect(data.map(({ name }) => name)).toContain('Launch plans');
});
