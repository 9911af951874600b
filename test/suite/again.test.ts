import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { digestOfResults } from '../../conformance/report/parse-report.ts';
import type { Report } from '../../conformance/report/report.ts';
import { summarize } from '../../conformance/run/verdict.ts';
import { startFront } from '../../proof/power/front.ts';
import { takeSnapshot } from '../../proof/power/snapshot.ts';
import { runCommand } from '../support/command.ts';
import { createBench, demo, keys, quick } from '../support/judging.ts';

const { mock, at, write, conformance } = await createBench();
const three = ['--only', 'listAgents.wrong-header-key', '--only', 'listAgents.wrong-bearer-key', ...quick];

/** A target that lists agents to everyone, until it is repaired. */
async function brokenTarget() {
  const seen: string[] = [];
  let isBroken = true;
  const front = await startFront(mock.url, async (request, response, forward) => {
    const isOpen = isBroken && request.url?.endsWith('/agents');
    seen.push(`${request.method} ${request.url}`);
    const { status, headers, body } = await forward(
      isOpen ? { headers: { 'x-api-key': 'demo-key', authorization: 'Bearer demo-key' } } : {},
    );
    response.writeHead(status, headers).end(body);
  });
  onTestFinished(() => front.close());
  return { url: front.baseUrl, seen, repair: () => (isBroken = false) };
}

describe('--failed', () => {
  it('runs again only what failed, warned or was not judged, and says what is mended', async () => {
    const target = await brokenTarget();
    const json = ['-u', target.url, '--json', at('last.json')];
    const all = ['--only', 'listAgents.wrong-*', '--skip', '*scheme', '--only', 'createDrive.is-served', ...quick];
    expect((await conformance([...all, ...json], keys)).code).toBe(1);
    target.repair();
    const { code, stdout } = await conformance(['--failed', ...json], keys);
    expect(stdout).toMatch(
      /^Running again: 4 checks of \S+last\.json \(2 failed, 1 warned, 0 inconclusive, 1 not enabled\), 20/,
    );
    expect(stdout).toMatch(
      /No longer failing:\n {2}listAgents\.wrong-bearer-key, listAgents\.wrong-header-key,\s+listAgents\.wrong-key-is-401\n/,
    );
    expect(stdout).toMatch(/\nOf 4 checks in \S+: 3 passed, 1 not enabled\n$/);
    expect(code).toBe(0);
  });

  it('sends again what showed a finding, also what other checks sent', async () => {
    const front = await startFront(mock.url, async (request, response, forward) => {
      const { status, headers, body } = await forward();
      const isWrong = /\/drives\?(.*&)?limit=1(&|$)/.test(request.url ?? '');
      // As long as before: the headers give the length.
      const numbered = String(body).replaceAll(/"name":("[^"]*")/g, (_, name) => `"name":${'1'.padEnd(name.length)}`);
      response.writeHead(status, headers).end(isWrong ? numbered : body);
    });
    onTestFinished(() => front.close());
    const json = ['-u', front.baseUrl, '--json', at('shown.json')];
    const all = ['--only', 'listDrives.field-types', '--only', 'listDrives.limit*', ...quick];
    const { stdout: first } = await conformance([...all, ...json], keys);
    const [, shown = ''] = /Run only this check +(.*--only listDrives\.field-types.*)/.exec(first) ?? [];
    expect(shown).toMatch(/--only listDrives\.field-types --only listDrives\.\S+$/);
    expect((await conformance(['-u', front.baseUrl, '--only', 'listDrives.field-types'], keys)).code).toBe(0);
    const only = [...shown.matchAll(/--only (\S+)/g)].flatMap(([, id = '']) => ['--only', id]);
    expect((await conformance(['-u', front.baseUrl, ...only], keys)).code).toBe(1);
    for (const _ of ['once', 'twice']) {
      const { code, stdout } = await conformance(['--failed', ...json], keys);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^Running again: 1 check of .*, and 1 check with the requests behind their results$/m);
      expect(stdout).not.toMatch(/No longer failing|Not seen again/);
    }
  });

  it('does not call mended what it is no longer allowed to do', async () => {
    const target = await brokenTarget();
    const json = ['-u', target.url, '--json', at('narrow.json')];
    await conformance([...three, ...json], keys);
    const report: Report = JSON.parse(readFileSync(at('narrow.json'), 'utf8'));
    Object.assign(report.digest?.config ?? {}, { allowWrites: true });
    write('narrow.json', report);
    target.repair();
    const { stdout } = await conformance(['--failed', ...json], keys);
    expect(stdout).toMatch(/\nNot seen again; only a full run can tell whether they still fail:\n {2}listAgents\./);
    expect(stdout).not.toContain('No longer failing');
  });

  it('knows that a finding of requests that it does not send again may still be there', async () => {
    const target = await brokenTarget();
    const json = ['-u', target.url, '--json', at('unsure.json')];
    await conformance([...three, ...json], keys);
    const report: Report = JSON.parse(readFileSync(at('unsure.json'), 'utf8'));
    // It was shown after the last check.
    for (const { id, evidence } of report.checks) if (id.endsWith('header-key')) delete evidence?.sentBy;
    // It counts what other checks send.
    const counting = report.checks.find(({ id }) => id === 'createDrive.each-one-succeeds');
    const shown = { expected: '', actual: '', exchanges: [], sentBy: ['listAgents.is-served'] };
    Object.assign(counting ?? {}, { outcome: 'failed', evidence: shown });
    report.summary = summarize(report.checks);
    const { digest } = report;
    if (digest !== undefined) digest.results = digestOfResults(report);
    write('unsure.json', report);
    target.repair();
    const { stdout } = await conformance(['--failed', '--allow-writes', ...json], keys);
    expect(stdout).toMatch(
      /No longer failing:\n {2}listAgents\.wrong-bearer-key\nNot seen again; only a full run can tell whether they still fail:\n {2}createDrive\.each-one-succeeds, listAgents\.wrong-header-key\nOf /,
    );
  });

  it('takes the report that is named, and knows when there is nothing to do', async () => {
    await conformance([...quick, '--json', at('clean.json')]);
    for (const named of [[`--failed=${at('clean.json')}`], ['--failed', at('clean.json')]]) {
      const { code, stdout } = await conformance(named);
      expect([code, stdout]).toEqual([0, `In ${at('clean.json')}, all checks that ran were judged and passed.\n`]);
    }
  });

  it('takes the newer one of the reports that the command line writes', async () => {
    await conformance([...three, '--allow-writes', '--json', at('old.json')]);
    utimesSync(at('old.json'), new Date(0), new Date(0));
    await conformance([...quick, '--report', 'json', '--report-dir', at('reports')]);
    const written = ['--json', at('old.json'), '--report', 'json', '--report-dir', at('reports')];
    const { stdout } = await conformance(['--failed', ...written]);
    expect(stdout).toContain(at('reports/conformance.json'));
  });

  it('refuses to guess: no report, another target, another contract', async () => {
    const none = await conformance(['--failed', '--report', 'json', '--report-dir', at('empty')]);
    expect(none.stderr).toMatch(/--failed needs a JSON report; there is none at \S+empty\/conformance\.json\. Run all/);
    await conformance([...quick, '--json', at('mine.json')]);
    const other = await conformance(['--failed', at('mine.json'), '-u', 'http://127.0.0.1:9/v0.1'], keys);
    expect(other.stderr).toMatch(
      /mine\.json is a report on http:\S+, but this run judges http:\/\/127\.0\.0\.1:9\/v0\.1/,
    );
    const report = JSON.parse(readFileSync(at('mine.json'), 'utf8'));
    report.digest.contract = `sha256:${'0'.repeat(64)}`;
    const changed = await conformance(['--failed', write('changed.json', report)]);
    expect(changed.stderr).toMatch(
      /changed\.json was written by a different version of the contract\. Run all checks again with --report json\./,
    );
    expect([none.code, other.code, changed.code]).toEqual([2, 2, 2]);
    expect((await conformance(['--failed', ...quick])).stderr).toMatch(/--failed and --only contradict/);
  });
});

describe('--watch', () => {
  /** Runs the command at a terminal; each action is taken when it waits, and then Enter is pressed. */
  const watching = (args: readonly string[], ...actions: (() => unknown)[]) => {
    const entered = async () => {
      const action = actions.shift();
      await action?.();
      return action !== undefined;
    };
    return runCommand(['conformance', '--watch', '--no-color', ...args], keys, { isInteractive: true, entered });
  };

  it('runs first what failed, and everything once that passes', async () => {
    const target = await brokenTarget();
    const counts: number[] = [];
    const note = () => counts.push(target.seen.splice(0).length);
    const { code, stdout } = await watching(['-u', target.url, ...three], note, () => [note(), target.repair()], note);
    const closing = stdout.match(/^.*Press Enter to run again; Ctrl\+C to stop\.$/gm) ?? [];
    expect(closing.map((line) => line.split('.')[0])).toEqual([
      '2 checks failed',
      '2 checks failed',
      'Nothing fails',
      'Nothing fails',
    ]);
    expect(stdout).toMatch(/\n2 checks that failed before pass\. Now the others:\n/);
    // The second round asks for less.
    expect(counts[1]).toBeLessThan(counts[0] ?? 0);
    expect(code).toBe(0);
  });

  it('goes on although the target is not there for a while', async () => {
    const target = await brokenTarget();
    const config = write('moving.yaml', 'baseUrl: http://127.0.0.1:9/v0.1\n');
    const repair = () => writeFileSync(config, `baseUrl: ${target.url}\n`);
    const { code, stderr, stdout } = await watching(['--config', config, ...quick], repair);
    expect(stderr).toMatch(/127\.0\.0\.1:9\/v0\.1 does not serve the API/);
    expect(stdout).toMatch(/PASSED 2 checks|PASSED listAgents/);
    expect(code).toBe(0);
  });

  it('runs again when a file or something in a folder changes', async () => {
    for (const watched of [write('server.js', '1'), at('.')]) {
      const changes = [() => writeFileSync(at('server.js'), '2')];
      const entered = (signal: AbortSignal) => {
        const change = changes.shift();
        change?.();
        if (change === undefined) return Promise.resolve(false);
        return new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)));
      };
      const args = ['conformance', '-u', mock.url, '--watch-path', watched, ...quick];
      const { stdout } = await runCommand(args, keys, { isInteractive: true, entered });
      expect(stdout.match(/Press Enter to run again, or change .*; Ctrl\+C to stop\./g)).toHaveLength(2);
    }
  });

  it('ends with the code of the signal, and files are back', async () => {
    const before = takeSnapshot(mock).files;
    const stopping = Promise.withResolvers<NodeJS.Signals>();
    const { code, stderr } = await runCommand(
      ['conformance', '--watch', '-u', mock.url, '--config', demo, '--only', 'updateDriveFile.is-served'],
      keys,
      {
        isInteractive: true,
        stopped: () => stopping.promise,
        entered: () => {
          stopping.resolve('SIGINT');
          return new Promise(() => undefined);
        },
      },
    );
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(takeSnapshot(mock).files).toEqual(before);
  });

  it('needs a terminal, and paths that exist', async () => {
    const { code, stderr } = await conformance(['--watch', ...quick]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--watch needs a terminal: it waits for Enter\./)]);
    const missing = await watching(['--watch-path', at('nowhere'), ...quick]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/there is no such file or folder/)]);
  });
});
