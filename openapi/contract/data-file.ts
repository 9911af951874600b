import { readFileSync } from 'node:fs';
import type { Document } from 'yaml';
import { isTooDeep, parseJson } from '../reading/messages.ts';
import { CodedError, joined, own, type Sentence, say } from '../reading/sentence.ts';
import { yaml } from './yaml.ts';

/** An error at one place of a data file. */
export interface DataViolation {
  location: readonly (string | number)[];
  /** A sentence where it quotes the file. */
  message: Sentence | string;
}

/** A data file that cannot be used. The message names each error with its place. */
export class DataFileError extends CodedError<'FILE_UNREADABLE' | 'FILE_MALFORMED' | 'FILE_INVALID'> {}

/** Loads a YAML or JSON file and validates it. Throws {@link DataFileError}. */
export function loadDataFile<T>(file: string, validate: (value: unknown) => DataViolation[]): T {
  const text = readText(file);
  // JSON is YAML too, but its own parser is far faster, and large seeds are JSON.
  const value = parseJson(text)?.value ?? parseYaml(file, text);
  const violations = validate(value);
  if (violations.length === 0) return value as T;
  throw new DataFileError('FILE_INVALID', describe(file, text, violations));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const isFolder = (error as { code?: unknown }).code === 'EISDIR';
    const message = isFolder
      ? say`${file} is a folder. Name a file in it.`
      : say`${file} cannot be read. Check that it exists and that you may read it.`;
    throw new DataFileError('FILE_UNREADABLE', message, { cause: error });
  }
}

function parseYaml(file: string, text: string): unknown {
  const document = yaml().parseDocument(text);
  const [first] = document.errors;
  if (first === undefined) return toValue(file, document);
  const place = first.linePos?.[0];
  if (/^\s*[[{]/.test(text))
    throw malformed(file, place?.line ?? 1, place?.col ?? 1, whyNotJson(text, first.pos[0]), 'JSON');
  const [line = ''] = first.message.split('\n');
  // The text after the colon quotes the file, which may hold a secret.
  const [reason = ''] = line.replace(/ at line \d+, column \d+:?$/, '').split(': ');
  throw malformed(file, place?.line ?? 1, place?.col ?? 1, reason);
}

// In words that fit JSON, as the parser's own are about YAML.
function whyNotJson(text: string, offset: number): string {
  if (isTooDeep(text)) return 'it is nested deeper than 1,000 levels';
  return offset >= text.trimEnd().length ? 'it ends too early' : 'this is not expected here';
}

function toValue(file: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    throw malformed(file, 1, 1, 'an alias (*) refers to an anchor (&) that does not exist');
  }
}

function malformed(file: string, line: number, column: number, reason: string, kind = 'YAML or JSON'): DataFileError {
  return new DataFileError('FILE_MALFORMED', say`${file}:${line}:${column} is not ${own(kind)}: ${own(reason)}`);
}

const shownViolations = 20;

function describe(file: string, text: string, violations: readonly DataViolation[]): Sentence {
  const { LineCounter, parseDocument } = yaml();
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const lines = violations.slice(0, shownViolations).map(({ location, message }) => {
    const { line, col } = lineCounter.linePos(offsetOf(document, location));
    const place = location.length === 0 ? own('the file') : location.join('.');
    return say`${file}:${line}:${col} ${place} ${typeof message === 'string' ? own(message) : message}`;
  });
  const rest = violations.length - lines.length;
  return joined([...lines, ...(rest > 0 ? [say`and ${rest} more`] : [])], '\n');
}

// The place of the value, or of the nearest value around it where it is missing.
function offsetOf(document: Document, location: readonly (string | number)[]): number {
  const path = location.map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step));
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (yaml().isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
