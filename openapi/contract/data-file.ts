import type { Document, Node, YAMLParseError, YAMLWarning } from 'yaml';
import { DataFileError, readFileText } from '../../lib/file-text.ts';
import { placeOf } from '../../lib/place.ts';
import { joined, own, type Sentence, say } from '../../lib/sentence.ts';
import { yaml } from '../../lib/yaml.ts';
import { isTooDeep, namesOneTwice, parseJson } from '../reading/messages.ts';
import { andMore, countOf } from './schemas.ts';

/** An error at one position in a data file. */
export interface DataViolation {
  location: readonly (string | number)[];
  /** A {@link Sentence} if it quotes the file. */
  message: Sentence | string;
  /** How many more errors like this there are that are not listed. */
  more?: number;
}

/** Loads a YAML or JSON file and validates it. Throws {@link DataFileError}. */
export function loadDataFile<T>(file: string, validate: (value: unknown) => DataViolation[]): T {
  const text = readFileText(file);
  if (text.trim() === '') throw new DataFileError('FILE_INVALID', say`${file} is empty.`);
  // JSON is YAML too, but the JSON parser is far faster, and large seeds are JSON.
  const json = parseJson(text);
  const value = json === undefined || namesOneTwice(text, json.value) ? parseYaml(file, text) : json.value;
  const violations = validate(value);
  if (violations.length === 0) return value as T;
  throw new DataFileError('FILE_INVALID', describe(file, text, violations));
}

function parseYaml(file: string, text: string): unknown {
  const control = text.search(controlCharacter);
  if (control >= 0) {
    const code = text.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0');
    throw malformed(file, text, control, `it contains the control character U+${code}`);
  }
  const document = parsed(file, text);
  // A warning means that something was ignored: an unknown tag or directive.
  const [first] = [...document.errors, ...document.warnings];
  if (first === undefined) return toValue(file, text, document);
  const isLikeJson = /^\s*[[{]/.test(text) && document.errors.length > 0 && first.code !== 'DUPLICATE_KEY';
  const why = isLikeJson ? whyNotJson(text, first.pos[0]) : whyNotYaml(first);
  throw malformed(file, text, first.pos[0], why, isLikeJson ? 'JSON' : undefined);
}

// Deeply nested lists overflow the stack of the library's parser.
function parsed(file: string, text: string): Document {
  try {
    return yaml().parseDocument(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw malformed(file, text, 0, tooDeep);
  }
}

// YAML forbids those below U+0020, and terminals interpret them.
const controlCharacter = /(?![\t\n\r\u{7f}-\u{9f}])\p{Cc}/u;

const tooDeep = 'it is nested too deeply';

const plainReasons: Partial<Record<YAMLParseError['code'], string>> = {
  RESOURCE_EXHAUSTION: tooDeep,
  MULTIPLE_DOCS: 'it contains more than one document; remove the second "---" and everything after it',
  TAG_RESOLVE_FAILED: 'this tag (!) is unknown; remove it',
  KEY_OVER_1024_CHARS: 'a key has more than 1,024 characters',
  MULTILINE_IMPLICIT_KEY: 'there is no colon after a key; add it, or check the indentation',
  BLOCK_AS_IMPLICIT_KEY: 'a second colon follows; put the value in quotes, or check the indentation of the next line',
  BAD_DIRECTIVE: 'this directive (%) is unknown; remove it',
};

function whyNotYaml({ code, message }: YAMLParseError | YAMLWarning): string {
  const [line = ''] = message.split('\n');
  // The text after the colon quotes the file, which may contain a secret. A colon after a blank is part of the message.
  const [reason = ''] = line.replace(/ at line \d+, column \d+:?$/, '').split(/(?<=\S): /);
  return plainReasons[code] ?? reason;
}

// Worded for JSON: the parser's own messages are about YAML.
function whyNotJson(text: string, offset: number): string {
  if (isTooDeep(text)) return 'it is nested deeper than 1,000 levels';
  return offset >= text.trimEnd().length ? 'it ends too early' : 'unexpected token';
}

function toValue(file: string, text: string, document: Document): unknown {
  try {
    refuseWhatIsNoJson(file, text, document);
    return document.toJS();
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    // The library limits how much the aliases expand to.
    const isTooDeepValue = error instanceof RangeError;
    throw malformed(
      file,
      text,
      0,
      isTooDeepValue ? tooDeep : 'its aliases (*) expand to too much data; write the values out, or use fewer',
    );
  }
}

// Keys that are lists or maps, and aliases without an anchor.
function refuseWhatIsNoJson(file: string, text: string, document: Document): void {
  // The latest node of each anchor. The library would search the whole document for each alias.
  const anchored = new Map<string, Node>();
  yaml().visit(document, {
    Pair: (_, { key }) => {
      const meant = yaml().isAlias(key) ? anchored.get(key.source) : key;
      if (yaml().isCollection(meant))
        throw malformed(file, text, (key as Node).range?.[0] ?? 0, 'a key must be a string');
      if (yaml().isScalar(key) && key.type === 'PLAIN' && key.value === '<<')
        throw malformed(file, text, key.range?.[0] ?? 0, 'merge keys (<<) are not supported; write the values out');
    },
    Node: (_, node, path) => {
      const { anchor } = node as { anchor?: string };
      if (anchor !== undefined) anchored.set(anchor, node);
      if (!yaml().isAlias(node)) return;
      const why = whyWrongAlias(anchored.get(node.source), path);
      if (why !== undefined) throw malformed(file, text, node.range?.[0] ?? 0, why);
    },
  });
}

function whyWrongAlias(meant: Node | undefined, path: readonly unknown[]): string | undefined {
  if (meant === undefined) return 'an alias (*) refers to an anchor (&) that does not exist';
  return path.includes(meant) ? 'an alias (*) is inside the value that it refers to, which would never end' : undefined;
}

function malformed(file: string, text: string, offset: number, reason: string, kind = 'YAML or JSON'): DataFileError {
  const lines = text.slice(0, offset).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return new DataFileError(
    'FILE_MALFORMED',
    say`${file}:${lines.length}:${column} is not ${own(kind)}: ${own(reason)}`,
  );
}

const shownViolations = 20;
// The limit for a value, a name or a rule that a message quotes.
const longestPart = 500;

function describe(file: string, text: string, violations: readonly DataViolation[]): Sentence {
  const { LineCounter, parseDocument } = yaml();
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const lines = violations.slice(0, shownViolations).map(({ location, message }) => {
    const { line, col } = lineCounter.linePos(offsetOf(document, location, text));
    const place = location.length === 0 ? own('the file') : placeOf(location);
    const said =
      message === 'must be a string' && isPlain(document, location) ? `${message}; put it in quotes` : message;
    const what = say`${place} ${typeof said === 'string' ? own(said) : said}`;
    return say`${file}:${line}:${col} ${what.within(longestPart)}`;
  });
  const rest = countOf(violations) - lines.length;
  return joined([...lines, ...(rest > 0 ? [own(andMore(rest))] : [])], '\n');
}

/** Whether a value is written as a number or a word that is no string. */
function isPlain(document: Document, location: readonly (string | number)[]): boolean {
  const node = document.getIn(location.map(String), true);
  return yaml().isScalar(node) && ['number', 'boolean'].includes(typeof node.value);
}

// The position of the value, or of its key if it begins on a later line; of the nearest enclosing value if it is missing.
function offsetOf(document: Document, location: readonly (string | number)[], text: string): number {
  const path = location.map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step));
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (!yaml().isNode(node) || !node.range) continue;
    const [offset] = node.range;
    const around = document.getIn(path.slice(0, length - 1), true);
    const pair = yaml().isMap(around) ? around.items.find(({ value }) => value === node) : undefined;
    const keyOffset = (pair?.key as Node | undefined)?.range?.[0] ?? offset;
    return text.slice(keyOffset, offset).includes('\n') ? keyOffset : offset;
  }
  return 0;
}
