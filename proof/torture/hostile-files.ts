import fc from 'fast-check';
import { parse, stringify } from 'yaml';

// What stands for a hostile value or key until the file is written: no format knows how to write those.
const valueHere = 'HOSTILE-VALUE';
const keyHere = 'HOSTILE-KEY';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const nestedMaps = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Values that no schema allows, that are odd, or that hurt who reads them carelessly. Each is JSON, or YAML that looks like it. */
const hostileValues: readonly string[] = [
  ...['null', 'true', '""', '[]', '{}', '[null]', '0', '-0', '-1', '0.5', '1e999', '-1e999', '1e-999', '.nan', '.inf'],
  ...[
    '9007199254740993',
    '123456789012345678901234567890',
    '0x10',
    '0o7',
    '1_000',
    '~',
    'yes',
    '2026-13-45',
    '!!set {a}',
  ],
  ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"toString":1}'],
  ...[
    '{"a":1,"a":2}',
    '{"":""}',
    '{"length":-1}',
    '{"then":1}',
    '{"toJSON":1}',
    '!!js/function "x"',
    '!!binary "gA=="',
  ],
  ...[
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u001b[2J\\u0007"',
    '"\\u202e\\u2066"',
    '"\\u2028"',
    '"\\ufeff"',
  ],
  ...['"__proto__"', '"constructor"', '"/../../etc/passwd"', '"javascript:alert(1)"', '"<script>alert(1)</script>"'],
  ...['"2026-13-45T99:99:99Z"', '"-271821-04-20T00:00:00.000Z"', '"+275760-09-13T00:00:00.001Z"', '"$HOME"', '"%00"'],
  ...['"http://[::1"', '"http://a:b@c:99999/"', '"file:///etc/passwd"', '"data:,"', '"*"', '"(a+)+$"'],
  ...[10, 99, 999, 1_001, 20_000].flatMap((depth) => [nested(depth), nestedMaps(depth)]),
  ...[300, 70_000, 1_000_000].map((length) => `"${'x'.repeat(length)}"`),
  ...[1_000, 100_000].flatMap((length) => [`[${'0,'.repeat(length)}0]`, `[${'{},'.repeat(length)}{}]`]),
];

const hostileKeys: readonly string[] = [
  ...[
    '"__proto__"',
    '"constructor"',
    '"prototype"',
    '"toString"',
    '"hasOwnProperty"',
    '"then"',
    '"toJSON"',
    '"length"',
  ],
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"\\n"', '"$schema"', '"$ref"', '"id"', '"0"', `"${'k'.repeat(100_000)}"`],
  ...['1', 'null', '[1]', '{a: 1}', '<<', '*nobody', '&somebody a', '? a', '!!str a'],
];

/** What damaged bytes become: parts of both formats, and bytes that are no text. */
const splinters: readonly Buffer[] = [
  ...['{', '}', '[', ']', '"', ',', ':', ': ', '- ', '\n', '\r', '\t', '#', '|', '>', '? ', '@', '`', '%', '\\', '\\u'],
  ...[
    '---\n',
    '...\n',
    '&a ',
    '*a ',
    '<<: *a',
    '!!js/function ',
    '%YAML 9.9\n',
    '\u0000',
    '\u2028',
    '\ufeff',
    '\u202e',
  ],
  ...['"__proto__":', '\n__proto__:\n', ' '.repeat(10_000), '['.repeat(5_000), '&x '.repeat(100), '- '.repeat(3_000)],
].map((text) => Buffer.from(text));
const wrongBytes = ['ff', 'c080', 'eda080', 'f8888080', 'e282', '00', '1b5b324a'].map((hex) => Buffer.from(hex, 'hex'));

/** The bytes of files that are damaged, odd or made to hurt, each of them made from a sound one. */
export function hostileFiles(sound: string | Buffer): fc.Arbitrary<Buffer> {
  if (typeof sound !== 'string')
    return fc.oneof({ weight: 9, arbitrary: damaged(sound) }, { weight: 1, arbitrary: noise });
  return fc.oneof(
    { weight: 5, arbitrary: damaged(Buffer.from(sound)) },
    { weight: 5, arbitrary: oddlyFilled(sound).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: bombs(sound).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: otherwiseEncoded(sound) },
    { weight: 1, arbitrary: noise },
  );
}

/** Where, as a share of the file, how many bytes go, and what comes instead. */
const damage = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 3 }) }, fc.integer({ min: 4, max: 100_000 })),
  fc.oneof(fc.constantFrom(...splinters, ...wrongBytes, Buffer.of()), fc.uint8Array({ maxLength: 4 }).map(Buffer.from)),
);

function damaged(sound: Buffer): fc.Arbitrary<Buffer> {
  return fc.array(damage, { minLength: 1, maxLength: 4 }).map((all) =>
    all.reduce((bytes, [share, count, instead]) => {
      const start = Math.floor(share * bytes.length);
      return Buffer.concat([bytes.subarray(0, start), instead, bytes.subarray(start + count)]);
    }, sound),
  );
}

/** The same content, with a hostile value or a hostile key somewhere. */
function oddlyFilled(sound: string): fc.Arbitrary<string> {
  const lines = sound.split('\n');
  const isByLine = lines.length > 1 && lines.every((line) => line === '' || line.startsWith('{'));
  return fc
    .tuple(fc.nat(), fc.nat(), fc.boolean(), fc.constantFrom(...hostileValues), fc.constantFrom(...hostileKeys))
    .chain(([line, place, isInYaml, value, key]) =>
      fc.boolean().map((isKey) => {
        const index = isByLine ? line % lines.length : 0;
        const text = isByLine ? (lines[index] ?? '') : sound;
        const write = isInYaml && !isByLine ? (content: unknown) => stringify(content) : JSON.stringify;
        const odd = write(marked(parse(text), place, isKey))
          .replace(new RegExp(`"?${keyHere}"?`), () => key)
          .replace(new RegExp(`"?${valueHere}"?`), () => value);
        return isByLine ? lines.with(index, odd).join('\n') : odd;
      }),
    );
}

type Path = readonly (string | number)[];

/** The content with the mark of a value in one of its places, or with one more key there if it is an object. */
function marked(content: unknown, place: number, isKey: boolean): unknown {
  const paths = placesIn(content);
  return replaced(content, paths[place % paths.length] ?? [], (value) =>
    isKey && isObject(value) ? { ...value, [keyHere]: valueHere } : valueHere,
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([step, inner]) => placesIn(inner, [...path, step]))];
}

function replaced(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(step), replaced(value[Number(step)], rest, change));
  const object = value as Record<string, unknown>;
  return { ...object, [step]: replaced(object[step], rest, change) };
}

/** YAML whose aliases stand for far more than is written, or for themselves; and many documents. */
function bombs(sound: string): fc.Arbitrary<string> {
  const laughs = fc.tuple(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 2, max: 12 })).map(([height, width]) => {
    const floors = Array.from({ length: height }, (_, floor) => {
      const below = floor === 0 ? '"ha"' : `*f${floor - 1}`;
      return `f${floor}: &f${floor} [${Array.from({ length: width }, () => below).join(', ')}]`;
    });
    return floors.join('\n');
  });
  const others = fc.constantFrom(
    ...['a: &a [*a]', '&a {b: *a}', 'a: *nobody', 'a: &a 1\n<<: *a', '<<: {name: a}', `${'&a '.repeat(50)}x`],
    ...['---\n'.repeat(1_000), '? '.repeat(2_000), '- '.repeat(20_000), '{? '.repeat(500), '# '.repeat(100_000)],
    ...[
      `a: |\n${' x\n'.repeat(50_000)}`,
      `"${'\\x'.repeat(1_000)}"`,
      `${' '.repeat(200_000)}a: 1`,
      `'${"''".repeat(50_000)}'`,
    ],
  );
  return fc
    .tuple(fc.oneof(laughs, others), fc.boolean())
    .map(([bomb, isAfter]) => (isAfter ? `${sound}\n${bomb}` : bomb));
}

function otherwiseEncoded(sound: string): fc.Arbitrary<Buffer> {
  const text = sound.replace('a', 'ä');
  return fc.constantFrom(
    ...[`\ufeff${text}`, `\ufeff\ufeff${text}`, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r')].map((one) =>
      Buffer.from(one),
    ),
    ...[Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le'), Buffer.from(`\ufeff${text}`, 'utf16le')],
    Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    Buffer.from(text, 'utf16le').swap16(),
  );
}

const noise = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map(Buffer.from),
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
  fc.json().map((text) => Buffer.from(text)),
);
