/**
 * The catalogue, and the server with any of its variants. How it reads the specification where that is not obvious:
 * - Sharing things of another organization by id breaks a fact, because no fixture declares sharing.
 * - The effect of publishing on the flags of an agent is an inference (section 3 does not state it), except where the flags
 *   show that a request without valid authentication, or of the other organization, was carried out.
 * - `data` and `pagination` and the types of the pagination numbers are facts; what the numbers mean is an inference.
 * - Missing fields of agents, files and listed drives are an inference; wrong types and values break a fact.
 * - A 5xx to a valid request breaks a fact; a 5xx to bad input is an inference.
 * - The status of a file may change by itself within `settleMs` after a move or a deletion (transitions are not shown).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Entry, Started } from '../catalogue.ts';
import type { Ask } from './engine.ts';
import { findRoute, makeEngine } from './engine.ts';
import { items } from './items.ts';
import { plant } from './seeds.ts';
import { takes } from './variant.ts';

export const entries: readonly Entry[] = items.map(({ class: sort, variant: _, ...entry }) => ({
  ...entry,
  takes: takes[sort],
}));

const prefix = '/platform/v0.1';

export async function start(names: readonly string[]): Promise<Started> {
  const variants = names.map((name) => {
    const item = items.find((one) => one.name === name);
    if (!item) throw new Error(`There is no entry named ${name}.`);
    return item.variant;
  });
  const engine = makeEngine(variants);
  const organizations = plant(engine.lab);
  let count = 0;

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', async () => {
      const text = Buffer.concat(parts).toString('utf8');
      const [address = '', rawQuery = ''] = (request.url ?? '/').split(/\?(.*)/s);
      const method = request.method ?? 'GET';
      const route = address.startsWith(`${prefix}/`)
        ? findRoute(method, address.slice(prefix.length))
        : { op: null, ids: [] };
      const own = request.headers['x-api-key'];
      const bearer = /^bearer +(\S.*)$/i.exec(request.headers.authorization ?? '');
      const keys: string[] = [];
      if (own !== undefined) keys.push(String(own));
      if (request.headers.authorization !== undefined) keys.push(bearer ? bearer[1]! : '');
      const ask: Ask = {
        n: ++count,
        at: engine.lab.now(),
        method,
        path: address,
        rawQuery,
        query: new URLSearchParams(rawQuery),
        headers: request.headers,
        text,
        body: undefined,
        badBody: false,
        op: route.op,
        ids: route.ids,
        keys,
        org: '',
        via: keys.length > 1 ? 'both' : own !== undefined ? 'x-api-key' : keys.length ? 'bearer' : 'none',
      };
      if (method === 'POST' || method === 'PATCH') {
        try {
          ask.body = JSON.parse(text);
        } catch {
          ask.badBody = true;
        }
        if (ask.body === null || typeof ask.body !== 'object' || Array.isArray(ask.body)) ask.badBody = true;
      }
      try {
        const reply = await engine.answer(ask);
        const bare = reply.status === 204 || (reply.body === undefined && reply.raw === undefined);
        const head: Record<string, string> = bare
          ? { ...reply.headers }
          : { 'content-type': 'application/json', ...reply.headers };
        response.writeHead(reply.status, head);
        response.end(bare ? undefined : (reply.raw ?? JSON.stringify(reply.body)));
      } catch (fault) {
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: String(fault) }));
      }
    });
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${prefix}`,
    facts: {
      treePathParameter: engine.lab.settings.treeParameter,
      settleMs: engine.lab.settings.settleMs,
      organizations,
    },
    stop: () =>
      new Promise((done) => {
        engine.stop();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
