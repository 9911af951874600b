import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it, onTestFinished } from 'vitest';
import { fullEnvironment } from '../support/command.ts';
import { depth } from '../support/depth.ts';
import { useUpstream } from '../support/proxied.ts';
import { timeLimit } from '../support/time-limit.ts';

// Many megabytes through the proxy, in each direction, in memory that does not depend on how much it is.

const megabyte = 1_048_576;
const piece = Buffer.alloc(65_536, 'a');
const megabytes = depth(16, 200);
const growthLimitBytes = 60 * megabyte;

function* pieces(megabytes: number): Generator<Buffer> {
  for (let count = (megabytes * megabyte) / piece.length; count > 0; count -= 1) yield piece;
}

async function countBytes(message: IncomingMessage): Promise<number> {
  let count = 0;
  for await (const chunk of message) count += chunk.length;
  return count;
}

/** Answers with as many megabytes as the query says, and says how many bytes came. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const count = await countBytes(request);
  const megabytes = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('megabytes'));
  response.writeHead(200, { 'content-type': 'application/json', 'x-count': count });
  await pipeline(Readable.from(pieces(megabytes), { objectMode: false }), response);
}

async function startProxyProcess(upstream: string): Promise<{ url: string; peak(): Promise<number> }> {
  const child: ChildProcess = fork(new URL('../support/proxy-process.ts', import.meta.url), [upstream], {
    execArgv: [],
    env: fullEnvironment(),
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.disconnect();
    await exited;
  });
  const [{ url }] = await once(child, 'message');
  const peak = async () => {
    child.send('peak');
    const [{ peakBytes }] = await once(child, 'message');
    return peakBytes;
  };
  return { url, peak };
}

/** Sends and asks for as many megabytes; how many bytes arrived there and here. */
async function send(url: string, up: number, down: number): Promise<{ up: number; down: number }> {
  const outgoing: ClientRequest = sendRequest(`${url}/drives?megabytes=${down}`, {
    method: 'POST',
    headers: { 'x-api-key': 'k', 'content-type': 'application/json' },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(pieces(up), { objectMode: false }), outgoing);
  const [incoming] = await answered;
  return { up: Number(incoming.headers['x-count']), down: await countBytes(incoming) };
}

it(`streams ${megabytes} MB both ways without growing memory`, async () => {
  const upstream = await useUpstream(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  const { url, peak } = await startProxyProcess(upstream.url);
  await send(url, 10, 10);
  const before = await peak();
  const bytes = megabytes * megabyte;
  expect(await send(url, megabytes, megabytes)).toEqual({ up: bytes, down: bytes });
  const growthBytes = (await peak()) - before;
  process.stdout.write(`proxy: ${megabytes} MB both ways, memory grew by ${Math.round(growthBytes / megabyte)} MB\n`);
  expect(growthBytes).toBeLessThan(growthLimitBytes);
});

it('slows the upstream down when the client does not read', async () => {
  let sentBytes = 0;
  const upstream = await useUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const fill = () => {
      for (let isRoom = true; isRoom && sentBytes < 200 * megabyte; sentBytes += piece.length)
        isRoom = response.write(piece);
    };
    response.on('drain', fill);
    fill();
  });
  const { url } = await startProxyProcess(upstream.url);
  const outgoing = sendRequest(`${url}/agents`, { headers: { 'x-api-key': 'k' } })
    .on('error', () => undefined)
    .end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.on('error', () => undefined).pause();
  // What stands still for a while has filled every buffer on the way.
  let seenBytes = -1;
  const isStill = () => {
    const isSame = seenBytes === sentBytes;
    seenBytes = sentBytes;
    return isSame;
  };
  await expect.poll(isStill, { interval: 500, timeout: timeLimit(60_000) }).toBe(true);
  expect(sentBytes).toBeLessThan(100 * megabyte);
  outgoing.destroy();
});
