import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAnnotations, withoutCommands } from '../../conformance/reporters/annotations.ts';
import { createMock } from '../../src/index.ts';
import { runCommand } from '../support/command.ts';
import { anyReport } from '../support/hostile.ts';
import { believableReport, many, sampleReport } from '../support/sample-report.ts';

const command = 'npx agent-platform-contract conformance -u http://target.test/v0.1';
const unescaped = (text: string) => text.replaceAll('%0A', '\n').replaceAll('%25', '%');

describe('annotations for GitHub', () => {
  it('are errors for failures and warnings for warnings, each with its request to send again', () => {
    const lines = toAnnotations(believableReport(), command).trimEnd().split('\n');
    expect(lines.map((line) => line.split('::')[1])).toEqual([
      'error title=createDrive.timestamps-are-utc failed',
      'error title=listDrives.limit-hundred-accepted failed',
      'error title=updateDriveFile.dot-dot-segment.generated failed',
      'error title=expected failure',
      'warning title=listAgents.no-key-is-401 warned',
      'warning title=listDrives.pages-fit-together warned',
    ]);
    const [first = ''] = lines;
    expect(unescaped(first)).toMatch(/::createdAt is "2026[\s\S]*Expected [\s\S]*Reproduce {3}curl -i/);
    expect(unescaped(first)).toContain(`Run only this check  ${command} --only createDrive.timestamps-are-utc`);
  });

  it('are at most as many as GitHub shows', () => {
    expect(
      toAnnotations(sampleReport(many(30, (index) => `status ${index}`)), command).match(/^::error/gm),
    ).toHaveLength(10);
  });

  it('are one line each, whatever a target wrote', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const lines = toAnnotations(report, command).split('\n');
        expect(lines.filter((line) => !/^(::(error|warning) title=[^:,]*::.*)?$/.test(line))).toEqual([]);
      }),
    );
  });

  it('come after the report, in which GitHub obeys no command', async () => {
    expect(withoutCommands('::error::no\n')).toMatch(/^::stop-commands::(\w{32})\n::error::no\n::\1::\n$/);
    const mock = await createMock({ openKeys: true });
    const args = ['conformance', '-u', mock.url, '--api-key', 'demo-key', '--only', 'listAgents.wrong-header-key'];
    const there = await runCommand(args, { GITHUB_ACTIONS: 'true' });
    const here = await runCommand(args, { GITHUB_ACTIONS: '' });
    await mock.close();
    expect(there.stdout).toMatch(
      /::stop-commands::\w+\n[\s\S]*FAILED listAgents[\s\S]*\n::\w+::\n::error title=listAgents\.wrong-header-key failed::status 200/,
    );
    expect(here.stdout).not.toMatch(/^::/m);
  });
});
