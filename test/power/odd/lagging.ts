import type { OrderedList } from '../../../src/domain/ordered-list.ts';
import type { Mock } from '../../../src/index.ts';
import type { WireAnswer, WireFault } from '../mutant.ts';
import { type Created, organizationsOf, treesOf } from '../mutants/patch-store.ts';
import { isSuccess, operationIdOf, pathOf, withBody, write } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

const lagMs = 700;

/** Does things a little later, and drops what is left at the end. */
function createLater(): { later(delayMs: number, act: () => void): void; stop(): void } {
  const timers = new Set<NodeJS.Timeout>();
  return {
    later: (delayMs, act) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        act();
      }, delayMs);
      timers.add(timer);
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function lateCreations({ engine }: Mock): () => void {
  const { later, stop } = createLater();
  for (const { drives, mcpServers } of organizationsOf(engine)) {
    for (const list of [drives, mcpServers] as OrderedList<Created>[]) {
      const add = list.add.bind(list);
      list.add = (item) => later(lagMs, () => add(item));
    }
  }
  return stop;
}

function latePublications({ engine }: Mock): () => void {
  const { later, stop } = createLater();
  for (const { agents } of organizationsOf(engine)) {
    const replace = agents.replace.bind(agents);
    agents.replace = (earlier, agent) => later(lagMs, () => replace(earlier, agent));
  }
  return stop;
}

/** The files of a tree go one after the other. */
function lateDeletions({ engine }: Mock): () => void {
  const { later, stop } = createLater();
  for (const { tree } of treesOf(engine)) {
    const [remove, put] = [tree.remove.bind(tree), tree.put.bind(tree)];
    let isMoving = false;
    tree.put = (file) => {
      isMoving = true;
      put(file);
      isMoving = false;
    };
    let latestMs = 0;
    tree.remove = (id) => {
      if (isMoving) return remove(id);
      const { path } = tree.find(id) ?? {};
      latestMs = Math.max(Date.now(), latestMs) + 90;
      later(latestMs - Date.now(), () => tree.find(id)?.path === path && remove(id));
    };
  }
  return stop;
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
export const lagging: readonly Oddity[] = [
  {
    id: 'creations-are-listed-later',
    why: 'Sections 4.3 and 4.8: when a creation is listed is not shown.',
    profile: { createStatus: 202 },
    prepare: lateCreations,
  },
  {
    id: 'publications-show-later',
    why: 'Section 4.2: when a publication shows is not shown.',
    profile: { publishStatus: 202 },
    prepare: latePublications,
  },
  {
    id: 'moves-show-later',
    why: 'Section 4.6: the answer shows the updated file; when a reading does is not shown.',
    profile: { updateStatus: 202 },
    wire: () => lateMoves(() => true),
  },
  {
    id: 'files-of-a-tree-vanish-one-by-one',
    why: 'Section 4.7 answers with a job: how it goes about it is not shown.',
    profile: { deleteStatus: 202 },
    prepare: lateDeletions,
  },
  {
    id: 'one-of-two-copies-is-behind',
    why: 'No section states that a reading shows the latest change, nor that later readings show no less.',
    wire: twoCopies,
  },
];
