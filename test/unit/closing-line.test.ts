import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFull } from '../support/depth.ts';
import { run } from '../support/shell.ts';

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
