import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { freePort } from '../support/free-port.ts';
import { machinePath, run, temporaryFolder } from '../support/shell.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/judge-in-ci.md'), 'utf8');
const [, job = ''] = /<!-- file conformance-job\.yaml -->\n\n```yaml\n([\s\S]*?)```/.exec(guide) ?? [];

interface Step {
  name?: string;
  run?: string;
}

it('the job of the guide is green on a sound server', async () => {
  const steps: Step[] = parse(job).jobs.conformance.steps;
  const commands = steps.flatMap(({ name, run: text }) => (name === undefined ? [] : [text ?? '']));
  expect(commands).toHaveLength(2);
  const port = String(await freePort());
  const here = temporaryFolder('ci');
  onTestFinished(() => here.remove());
  const demo = readFileSync(join(root, 'examples/conformance-demo.json'), 'utf8');
  writeFileSync(here.at('conformance.yaml'), demo.replace('4010', port));
  writeFileSync(here.at('known-failures.yaml'), '[]\n');
  // As npx, where the package is installed.
  writeFileSync(here.at('npx'), `#!/bin/sh\nshift\nexec node '${join(root, 'src/cli/main.ts')}' "$@"\n`);
  chmodSync(here.at('npx'), 0o755);
  const script = ['set -e', commands[0], "trap 'kill %1 || kill $!' EXIT", commands[1]].join('\n');
  const path = [here.path, dirname(process.execPath), ...machinePath()].join(delimiter);
  const { exitCode, stdout, stderr } = await run('bash', ['-c', script.replaceAll('4010', port)], {
    cwd: here.path,
    environment: { PATH: path, AGENT_PLATFORM_PORT: port, GITHUB_ACTIONS: 'true', GITHUB_SHA: '4f1c2ab' },
  });
  expect({ exitCode, end: stdout.slice(-2_000), stderr }).toMatchObject({ exitCode: 0 });
  for (const name of ['conformance.html', 'conformance.junit.xml', 'conformance.md', 'run.har']) {
    expect(existsSync(here.at('conformance-report', name)), name).toBe(true);
  }
  const report = parseReport(readFileSync(here.at('conformance-report/conformance.json'), 'utf8'), 'the report');
  expect(report).toMatchObject({ verdict: 'conformant', run: { targetName: '4f1c2ab' } });
});
