import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
