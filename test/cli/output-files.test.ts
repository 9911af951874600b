import { readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findUnwritable, inputsOf, writeAll } from '../../src/cli/output-files.ts';
import { statusLine } from '../../src/cli/terminal.ts';
import { createTerminal, runCommand } from '../support/command.ts';
import { createFolder } from '../support/folder.ts';

const { at, write } = createFolder('outputs');

describe('a file to read is never overwritten', () => {
  const text = 'successStatus.createDrive: 202\n';
  it.each([
    ['--json', '--config', 'conformance -u http://127.0.0.1:1/v0.1 --config FILE --json FILE'],
    ['--json', '--expected-failures', 'conformance -u http://127.0.0.1:1/v0.1 --expected-failures FILE --json FILE'],
    ['--observe', '--require', 'conformance -u http://127.0.0.1:1/v0.1 --require FILE --observe FILE'],
    ['--trace', '--config', 'conformance -u http://127.0.0.1:1/v0.1 --config FILE --trace FILE'],
    ['--output', '--profile', 'contract --profile FILE -o FILE'],
    ['--json', '--profile', 'vary --profile FILE --json FILE -- true'],
    ['--json', '--seed', 'vary --seed FILE --json FILE -- true'],
    ['--json', '--learned', 'vary --learned FILE --json FILE -- true'],
    ['--observe', '--profile', 'proxy --port 0 --upstream http://127.0.0.1:1/v0.1 --profile FILE --observe FILE'],
    ['--record', '--profile', 'proxy --port 0 --upstream http://127.0.0.1:1/v0.1 --profile FILE --record FILE'],
  ])('%s does not overwrite the file of %s', async (output, input, line) => {
    const file = write('input.yaml', text);
    const { code, stderr } = await runCommand(line.split(' ').map((word) => (word === 'FILE' ? file : word)));
    expect(stderr).toContain(`${output} would overwrite the file that ${input} reads, ${file}. Choose two files.`);
    expect([code, readFileSync(file, 'utf8')]).toEqual([2, text]);
  });

  it('by no other path to it', () => {
    const file = write('real.yaml', text);
    symlinkSync(file, at('link.yaml'));
    const outputs = [{ option: '--json', path: file, write: () => '' }];
    expect(findUnwritable(outputs, inputsOf({ '--config': at('link.yaml') }))?.plain).toMatch(/would overwrite/);
    expect(findUnwritable(outputs, inputsOf({ '--config': write('other.yaml', text) }))).toBeUndefined();
  });
});

it('an output without content leaves an earlier file as it is', () => {
  const file = write('earlier.yaml', 'earlier');
  const outputs = [{ option: '--record', path: file, write: () => undefined }];
  expect(writeAll(outputs, {})).toEqual({ written: [], empty: [file], problems: [] });
  expect(readFileSync(file, 'utf8')).toBe('earlier');
});

it.each([
  [undefined, 78],
  [40, 39],
  [200, 199],
])('a status line on %s columns takes %i', (columns, width) => {
  const written: string[] = [];
  const print = (text: string) => void written.push(text);
  const terminal = createTerminal({ environment: {}, isInteractive: true, write: print, complain: print });
  const { show, clear } = statusLine({ ...terminal, columns: () => columns });
  show('x'.repeat(300));
  clear();
  expect(written).toEqual([`\r${'x'.repeat(width)}`, `\r${' '.repeat(width)}\r`]);
});
