import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MoveLog, parseMoveLogLine } from '../../conformance/safety/move-log.ts';
import { directoryOf, FileTracker, originalPathComplaint } from '../../conformance/safety/receipt.ts';
import { loadMovedFiles } from '../../conformance/safety/restore.ts';
import { createRedact } from '../../lib/secrets.ts';
import type { WireFault } from '../../proof/power/mutant.ts';
import { write as respond, withBody } from '../../proof/power/mutants/wire-faults.ts';
import { createFolder } from '../support/folder.ts';
import { judgeServer } from '../support/judged-server.ts';
import { createBench } from '../support/judging.ts';

const { at, write } = createFolder('moveLog');
const bench = await createBench();

const file = { driveId: 'd-1', id: 'f-1', originalPath: '/a.txt' };
const secret = 'sk-very-secret';

function moveLogAt(name: string) {
  const redact = createRedact([{ value: secret, shownAs: '<API_KEY>' }]);
  const moveLog = new MoveLog(at(name), { run: 'run-1', baseUrl: 'http://127.0.0.1:1/v0.1', redact });
  return {
    moveLog,
    tracker: new FileTracker(moveLog),
    linesOf: () => readFileSync(at(name), 'utf8').trim().split('\n'),
  };
}

describe('the move log', () => {
  it('has a move before it is sent, and what became of the file', () => {
    const { moveLog, tracker, linesOf } = moveLogAt('one.jsonl');
    tracker.startMove(file, '/b.txt');
    const [first] = linesOf();
    const name = { run: 'run-1', baseUrl: 'http://127.0.0.1:1/v0.1', ...file };
    expect(JSON.parse(first ?? '')).toEqual({ ...name, sentTo: '/b.txt', at: expect.any(String) });
    tracker.setBack(file);
    expect(JSON.parse(linesOf()[1] ?? '')).toEqual({ ...name, is: 'back', at: expect.any(String) });
    expect(moveLog.isOpen).toBe(false);
  });

  it('is not made without a move, removed when all files are back, and kept otherwise', () => {
    const { moveLog: unused } = moveLogAt('unused.jsonl');
    unused.close();
    expect(existsSync(at('unused.jsonl'))).toBe(false);
    const { moveLog, tracker } = moveLogAt('two.jsonl');
    const other = { ...file, id: 'f-2' };
    tracker.startMove(file, '/b.txt');
    tracker.startMove(other, '/c.txt');
    tracker.setBack(file);
    tracker.setDeleted(other);
    moveLog.close();
    expect(existsSync(at('two.jsonl'))).toBe(false);
    const { moveLog: kept, tracker: keeping } = moveLogAt('kept.jsonl');
    keeping.startMove(file, '/b.txt');
    kept.close();
    expect(loadMovedFiles(at('kept.jsonl')).files).toMatchObject([{ ...file, run: 'run-1', sentTo: ['/b.txt'] }]);
  });

  it('forgets a move that was not sent, but not the one before it', () => {
    const { moveLog, tracker } = moveLogAt('unsent.jsonl');
    tracker.startMove(file, '/b.txt')();
    expect(moveLog.isOpen).toBe(false);
    tracker.startMove(file, '/b.txt');
    tracker.startMove(file, '/c.txt')();
    expect(moveLog.isOpen).toBe(true);
    expect(tracker.displaced()).toEqual([file]);
  });

  it('never replaces a file, and lets no file be moved without it', () => {
    writeFileSync(at('taken.jsonl'), 'mine');
    expect(() => moveLogAt('taken.jsonl').tracker.startMove(file, '/b.txt')).toThrow(/no file is moved/);
    expect(() => moveLogAt('no/folder.jsonl').tracker.startMove(file, '/b.txt')).toThrow(/ENOENT/);
    expect(readFileSync(at('taken.jsonl'), 'utf8')).toBe('mine');
  });

  it.each([
    ['its drive', { driveId: `d-${secret}` }],
    ['its id', { id: `f-${secret}` }],
    ['its original path', { originalPath: `/${secret}.txt` }],
  ])('says that it cannot name a file with a key in %s', (what, part) => {
    const { tracker, linesOf } = moveLogAt(`secret ${what}.jsonl`);
    tracker.startMove({ ...file, ...part }, `/to-${secret}.txt`);
    tracker.startMove({ ...file, id: 'f-9' }, `/to-${secret}.txt`);
    expect(linesOf().join()).not.toContain(secret);
    expect(loadMovedFiles(at(`secret ${what}.jsonl`)).files[0]?.isRedacted).toBe(true);
    const lines = linesOf().map((line) => JSON.parse(line));
    expect(lines.map(({ isRedacted, sentTo }) => [isRedacted, sentTo])).toEqual([
      [true, '/to-<API_KEY>.txt'],
      [undefined, '/to-<API_KEY>.txt'],
    ]);
  });

  it('takes only what is a line of it', () => {
    const line = { run: 'r', baseUrl: 'http://x/v0.1', ...file, sentTo: '/b', at: '2026-01-01T00:00:00.000Z' };
    const { sentTo: _, ...bare } = line;
    expect([line, { ...bare, is: 'back' }].map((one) => parseMoveLogLine(JSON.stringify(one)))).toEqual([
      line,
      { ...bare, is: 'back' },
    ]);
    const missing = Object.keys(bare).map((name) => ({ ...line, [name]: undefined }));
    const wrong = [bare, null, 7, 'text', [], { ...line, originalPath: 7 }, ...missing].map((one) =>
      JSON.stringify(one),
    );
    for (const text of [...wrong, '', '{']) expect(parseMoveLogLine(text), text).toBeUndefined();
  });

  it('is read up to a line that is not complete', () => {
    const line = { run: 'r', baseUrl: 'http://x/v0.1', ...file, sentTo: '/b', at: '2026-01-01T00:00:00.000Z' };
    const path = write('torn.jsonl', `${JSON.stringify(line)}\n${JSON.stringify({ ...line, id: 'f-2' }).slice(0, -9)}`);
    expect(loadMovedFiles(path).files.map(({ id }) => id)).toEqual(['f-1']);
  });
});

describe('a run that cannot note its moves', () => {
  it('does not need a move log to read', async () => {
    const args = ['--only', 'listDrives.is-served', '--move-log', at('no/folder.jsonl')];
    expect(await bench.conformance(args)).toMatchObject({ code: 0 });
  });
});

it('a path without a slash has no directory', () => {
  expect(['legacy.yml', '/a/b.txt'].map(directoryOf)).toEqual(['', '/a']);
});

describe('a file whose own path breaks the rule', () => {
  it.each([
    ['legacy.yml', 'does not start with /'],
    ['/a\nb', 'has a line break'],
    ['/a\u2028b', 'has a line break'],
    ['/../a', 'has a .. segment'],
    ['', 'does not start with /'],
  ])('%j is never moved', async (path, why) => {
    expect(originalPathComplaint(path)).toBe(why);
    const moves: string[] = [];
    let declared = '';
    const wire: WireFault = async ({ method, url = '' }, response, forward) => {
      if (method === 'PATCH') moves.push(url);
      const answer = await forward();
      const isMeant = url.endsWith(`/files/${declared}`) && answer.status === 200;
      respond(response, isMeant ? withBody(answer, JSON.stringify({ ...JSON.parse(answer.body), path })) : answer);
    };
    const only = ['updateDriveFile.path-taken-over', 'updateDriveFile.dot-dot-segment.*'];
    const { report } = await judgeServer({ wire: () => wire }, only, {
      declare: (all) => {
        declared = all.files?.[0]?.id ?? '';
        return all;
      },
    });
    expect(moves).toEqual([]);
    const reasons = report.checks.filter(({ outcome }) => outcome === 'not-enabled').map(({ reason }) => reason);
    expect(reasons.length).toBeGreaterThan(1);
    for (const reason of reasons) expect(reason).toContain(`The file ${declared} of drive`);
    expect(report.leftovers).toEqual([]);
  });
});
