import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FileFixture } from '../../conformance/run/settings.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { createClient } from '../support/client.ts';
import { createBench } from '../support/judging.ts';
import { sampleReport } from '../support/sample-report.ts';
import { wholeConfig } from '../support/whole-settings.ts';

const { mock, at, write, conformance } = await createBench();
const call = createClient(mock.url, 'demo-key');
const key = { AGENT_PLATFORM_API_KEY: 'demo-key' };
const run = 'run-0a1b2c3d';

let files: (FileFixture & { originalPath: string })[] = [];
beforeEach(() => {
  const { files: paths } = takeSnapshot(mock);
  files = (wholeConfig(mock).fixtures.disposableFiles ?? []).map((file) => {
    return { ...file, originalPath: paths.get(JSON.stringify([file.driveId, file.id])) ?? '' };
  });
});

const fileAt = (index: number) => files[index] as (typeof files)[number];
const pathNow = ({ driveId, id }: FileFixture) => takeSnapshot(mock).files.get(JSON.stringify([driveId, id]));

async function move({ driveId, id }: FileFixture, path: string): Promise<void> {
  const { status } = await call('PATCH', `/drives/${driveId}/files/${id}`, { json: { path } });
  expect(status).toBe(200);
}

function lineOf(file: (typeof files)[number], more: object = { sentTo: `/${run}-1.txt` }, baseUrl = mock.url): string {
  const { driveId, id, originalPath } = file;
  return JSON.stringify({ run, baseUrl, driveId, id, originalPath, ...more, at: '2026-01-01T00:00:00.000Z' });
}

let moveLogs = 0;
const moveLogOf = (...lines: string[]) => write(`${++moveLogs}.jsonl`, `${lines.join('\n')}\n`);
const restore = (...args: string[]) => conformance(['restore', '--settle', '200', ...args], key);

describe('conformance restore', () => {
  it('moves a file back, and says so of one that is back already; once more it changes nothing', async () => {
    await move(fileAt(0), `/${run}-1.txt`);
    const moveLog = moveLogOf(
      lineOf(fileAt(0)),
      lineOf(fileAt(1)),
      lineOf(fileAt(2)),
      lineOf(fileAt(2), { is: 'back' }),
    );
    const { code, stdout, stderr } = await restore(moveLog);
    expect(stdout).toMatch(/^2 files to move back on http/);
    expect(stdout).toMatch(new RegExp(`moved back +${fileAt(0).id}.*it was at "/${run}-1.txt"`));
    expect(stdout).toMatch(new RegExp(`already in place +${fileAt(1).id}`));
    expect([code, stderr]).toEqual([0, '']);
    expect(pathNow(fileAt(0))).toBe(fileAt(0).originalPath);
    const before = takeSnapshot(mock).text;
    expect((await restore(moveLog)).stdout).toMatch(new RegExp(`already in place +${fileAt(0).id}`));
    expect(takeSnapshot(mock).text).toBe(before);
  });

  it('does not overwrite a file that stands at the original path of another', async () => {
    const [moved, other] = [fileAt(0), files.find((file, index) => index > 0 && file.driveId === fileAt(0).driveId)];
    if (other === undefined) throw new Error('the demo has two files in a drive');
    await move(moved, `/${run}-1.txt`);
    await move(other, moved.originalPath);
    const config = write('restore.json', { fixtures: { files: [{ driveId: other.driveId, id: other.id }] } });
    const { code, stdout } = await restore(moveLogOf(lineOf(moved)), '--config', config);
    expect(stdout).toContain(`the file ${other.id} is at its original path`);
    expect(code).toBe(1);
    expect(pathNow(other)).toBe(moved.originalPath);
    // Without the config the server has the last word.
    expect((await restore(moveLogOf(lineOf(moved)))).stdout).toMatch(
      /cannot be moved .*moving it back failed: status 409/,
    );
    expect(pathNow(other)).toBe(moved.originalPath);
  });

  it('moves files back that stand at the original paths of each other', async () => {
    const [first, second] = files.filter(({ driveId }) => driveId === fileAt(0).driveId);
    if (first === undefined || second === undefined) throw new Error('the demo has two files in a drive');
    await move(second, `/${run}-2.txt`);
    await move(first, second.originalPath);
    const lines = [lineOf(second, { sentTo: `/${run}-2.txt` }), lineOf(first, { sentTo: second.originalPath })];
    expect((await restore(moveLogOf(...lines))).code).toBe(0);
    expect([pathNow(first), pathNow(second)]).toEqual([first.originalPath, second.originalPath]);
  });

  it('leaves a file where someone else has moved it, and reports one that is gone', async () => {
    await move(fileAt(0), '/elsewhere.txt');
    const gone = { driveId: fileAt(0).driveId, id: 'never-there', originalPath: '/gone.txt' };
    const { code, stdout } = await restore(moveLogOf(lineOf(fileAt(0)), lineOf(gone)));
    expect(stdout).toMatch(/gone +never-there in drive \S+ +\/gone\.txt: status 404/);
    expect(stdout).toMatch(/it is at "\/elsewhere\.txt", where the run did not move it/);
    expect(code).toBe(1);
    expect(pathNow(fileAt(0))).toBe('/elsewhere.txt');
  });

  it('takes a JSON report', async () => {
    await move(fileAt(0), '/anywhere.txt');
    const { driveId, id, originalPath } = fileAt(0);
    const report = sampleReport([]);
    const leftovers = [{ kind: 'file', driveId, id, originalPath, note: 'was moved' }];
    const file = write('report.json', { ...report, leftovers, run: { ...report.run, baseUrl: mock.url } });
    expect((await restore(file)).stdout).toMatch(/1 file to move back[\s\S]*All files are back\./);
    expect(pathNow(fileAt(0))).toBe(originalPath);
  });

  it('refuses another base URL unless it is told to use it', async () => {
    const moveLog = moveLogOf(lineOf(fileAt(0), undefined, 'http://127.0.0.1:1/v0.1'));
    const { code, stderr } = await restore(moveLog, '-u', mock.url);
    expect(stderr).toMatch(/The moves were made on http:\/\/127\.0\.0\.1:1\/v0\.1, and the base URL is http/);
    expect(code).toBe(2);
    expect((await restore(moveLog, '-u', mock.url, '--any-base-url')).code).toBe(0);
    expect((await restore(moveLog)).code).toBe(2);
  });

  it('explains what it cannot read', async () => {
    writeFileSync(at('neither.txt'), 'neither');
    const mixed = moveLogOf(lineOf(fileAt(0)), lineOf(fileAt(1), undefined, 'http://127.0.0.1:1/v0.1'));
    for (const [args, message] of [
      [[], /It takes 1 file/],
      [['a', 'b'], /It takes 1 file/],
      [[at('missing.jsonl')], /missing\.jsonl cannot be read/],
      [[at('neither.txt')], /is neither a move log nor a JSON report .* line 1 .*: it is not JSON\.\n$/],
      [[write('empty.jsonl', '\n')], /empty\.jsonl is empty: it lists no moved file\.\n$/],
      [[write('no-report.json', { checks: [] })], /is not a report of a conformance run: verdict is required/],
      [[mixed], /contains moves on several servers/],
    ] as const) {
      const { code, stderr } = await restore(...args);
      expect(stderr).toMatch(message);
      expect(code).toBe(2);
    }
    expect(readFileSync(at('neither.txt'), 'utf8')).toBe('neither');
  });

  it.each<[string, number, (lines: [string, string]) => string[], RegExp]>([
    [
      'a member is misspelled',
      1,
      ([one, other]) => [one.replace('inalP', 'nalP'), other],
      /orignalPath is not a known/,
    ],
    [
      'a member is missing',
      2,
      ([one, other]) => [one, other.replace(/"sentTo":"[^"]*",/, '')],
      /neither sentTo nor is/,
    ],
    [
      'an end does not exist',
      2,
      ([one, other]) => [one, other.replace(/"sentTo":"[^"]*"/, '"is":"bak"')],
      /is must be one/,
    ],
    ['it is cut', 1, ([one, other]) => [one.slice(0, 100), other], /it is not JSON/],
    ['it is cut and the last', 2, ([one, other]) => [one, other.slice(0, 100)], /it is not JSON/],
    ['it is of something else', 3, ([one, other]) => [one, other, '{"x":1}'], /x is not a known field/],
  ])('names a line that it cannot use, and moves nothing: %s', async (_, number, damage, why) => {
    for (const index of [0, 1]) await move(fileAt(index), `/${run}-${index}.txt`);
    const before = takeSnapshot(mock).text;
    const { code, stdout, stderr } = await restore(moveLogOf(...damage([lineOf(fileAt(0)), lineOf(fileAt(1))])));
    expect(stderr).toMatch(new RegExp(`is damaged, and no file was moved: line ${number} is not .*${why.source}`));
    expect([code, stdout, takeSnapshot(mock).text]).toEqual([2, '', before]);
  });
});
