import { setTimeout } from 'node:timers/promises';
import type { OrderedList } from '../../../src/domain/ordered-list.ts';
import type { Engine, WireAnswer, WireFault } from '../mutant.ts';
import { inEach, inEachTree, type Listed } from '../mutants/patch-store.ts';
import { isSuccess, operationIdOf, pathOf, withBody, write } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

const lagMs = 700;

/** Does something a little later, unless the signal comes before. */
function later(signal: AbortSignal, delayMs: number, act: () => void): void {
  setTimeout(delayMs, undefined, { signal }).then(act, () => undefined);
}

function lateCreations(engine: Engine, signal: AbortSignal): void {
  inEach(({ drives, mcpServers }) => {
    for (const list of [drives, mcpServers] as OrderedList<Listed>[]) {
      const add = list.add.bind(list);
      list.add = (item) => later(signal, lagMs, () => add(item));
    }
  })(engine);
}

function latePublications(engine: Engine, signal: AbortSignal): void {
  inEach(({ agents }) => {
    const replace = agents.replace.bind(agents);
    agents.replace = (earlier, agent) => later(signal, lagMs, () => replace(earlier, agent));
  })(engine);
}

/** The files of a tree go one after the other. */
function lateDeletions(engine: Engine, signal: AbortSignal): void {
  inEachTree(({ tree }) => {
    const remove = tree.remove.bind(tree);
    let latestMs = 0;
    tree.remove = (id) => {
      const { path } = tree.find(id) ?? {};
      latestMs = Math.max(Date.now(), latestMs) + 90;
      later(signal, latestMs - Date.now(), () => tree.find(id)?.path === path && remove(id));
    };
  })(engine);
}

/** What a file showed since a time. */
interface Version {
  sinceMs: number;
  answer: WireAnswer;
}

/** Moves are answered at once; `isLate` says which readings still show what was there before. */
function lateMoves(isLate: () => boolean): WireFault {
  const versions = new Map<string, Version[]>();
  return async (request, response, forward) => {
    const key = pathOf(request.url ?? '');
    const operation = operationIdOf(request);
    const answer = await forward();
    const known = versions.get(key) ?? [];
    if (operation === 'updateDriveFile' && isSuccess(answer.status)) {
      versions.set(key, [...known, { sinceMs: Date.now() + lagMs, answer: { ...answer, status: 200 } }]);
    }
    if (operation === 'getDriveFile' && isSuccess(answer.status) && known.length === 0) {
      versions.set(key, [{ sinceMs: 0, answer }]);
    }
    const isStale = operation === 'getDriveFile' && isSuccess(answer.status) && known.length > 0 && isLate();
    write(response, isStale ? (known.findLast(({ sinceMs }) => sinceMs <= Date.now())?.answer ?? answer) : answer);
  };
}

/** Of two copies one is behind: each reading comes from the other one. */
function twoCopies(): WireFault {
  let turn = 0;
  const isLate = () => ++turn % 2 === 0;
  const moves = lateMoves(isLate);
  return async (request, response, forward) => {
    const operation = operationIdOf(request) ?? '';
    if (!operation.startsWith('list') || operation.endsWith('Tools')) return moves(request, response, forward);
    const answer = await forward();
    write(response, isSuccess(answer.status) && isLate() ? withoutTheLatest(answer) : answer);
  };
}

function withoutTheLatest(answer: WireAnswer): WireAnswer {
  const isKnown = ({ createdAt }: { createdAt: string }) => Date.parse(createdAt) <= Date.now() - lagMs;
  const body = JSON.parse(answer.body);
  const kept = Array.isArray(body) ? body.filter(isKnown) : { ...body, data: body.data.filter(isKnown) };
  return withBody(answer, JSON.stringify(kept));
}

/** What was changed shows a little later. */
export const lagging: Record<string, Oddity> = {
  'creations-are-listed-later': {
    why: 'Sections 4.3 and 4.8: when a creation is listed is not shown.',
    profile: { 'successStatus.createDrive': 202 },
    break: lateCreations,
  },
  'publications-show-later': {
    why: 'Section 4.2: when a publication shows is not shown.',
    profile: { 'successStatus.publishAgentRevision': 202 },
    break: latePublications,
  },
  'moves-show-later': {
    why: 'Section 4.6: the answer shows the updated file; when a reading does is not shown.',
    profile: { 'successStatus.updateDriveFile': 202 },
    wire: () => lateMoves(() => true),
  },
  'files-of-a-tree-vanish-one-by-one': {
    why: 'Section 4.7 answers with a job: how it goes about it is not shown.',
    profile: { 'successStatus.deleteDriveTree': 202 },
    break: lateDeletions,
  },
  'one-of-two-copies-is-behind': {
    why: 'No section states that a reading shows the latest change, nor that later readings show no less.',
    wire: twoCopies,
  },
};
