import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMachine } from './machine.ts';
import type { Ctx, Facts, Machine, Org, OrganizationFacts } from './model.ts';
import { seed } from './seeds.ts';

async function textOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

async function receive(m: Machine, req: IncomingMessage, count: number): Promise<Ctx> {
  const [path = '', ...query] = (req.url ?? '').split('?');
  const rawQuery = query.join('?');
  const ctx: Ctx = {
    method: req.method ?? 'GET',
    path: path.startsWith(m.basePath) ? path.slice(m.basePath.length) : ` ${path}`,
    query: new URLSearchParams(rawQuery),
    rawQuery,
    headers: req.headers,
    rawHeaders: req.rawHeaders,
    text: await textOf(req),
    op: undefined,
    params: {},
    key: undefined,
    via: undefined,
    org: undefined as unknown as Org,
    input: {},
    count,
  };
  ctx.op = m.match(ctx);
  return ctx;
}

async function serve(m: Machine, req: IncomingMessage, res: ServerResponse, count: number) {
  const ctx = await receive(m, req, count);
  const answer = await m.finish(ctx, await m.handle(ctx));
  m.write(res, ctx, answer);
}

function factsOf(org: Org): OrganizationFacts {
  const { agents, drives, files, servers } = org.view;
  const ids = (driveId: string) =>
    [...files.values()].filter((file) => file.driveId === driveId).map(({ id }) => ({ id }));
  return {
    apiKey: org.key,
    agents: [...agents.values()].map(({ id, revisionIds }) => ({
      id,
      revisionIds: [...revisionIds],
    })),
    drives: [...drives.values()].map(({ id }) => ({ id, files: ids(id) })).filter((drive) => drive.files.length > 0),
    mcpServers: [...servers.values()].filter((s) => s.tools.length > 0).map(({ id }) => ({ id })),
  };
}

export interface Running {
  baseUrl: string;
  facts: Facts;
  stop(): Promise<void>;
}

export async function startMachine(changes: readonly ((m: Machine) => void)[]): Promise<Running> {
  const m = createMachine();
  for (const change of changes) change(m);
  seed(m);
  const [first, second] = m.orgs as [Org, Org];
  const facts: Facts = {
    treePathParameter: m.treeParam,
    settleMs: m.settleMs,
    organizations: [factsOf(first), factsOf(second)],
  };
  let count = 0;
  const server = createServer((req, res) => {
    count += 1;
    serve(m, req, res, count).catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    server.closeAllConnections();
    for (const timer of m.timers) clearTimeout(timer);
    await closed;
    for (const timer of m.timers) clearTimeout(timer);
  };
  return { baseUrl: `http://127.0.0.1:${port}${m.basePath}`, facts, stop };
}

/** Waits as part of the server: ended by its stop. */
export function nap(m: Machine, ms: number): Promise<void> {
  return new Promise((resolve) => {
    m.later(ms, resolve);
  });
}
