import { copyFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lagCalls } from '../../src/domain/deferred.ts';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { choicesOf } from '../model/random-profile.ts';
import { now, seed } from '../model/seed.ts';
import { clientsOf } from '../support/control.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { expectSame } from '../support/difference.ts';
import { createFolder } from '../support/folder.ts';
import {
  anyKeptStep,
  anyProfile,
  type SteppedRequest,
  sendStep,
  type Turn,
  toTurnRequest,
  toTurns,
} from '../support/random-steps.ts';
import { createStateReader } from '../support/state.ts';

// A mock that goes on with a state file is where the other one was, whether that one was stopped or killed. What a kill
// leaves is the file as it is when an answer has come, so a copy taken then stands for it.

const folder = createFolder('kept-state');
let files = 0;
const newFile = () => folder.at(`${++files}.state`);

/** Starts a mock that keeps its state; every unexpected error is collected. */
function start(state: string, more: MockOptions = {}): Promise<Mock> {
  return createMock({ seed, state, openKeys: true, maxSandboxes: 4, ...more, onUnexpected: failWith });
}

function failWith(error: unknown): never {
  throw error;
}

/** What a turn becomes. Now and then a visitor comes first, whose key opens a sandbox. */
function toRequests(mock: Mock, turn: Turn): SteppedRequest[] {
  const request = toTurnRequest(mock, turn);
  if (turn.who % 6 > 0) return [request];
  const headers = { 'x-api-key': `visitor-${turn.step.one % 5}` };
  const target = `${new URL(mock.url).pathname}/agents`;
  return [{ method: 'GET', target, headers }, request];
}

async function walk(mock: Mock, turns: readonly Turn[]): Promise<void> {
  for (const turn of turns) for (const request of toRequests(mock, turn)) await sendStep(mock, request);
}

/** The whole state as text: what a snapshot holds, and what it does not. Uses since the last change may be lost. */
function stateOf(mock: Mock, isUseKept = true): string {
  const { engine } = mock;
  const snapshot = mock.snapshot();
  const more = engine.store.sandboxes.map(({ organization, ownProfile, lastUse }) => ({
    isWritten: organization.isWritten,
    ownProfile,
    ...(isUseKept ? { lastUse } : {}),
  }));
  const parts = {
    ...snapshot,
    more,
    profile: mock.profile,
    sandboxes: engine.sandboxes.state(),
    keys: engine.store.keys,
  };
  return JSON.stringify(parts, null, 1);
}

// Two mocks with a clock that runs differ by the time between them.
const whileItStands = (turns: Turn[]) => turns.filter(({ step }) => step.kind !== 'letClockRun');

const anyCourse = fc.record({
  profile: anyProfile,
  before: toTurns(anyKeptStep, 5, 40),
  after: toTurns(anyKeptStep, 5, 15),
  clock: fc.constantFrom<Pick<MockOptions, 'clock'>>({ clock: now }, {}),
});

describe('a mock that goes on with a state file', () => {
  it('has exactly the state of the one that was stopped, or killed, after any course', async () => {
    const property = fc.asyncProperty(anyCourse, async ({ profile, before, clock }) => {
      const file = newFile();
      const first = await start(file, { profile, ...clock });
      await walk(first, before);
      const choices = choicesOf(first.profile);
      const copy = newFile();
      copyFileSync(file, copy);
      const [left, leftWithUses] = [stateOf(first, false), stateOf(first)];
      await first.close();
      const killed = await start(copy, { profile });
      expectSame(stateOf(killed, false), left, choices);
      await killed.close();
      const stopped = await start(file, { profile });
      expectSame(stateOf(stopped), leftWithUses, choices);
      await stopped.close();
    });
    await fc.assert(property, { numRuns: depth(3, 60), seed: randomSeed, endOnFailure: true });
  });

  it('answers what follows as the other one does', async () => {
    const property = fc.asyncProperty(anyCourse, async ({ profile, before, after }) => {
      const [file, copy] = [newFile(), newFile()];
      // Enough sandboxes: which of them was idle for the longest time depends on who reads.
      const options = { profile, clock: now, maxSandboxes: 1_000 };
      const first = await start(file, options);
      await walk(first, whileItStands(before));
      copyFileSync(file, copy);
      const second = await start(copy, options);
      const choices = choicesOf(first.profile);
      for (const turn of whileItStands(after)) {
        for (const request of toRequests(first, turn))
          expectSame(await sendStep(second, request), await sendStep(first, request), choices);
        expectSame(stateOf(second, false), stateOf(first, false), choices);
      }
      const readAll = (mock: Mock) => createStateReader(mock, mock.engine.store.keys)();
      expectSame(await readAll(second), await readAll(first), choices);
      await Promise.all([first.close(), second.close()]);
    });
    await fc.assert(property, { numRuns: depth(2, 40), seed: randomSeed, endOnFailure: true });
  });
});

it('counts the same calls as the one that was killed after reads, and lists a late creation as soon', async () => {
  const [file, copy] = [newFile(), newFile()];
  const options: MockOptions = { clock: now, profile: { readAfterWrite: 'lagging' } };
  const first = await start(file, options);
  const read = (mock: Mock) => clientsOf(mock).api('GET', '/drives?limit=100');
  for (let call = 0; call < 2; call++) await read(first);
  copyFileSync(file, copy);
  const second = await start(copy, options);
  for (const mock of [first, second]) await clientsOf(mock).api('POST', '/drives', { json: { name: 'late' } });
  for (let call = 0; call <= lagCalls; call++) {
    expect(second.snapshot()).toEqual(first.snapshot());
    expect((await read(second)).body).toEqual((await read(first)).body);
  }
  await Promise.all([first.close(), second.close()]);
});

it('is as it was when a large state is made again in parts', async () => {
  const file = newFile();
  const first = await start(file, { clock: now });
  const large = first.snapshot();
  const [organization] = large.organizations;
  for (let count = 0; count < 1_200; count++) {
    const id = `drive-${count}`;
    organization?.drives.push({ id, name: id, createdAtMs: count, updatedAtMs: count, files: [] });
    organization?.listed.drives.push(id);
  }
  first.restore(large);
  const expected = stateOf(first);
  await first.close();
  const second = await start(file);
  expect(stateOf(second)).toBe(expected);
  await second.close();
});
