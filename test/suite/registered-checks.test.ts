import { afterAll, afterEach, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { registerWith, type VitestConfig, type VitestOptions } from '../../conformance/run/in-vitest.ts';
import { startFront } from '../../proof/power/front.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { suiteErrorOf } from '../support/suite-error-of.ts';
import { timeLimit } from '../support/time-limit.ts';
import { wholeConfig } from '../support/whole-settings.ts';

const { at } = createFolder('registered');
const mock = await createMock();
let isStrange = false;
let delayMs = 0;
const front = await startFront(mock.url, async ({ method }, response, forward) => {
  const { status, headers, body } = await forward();
  if (method === 'PATCH') await new Promise((resolve) => setTimeout(resolve, delayMs));
  response.writeHead(isStrange && status === 401 ? 403 : status, headers).end(body);
});
afterAll(() => front.close().finally(() => mock.close()));

const printed: string[] = [];
let moveLogs = 0;
beforeEach(() => {
  mock.reset();
  [isStrange, delayMs] = [false, 0];
  printed.length = 0;
  for (const name of ['log', 'warn'] as const) {
    vi.spyOn(console, name).mockImplementation((text: string) => void printed.push(`${name}: ${text}`));
  }
});
afterEach(() => vi.restoreAllMocks());

const config = (): VitestConfig => ({ ...wholeConfig(mock), baseUrl: front.baseUrl });

/** What registers its tests here, and runs them as Vitest would. */
function register(given: Parameters<typeof registerWith>[1], options: VitestOptions) {
  const tests: { id: string; body: (context: TestContext) => Promise<void>; timeoutMs: number }[] = [];
  let end: () => Promise<void> = async () => undefined;
  const named: string[] = [];
  registerWith(
    {
      describe: (name, body) => {
        named.push(name);
        body();
      },
      it: (id, body, timeoutMs) => tests.push({ id, body, timeoutMs }),
      afterAll: (body) => {
        end = body;
      },
    },
    given,
    { moveLog: at(`${++moveLogs}.jsonl`), ...options },
  );
  return { tests, end: () => end(), named, ids: tests.map(({ id }) => id) };
}

interface Ran {
  /** `fine`, why it was skipped, or the message with which it failed. */
  ended: string;
  notes: string[];
}

/** Runs some of the registered tests. The others are beside them as `others` says. */
async function runTests(
  { tests }: ReturnType<typeof register>,
  ids: readonly string[],
  { others = 'skip', signal = new AbortController().signal, suite = true } = {},
): Promise<Ran[]> {
  const tasks = [
    ...tests.map(({ id }) => ({ type: 'test', name: id, mode: ids.includes(id) ? 'run' : others })),
    { type: 'suite', name: 'listAgents.bearer-key', mode: 'run' },
  ];
  const run = async (id: string): Promise<Ran> => {
    const notes: string[] = [];
    const skip = (note: string) => {
      throw new Error(`skipped: ${note}`);
    };
    const annotate = async (note: string, kind: string) => notes.push(`${kind}: ${note}`);
    const task = { name: id, ...(suite && { suite: { tasks } }) };
    const context = { task, signal, skip, annotate, expect } as unknown as TestContext;
    const body = tests.find((test) => test.id === id)?.body;
    const ended = await body?.(context).then(
      () => 'fine',
      (error: Error) => error.message,
    );
    return { ended: ended ?? 'not registered', notes };
  };
  return Promise.all(ids.map(run));
}

const quick = 'listAgents.is-served';
const moving = 'updateDriveFile.is-served';

it('the tests of the suite are the checks, or some of them, in one group, without a time limit of Vitest', () => {
  const { ids, named, tests } = register(config, {});
  expect([named, ids]).toEqual([['conformance'], allChecks().map(({ id }) => id)]);
  expect(new Set(tests.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([0]));
  const some = register(config, { only: ['listAgents.*'], skip: ['*key*'] }).ids;
  expect(some).toContain(quick);
  expect(some.filter((id) => !id.startsWith('listAgents.') || id.includes('key'))).toEqual([]);
  const wrong = suiteErrorOf(() => register(config, { onlly: [] } as VitestOptions));
  expect(wrong.message).toMatch(/There is no option onlly \(did you mean only\?\)/);
});

describe('a test of the suite', () => {
  it('passes in silence if the check does, in one run with those beside it', async () => {
    let loads = 0;
    const load = async () => {
      loads++;
      return { ...config(), allowWrites: false };
    };
    const registered = register(load, {});
    const ends = await runTests(registered, [quick, 'listDrives.is-served']);
    await registered.end();
    expect(ends).toEqual(Array(2).fill({ ended: 'fine', notes: [] }));
    expect([loads, printed]).toEqual([1, []]);
  });

  it.each([
    ['if they are marked with skip', { others: 'skip' }],
    ['if they are marked with todo', { others: 'todo' }],
    ['where there is nothing beside it', { suite: false }],
  ])('does not run the others %s', async (_, beside) => {
    const registered = register(config(), {});
    const [one, other] = [await runTests(registered, [quick], beside), await runTests(registered, [moving], beside)];
    expect([one, other].flat().map(({ ended }) => ended)).toEqual(['fine', 'skipped: skipped: It was not selected.']);
  });

  it('fails for a must, and warns for a should, each with the whole finding', async () => {
    isStrange = true;
    const [must, should] = ['listMcpServerTools.no-key-is-401', 'listAgents.no-key-is-401'];
    const [failed, warned] = await runTests(register({ ...config(), allowWrites: false }, {}), [must, should]);
    const finding = (id: string) =>
      new RegExp(
        `Expected status 401; got status 403\\.\\n\\n[\\s\\S]*> GET http[\\s\\S]*< 403 Forbidden[\\s\\S]*Reproduce {3}curl[\\s\\S]*Run only this check {2}npx vitest run -t '${id}\\$'$`,
      );
    expect(failed?.ended).toMatch(finding(must));
    expect(warned).toEqual({ ended: 'fine', notes: ['warning: Expected status 401; got status 403.'] });
    expect(printed).toHaveLength(1);
    expect(printed[0]).toMatch(new RegExp(`^warn: WARNED ${should}: Expected`));
    expect(printed[0]).toMatch(finding(should));
  });

  it('is skipped with its reason if the check is not enabled', async () => {
    const [disabled] = await runTests(register({ ...config(), fixtures: {} }, {}), ['getDriveFile.is-served']);
    expect(disabled?.ended).toMatch(/^skipped: not enabled: \S/);
  });
});

describe('a run in Vitest', () => {
  it('says before what it will do, and afterwards what it left behind', async () => {
    const registered = register(config(), { moveLog: at('moves.jsonl') });
    await runTests(registered, ['createDrive.is-served', moving]);
    await registered.end();
    expect(printed[0]).toMatch(
      new RegExp(
        `^log: Judging ${front.baseUrl}\\nThis run will\\n {2}create 2 drives\\n {2}move 2 files and move them back\\n`,
      ),
    );
    expect(printed[0]).toContain(`Moves are logged in ${at('moves.jsonl')}`);
    expect(printed[0]).not.toContain('To observe open points');
    expect(printed[1]).toMatch(/^log: [\s\S]*Left behind on the target \(2\)/);
    expect(printed).toHaveLength(2);
  });

  it('observes only if all checks run', async () => {
    const registered = register(config(), { runTimeoutMs: 1 });
    await runTests(registered, registered.ids);
    expect(printed[0]).toContain('To observe open points, the run may also');
  });

  it('is stopped after its time, says so, and moves files back', async () => {
    const before = [...takeSnapshot(mock).files];
    const runTimeoutMs = timeLimit(600);
    delayMs = runTimeoutMs;
    const registered = register(config(), { runTimeoutMs });
    const ends = await runTests(
      registered,
      registered.ids.filter((id) => id.startsWith('updateDriveFile.')),
    );
    expect(new Set(ends.map(({ ended }) => ended))).toContain('skipped: not judged: the suite stopped early');
    const stopped = `The suite stopped: stopped after the ${runTimeoutMs} ms that runTimeoutMs allows`;
    await expect(registered.end()).rejects.toThrow(stopped);
    expect([...takeSnapshot(mock).files]).toEqual(before);
  });

  it('is stopped by Vitest', async () => {
    const stop = new AbortController();
    delayMs = 100;
    const registered = register(config(), {});
    const ends = runTests(registered, [moving], { signal: stop.signal });
    await expect.poll(() => printed.length).toBe(1);
    stop.abort();
    expect((await ends).map(({ ended }) => ended)).toEqual(['skipped: not judged: the suite stopped early']);
    await expect(registered.end()).rejects.toThrow(
      /The suite stopped: stopped by Vitest|stopped before its first check/,
    );
  });

  it('that could not start says why once, at the end; one that never started ends in silence', async () => {
    await register(config(), {}).end();
    expect(printed).toEqual([]);
    const registered = register({ ...config(), baseUrl: 'no URL' }, {});
    const ends = await runTests(registered, [quick, moving]);
    expect(ends.map(({ ended }) => ended)).toEqual(Array(2).fill('skipped: not judged: the suite stopped early'));
    await expect(registered.end()).rejects.toThrow(/The base URL must start with http/);
  });
});
