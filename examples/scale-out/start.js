/** Starts several mocks, one per process, behind one nginx. A mock that ends is started again. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nginxConfig } from './nginx-config.js';
import { readOptions } from './options.js';

const { processes, port, state } = readOptions();
const folder = mkdtempSync(join(tmpdir(), 'agent-platform-scale-out-'));
const children = new Set();
let isEnding = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end(0));
if (state) mkdirSync(state, { recursive: true });
const shards = await Promise.all(Array.from({ length: processes }, (_, index) => startShard(index + 1)));
await startNginx();
if (!isEnding) tellWhere();

function tellWhere() {
  console.log(`Base URL  http://127.0.0.1:${port}/v0.1`);
  for (const [index, { address, pid }] of shards.entries()) {
    const adminApi = `http://127.0.0.1:${port}/shards/${index + 1}/__admin`;
    console.log(`Shard ${index + 1}   ${adminApi}, page http://${address}/ (process ${pid})`);
  }
}

/** Starts a mock: on any free port, or again on the one it had. */
async function startShard(number, shardPort = 0) {
  const file = state ? [join(state, `shard-${number}-of-${processes}`)] : [];
  const shard = own(fork(new URL('shard.js', import.meta.url), [String(shardPort), ...file]));
  const started = once(shard, 'message');
  const [first] = await Promise.race([started, once(shard, 'exit').then(() => [])]);
  if (first === undefined) return fail(`Shard ${number} does not start.`);
  shard.once('exit', (code, signal) => {
    if (isEnding) return;
    console.error(`Shard ${number} ended (${signal ?? code}) and starts again. ${whatIsLeft()}`);
    void startShard(number, new URL(`http://${first.address}`).port);
  });
  return { address: first.address, pid: shard.pid };
}

function whatIsLeft() {
  return state ? 'Its sandboxes come back from its file.' : 'Its sandboxes are gone: their keys open fresh ones.';
}

/** Starts nginx, and waits until it responds. */
async function startNginx() {
  if (isEnding) return;
  // nginx may run its workers as another user.
  chmodSync(folder, 0o711);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, nginxConfig({ folder, port, shards: shards.map(({ address }) => address) }));
  // Debian puts it where the PATH of most users does not look.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const nginx = own(
    spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  nginx.once('error', () => fail('nginx is not installed. On Debian: apt-get install nginx-light'));
  nginx.once('exit', (code) => isEnding || fail(`nginx ended (${code}). Its message stands above.`));
  while (!isEnding && !(await answers())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function answers() {
  const told = await fetch(`http://127.0.0.1:${port}/shards`).catch(() => undefined);
  // Another program may have the port.
  return (await told?.text()) === shards.map(({ address }) => address).join(' ');
}

function own(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function fail(message) {
  console.error(message);
  end(1);
}

/** Ends all that was started, and leaves no file behind. */
function end(exitCode) {
  if (isEnding) return;
  isEnding = true;
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = exitCode;
}
