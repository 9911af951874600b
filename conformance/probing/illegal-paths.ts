// Paths that break the path rule, and those that only look like it.
import fc from 'fast-check';
import { keepsPathRule } from '../../openapi/reading/path-rule.ts';
import { inParallel } from '../run/once.ts';
import type { Reply } from '../target/reply.ts';

/** One way to break the path rule. */
export interface IllegalPath {
  /** The last part of the check's id. */
  rule: string;
  does: string;
  /** The illegal paths for an existing directory (empty for the root) and a new name. */
  paths(directory: string, name: string): string[];
  /** Whether the paths are percent-encoded in an unusual way, so that a query carries them verbatim. */
  isRawQuery?: boolean;
}

/** Letters of both cases, digits, a blank, and all other printable ASCII characters except the slash. */
const printable = [...'aZ07 !"#$%&\'()*+,-.:;<=>?@[\\]^_`{|}~'];
/** Blanks and controls that may be removed or skipped, characters that look like a slash, and letters beyond ASCII. */
const others = [
  ...'\0\b\t\n\r\x1b\x7f\u0085\u00a0\u00ad\u200b\u2028\u202e\u3000\ufeff',
  ...'\u2044\u2215\u29f8\uff0f\uff3c',
  ...'é日🚀',
];
const firstCharacters = [...printable, ...others];

const longerBeginnings = [
  ...['..', './.', '~/', '\\/', '\\\\server\\share', '  ', '\r\n', ' \t'],
  ...['C:', 'C:\\', 'file://', 'https://example.com', '%2F', '%2f', '%5C', '$HOME', '{root}', 'null', '""'],
];

// How a path that breaks both halves of the rule starts; a slash follows.
const startsOfBoth = ['.', '\\', ' ', '\t', '\n', '\0', 'x', '7', '~', '"', '%2F', 'C:', 'é', '\uff0f'];

const segmentsBeside = [
  ...['.', '...', '..a', 'a..', '.hidden', 'a.txt', 'a b', ' ', 'A', '7', '-', '_', '~', '*', '\\', ':', ';', "'", '"'],
  ...['é', '日本', '🚀', '%41', '%2e', '%2F', '+', '&', '#x', '?x', '\t', '{x}', '$x'],
];

/** The path below a directory, relative to the root. */
const relative = (directory: string, name: string) => `${directory}/${name}`.slice(1);

/**
 * The ways to break the path rule (4.6, 4.7). Together they cover all illegal paths: each kind of start other than a
 * slash, a `..` at each place and beside each kind of segment, and both faults in one path. Whatever a target turns
 * such a path into (resolved, stripped, trimmed, with a slash added) lies below the directory or has the name, so
 * nothing else is at risk; only the few paths without a name may be read as the root.
 */
export const illegalPaths: readonly IllegalPath[] = [
  {
    rule: 'path-without-slash',
    does: 'a path that does not start with a slash',
    // A blank or line break before the slash must not be removed first.
    paths: (directory, name) => [
      relative(directory, name),
      relative('/x/y', name),
      `./${name}`,
      `\\${name}`,
      ` ${directory}/${name}`,
      `\t${directory}/${name}`,
      `x\n${directory}/${name}`,
    ],
  },
  {
    rule: 'path-without-slash.each-character',
    does: 'paths that start with each kind of character except a slash',
    paths: (directory, name) => firstCharacters.map((first) => `${first}${directory}/${name}`),
  },
  {
    rule: 'path-without-slash.longer-beginning',
    does: 'paths that start like a URL, a Windows drive, a variable or an escaped slash',
    paths: (directory, name) => longerBeginnings.map((first) => `${first}${directory}/${name}`),
  },
  {
    rule: 'path-without-slash.one-name',
    does: 'a name without any slash, or with only a trailing one',
    paths: (_, name) => [...['', '.', '-', '_', '~', '%', ' ', 'é', '7'].map((first) => first + name), `${name}/`],
  },
  {
    rule: 'path-without-slash.dot-dot-segment',
    does: 'paths that break both halves of the rule: no slash at the start, and a .. segment',
    paths: (directory, name) => [
      '..',
      `../${name}`,
      `../../${name}`,
      `./../${name}`,
      `..${directory}/${name}`,
      `${relative(directory, name)}/..`,
      `${relative(directory, name)}/../`,
      `x/../${name}`,
      `${relative(directory, name)}/../${name}`,
      ...startsOfBoth.map((first, index) =>
        index % 2 === 0 ? `${first}/../${name}` : `${first}${directory}/x/../${name}`,
      ),
      ` /../${name}`,
      ` ${directory}/x/../${name}`,
      ...[' ', '\\', '.', '7'].map((first) => `${first}${directory}/${name}/..`),
    ],
  },
  {
    rule: 'path-empty',
    does: 'an empty path, or one of only whitespace',
    paths: () => ['', ' ', '  ', '\t', '\n', '\u00a0', '\u3000'],
  },
  {
    rule: 'dot-dot-segment.middle',
    does: 'a path with a .. segment in the middle',
    paths: (directory, name) => [
      `${directory}/x/../${name}`,
      `/x/y/../..${directory}/${name}`,
      `${directory}//../${name}`,
    ],
  },
  {
    rule: 'dot-dot-segment.last',
    does: 'a path with a .. segment at the end',
    paths: (directory, name) => [`${directory}/${name}/..`, `${directory}/${name}/x/..`, `${directory}/${name}/../`],
  },
  { rule: 'dot-dot-segment.only', does: 'the path /.., which the stated pattern accepts', paths: () => ['/..'] },
  {
    rule: 'dot-dot-segment.first',
    does: 'a path with a .. segment right at the start, which the stated pattern accepts',
    paths: (directory, name) => [`/../${name}`, `/..${directory}/${name}`, `/../`, `//../${name}`, `/./../${name}`],
  },
  {
    rule: 'dot-dot-segment.behind-names',
    does: 'a path with a .. segment after a legal name with dots',
    paths: (directory, name) => [
      `${directory}/${name}../../x`,
      `/a..b/../${name}`,
      `/..a/../${name}`,
      `${directory}/.../../${name}`,
    ],
  },
  {
    rule: 'dot-dot-segment.after-line-break',
    does: 'a path with a .. segment after a line break',
    paths: (directory, name) => [
      `${directory}/${name}\n/../x`,
      `${directory}/${name}\r\n/..`,
      `${directory}/${name}\r/../x`,
      `${directory}/${name}\u2028/../x`,
      ...['\u2029', '\u0085', '\v', '\f', '\0'].map((end) => `${directory}/${name}${end}/../x`),
      `${directory}/../\n${name}`,
      `\n${directory}/x/../${name}`,
    ],
  },
  {
    rule: 'dot-dot-segment.each-depth',
    does: 'a path with a .. segment in each of the first twelve positions',
    paths: (directory, name) => {
      const above = [...directory.split('/').filter((segment) => segment !== ''), ...Array(11).fill('d')].slice(0, 11);
      return [...above.keys(), above.length].map((depth) => {
        const segments = [...above.slice(0, depth), '..', ...above.slice(depth)];
        return `/${[...segments, name].join('/')}`;
      });
    },
  },
  {
    rule: 'dot-dot-segment.doubled',
    does: 'paths with several .. segments, adjacent and apart',
    paths: (directory, name) => [
      `/../../${name}`,
      `${directory}/x/../../${name}`,
      `${directory}/x/../y/../${name}`,
      `/x/../y/../z/../${name}`,
      `${directory}/${name}/x/../..`,
      `/../..${directory}/../../${name}`,
    ],
  },
  {
    rule: 'dot-dot-segment.beside-each-kind',
    does: 'a path with a .. segment next to each kind of segment',
    paths: (directory, name) => segmentsBeside.map((segment) => `${directory}/${segment}/../${segment}/${name}`),
  },
  {
    rule: 'dot-dot-segment.deep',
    does: 'a path with a .. segment after many others',
    paths: (directory, name) => [
      `${directory}/a/b/c/d/e/f/../${name}`,
      `${directory}/${'d/'.repeat(30)}..`,
      `${directory}/${'d/'.repeat(12)}../${name}`,
    ],
  },
  {
    rule: 'dot-dot-segment.long',
    does: 'a path of more than 300 characters with a .. segment',
    // Few long segments and many short ones: a target may limit either.
    paths: (directory, name) => [
      `${directory}/${'long-segment/'.repeat(24)}../${name}`,
      `${directory}/${`${'l'.repeat(160)}/`.repeat(2)}../${name}`,
      `/../${'long-segment/'.repeat(24)}${name}`,
      `${directory}/${'long-segment/'.repeat(90)}../${name}`,
      `${directory}/${'long-segment/'.repeat(330)}../${name}`,
    ],
  },
];

const mostForEffects = 3;

/** The paths for checks of effects: a few of each kind, since all are also judged by their responses. */
export function forEffects({ paths }: IllegalPath, directory: string, name: string): string[] {
  return paths(directory, name).slice(0, mostForEffects);
}

/** A way that only queries have: the dots percent-encoded. */
export const encodedPath: IllegalPath = {
  rule: 'dot-dot-segment.percent-encoded',
  does: 'a path with a .. segment whose dots are percent-encoded',
  isRawQuery: true,
  paths: (directory, name) => [
    `${encodeURIComponent(directory)}%2Fx%2F%2e%2E%2F${encodeURIComponent(name)}`,
    `/%2e%2e/${encodeURIComponent(name)}`,
    `/.%2e${directory}/${encodeURIComponent(name)}`,
    `${directory}/x/%2E%2E/${encodeURIComponent(name)}`,
    `${directory}/x/%2e./${encodeURIComponent(name)}`,
    `${directory}/x/../${encodeURIComponent(name)}`,
    `${directory}/x%2F..%2F${encodeURIComponent(name)}`,
    `%2F%2e%2e${encodeURIComponent(`${directory}/${name}`)}`,
    `${directory}/${encodeURIComponent(name)}/%2e%2e`,
    `%2e%2e%2F${encodeURIComponent(name)}`,
    everyByteEscaped(`${directory}/x/../${name}`),
    everyByteEscaped(`..${directory}/${name}`),
  ],
};

/** A path in which every character is percent-encoded, although few need it. */
function everyByteEscaped(path: string): string {
  return Array.from(Buffer.from(path), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Paths whose dots do not form a `..` segment. */
export const legalDots: readonly { rule: string; does: string; paths(name: string): string[] }[] = [
  {
    rule: 'legal-dots.inside',
    does: 'a path with two dots inside a name',
    paths: (name) => [`/${name}..b`, `/a..${name}`],
  },
  { rule: 'legal-dots.leading', does: 'a path with two dots at the start of a name', paths: (name) => [`/..${name}`] },
  { rule: 'legal-dots.three', does: 'a path with a segment of three dots', paths: (name) => [`/.../${name}`] },
  {
    rule: 'legal-dots.percent-encoded',
    does: 'a path with a segment %2e%2e, which is an ordinary name in a body',
    paths: (name) => [`/%2e%2e/${name}`],
  },
];

/** The same path without dots below the directory. If the target refuses it too, the dots are not the reason. */
export function plainTwin(path: string, directory: string): string {
  const start = path.startsWith(`${directory}/`) ? directory : '';
  return start + path.slice(start.length).replaceAll(/%2e/gi, '%41').replaceAll('.', 'x');
}

const generatedRuns = 40;

/** A shrunk generated path that the target handled incorrectly. */
interface Counterexample {
  path: string;
  reply: Reply;
}

/** How generated paths are sent, and which replies are correct. */
interface Attempt {
  send(path: string): Promise<Reply>;
  isRight(reply: Reply): boolean;
}

/**
 * Sends generated paths in parallel. If one is handled incorrectly, sends them one after the other until one is, and
 * shrinks that one. Rejects with what `send` throws.
 */
export async function findCounterexample(
  paths: fc.Arbitrary<string>,
  randomSeed: number,
  attempt: Attempt,
): Promise<Counterexample | undefined> {
  const drawn = new Set(fc.sample(paths, { numRuns: generatedRuns, seed: randomSeed }));
  const replies = await inParallel(drawn, attempt.send);
  return replies.every(attempt.isRight) ? undefined : findOneByOne(paths, randomSeed, attempt);
}

/** Sends generated paths one after the other until one is handled incorrectly, and shrinks that one. */
async function findOneByOne(
  paths: fc.Arbitrary<string>,
  randomSeed: number,
  { send, isRight }: Attempt,
): Promise<Counterexample | undefined> {
  let thrown: { error: unknown } | undefined;
  let wrong: Counterexample | undefined;
  const property = fc.asyncProperty(paths, async (path) => {
    if (thrown !== undefined) return;
    const reply = await send(path).catch((error: unknown) => {
      thrown = { error };
    });
    if (reply === undefined || isRight(reply)) return;
    wrong = { path, reply };
    throw new Error('not handled correctly');
  });
  await fc.check(property, { numRuns: generatedRuns, seed: randomSeed });
  if (thrown !== undefined) throw thrown.error;
  return wrong;
}

const plain = fc.constantFrom('a', 'b', 'report', '2026', 'x-y', 'A_b');
const dotted = fc.constantFrom('..a', 'a..', 'a..b', '...', '....', '.a', '%2e%2e', '..%2f', '%2E.');
const segment = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: dotted });

/** Paths that break the rule: a `..` segment somewhere, or no slash at the start. Many start with `directory`. */
export function illegalPathArbitrary(directory: string): fc.Arbitrary<string> {
  const around = fc.array(fc.oneof({ weight: 5, arbitrary: segment }, { weight: 2, arbitrary: fc.constant('..') }), {
    maxLength: 3,
  });
  const climbing = fc
    .tuple(fc.constantFrom('', directory), around, around)
    .map(([start, before, after]) => `${start}/${[...before, '..', ...after].join('/')}`);
  const rootless = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
  return fc
    .oneof({ weight: 4, arbitrary: climbing }, { weight: 1, arbitrary: rootless })
    .filter((path) => !keepsPathRule(path));
}

const dots = ['..', '...', '.', '%2e', '%2e%2e'];

/** Names with dots before, inside and after them that do not form a `..` segment. */
export function dottedNames(name: string): string[] {
  return dots.flatMap((piece, index) => {
    const unique = `${name}-${index}`;
    return [`${piece}${unique}`, `${unique}${piece}x`, `${unique}${piece}`];
  });
}
