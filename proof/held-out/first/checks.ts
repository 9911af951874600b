import assert from 'node:assert/strict';
import { type Answer, type Api, byId, ids, sleep, type Tester } from './tester.ts';

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;

function checkText(item: Answer['body'], ...fields: string[]): void {
  for (const field of fields) assert.equal(typeof item[field], 'string', `${field} of ${JSON.stringify(item)}`);
}

function checkTimes(item: Answer['body'], ...fields: string[]): void {
  for (const field of fields) assert.match(item[field], dateTime, field);
}

function checkFile(file: Answer['body']): void {
  assert.equal(file.kind, 'file');
  checkText(file, 'id', 'name', 'path', 'contentType', 'description');
  assert.ok(file.path.startsWith('/'));
  assert.ok(['processing', 'ready', 'error'].includes(file.status));
  assert.ok(Number.isInteger(file.size));
  checkTimes(file, 'modifiedAt');
}

/** What every server that is not broken does: the ten operations, as far as the specification settles them. */
export async function checkOperations(t: Tester): Promise<void> {
  const settle = (): Promise<void> => sleep(t.facts.settleMs);
  const organizations: [Api, 0 | 1][] = [
    [t.one, 0],
    [t.twoBearer, 1],
  ];
  for (const [api, index] of organizations) {
    const facts = t.facts.organizations[index];

    const agents = await api.agents();
    assert.equal(agents.status, 200);
    for (const { id } of facts.agents) assert.ok(byId(agents.body, id), 'agent listed');
    for (const agent of agents.body) {
      checkText(agent, 'id', 'name', 'description');
      assert.equal(typeof agent.isPublished, 'boolean');
      assert.equal(typeof agent.hasChanges, 'boolean');
      checkTimes(agent, 'createdAt', 'updatedAt');
    }
    assert.ok((await api.publish(t.agent(0, index).id, t.revision(0, 0, index))).ok, 'publish');
    await settle();
    assert.equal(byId((await api.agents()).body, t.agent(0, index).id).isPublished, true);

    const drive = await api.createDrive('Quarterly numbers');
    assert.ok(drive.ok, `create drive: ${drive.status}`);
    checkText(drive.body, 'id', 'organizationId', 'name');
    checkTimes(drive.body, 'createdAt', 'updatedAt');
    assert.equal(drive.body.organizationId, facts.id);
    assert.equal(drive.body.name, 'Quarterly numbers');
    await settle();
    const page = await api.drives('?limit=100&offset=0');
    assert.ok(page.ok);
    assert.ok(byId(page.body.data, drive.body.id), 'new drive listed');
    for (const { id } of facts.drives) assert.ok(byId(page.body.data, id), 'drive listed');
    for (const field of ['limit', 'offset', 'total']) assert.ok(Number.isInteger(page.body.pagination[field]), field);
    assert.equal((await api.drives('?limit=2')).body.data.length, 2);

    const file = t.file(0, 0, index);
    const read = await api.file(file.driveId, file.id);
    assert.ok(read.ok);
    checkFile(read.body);
    assert.equal(read.body.path, file.path);
    const moved = await api.move(file.driveId, file.id, '/moved/here/report.md');
    assert.ok(moved.ok);
    checkFile(moved.body);
    assert.equal(moved.body.path, '/moved/here/report.md');
    await settle();
    assert.equal((await api.file(file.driveId, file.id)).body.path, '/moved/here/report.md');
    for (const path of ['no-slash', '/a/../b']) assert.ok(!(await api.move(file.driveId, file.id, path)).ok, path);

    const deletion = await api.deleteTree(file.driveId, '/moved');
    assert.ok(deletion.ok, `delete: ${deletion.status}`);
    checkText(deletion.body, 'message', 'jobId');
    assert.ok(Number.isInteger(deletion.body.documentCount));
    await settle();
    assert.ok(!(await api.file(file.driveId, file.id)).ok, 'deleted');
    assert.ok((await api.file(file.driveId, t.file(1, 0, index).id)).ok, 'neighbour kept');

    const server = await api.createServer('Translator', 'https://translate.example.org/mcp');
    assert.ok(server.ok, `create server: ${server.status}`);
    await settle();
    const servers = await api.servers();
    assert.equal(servers.status, 200);
    assert.ok(byId(servers.body, server.body.id), 'new server listed');
    for (const { id } of facts.mcpServers) assert.ok(byId(servers.body, id), 'server listed');
    for (const item of [server.body, ...servers.body]) {
      checkText(item, 'id', 'organizationId', 'name', 'url');
      assert.ok(['sse', 'streamableHttp'].includes(item.type));
      checkTimes(item, 'createdAt', 'updatedAt');
      assert.equal(item.organizationId, facts.id);
    }
    const tools = await api.tools(t.serverId(0, index));
    assert.equal(tools.status, 200);
    assert.ok(tools.body.tools.length > 0);
    for (const tool of tools.body.tools) checkText(tool, 'name', 'description');
    assert.equal((await api.tools('no-such-server')).status, 404);
  }
  assert.equal((await t.anonymous.tools(t.serverId())).status, 401);
  assert.equal((await t.stranger.tools(t.serverId())).status, 401);
}

/** Details of the base beyond the ten operations; wants a fresh server. */
export async function checkDetails(t: Tester): Promise<void> {
  const { one, two } = t;

  const own = ids((await one.agents()).body);
  assert.deepEqual(own, ids(t.facts.organizations[0].agents));
  assert.equal((await one.publish(t.agent(0).id, t.revision(0, 1))).status, 404);

  const all = await t.allDriveIds(one, 100);
  assert.deepEqual(await t.allDriveIds(one, 2), all);
  for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x'])
    assert.equal((await one.drives(`?${query}`)).status, 400, query);
  const page = (await one.drives('?limit=1&offset=1')).body;
  assert.deepEqual(page.pagination, { limit: 1, offset: 1, total: all.length });
  assert.deepEqual((await one.drives('?offset=50')).body.data, []);

  const file = t.file(3);
  for (const path of ['', 'a', '/..', '/../a', '/a/..', '/a/../b', '/a\n/b', '../a', 5, null]) {
    assert.equal((await one.move(file.driveId, file.id, path)).status, 400, JSON.stringify(path));
  }
  for (const path of ['/a..b', '/..a/b', '/a/...', '/.hidden', '/ü and ?&#%+.txt', '/x//y']) {
    assert.equal((await one.move(file.driveId, file.id, path)).body.path, path);
    assert.equal((await t.read(file)).path, path);
  }
  for (const path of ['', 'a', '/..', '/a/../b', '/a\nb'])
    assert.equal((await one.deleteTree(file.driveId, path)).status, 400, path);
  const [inside, sibling, upper] = await t.place('/tree/in/side.txt', '/tree-2/side.txt', '/Tree/side.txt');
  assert.equal((await one.deleteTree(file.driveId, '/tree')).body.documentCount, 1);
  assert.ok(inside && sibling && upper);
  assert.deepEqual([await t.gone(inside), await t.gone(sibling), await t.gone(upper)], [true, false, false]);

  const foreign = t.file(0, 1);
  assert.equal((await two.file(foreign.driveId, foreign.id)).status, 404);
  assert.equal((await two.move(foreign.driveId, foreign.id, '/mine')).status, 404);
  assert.equal((await two.deleteTree(foreign.driveId, '/apollo')).status, 404);
  assert.equal((await two.publish(t.agent(1).id, t.revision(0, 1))).status, 404);
  assert.equal((await two.tools(t.serverId())).status, 404);
  assert.equal((await one.file(t.driveId(1), t.file(5).id)).status, 404);

  for (const api of [
    t.anonymous,
    t.stranger,
    t.caller({ authorization: 'Bearer nope' }),
    t.caller({ 'x-api-key': '' }),
  ]) {
    const answers = [
      await api.agents(),
      await api.publish(t.agent().id, t.revision()),
      await api.createDrive('x'),
      await api.drives(),
      await api.file(foreign.driveId, foreign.id),
      await api.move(foreign.driveId, foreign.id, '/x'),
      await api.deleteTree(foreign.driveId, '/'),
      await api.createServer('x', 'https://x.example'),
      await api.servers(),
      await api.tools('unknown'),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      Array(10).fill(401),
    );
  }
}
