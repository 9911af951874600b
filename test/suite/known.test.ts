import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMock } from '../../src/index.ts';
import { createBench, keys, quick, startPassing } from '../support/judging.ts';

const { mock, at, write, conformance } = await createBench();
const open = await createMock({ openKeys: true });
afterAll(() => open.close());

const wrong = ['--only', 'listAgents.wrong-*', ...quick];
const failing = ['-u', open.url, ...wrong];
const passing = ['-u', mock.url, ...wrong];
const read = (name: string) => readFileSync(at(name), 'utf8');

describe('--write-expected-failures', () => {
  const listing = (name: string, target: readonly string[], ...more: string[]) =>
    conformance([...target, '--write-expected-failures', at(name), ...more], keys);

  it('writes what failed, says so, and the next run is green', async () => {
    const { code, stdout } = await listing('new.yaml', failing);
    expect(stdout).toMatch(/FAILED listAgents\.wrong-header-key/);
    expect(stdout).toMatch(/new\.yaml: 2 known failures; 2 added, 0 dropped, 0 kept\n {2}added +listAgents\.wrong-b/);
    expect(parse(read('new.yaml'))).toEqual([
      { check: 'listAgents.wrong-bearer-key', reason: 'to be explained: status 200: the request was accepted' },
      { check: 'listAgents.wrong-header-key', reason: 'to be explained: status 200: the request was accepted' },
    ]);
    expect(code).toBe(0);
    expect((await conformance([...failing, '--expected-failures', at('new.yaml')], keys)).code).toBe(0);
  });

  it('adds warnings under --strict', async () => {
    await listing('strict.yaml', failing, '--strict');
    expect(parse(read('strict.yaml'))).toHaveLength(3);
    expect((await conformance([...failing, '--strict', '--expected-failures', at('strict.yaml')], keys)).code).toBe(0);
  });

  const known = [
    '# Of the gateway team.',
    '- check: listAgents.wrong-header-key # the old gateway',
    '  reason: PLAT-7',
    '  until: 2099-01-01',
    '- { check: listAgents.is-served, reason: PLAT-8 }',
    '- { check: getDriveFile.*, reason: PLAT-9 }',
    '',
  ].join('\n');

  it('keeps reasons, days and comments of what still fails or was not judged, and drops what passes', async () => {
    write('known.yaml', known);
    const { stdout } = await listing('known.yaml', failing);
    expect(stdout).toMatch(
      /3 known failures; 1 added, 1 dropped, 2 kept\n.*added .*bearer-key\n.*dropped .*is-served\n/,
    );
    // It is removed already.
    expect(stdout).not.toMatch(/did not fail/);
    expect(read('known.yaml')).toBe(
      [
        ...known.split('\n').slice(0, 4),
        '- { check: getDriveFile.*, reason: PLAT-9 }',
        '- check: listAgents.wrong-bearer-key',
        '  reason: "to be explained: status 200: the request was accepted"',
        '',
      ].join('\n'),
    );
  });

  it('starts from --expected-failures where that is another file, and writes JSON too', async () => {
    write('base.yaml', known);
    const { stdout } = await listing('copy.json', failing, '--expected-failures', at('base.yaml'));
    expect(stdout).toMatch(/1 added, 1 dropped, 2 kept/);
    expect(JSON.parse(read('copy.json'))[0]).toEqual({
      check: 'listAgents.wrong-header-key',
      reason: 'PLAT-7',
      until: '2099-01-01',
    });
    expect(read('base.yaml')).toBe(known);
  });

  it('writes an empty list where nothing fails', async () => {
    write('over.yaml', '- { check: listAgents.is-served, reason: PLAT-8 }\n');
    const { code } = await listing('over.yaml', passing);
    expect([code, parse(read('over.yaml'))]).toEqual([0, []]);
    expect((await conformance([...passing, '--expected-failures', at('over.yaml')], keys)).code).toBe(0);
  });

  it('writes nothing after a run that did not come to its end', async () => {
    const dying = await startPassing(mock.url, ({ url }) => url?.includes('/drives') && void dying.close());
    const { stdout } = await listing('early.yaml', ['-u', dying.baseUrl, '--settle', '0', '--timeout', '300']);
    expect(stdout).toMatch(
      /The list of known failures was not written, because the run did not finish or the target crashed\./,
    );
    expect(existsSync(at('early.yaml'))).toBe(false);
  });
});
