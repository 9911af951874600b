const { setTimeout: sleep } = require('node:timers/promises');
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
  const names = async () => {
    const { data } = await (await fetch(`${mock.url}/drives?limit=100&offset=0`, { headers })).json();
    return data.map(({ name }) => name);
  };
  // The contract does not promise that it is listed immediately.
  for (let tries = 0; tries < 50 && !(await names()).includes('Launch plans'); tries++) await sleep(20);
  expect(await names()).toContain('Launch plans');
});
