import assert from 'node:assert/strict';
import {
  agentsSound,
  authSound,
  deletionSound,
  driveMade,
  drivesSound,
  fileSound,
  filesSound,
  GOOD_URL,
  publishing,
  serverMade,
  serversSound,
  toolsSound,
} from './checks.ts';
import { start, variants } from './index.ts';
import type { Facts } from './model.ts';
import type { Reply, Tester } from './tester.ts';
import { ok, tester } from './tester.ts';
import type { Variant } from './variant.ts';

const NAMES = ['Fresh drive', 'Fresh', 'fresh-drive', 'The freshest drive of them all'];

/** Throws an AssertionError when the fault is not to be seen. */
export async function shows(variant: Variant, baseUrl: string, facts: Facts): Promise<void> {
  assert.ok(await variant.demo?.(tester(baseUrl, facts)), `${variant.name} is not to be seen`);
}

async function first(tries: readonly (() => Promise<Reply>)[]): Promise<Reply> {
  let reply: Reply | undefined;
  for (const attempt of tries) {
    reply = await attempt();
    if (ok(reply)) return reply;
  }
  assert.fail(`all refused: ${reply?.status} ${reply?.text}`);
}

async function creating(t: Tester, org: number): Promise<void> {
  const drive = await first(NAMES.map((name) => () => t.newDrive(name, org)));
  driveMade(drive, drive.body.name);
  assert.ok(NAMES.includes(drive.body.name));
  const server = await first(NAMES.map((name) => () => t.newServer(name, GOOD_URL, org)));
  serverMade(server, server.body.name, GOOD_URL);
  await t.settle();
  assert.ok((await drivesSound(t, org)).some((item) => item.id === drive.body.id));
  assert.ok((await serversSound(t, org)).some((item) => item.id === server.body.id));
}

async function filing(t: Tester, org: number): Promise<void> {
  const paths = ['/kept/a.txt', '/taken/b.txt', '/taken/below/c.txt', '/taken-not/d.txt'];
  for (const [n, path] of paths.entries()) {
    assert.equal(fileSound(await t.move(path, n, 0, org), t.fileId(n, 0, org)).path, path);
  }
  await t.settle();
  for (const [n, path] of paths.entries()) assert.equal((await t.get(n, 0, org)).body.path, path);
  deletionSound(await t.del('/taken', 0, org));
  await t.settle();
  const found = await Promise.all(paths.map(async (_path, n) => ok(await t.get(n, 0, org))));
  assert.deepEqual(found, [true, false, false, true]);
}

async function refusing(t: Tester): Promise<void> {
  for (const path of ['/..', '/../x', '/a/../b', '/a/..', 'a/b', '']) {
    for (const reply of [await t.move(path), await t.del(path)]) {
      assert.ok(reply.status >= 400 && reply.status < 500, `${path} ${reply.status}`);
    }
  }
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'offset=-1', 'offset=x']) {
    const { status } = await t.call('GET', `/drives?${query}`);
    assert.ok(status >= 400 && status < 500, `${query} ${status}`);
  }
  const theirs = `/drives/${t.driveId(0, 1)}/files/${t.fileId(0, 0, 1)}`;
  assert.ok(!ok(await t.call('GET', theirs)));
  assert.ok(!ok(await t.call('PATCH', theirs, { body: { path: '/x' } })));
  assert.equal((await t.call('GET', `/mcp-servers/${t.org(1).mcpServers[0]?.id}/tools`)).status, 404);
}

async function paging(t: Tester): Promise<void> {
  const whole = (await t.page({ limit: 9, offset: 0 })).body.data.map((drive: any) => drive.id);
  const pieces: string[] = [];
  for (let offset = 0; offset < 9; offset += 3) {
    const { data, pagination } = (await t.page({ limit: 3, offset })).body;
    assert.equal(pagination.limit, 3);
    assert.equal(pagination.offset, offset);
    pieces.push(...data.map((drive: any) => drive.id));
  }
  assert.deepEqual(pieces.slice(0, whole.length), whole);
}

async function factsSound({ organizations }: Facts): Promise<void> {
  for (const org of organizations) {
    assert.ok(org.agents.length >= 3 && (org.agents[0]?.revisionIds.length ?? 0) >= 2);
    assert.ok(org.drives.length >= 2 && (org.drives[0]?.files.length ?? 0) >= 14);
    assert.ok(org.drives.every((drive) => drive.files.length >= 3));
    assert.ok(org.mcpServers.length >= 2);
  }
}

/** All ten operations do what the specification states. */
export async function usable(baseUrl: string, facts: Facts): Promise<void> {
  const t = tester(baseUrl, facts);
  await factsSound(facts);
  assert.equal((await agentsSound(t)).find((a) => a.id === t.org().agents[0]?.id).isPublished, false);
  for (const org of [0, 1]) {
    await agentsSound(t, org);
    await drivesSound(t, org);
    await filesSound(t, org);
    await serversSound(t, org);
    await toolsSound(t, org);
  }
  await paging(t);
  await refusing(t);
  for (const org of [0, 1]) {
    await creating(t, org);
    await filing(t, org);
    await publishing(t, 0, 0, org);
    await publishing(t, 0, 1, org);
  }
  await authSound(t);
  for (const org of [0, 1]) {
    await filesAfter(t, org);
    await agentsSound(t, org);
    await serversSound(t, org);
    await drivesSound(t, org);
  }
}

async function filesAfter(t: Tester, org: number): Promise<void> {
  for (let n = 4; n < 8; n += 1) fileSound(await t.get(n, 0, org), t.fileId(n, 0, org));
}

async function withServer(names: string[], use: (url: string, facts: Facts) => Promise<void>) {
  const server = await start(names);
  try {
    await use(server.baseUrl, server.facts);
  } finally {
    await server.stop();
  }
}

async function notShown(variant: Variant, baseUrl: string, facts: Facts): Promise<void> {
  try {
    await shows(variant, baseUrl, facts);
  } catch (error) {
    assert.ok(error instanceof assert.AssertionError, `no AssertionError on the base: ${error}`);
    return;
  }
  assert.fail('seen on the base too');
}

async function check(variant: Variant): Promise<void> {
  if (variant.kind === 'legal') return withServer([variant.name], usable);
  await withServer([variant.name], (url, facts) => shows(variant, url, facts));
  await withServer([], (url, facts) => notShown(variant, url, facts));
}

function count(key: (variant: Variant) => string): string {
  const counts = new Map<string, number>();
  for (const variant of variants) counts.set(key(variant), (counts.get(key(variant)) ?? 0) + 1);
  const byName = [...counts].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  return byName.map(([name, number]) => `${name}: ${number}`).join(', ');
}

function wellFormed(): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { name, kind, section, demo } of variants) {
    if (seen.has(name)) problems.push(`${name}: named twice`);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) problems.push(`${name}: not in kebab case`);
    if (!/^\d+(\.\d+)?$/.test(section)) problems.push(`${name}: section ${section}`);
    if ((kind === 'legal') === (demo !== undefined)) problems.push(`${name}: demonstration`);
    seen.add(name);
  }
  return problems;
}

async function main(wanted: readonly string[]): Promise<void> {
  const problems = wellFormed();
  const queue = variants.filter(({ name }) => !wanted.length || wanted.includes(name));
  await withServer([], usable);
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { name, kind } = next;
      await check(next).catch((error) => problems.push(`${kind} ${name}: ${error.stack?.slice(0, 400)}`));
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  console.log(`Kinds: ${count(({ kind }) => kind)}`);
  for (const kind of ['must', 'should', 'legal']) {
    console.log(`${kind} by section: ${count((v) => (v.kind === kind ? v.section : ' others'))}`);
  }
  for (const problem of problems) console.log(`PROBLEM ${problem}`);
  console.log(problems.length ? `${problems.length} problems` : 'All hold.');
  process.exitCode = problems.length ? 1 : 0;
}

if (import.meta.main) await main(process.argv.slice(2));
