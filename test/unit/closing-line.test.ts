import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { closingLines, leftOut } from '../support/closing-line.ts';
import { isFull } from '../support/depth.ts';
import { run } from '../support/shell.ts';

const ending: Parameters<typeof closingLines>[0] = {
  depth: 'quick',
  seed: '7',
  passed: 5,
  failed: 0,
  skipped: 3,
  forLater: 0,
  withoutBrowser: 0,
  untested: [],
  longest: [],
};

describe('the closing lines of a test run', () => {
  const counts = '5 passed, 0 failed, 3 skipped';

  it.each<[Partial<typeof ending>, number, string | RegExp]>([
    [{}, 0, 'The quick run, random seed 7. Replay it with TEST_SEED=7.'],
    [{}, -1, counts],
    [
      { withoutBrowser: 2 },
      -1,
      /^5 passed, 0 failed, 3 skipped; 2 of them NOT TESTED in a browser: There is no Chromium/,
    ],
    [{ forLater: 2 }, -1, `${counts}; 2 of them are for npm run test:full`],
    [{ untested: ['NOT TESTED behind nginx.'] }, 0, 'NOT TESTED behind nginx.'],
    [{ longest: ['a.test.ts 30 s', 'b.test.ts 2 s'] }, 0, 'What took longest:\n  a.test.ts 30 s\n  b.test.ts 2 s'],
  ])('%j: line %i is %s', (more, index, line) => {
    expect(closingLines({ ...ending, ...more }).at(index)).toEqual(
      typeof line === 'string' ? line : expect.stringMatching(line),
    );
  });

  it('count what was left out for each reason that tests give', () => {
    const skipped = (note?: string) => ({ state: 'skipped', note, errors: undefined }) as const;
    const results = [
      skipped('No disk.'),
      skipped(),
      { state: 'pending', errors: undefined } as const,
      skipped('No disk.'),
    ];
    expect(leftOut([...results, skipped(noBrowser)])).toEqual(['2 NOT TESTED: No disk.']);
  });
});

describe.runIf(isFull)('a test run without a browser', () => {
  const cwd = join(import.meta.dirname, '../..');
  const runPageTests = (environment: Record<string, string>) =>
    run('npm', ['test', '--silent', '--', 'test/pages/proxy.test.ts'], {
      ...{ cwd, timeoutMs: 600_000, environment: { CHROMIUM_PATH: '/nowhere', ...environment } },
    });

  it('leaves out what needs one, and says so in its last line', async () => {
    const { stdout, exitCode } = await runPageTests({ CI: '' });
    const last = stdout.trimEnd().split('\n').at(-1);
    expect(last).toMatch(/^0 passed, 0 failed, \d+ skipped; .*; [1-9]\d* of them NOT TESTED in a browser: .*\/nowhere/);
    expect(exitCode).toBe(0);
  });

  it('fails in CI', async () => {
    const { stdout, stderr, exitCode } = await runPageTests({ CI: '1' });
    expect(stdout + stderr).toContain('There is no Chromium at /nowhere');
    expect(exitCode).not.toBe(0);
  });
});
