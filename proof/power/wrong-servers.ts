import { setTimeout } from 'node:timers/promises';
import type { WireAnswer, WireFault } from './mutant.ts';
import { agents, changeListed, changeMoves, changeSubtrees, drives, idsOf, mcpServers } from './mutants/patch-store.ts';
import { operationIdOf, passOn, write } from './mutants/wire-faults.ts';
import type { Startable } from './start-mutant.ts';

/** A server that is wrong in one way that makes a run wait. To add one, describe what never comes. */
export interface WrongServer extends Startable {
  id: string;
  /** Whether time is what is wrong, so that a run may take longer than on a sound server. */
  isSlow?: boolean;
}

/** Servers on which a thing does not come, or comes late: how long a run on them takes is what they are for. */
export const wrongServers: readonly WrongServer[] = [
  { id: 'sound' },
  { id: 'creation-not-stored', break: (engine) => hideNew(engine, drives) },
  { id: 'mcp-creation-not-listed', break: (engine) => hideNew(engine, mcpServers) },
  {
    id: 'move-not-stored',
    break: changeMoves((_, before) => ({ kept: { path: before.path, name: before.name } })),
  },
  { id: 'one-file-of-a-tree-is-deleted', break: changeSubtrees((path, under) => firstOf(under(path))) },
  {
    id: 'tree-deletion-never-ends',
    break: changeSubtrees((path, under) => ({ ...under(path), below: [] })),
    profile: { 'treePath.missing': 'emptyJob' },
  },
  {
    id: 'publication-not-shown',
    break: changeListed(agents, (all) => all.map((agent) => withoutPublication(agent))),
  },
  { id: 'slow', isSlow: true, wire: () => late(200) },
  { id: 'stale-lists', wire: () => stale(20_000) },
  { id: 'every-third-request-fails', wire: () => failing(3) },
  { id: 'some-requests-hang', wire: () => hanging(60) },
];

type Shelf = typeof drives | typeof mcpServers;

/** What was created is acknowledged, and never listed. */
function hideNew(engine: Parameters<NonNullable<Startable['break']>>[0], shelf: Shelf): void {
  const known = idsOf<{ id: string; name: string; createdAtMs: number; updatedAtMs: number }>(engine, shelf);
  changeListed<{ id: string; name: string; createdAtMs: number; updatedAtMs: number }>(shelf, (all) =>
    all.filter(({ id }) => known.has(id)),
  )(engine);
}

function firstOf<T extends { below: readonly unknown[] }>(subtree: T): T {
  return { ...subtree, below: subtree.below.slice(0, 1) };
}

function withoutPublication<T extends { activeRevisionId?: string }>(agent: T): T {
  const { activeRevisionId: _, ...rest } = agent;
  return rest as T;
}

function late(ms: number): WireFault {
  return async (request, response, forward) => {
    await setTimeout(ms);
    await passOn(request, response, forward);
  };
}

/** Lists show what was there `ageMs` ago: at first, what was there at the start. */
function stale(ageMs: number): WireFault {
  const known = new Map<string, { sinceMs: number; answer: WireAnswer }[]>();
  const list: WireFault = async (request, response, forward) => {
    const key = JSON.stringify([request.url, request.headers['x-api-key'], request.headers.authorization]);
    const versions = known.get(key) ?? [];
    const nowMs = performance.now();
    versions.push({ sinceMs: nowMs, answer: await forward() });
    known.set(key, versions);
    const old = versions.findLast(({ sinceMs }) => sinceMs <= nowMs - ageMs) ?? versions[0];
    if (old !== undefined) write(response, old.answer);
  };
  return (request, response, forward) => {
    const isList = ['listAgents', 'listDrives', 'listMcpServers'].includes(operationIdOf(request) ?? '');
    return (isList ? list : passOn)(request, response, forward);
  };
}

function failing(every: number): WireFault {
  let count = 0;
  const failed = { status: 500, headers: { 'content-type': 'application/json' }, body: '{"error":"out of order"}' };
  return async (request, response, forward) => {
    if (++count % every === 0) write(response, failed);
    else await passOn(request, response, forward);
  };
}

/** Some reads of files hang, the others are served. */
function hanging(every: number): WireFault {
  let count = 0;
  return async (request, response, forward) => {
    if (++count % every !== 0) await passOn(request, response, forward);
  };
}
