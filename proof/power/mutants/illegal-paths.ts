import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Break, Mutant, WireFault } from '../mutant.ts';
import { changeCalls, idIn, sentField, withBody } from './patch.ts';
import { hasDotDot, isLegal, judgeDeletions, judgeMoves, resolved, segmentsOf } from './path-rules.ts';
import { type Rows, table, wireTable } from './table.ts';
import { passOn, write } from './wire-faults.ts';

/** One class of illegal paths, which a wrong server accepts beside the legal ones. */
interface IllegalClass {
  /** The last part of the id of the check that finds such a server. */
  rule: string;
  /** What such a path is. */
  what: string;
  has(path: string): boolean;
}

const beginsWith = (...firsts: string[]) => ({
  rule: 'path-without-slash.each-character',
  has: (path: string) => firsts.some((first) => path.startsWith(first)) && !hasDotDot(path),
});

/** By the kind of its first character. A path with a `..` segment is refused even so. */
const firstCharacters: Record<string, IllegalClass> = {
  'a-small-letter': { what: 'begins with a small letter', ...beginsWith(...'abcdefghijklmnopqrstuvwxyz') },
  'a-capital': { what: 'begins with a capital', ...beginsWith(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ') },
  'a-digit': { what: 'begins with a digit', ...beginsWith(...'0123456789') },
  'a-blank': { what: 'begins with a blank', ...beginsWith(' ') },
  'a-tab': { what: 'begins with a tab', ...beginsWith('\t') },
  'a-line-feed': { what: 'begins with a line feed', ...beginsWith('\n') },
  'a-carriage-return': { what: 'begins with a carriage return', ...beginsWith('\r') },
  'a-nul': { what: 'begins with a NUL', ...beginsWith('\0') },
  'a-control': { what: 'begins with a control character', ...beginsWith('\b', '\x1b', '\x7f') },
  'a-no-break-space': { what: 'begins with a no-break space', ...beginsWith('\u00a0') },
  'a-wide-blank': { what: 'begins with an ideographic space', ...beginsWith('\u3000') },
  'a-zero-width-space': { what: 'begins with a zero-width space', ...beginsWith('\u200b') },
  'a-byte-order-mark': { what: 'begins with a byte order mark', ...beginsWith('\ufeff') },
  'a-full-width-slash': { what: 'begins with a full-width slash', ...beginsWith('\uff0f') },
  'a-division-slash': { what: 'begins with a division slash', ...beginsWith('\u2215') },
  'an-accented-letter': { what: 'begins with an accented letter', ...beginsWith('é') },
  'a-letter-of-another-script': { what: 'begins with a letter of another script', ...beginsWith('日') },
  'an-emoji': { what: 'begins with an emoji', ...beginsWith('🚀') },
  ...Object.fromEntries(
    [...'!"#$%&\'()*+,-.:;<=>?@[\\]^_`{|}~'].map((sign) => [
      `sign-${sign.charCodeAt(0).toString(16)}`,
      { what: `begins with ${sign}`, ...beginsWith(sign) },
    ]),
  ),
};

/** Otherwise without a slash at the start. */
const slashless: Record<string, IllegalClass> = {
  'one-name': {
    rule: 'path-without-slash.one-name',
    what: 'is one name without any slash',
    has: (path) => path !== '' && path.trim() !== '' && !/[/\\]/.test(path) && !hasDotDot(path),
  },
  'a-name-with-a-closing-slash': {
    rule: 'path-without-slash.one-name',
    what: 'is one name with a slash behind it',
    has: (path) => /^[^/]+\/$/.test(path) && !hasDotDot(path),
  },
  'a-relative-path': {
    rule: 'path-without-slash',
    what: 'consists of names that are divided by slashes',
    has: (path) => /^[\w-]+(\/[\w-]+)+$/.test(path),
  },
  'a-dot-and-a-slash': {
    rule: 'path-without-slash',
    what: 'begins with ./ , as that of a file beside',
    has: (path) => path.startsWith('./') && !hasDotDot(path),
  },
  'a-url': {
    rule: 'path-without-slash.longer-beginning',
    what: 'is a URL',
    has: (path) => /^\w{4,}:\/\//.test(path) && !hasDotDot(path),
  },
  'a-drive-letter': {
    rule: 'path-without-slash.longer-beginning',
    what: 'begins with the letter of a drive',
    has: (path) => /^[A-Z]:[\\/]/.test(path) && !hasDotDot(path),
  },
  'a-network-share': {
    rule: 'path-without-slash.longer-beginning',
    what: 'begins with two backslashes',
    has: (path) => path.startsWith('\\\\') && !hasDotDot(path),
  },
  'an-escaped-slash': {
    rule: 'path-without-slash.longer-beginning',
    what: 'begins with %2F',
    has: (path) => /^%2f/i.test(path) && !hasDotDot(path),
  },
  'a-variable': {
    rule: 'path-without-slash.longer-beginning',
    what: 'begins with the name of a variable',
    has: (path) => /^\$[A-Z]/.test(path) && !hasDotDot(path),
  },
  'dots-before-the-slash': {
    rule: 'path-without-slash.longer-beginning',
    what: 'begins with a name of dots that is not ..',
    has: (path) => path.startsWith('.') && !hasDotDot(path),
  },
  nothing: { rule: 'path-empty', what: 'is empty', has: (path) => path === '' },
  'blanks-only': { rule: 'path-empty', what: 'has blanks only', has: (path) => /^ +$/.test(path) },
  'white-space-only': { rule: 'path-empty', what: 'has white space only', has: (path) => /^[^\S ]+$/.test(path) },
};

const both = (has: (path: string) => boolean) => ({
  rule: 'path-without-slash.dot-dot-segment',
  has: (path: string) => !path.startsWith('/') && hasDotDot(path) && has(path),
});

/** Paths that break both halves of the rule. Whoever breaks one half only is refused. */
const bothHalves: Record<string, IllegalClass> = {
  'any-path-that-breaks-both-halves': { what: 'breaks both halves of the rule', ...both(() => true) },
  'dot-dot-and-nothing-else': { what: 'is .. alone', ...both((path) => path === '..') },
  'dot-dot-before-a-name': { what: 'begins with ../', ...both((path) => path.startsWith('../')) },
  'relative-and-dot-dot-inside': {
    what: 'begins with a letter and has a .. segment inside',
    ...both((path) => /^[\w-]+\/.*\.\.\//.test(path)),
  },
  'relative-and-dot-dot-last': {
    what: 'begins with a letter and ends with a .. segment',
    ...both((path) => /^[\w-]+\/.*\/\.\.$/.test(path)),
  },
  'a-blank-and-dot-dot': { what: 'begins with a blank and has a .. segment', ...both((path) => /^\s/.test(path)) },
  'a-backslash-and-dot-dot': {
    what: 'begins with a backslash and has a .. segment',
    ...both((path) => path.startsWith('\\')),
  },
  'a-nul-and-dot-dot': { what: 'begins with a NUL and has a .. segment', ...both((path) => path.startsWith('\0')) },
  'a-full-width-slash-and-dot-dot': {
    what: 'begins with a full-width slash and has a .. segment',
    ...both((path) => path.startsWith('\uff0f')),
  },
};

const dotDot = (rule: string, has: (path: string, segments: string[]) => boolean) => ({
  rule: `dot-dot-segment.${rule}`,
  has: (path: string) => path.startsWith('/') && hasDotDot(path) && has(path, segmentsOf(path)),
});
const once = (segments: string[]) => segments.filter((one) => one === '..').length === 1;
const before = (segments: string[]) => segments[segments.indexOf('..') - 1] ?? 'none';
const behind = (segments: string[]) => segments[segments.lastIndexOf('..') + 1] ?? 'none';

/** Paths with a slash at the start and a `..` segment. */
const dotDots: Record<string, IllegalClass> = {
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `dot-dot-at-place-${index + 1}`,
      {
        what: `has one .. segment, at place ${index + 1}, and a name behind it`,
        ...dotDot('each-depth', (_path, segments) => {
          return once(segments) && segments.indexOf('..') === index && segments.length > index + 1;
        }),
      },
    ]),
  ),
  'two-dot-dots-side-by-side': {
    what: 'has two .. segments side by side',
    ...dotDot('doubled', (path) => path.includes('/../..')),
  },
  'two-dot-dots-apart': {
    what: 'has two .. segments with a name between them',
    ...dotDot('doubled', (_, segments) => {
      const [first, last] = [segments.indexOf('..'), segments.lastIndexOf('..')];
      return last - first > 1;
    }),
  },
  'dot-dot-behind-a-dot': {
    what: 'has a .. segment behind a . segment',
    ...dotDot('beside-each-kind', (_, segments) => before(segments) === '.'),
  },
  'dot-dot-behind-an-empty-segment': {
    what: 'has a .. segment behind an empty one',
    ...dotDot('middle', (_, segments) => before(segments) === ''),
  },
  'dot-dot-behind-a-blank': {
    what: 'has a .. segment behind a name with a blank',
    ...dotDot('beside-each-kind', (_, segments) => before(segments).includes(' ')),
  },
  'dot-dot-behind-letters-of-another-script': {
    what: 'has a .. segment behind a name beyond ASCII',
    ...dotDot('beside-each-kind', (_, segments) => /[^\p{ASCII}]/u.test(before(segments))),
  },
  'dot-dot-behind-a-percent-sign': {
    what: 'has a .. segment behind a name with an escape',
    ...dotDot('beside-each-kind', (_, segments) => before(segments).includes('%')),
  },
  'dot-dot-behind-a-question-mark': {
    what: 'is judged up to the first question mark',
    ...dotDot('beside-each-kind', (path) => path.includes('?') && isLegal(path.split('?')[0] ?? '')),
  },
  'dot-dot-behind-a-number-sign': {
    what: 'is judged up to the first #',
    ...dotDot('beside-each-kind', (path) => path.includes('#') && isLegal(path.split('#')[0] ?? '')),
  },
  'dot-dot-behind-a-semicolon': {
    what: 'is judged up to the first semicolon',
    ...dotDot('beside-each-kind', (path) => path.includes(';') && isLegal(path.split(';')[0] ?? '')),
  },
  'dot-dot-behind-a-nul': {
    what: 'is judged up to the first NUL',
    ...dotDot('after-line-break', (path) => path.includes('\0') && isLegal(path.split('\0')[0] ?? '')),
  },
  'dot-dot-before-a-line-break': {
    what: 'has a .. segment and a line break behind it',
    ...dotDot('after-line-break', (path) => /\.\.\/\n/.test(path)),
  },
  'dot-dot-behind-a-file-name': {
    what: 'has a .. segment behind a name with an extension',
    ...dotDot('beside-each-kind', (_, segments) => /^\w+\.\w+$/.test(before(segments))),
  },
  'dot-dot-before-a-hidden-name': {
    what: 'has a .. segment before a name that begins with a dot',
    ...dotDot('beside-each-kind', (_, segments) => /^\.\w/.test(behind(segments))),
  },
  'dot-dot-with-a-closing-slash': {
    what: 'ends with ../',
    ...dotDot('last', (path, segments) => path.endsWith('/../') && segments.length > 2),
  },
  'dot-dot-alone-with-a-closing-slash': { what: 'is /../', ...dotDot('first', (path) => path === '/../') },
  'dot-dot-behind-a-thousand-characters': {
    what: 'has a .. segment behind more than a thousand characters only',
    ...dotDot('long', (path) => !hasDotDot(path.slice(0, 1_000))),
  },
  'dot-dot-behind-four-thousand-characters': {
    what: 'has a .. segment behind more than four thousand characters only',
    ...dotDot('long', (path) => !hasDotDot(path.slice(0, 4_000))),
  },
  'dot-dot-that-stays-below-the-root': {
    what: 'has .. segments and does not leave the root',
    ...dotDot('middle', (_, segments) => {
      let depth = 0;
      return segments.every((segment) => {
        depth += segment === '..' ? -1 : 1;
        return depth >= 0;
      });
    }),
  },
};

const classes = { ...firstCharacters, ...slashless, ...bothHalves, ...dotDots };

/** A server for each class of illegal paths and each operation: it accepts that class, and refuses all others. */
const acceptingOneClass: readonly Mutant[] = [
  ...classesOf('updateDriveFile', 'move', judgeMoves),
  ...classesOf('deleteDriveTree', 'delete', judgeDeletions),
];

function classesOf(
  operation: OperationId,
  verb: 'move' | 'delete',
  judge: (isAccepted: (path: string) => boolean) => Break,
): Mutant[] {
  const thing = verb === 'move' ? 'A new path' : 'The path of a tree';
  const rows: Rows<Break> = Object.fromEntries(
    Object.entries(classes).map(([id, { rule, what, has }]) => [
      `${requirementOf(operation, rule)} > ${operation}.${rule}: ${verb}-accepts-${id}`,
      [
        `${thing} is accepted that ${what}; every other illegal one is refused.`,
        judge((path) => isLegal(path) || has(path)),
      ],
    ]),
  );
  return table('path rule', 'engine', rows);
}

function requirementOf(operation: OperationId, rule: string): string {
  if (rule.startsWith('path-')) return `${operation}.path-starts-with-slash`;
  const isOfPattern = ['dot-dot-segment.middle', 'dot-dot-segment.last'].includes(rule);
  return `${operation}.${isOfPattern ? 'path-matches-pattern' : 'path-has-no-dot-dot-segment'}`;
}

/** Takes a value that is no string for a path, where it is meant. */
function readValues(toPath: (value: unknown, plain: string) => string | undefined): Break {
  return changeCalls('updateDriveFile', (call) => {
    const value = sentField(call, 'path');
    if (typeof value === 'string' || value === undefined) return call;
    const path = toPath(value, `/${idIn(call, 'fileId')}`);
    return path === undefined ? call : withBody(call, { path });
  });
}

const firstOf = (value: unknown) => (Array.isArray(value) && typeof value[0] === 'string' ? value[0] : undefined);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const noStrings: readonly Mutant[] = table('path rule', 'engine', {
  'updateDriveFile.path-is-no-string: move-takes-a-number-for-a-path': [
    'A number is taken for a path: a slash is put before it.',
    readValues((value) => (typeof value === 'number' ? `/${value}` : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-takes-zero-for-no-path': [
    'A path of 0 is taken for none, and the file stays.',
    readValues((value, plain) => (value === 0 ? plain : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-takes-true-for-a-path': [
    'The path true is accepted.',
    readValues((value, plain) => (value === true ? plain : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-takes-false-for-no-path': [
    'The path false is accepted.',
    readValues((value, plain) => (value === false ? plain : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-takes-the-path-out-of-an-array': [
    'An array that holds a legal path is taken for that path.',
    readValues((value) => (Array.isArray(value) && value.length === 1 ? firstOf(value) : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-takes-the-first-of-several-paths': [
    'An array of several paths is taken for the first of them.',
    readValues((value) => (Array.isArray(value) && value.length > 1 ? firstOf(value) : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-takes-the-path-out-of-nested-arrays': [
    'An array of arrays is flattened, and its path is used.',
    readValues((value) => (Array.isArray(value) && Array.isArray(value[0]) ? firstOf(value[0]) : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-accepts-an-empty-array': [
    'An empty array is accepted as a path.',
    readValues((value, plain) => (Array.isArray(value) && value.length === 0 ? plain : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-accepts-an-object': [
    'An object is accepted as a path.',
    readValues((value, plain) => (isObject(value) ? plain : undefined)),
  ],
  'updateDriveFile.path-is-no-string: move-takes-null-for-the-root': [
    'With null for a path the file is moved to the root.',
    readValues((value, plain) => (value === null ? plain : undefined)),
  ],
});

/** The values of all members `path` of a body, as they stand there. */
function pathsIn(body: string): string[] {
  return Array.from(body.matchAll(/"path":("(?:[^"\\]|\\.)*")/g), ([, text = '""']) => parsed(text));
}

function parsed(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return '';
  }
}

// Without a slash it is given one: so it does not matter what breaks the rule.
const honoured = (path: string) => resolved(path.trim().replace(/^(?!\/)/, '/'));

/** One of two paths in a body is judged, and the other one used. */
function judgeOneOfTwo(judged: 'first' | 'last'): WireFault {
  return async (_request, response, forward) => {
    const body = (sent: string) => {
      const paths = pathsIn(sent);
      const [first = '', last = ''] = [paths[0], paths.at(-1)];
      const [seen, used] = judged === 'first' ? [first, last] : [last, first];
      return paths.length > 1 ? JSON.stringify({ path: isLegal(seen) ? honoured(used) : seen }) : sent;
    };
    write(response, await forward({ body }));
  };
}

/** One of two paths in a query is judged, and the other one used. */
function judgeOneOfTwoParameters(judged: 'first' | 'last'): WireFault {
  return async (request, response, forward) => {
    const [address = '', query = ''] = (request.url ?? '').split('?');
    const paths = new URLSearchParams(query).getAll('path');
    if (paths.length < 2) return passOn(request, response, forward);
    const [seen = '', used = ''] = judged === 'first' ? [paths[0], paths.at(-1)] : [paths.at(-1), paths[0]];
    const path = isLegal(seen) ? honoured(used) : seen;
    write(response, await forward({ path: `${address}?${new URLSearchParams({ path })}` }));
  };
}

/** The raw text of a body is judged: what is escaped in it is not seen. */
const judgeRawText: WireFault = async (_request, response, forward) => {
  const body = (sent: string) => {
    const [path = ''] = pathsIn(sent);
    const isHidden = sent.includes('\\u') && !isLegal(path) && !/(^|\/)\.\.(\/|"|$)/.test(sent.replaceAll('\\/', '/'));
    return isHidden ? JSON.stringify({ path: honoured(path) }) : sent;
  };
  write(response, await forward({ body }));
};

/** Changes the path in a query before it is judged, as it stands there. */
function readQueries(change: (path: string) => string): WireFault {
  return async (request, response, forward) => {
    const [address = '', query = ''] = (request.url ?? '').split('?');
    const changed = query.replace(/(?<=^|&)path=([^&]*)/, (_, path: string) => `path=${change(path)}`);
    const path = changed === query ? request.url : `${address}?${changed}`;
    write(response, await forward(path === undefined ? {} : { path }));
  };
}

const encoded = (path: string) => encodeURIComponent(path);
const resolvedIf = (isMeant: (decoded: string) => boolean, decode: (raw: string) => string) => (raw: string) => {
  const decoded = decode(raw);
  return isMeant(decoded) ? encoded(resolved(decoded)) : raw;
};

function decodedLeniently(raw: string): string {
  return decodeURIComponent(raw.replaceAll(/%c0%ae|%e0%80%ae/gi, '.').replaceAll(/%c0%af/gi, '/'));
}

const spelled: readonly Mutant[] = [
  ...wireTable('path rule', {
    'updateDriveFile.path-has-no-dot-dot-segment > updateDriveFile.path-twice: move-judges-the-first-of-two-paths': [
      'Of two paths in one body the first one is judged, and the last one is used.',
      () => judgeOneOfTwo('first'),
    ],
    'updateDriveFile.path-has-no-dot-dot-segment > updateDriveFile.path-twice: move-judges-the-last-of-two-paths': [
      'Of two paths in one body the last one is judged, and the first one is used.',
      () => judgeOneOfTwo('last'),
    ],
    'updateDriveFile.path-escaped: move-judges-the-text-of-the-body': [
      'The text of the body is judged, in which \\u002e\\u002e is no .. segment.',
      () => judgeRawText,
    ],
    'updateDriveFile.path-kept.near-dot-dot: move-decodes-twice-what-is-escaped-twice': [
      'In a path %25 is decoded before it is stored.',
      () => async (_request, response, forward) =>
        write(response, await forward({ body: (sent) => sent.replaceAll('%25', '%') })),
    ],
    'updateDriveFile.path-kept.near-dot-dot: move-drops-what-stands-behind-a-semicolon': [
      'Parameters of segments are taken away, as in URLs of old.',
      () => async (_request, response, forward) =>
        write(response, await forward({ body: (sent) => sent.replaceAll('..;', '..a') })),
    ],
    'deleteDriveTree.path-has-no-dot-dot-segment > deleteDriveTree.path-twice: delete-judges-the-first-of-two-paths': [
      'Of two paths in one query the first one is judged, and the last one is used.',
      () => judgeOneOfTwoParameters('first'),
    ],
    'deleteDriveTree.path-has-no-dot-dot-segment > deleteDriveTree.path-twice: delete-judges-the-last-of-two-paths': [
      'Of two paths in one query the last one is judged, and the first one is used.',
      () => judgeOneOfTwoParameters('last'),
    ],
    'deleteDriveTree.file-beside-is-kept.odd-bytes: delete-decodes-its-path-twice': [
      'The path of a tree is decoded once more after it was judged, and then resolved.',
      () =>
        readQueries(
          resolvedIf(hasDotDot, (raw) => (raw.includes('%25') ? decodeURIComponent(decodeURIComponent(raw)) : '')),
        ),
    ],
    'deleteDriveTree.file-beside-is-kept.odd-bytes: delete-reads-overlong-bytes': [
      'Overlong forms of UTF-8 are decoded in the path of a tree, after it was judged.',
      () => readQueries(resolvedIf(hasDotDot, (raw) => (/%(c0|e0%80)/i.test(raw) ? decodedLeniently(raw) : ''))),
    ],
    'deleteDriveTree.file-beside-is-kept.odd-bytes: delete-takes-backslashes-for-slashes': [
      'Backslashes divide the path of a tree too, after it was judged.',
      () =>
        readQueries(
          resolvedIf(hasDotDot, (raw) => (/%5c/i.test(raw) ? decodeURIComponent(raw).replaceAll('\\', '/') : '')),
        ),
    ],
    'deleteDriveTree.file-beside-is-kept.odd-bytes: delete-ends-its-path-at-a-nul': [
      'The path of a tree ends at its first NUL.',
      () => readQueries((raw) => raw.split('%00')[0] ?? ''),
    ],
    'deleteDriveTree.file-beside-is-kept.odd-bytes: delete-drops-parameters-of-segments': [
      'What stands behind a semicolon in a segment of the path of a tree is taken away, after it was judged.',
      () => readQueries(resolvedIf(hasDotDot, (raw) => decodeURIComponent(raw).replaceAll(/;[^/]*/g, ''))),
    ],
    'deleteDriveTree.file-beside-is-kept.odd-bytes: delete-trims-each-segment': [
      'Blanks around the segments of the path of a tree are taken away, after it was judged.',
      () =>
        readQueries(
          resolvedIf(hasDotDot, (raw) =>
            raw.includes('..%20') ? decodeURIComponent(raw).replaceAll('.. ', '..') : '',
          ),
        ),
    ],
  }),
];

/** Every server that accepts one class of illegal paths, or one spelling of them. */
export const illegalPathMutants: readonly Mutant[] = [...acceptingOneClass, ...noStrings, ...spelled];
