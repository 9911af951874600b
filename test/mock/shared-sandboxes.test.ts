import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/domain/file-tree.ts';
import { createIds } from '../../src/domain/ids.ts';
import { idStreamOf } from '../../src/domain/organizations.ts';
import type { DriveFile } from '../../src/domain/resources.ts';
import { toOrganizationSnapshot } from '../../src/domain/snapshot.ts';
import type { Mock, MockOptions } from '../../src/index.ts';
import { now, seed } from '../model/seed.ts';
import { useMock } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { anyStep, sendStep, type Turn, toTurnRequest, toTurns } from '../support/random-steps.ts';

// A sandbox shares records and files with the seed. Nobody may notice, except by the memory.

type Resident = Mock['engine']['store']['sandboxes'][number];

const sandboxKeys = ['sandbox-1', 'sandbox-2', 'sandbox-3'];

const startMock = (options: MockOptions = {}) => useMock({ seed, clock: now, openKeys: true, ...options });

/** Back to the start, with sandboxes that were opened at different times. */
function openSandboxes(mock: Mock, prepare: (sandbox: Resident) => void = () => undefined): void {
  const { engine } = mock;
  mock.reset();
  for (const key of sandboxKeys) {
    engine.clock.set(engine.clock.nowMs() + 400);
    engine.answer({ operationId: 'listAgents', pathParameters: {}, query: '', headers: { 'x-api-key': key } });
    prepare(engine.store.ownerOf(key) as Resident);
  }
}

/** Gives a sandbox records and files of its own. */
function ownAll({ engine }: Mock): (sandbox: Resident) => void {
  return (sandbox) => engine.restoreOrganization(toOrganizationSnapshot(sandbox));
}

/** All organizations by their ids, as text. */
function statesOf({ engine }: Mock): Map<string, string> {
  return new Map(
    engine.store.sandboxes.map((sandbox) => [sandbox.organization.id, JSON.stringify(toOrganizationSnapshot(sandbox))]),
  );
}

/** What further sandboxes are made from, as text. */
function templatesOf({ engine }: Mock): string[] {
  return engine.store.templates.map((organization) => {
    const bare = { organization, origin: { kind: 'seed', index: 0 } as const, keys: new Set<string>(), firstKeys: [] };
    return JSON.stringify(toOrganizationSnapshot({ ...bare, lastUse: 0 }));
  });
}

/** The id of the organization that a turn acts on. */
function actorOf({ engine: { store } }: Mock, { who }: Turn): string | undefined {
  return store.ownerOf(store.keys[who % store.keys.length] ?? '')?.organization.id;
}

describe('a sandbox that shares with the seed', () => {
  const course = toTurns(anyStep, 10, 30);
  const runs = { numRuns: depth(6, 200), seed: randomSeed, endOnFailure: true };

  it('behaves as one that was copied at once, whatever is done to both', async () => {
    const [sharing, copied] = [await startMock(), await startMock()];
    const walk = async (turns: Turn[]) => {
      openSandboxes(sharing);
      openSandboxes(copied, ownAll(copied));
      for (const turn of turns) {
        const request = toTurnRequest(copied, turn);
        expect(await sendStep(sharing, request)).toBe(await sendStep(copied, request));
      }
      expect(sharing.snapshot()).toEqual(copied.snapshot());
    };
    await fc.assert(fc.asyncProperty(course, walk), runs);
  });

  it('shows no change to the seed or to another sandbox', async () => {
    const mock = await startMock();
    const walk = async (turns: Turn[]) => {
      openSandboxes(mock);
      const templates = templatesOf(mock);
      for (const turn of turns) {
        const [before, own] = [statesOf(mock), actorOf(mock, turn)];
        await sendStep(mock, toTurnRequest(mock, turn));
        const changed = [...statesOf(mock)].filter(([id, state]) => id !== own && before.get(id) !== state);
        expect(changed).toEqual([]);
        expect(templatesOf(mock)).toEqual(templates);
      }
    };
    await fc.assert(fc.asyncProperty(course, walk), runs);
  });
});

function fileOf(id: string, version: number): DriveFile {
  const path = `/${version % 3}/${id}`;
  const facts = { modifiedAtMs: version, sizeBytes: 0, contentType: 'text/plain' };
  const next = { status: 'ready', atMs: 1_000 + version } as const;
  return { id, path, name: nameOf(path), status: 'processing', ...facts, ...(version % 2 === 0 ? { next } : {}) };
}

describe('opening sandboxes', () => {
  it('lets files change their status as long after the start of each sandbox as in the seed', async () => {
    const mock = await startMock();
    openSandboxes(mock);
    const timesOf = (key: string) => {
      const files = mock.engine.store.ownerOf(key)?.organization.filesOf('drive-files').all() ?? [];
      return files.flatMap(({ id, next }) => (next === undefined ? [] : [{ id, atMs: next.atMs }]));
    };
    const [first = [], ...others] = sandboxKeys.map(timesOf);
    expect(first).not.toEqual([]);
    for (const [index, times] of others.entries())
      expect(times).toEqual(first.map(({ id, atMs }) => ({ id, atMs: atMs + 400 * (index + 1) })));
  });

  it('leaves no file in a drive whose files were dropped in one of them, and all in the others', async () => {
    const mock = await startMock();
    openSandboxes(mock);
    const sandboxes = sandboxKeys.map((key) => (mock.engine.store.ownerOf(key) as Resident).organization);
    const sizes = () => sandboxes.map((sandbox) => sandbox.filesOf('drive-files').size);
    const [first, ...others] = sizes();
    sandboxes[0]?.dropFiles('drive-files');
    expect(sizes()).toEqual([0, ...others]);
    sandboxes[0]?.ownFilesOf('drive-files').put(fileOf('1', 1));
    expect(sizes()).toEqual([1, first, first]);
  });

  it.each(['uuid', 'prefixed', 'sortable', 'numeric'] as const)(
    'gives them the ids after their own: %s',
    async (idFormat) => {
      const mock = await startMock({ set: { idFormat } });
      openSandboxes(mock);
      const { runtime, store } = mock.engine;
      const { count, latestMs } = store.templates[0]?.ids.state() ?? {};
      const { organization } = store.ownerOf('sandbox-3') as Resident;
      const start = { ...idStreamOf(runtime, 'sandbox/sandbox-3'), count: count ?? 0, latestMs: latestMs ?? 0 };
      const expected = createIds({ profile: { idFormat }, clock: runtime.clock }, start);
      expect(organization.id).toBe(expected('organization'));
      expect(organization.ids.state()).toEqual(expected.state());
      expect(organization.ids('drive')).toBe(expected('drive'));
      expect(organization.ids.state()).toEqual(expected.state());
    },
  );
});
