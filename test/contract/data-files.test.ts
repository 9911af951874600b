import { constants } from 'node:buffer';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataFileError, readFileText } from '../../lib/file-text.ts';
import { type DataViolation, loadDataFile } from '../../openapi/contract/data-file.ts';
import { validateSeed } from '../../src/domain/validate-seed.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';

// What is told of a data file that cannot be used, and where in it.

const { write, at } = createFolder('data-files');

function writeBytes(bytes: Buffer): string {
  const file = at('bytes');
  writeFileSync(file, bytes);
  return file;
}

function errorOf(read: () => unknown): DataFileError {
  try {
    read();
  } catch (error) {
    if (error instanceof DataFileError) return error;
    throw error;
  }
  throw new Error('It was read.');
}

function pipe(name: string): string {
  execFileSync('mkfifo', [at(name)]);
  return at(name);
}

const load = (text: string, violations: DataViolation[] = []) => loadDataFile(write('x', text), () => violations);
/** What is told of a text, without the name of the file. */
const told = (text: string, violations?: DataViolation[]) =>
  errorOf(() => load(text, violations)).message.replaceAll(`${at('x')}:`, '');

describe('a data file', () => {
  it('in JSON has the value that it has as YAML', () => {
    const property = fc.property(fc.object({ maxDepth: 2 }), (value) => {
      const text = JSON.stringify(value, null, 2);
      // A line that is no JSON makes it YAML.
      expect(load(`${text}\n# A comment.\n`)).toEqual(load(text));
    });
    fc.assert(property, { seed: randomSeed, numRuns: depth(30, 300) });
  });

  it.each([
    ['a: "\u007f\u0085"\n', { a: '\u007f\u0085' }],
    ['a:\t1\r\nb: 2\r\n', { a: 1, b: 2 }],
    ['a: &x [1]\nb: *x\n? &y c\n: *y\n', { a: [1], b: [1], c: 'c' }],
    ['a: &x 1\nb: *x\nc: &x 2\nd: *x\n', { a: 1, b: 1, c: 2, d: 2 }],
    ['\n  { "a": 1, }\n', { a: 1 }],
  ])('%j is read', (text, value) => {
    expect(load(text)).toEqual(value);
  });

  it.each([
    ['a: 1\nb: "\u0007"\n', '2:5 is not YAML or JSON: it contains the control character U+0007'],
    ['\u0008', '1:1 is not YAML or JSON: it contains the control character U+0008'],
    ['{ "a": 1', '1:9 is not JSON: it ends too early'],
    ['\n[1, {"a":\n  \n', '2:10 is not JSON: it ends too early'],
    [' { "a": 1 }}\n', '1:12 is not JSON: unexpected token'],
    ['{ "a": 1,\n "b:": { "\\"": 1, "a": 2, "\\u0061": 3 } }', '2:27 is not YAML or JSON: Map keys must be unique'],
    ['{ "a": !key 1 }', '1:8 is not YAML or JSON: this tag (!) is unknown; remove it'],
    ['a: &b 1\nc: *d\n', '2:4 is not YAML or JSON: an alias (*) refers to an anchor (&) that does not exist'],
    [
      'a: &b\n  - *b\n',
      '2:5 is not YAML or JSON: an alias (*) is inside the value that it refers to, which would never end',
    ],
    ['a: *b\nc: &b 1\n', '1:4 is not YAML or JSON: an alias (*) refers to an anchor (&) that does not exist'],
    [
      'a: &b { c: 1 }\nd:\n  <<: *b\n',
      '3:3 is not YAML or JSON: merge keys (<<) are not supported; write the values out',
    ],
    ['{ a: 1 }: 2\n', '1:1 is not YAML or JSON: a key must be a string'],
    ['a: 1\n- b\n', '2:1 is not YAML or JSON: there is no colon after a key; add it, or check the indentation'],
    ['a:\n  - b c\n    d: 1\n', expect.stringMatching(/^2:5 .* there is no colon after a key/)],
    [
      'a: b: c\n',
      expect.stringMatching(/^1:4 is not YAML or JSON: a second colon follows; put the value in quotes, or/),
    ],
    ['a: "b\n', expect.stringMatching(/^2:1 is not YAML or JSON: Missing closing "quote$/)],
    ['%KEY a\n---\na: 1\n', '1:1 is not YAML or JSON: this directive (%) is unknown; remove it'],
    [
      'a: 1\n---\na: 2\n',
      '2:1 is not YAML or JSON: it contains more than one document; remove the second "---" and everything after it',
    ],
  ])('%j is refused: %s', (text, says) => {
    expect(told(text)).toEqual(says);
    expect(errorOf(() => load(text)).code).toBe('FILE_MALFORMED');
  });

  it('nested deeper than any reader goes is refused as such, in the words of its kind', () => {
    expect(told(`{"a":${'['.repeat(1_100)}`)).toMatch(/^1:\d+ is not JSON: it is nested deeper than 1,000 levels$/);
    expect(told(`a: ${'['.repeat(20_000)}`)).toMatch(/^1:\d+ is not YAML or JSON: it is nested too deeply$/);
  });

  const text = 'a:\n  - b: 1\n  - 12: {1a: 2}\n    "3": x\n';

  it.each<[DataViolation['location'], string]>([
    [[], '1:1 the file is wrong'],
    [['a'], '1:1 a is wrong'],
    [['a', 0], '2:5 a.0 is wrong'],
    [['a', '0', 'b'], '2:8 a.0.b is wrong'],
    [['a', '1', '12'], '3:9 a.1.12 is wrong'],
    [['a', 1, 12, '1a'], '3:14 a.1.12.1a is wrong'],
    // What is missing is shown where it belongs.
    [['a', 0, 'missing'], '2:5 a.0.missing is wrong'],
    [['a', 7, 'b'], '1:1 a.7.b is wrong'],
    [['missing', 'b'], '1:1 missing.b is wrong'],
  ])('has each rule that it breaks told at its place: %j', (location, says) => {
    expect(told(text, [{ location, message: 'is wrong' }])).toBe(says);
    expect(errorOf(() => load(text, [{ location, message: 'is wrong' }])).code).toBe('FILE_INVALID');
  });

  it('has what it holds quoted, so that a secret in it can be left out, and no words of ours', () => {
    const { sentence } = errorOf(() => load('secret: 1\n', [{ location: ['secret'], message: 'is wrong' }]));
    expect(String(sentence)).toBe('…:1:9 … is wrong');
    const malformed = errorOf(() => load('secret: *secret\n'));
    expect(String(malformed.sentence)).toMatch(/^…:1:9 is not YAML or JSON: an alias/);
  });

  it.each([
    [1, 1, undefined],
    [20, 20, undefined],
    [21, 20, 'and 1 more'],
    [45, 20, 'and 25 more'],
  ])('with %i errors has %i of them told', (count, shown, rest) => {
    const lines = told(
      'a: 1\n',
      Array.from({ length: count }, () => ({ location: ['a'], message: 'is wrong' })),
    ).split('\n');
    const ends = rest === undefined ? [] : [rest];
    expect(lines).toEqual([...Array.from({ length: shown }, () => '1:4 a is wrong'), ...ends]);
  });
});

describe('the text of a file', () => {
  it.each(['ff41', '41fe', 'fe41', '41ff', 'fefe', 'ffff'])(
    'is not taken for UTF-16 because of half a mark: %s',
    (hex) => {
      const file = writeBytes(Buffer.from(hex, 'hex'));
      expect(errorOf(() => readFileText(file)).message).toBe(`${file}:1 is not UTF-8 text. Save the file as UTF-8.`);
    },
  );

  it('has only the first byte order mark left out', () => {
    expect(readFileText(write('marks', '\uFEFF\uFEFFa\uFEFF'))).toBe('\uFEFFa\uFEFF');
  });

  it('that is not there is told with its cause, and what to do', () => {
    const { code, message, cause } = errorOf(() => readFileText(at('missing')));
    expect(code).toBe('FILE_UNREADABLE');
    expect(message).toBe(`${at('missing')} cannot be read. Check that it exists and that you may read it.`);
    expect(cause).toMatchObject({ code: 'ENOENT' });
  });

  // Windows has no folder that lists the open files of a process.
  it.skipIf(process.platform === 'win32')('leaves no file open, also where it is refused', () => {
    const [good, bad] = [write('good', 'a'), writeBytes(Buffer.from('ff', 'hex'))];
    const countOpen = () => readdirSync('/dev/fd').length;
    const before = countOpen();
    for (let count = 0; count < 100; count++) {
      readFileText(good);
      errorOf(() => readFileText(bad));
      errorOf(() => readFileText(at('.')));
    }
    expect(countOpen()).toBeLessThan(before + 50);
  });
});

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
        const lines = errorOf(() => loadDataFile(file, validateSeed)).message.split(/[\n\r\u2028]/);
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
        const file = writeBytes(Buffer.concat([Buffer.from(start), Buffer.from(hex, 'hex'), Buffer.from('\nend')]));
        const { code, message } = errorOf(() => readFileText(file));
        expect(code).toBe('FILE_MALFORMED');
        expect(message).toBe(`${file}:${start.split('\n').length} is not UTF-8 text. Save the file as UTF-8.`);
      }),
    );
  });

  it.each(['fffe7b007d00', 'feff007b007d'])('is not UTF-16 (%s), and that is said', (hex) => {
    const file = writeBytes(Buffer.from(hex, 'hex'));
    expect(errorOf(() => readFileText(file)).message).toBe(`${file} is UTF-16 text. Save it as UTF-8.`);
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
    expect(errorOf(() => readFileText(device))).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/neither a file/),
    });
  });

  it('is refused: a folder, a socket, a link to itself, a file that is not there', async () => {
    symlinkSync(at('loop'), at('loop'));
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    expect(errorOf(() => readFileText(at('.'))).message).toContain('is a folder. Name a file in it.');
    for (const name of ['socket', 'loop', 'missing'])
      expect(errorOf(() => readFileText(at(name))).code).toBe('FILE_UNREADABLE');
    server.close();
  });

  it('is refused: a pipe to which nobody writes', () => {
    expect(errorOf(() => readFileText(pipe('silent'), 100)).message).toMatch(
      /is a pipe, but no data arrived for 0.1 seconds/,
    );
  });

  it('is refused: a file longer than a string can be', () => {
    const file = write('large', '');
    truncateSync(file, constants.MAX_STRING_LENGTH + 1);
    const mebibytes = Math.floor(constants.MAX_STRING_LENGTH / 1024 ** 2);
    expect(errorOf(() => readFileText(file)).message).toBe(
      `${file} is larger than ${mebibytes} MiB. Use a smaller file.`,
    );
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
