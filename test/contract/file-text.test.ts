import { constants } from 'node:buffer';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { loadDataFile } from '../../openapi/contract/data-file.ts';
import { DataFileError, readFileText } from '../../openapi/contract/file-text.ts';
import { validateSeed } from '../../src/domain/validate-seed.ts';

const folder = mkdtempSync(join(tmpdir(), 'file-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

const inFolder = (name: string) => join(folder, name);

function write(name: string, bytes: string | Uint8Array): string {
  const file = inFolder(name);
  writeFileSync(file, bytes);
  return file;
}

function problemOf(file: string, pipeLimitMs?: number): DataFileError {
  try {
    readFileText(file, pipeLimitMs);
  } catch (error) {
    if (error instanceof DataFileError) return error;
    throw error;
  }
  throw new Error(`${file} was read.`);
}

function refusalOf(seed: string): string {
  try {
    loadDataFile(seed, validateSeed);
  } catch (error) {
    if (error instanceof DataFileError) return error.message;
    throw error;
  }
  throw new Error(`${seed} was taken.`);
}

function pipe(name: string): string {
  execFileSync('mkfifo', [inFolder(name)]);
  return inFolder(name);
}

describe('a refusal', () => {
  const odd = fc.string({ unit: fc.constantFrom('\t', '\n', '\r', '\u2028', ' ', '.', 'a', ':', '1') });

  it('has one line for each violation, whatever names the file holds', () => {
    fc.assert(
      fc.property(fc.uniqueArray(odd, { minLength: 1, maxLength: 3 }), (names) => {
        const file = write(
          'odd-names',
          JSON.stringify({
            organizations: [{ name: 'Alder', keys: ['k'] }],
            ...Object.fromEntries(names.map((name) => [name, 1])),
          }),
        );
        const lines = refusalOf(file).split(/[\n\r\u2028]/);
        expect(lines).toHaveLength(names.length);
        for (const line of lines) expect(line).toMatch(/^\S+odd-names:1:\d+ [^\t]+ is not a known field/);
      }),
    );
  });
});

describe('the text of a data file', () => {
  it('is any text in UTF-8, without its byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const file = write('text', `\uFEFF${text}`);
        expect(readFileText(file)).toBe(Buffer.from(text).toString());
      }),
    );
  });

  it('is never taken from bytes that are not UTF-8: the line is named', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.constantFrom('ff', 'c080', 'eda080', 'f8888080', 'e282'), (before, hex) => {
        const start = `{${before.join('\n')}\n`;
        const file = write('wrong', Buffer.concat([Buffer.from(start), Buffer.from(hex, 'hex'), Buffer.from('\nend')]));
        const { code, message } = problemOf(file);
        expect(code).toBe('FILE_MALFORMED');
        expect(message).toBe(`${file}:${start.split('\n').length} is not UTF-8 text. Save the file as UTF-8.`);
      }),
    );
  });

  it.each(['fffe7b007d00', 'feff007b007d'])('is not UTF-16 (%s), and that is said', (hex) => {
    const file = write('utf16', Buffer.from(hex, 'hex'));
    expect(problemOf(file).message).toBe(`${file} is UTF-16 text. Save it as UTF-8.`);
  });
});

describe('YAML with many aliases', () => {
  it('is refused without a search through all of it for each', () => {
    const file = write('aliases.yaml', `a: &a 1\nb:\n${'  - *a\n'.repeat(50_000)}  - *none\n`);
    expect(() => loadDataFile(file, () => [])).toThrow(`${file}:50003:5 is not YAML or JSON: an alias (*) refers to`);
  });
});

describe('what is no file', () => {
  it.each(['/dev/null', '/dev/zero', '/dev/urandom'])('is refused: the device %s', (device) => {
    expect(problemOf(device)).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/neither a file/),
    });
  });

  it('is refused: a folder, a socket, a link to itself, a file that is not there', async () => {
    symlinkSync(inFolder('loop'), inFolder('loop'));
    const server = createServer().listen(inFolder('socket'));
    await once(server, 'listening');
    expect(problemOf(folder).message).toContain('is a folder. Name a file in it.');
    for (const name of ['socket', 'loop', 'missing']) expect(problemOf(inFolder(name)).code).toBe('FILE_UNREADABLE');
    server.close();
  });

  it('is refused: a pipe to which nobody writes', () => {
    expect(problemOf(pipe('silent'), 100).message).toMatch(/is a pipe, but no data arrived for 0.1 seconds/);
  });

  it('is refused: a file longer than a string can be', () => {
    const file = write('large', '');
    truncateSync(file, constants.MAX_STRING_LENGTH + 1);
    const mebibytes = Math.floor(constants.MAX_STRING_LENGTH / 1024 ** 2);
    expect(problemOf(file).message).toBe(`${file} is larger than ${mebibytes} MiB. Use a smaller file.`);
  });

  it('is read: a pipe whose writer opens it, waits, and writes little', async () => {
    const file = pipe('little');
    const writer = spawn('sh', ['-c', '{ sleep 0.2; printf a; } > "$0"', file]);
    const ended = once(writer, 'exit');
    expect(readFileText(file)).toBe('a');
    await ended;
  });

  it('is read: a pipe whose writer comes late, pauses, and writes more than the pipe holds', async () => {
    const file = pipe('slow');
    const script = 'sleep 0.2; { printf a; sleep 0.2; head -c 300000 /dev/zero | tr "\\0" b; } > "$0"';
    const writer = spawn('sh', ['-c', script, file]);
    const ended = once(writer, 'exit');
    expect(readFileText(file)).toBe(`a${'b'.repeat(300_000)}`);
    await ended;
  });
});
