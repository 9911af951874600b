import { readFileSync } from 'node:fs';
import type { Document } from 'yaml';
import { yaml } from './yaml.ts';

/** What is wrong at one place of a data file. */
export interface DataViolation {
  location: readonly (string | number)[];
  message: string;
}

/** Why a data file cannot be used. */
export type DataFileErrorCode = 'FILE_UNREADABLE' | 'FILE_MALFORMED' | 'FILE_INVALID';

/** A data file that cannot be used. The message says what is wrong, and where. */
export class DataFileError extends Error {
  readonly code: DataFileErrorCode;

  constructor(code: DataFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DataFileError';
    this.code = code;
  }
}

/** The value of a YAML or JSON file, when `validate` finds nothing wrong with it; else a {@link DataFileError}. */
export function loadDataFile<T>(file: string, validate: (value: unknown) => DataViolation[]): T {
  const text = readText(file);
  const value = parseJson(text) ?? parseYaml(file, text);
  const violations = validate(value);
  if (violations.length === 0) return value as T;
  throw new DataFileError('FILE_INVALID', describe(file, text, violations));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const message = `${file} cannot be read. Check that it is there and may be read.`;
    throw new DataFileError('FILE_UNREADABLE', message, { cause: error });
  }
}

// JSON is YAML as well, but large seeds come as JSON, and its own parser is far faster.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseYaml(file: string, text: string): unknown {
  const document = yaml().parseDocument(text);
  const [first] = document.errors;
  if (first === undefined) return toValue(file, document);
  const place = first.linePos?.[0];
  throw malformed(file, place?.line ?? 1, place?.col ?? 1, reasonIn(first.message));
}

// What stands behind the colon is a piece of the file, which may be a secret.
function reasonIn(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').split(': ')[0] ?? '';
}

function toValue(file: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    throw malformed(file, 1, 1, 'an alias (*) names an anchor (&) that is not there');
  }
}

function malformed(file: string, line: number, column: number, reason: string): DataFileError {
  return new DataFileError('FILE_MALFORMED', `${file}:${line}:${column} is not YAML or JSON: ${reason}`);
}

const shownViolations = 20;

function describe(file: string, text: string, violations: readonly DataViolation[]): string {
  const { LineCounter, parseDocument } = yaml();
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const lines = violations.slice(0, shownViolations).map(({ location, message }) => {
    const { line, col } = lineCounter.linePos(offsetOf(document, location));
    return `${file}:${line}:${col} ${location.join('.') || 'the file'} ${message}`;
  });
  const rest = violations.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

// The place of the value; where it is missing, that of the nearest value around it.
function offsetOf(document: Document, location: readonly (string | number)[]): number {
  for (let length = location.length; length > 0; length--) {
    const node = document.getIn(location.slice(0, length).map(toIndex), true);
    if (yaml().isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function toIndex(step: string | number): string | number {
  return typeof step === 'string' && /^\d+$/.test(step) ? Number(step) : step;
}
