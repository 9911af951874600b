import { describe, expect, it } from 'vitest';
import { type Effects, type Group, type SharedEffect, sharedEffects } from '../../conformance/checks/check.ts';
import type { RegisteredCheck } from '../../conformance/checks/index.ts';
import type { JudgedCheck } from '../../conformance/run/run-check.ts';
import { runTogether, tryTogether, unitsOf } from '../../conformance/run/schedule.ts';
import type { Session } from '../../conformance/target/session.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type OperationId, operationsOf } from '../../openapi/contract/operations.ts';

const operations = new Map(operationsOf(loadDocument()).map((operation) => [operation.operationId, operation]));
const session = { operations } as unknown as Session;

type Traits = Partial<Pick<RegisteredCheck, 'isLast' | 'isAboutKeys' | 'together'>> & { effects?: Effects };

let count = 0;

const check = (operation: OperationId, traits: Traits = {}): RegisteredCheck =>
  ({ id: `${operation} ${++count}`, operation, effects: {}, ...traits }) as RegisteredCheck;

/** A run of some checks that end when they are told to. */
function schedule(checks: readonly RegisteredCheck[], done = new Set<SharedEffect>()) {
  const started: number[] = [];
  const ends = new Map<number, (goesOn: boolean) => void>();
  const ended = runTogether(session, unitsOf(checks), done, ([one]) => {
    const index = checks.indexOf(one as RegisteredCheck);
    started.push(index);
    return new Promise((resolve) => ends.set(index, resolve));
  });
  /** Ends a check, and waits for what that starts. */
  const end = async (index: number, goesOn = true) => {
    ends.get(index)?.(goesOn);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, end, ended, done };
}

/** Whether the second check starts while the first one runs. */
function areTogether(one: RegisteredCheck, other: RegisteredCheck, done?: Set<SharedEffect>): boolean {
  return schedule([one, { ...other, id: `${other.id} again` }], done).started.length === 2;
}

const lists = { agents: 'listAgents', drives: 'listDrives', 'mcp-servers': 'listMcpServers' } as const;
type Kind = keyof typeof lists;
const kinds = Object.keys(lists) as Kind[];

/** The kinds whose lists are not read while a check runs. */
const disturbedBy = (one: RegisteredCheck, done?: Set<SharedEffect>) =>
  kinds.filter((kind) => !areTogether(one, check(lists[kind]), done));

describe('two checks', () => {
  it.each<[string, RegisteredCheck, Kind[]]>([
    ['that read', check('listAgents'), []],
    ['of which one creates a drive', check('createDrive'), ['drives']],
    ['of which one registers an MCP server', check('createMcpServer'), ['mcp-servers']],
    ['of which one publishes', check('publishAgentRevision'), ['agents']],
    ['of which one moves a file', check('updateDriveFile'), ['drives']],
    ['of which one deletes a tree', check('deleteDriveTree'), ['drives']],
    ['of which one reads and creates drives', check('listAgents', { effects: { drives: 1 } }), ['drives']],
    ['of which one reads and registers', check('listAgents', { effects: { mcpServers: 1 } }), ['mcp-servers']],
    ['of which one reads and deletes', check('listAgents', { effects: { deletions: 1 } }), ['drives']],
    ['of which one reads and moves', check('listAgents', { effects: { moves: true } }), ['drives']],
    ['of which one looks for what must not change', check('listAgents', { isLast: true }), []],
  ])('%s run at the same time unless one changes what the other reads', (_, one, disturbed) => {
    expect(disturbedBy(one)).toEqual(disturbed);
    for (const kind of kinds) {
      const reading = check(lists[kind]);
      expect(areTogether(reading, one), `${kind} first`).toBe(!disturbed.includes(kind));
    }
  });

  const kindOf = (name: SharedEffect): Kind => {
    const [count = ''] = Object.keys(sharedEffects[name]);
    if (count === 'publications') return 'agents';
    return /mcpServers/i.test(count) ? 'mcp-servers' : 'drives';
  };

  it.each(Object.keys(sharedEffects) as SharedEffect[])('know what the shared effect %s changes', (name) => {
    const reading = lists[kinds.find((kind) => kind !== kindOf(name)) ?? 'agents'];
    for (const effects of [{ shared: [name] }, { perhaps: [name] }] as Effects[]) {
      expect(disturbedBy(check(reading, { effects }))).toEqual([kindOf(name)]);
      expect(disturbedBy(check(reading, { effects }), new Set([name]))).toEqual([]);
    }
  });

  const last = check('listAgents', { isLast: true });
  const aboutKeys = { isAboutKeys: true };
  const [creation, move] = [check('createDrive', aboutKeys), check('updateDriveFile', aboutKeys)];
  const writing = [check('createDrive'), check('createMcpServer'), check('publishAgentRevision')];

  it.each<[string, RegisteredCheck[], RegisteredCheck[], boolean]>([
    ['do not both write, whatever they change', writing, writing, false],
    ['run if all their requests have to be refused for their key', [creation], [creation, move], true],
    ['do not both run if that is so for one', [creation], [check('updateDriveFile')], false],
    ['do not both run if one looks for what no other must change', [last], writing, false],
    ['run if one looks for that, and the other reads', [last], [check('listDrives')], true],
  ])('%s', (_, some, others, expected) => {
    const pairs = some.flatMap((one) => others.map((other) => [areTogether(one, other), areTogether(other, one)]));
    expect(pairs).toEqual(pairs.map(() => [expected, expected]));
  });
});

describe('checks that run together', () => {
  it('wait in their order for what disturbs them, and for nothing else', async () => {
    const { started, end, ended } = schedule(
      (['listDrives', 'createDrive', 'listDrives', 'listAgents'] as const).map((operation) => check(operation)),
    );
    expect(started).toEqual([0, 3]);
    await end(3);
    await end(0);
    expect(started).toEqual([0, 3, 1]);
    await end(1);
    expect(started).toEqual([0, 3, 1, 2]);
    await end(2);
    await ended;
  });

  it('do not wait for a shared effect that has happened meanwhile', async () => {
    const effects: Effects = { shared: ['firstDrive'], perhaps: ['firstMcpServer'] };
    const writing = check('createDrive', { effects });
    const reading = check('listAgents', { effects });
    const { started, end, ended, done } = schedule([writing, reading, check('listDrives')], new Set(['publication']));
    expect([...done]).toEqual(['publication']);
    await end(0);
    expect(started).toEqual([0, 1, 2]);
    for (const index of [1, 2]) await end(index);
    await ended;
    expect(done).toEqual(new Set(['publication', 'firstDrive', 'firstMcpServer']));
  });

  it('start no further one after one that ends the run, and wait for those that run', async () => {
    const { started, end, ended } = schedule([check('listDrives'), check('listAgents'), check('createDrive')]);
    let isOver = false;
    void ended.then(() => (isOver = true));
    await end(0, false);
    expect([started, isOver]).toEqual([[0, 1], false]);
    // A later one that is fine does not start the run again.
    await end(1, true);
    await ended;
    expect(started).toEqual([0, 1]);
    await expect(schedule([]).ended).resolves.toBeUndefined();
  });
});

describe('checks of a group', () => {
  const groupOf = (together: Group) => Array.from({ length: 3 }, () => check('createDrive', { together }));
  /** Tries a group in which the first check ends with an outcome, and the others pass. */
  const attempt = async (unit: readonly RegisteredCheck[], outcome: 'passed' | 'failed') => {
    let [running, most] = [0, 0];
    const counted = await tryTogether(session, unit, async ({ id }) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return { id, outcome: id === unit[0]?.id ? outcome : 'passed' } as JudgedCheck;
    });
    return { most, counted: unit.map(({ id }) => counted.has(id)) };
  };

  it('are one unit, where the first of them stands', () => {
    const [one, two] = groupOf('creations') as [RegisteredCheck, RegisteredCheck];
    const [before, between] = [check('listAgents'), check('listDrives')];
    expect(unitsOf([before, one, between, two])).toEqual([[before], [one, two], [between]]);
  });

  it('are tried at the same time, and those that passed do not run alone', async () => {
    const all = await attempt(groupOf('creations'), 'passed');
    expect(all).toEqual({ most: 3, counted: [true, true, true] });
    expect((await attempt(groupOf('creations'), 'failed')).counted).toEqual([false, true, true]);
  });

  it('all run alone if one did not pass, where that may hide what another would find', async () => {
    expect((await attempt(groupOf('refusedPaths'), 'passed')).counted).toEqual([true, true, true]);
    expect((await attempt(groupOf('refusedPaths'), 'failed')).counted).toEqual([false, false, false]);
  });

  it('are not tried if there is only one', async () => {
    expect(await attempt(groupOf('creations').slice(0, 1), 'passed')).toEqual({ most: 0, counted: [false] });
  });
});
