import { byCase, validateChoices } from '../../../openapi/contract/profile.ts';
import type { ChoiceRules } from '../../../openapi/points/open-point.ts';
import { jsonErrorWords, parseJson } from '../shared/json-error.ts';
import type { Choices } from './choices.ts';

/** The choices in a file, or its errors, each with its line. */
export type ReadProfile = { choices: Choices } | { errors: readonly string[] };

const mostCharacters = 100_000;

/** Reads the file of a profile: JSON, or YAML with one open point in each line. */
export function readProfile(text: string, points: readonly ChoiceRules[]): ReadProfile {
  if (text.length > mostCharacters)
    return { errors: [`The file has ${text.length} characters. A profile has a few thousand: choose another file.`] };
  const isJson = /^\ufeff?\s*[[{]/.test(text);
  const read = isJson ? readJson(text.replace(/^\ufeff/, '')) : readYaml(text);
  if ('errors' in read) return read;
  const choices = byCase(points, read.value);
  const violations = validateChoices(points, choices);
  if (violations.length === 0) return { choices: choices as Choices };
  return { errors: violations.map(({ openPoint, message }) => `${lineWords(read.lineOf(openPoint))}${message}.`) };
}

/** A value with the line number of each field, counted from 1. */
type ReadText = { value: unknown; lineOf(name: string): number | undefined } | { errors: readonly string[] };

function lineWords(line: number | undefined): string {
  return line === undefined ? '' : `Line ${line}: `;
}

function readJson(text: string): ReadText {
  const parsed = parseJson(text);
  if ('error' in parsed) return { errors: [`This is not JSON. ${jsonErrorWords(parsed.error)}`] };
  return { value: parsed.value, lineOf: (name) => lineInJson(text, name) };
}

// If a name appears twice, the last one counts.
function lineInJson(text: string, name: string): number | undefined {
  const [last] = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)]
    .filter(([quoted]) => parsedText(quoted) === name)
    .slice(-1);
  return last === undefined || name === '' ? undefined : text.slice(0, last.index).split('\n').length;
}

function parsedText(quoted: string): unknown {
  const parsed = parseJson(quoted);
  return 'value' in parsed ? parsed.value : undefined;
}

function readYaml(text: string): ReadText {
  const lines = new Map<string, number>();
  const value = new Map<string, unknown>();
  const errors: string[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const entry = entryIn(line, index);
    if (entry === undefined) continue;
    const error = typeof entry === 'string' ? entry : lines.has(entry.name) ? twice(entry.name) : undefined;
    if (error !== undefined) errors.push(`Line ${index + 1}: ${error}`);
    else if (typeof entry === 'object') {
      lines.set(entry.name, index + 1);
      value.set(entry.name, entry.value);
    }
  }
  if (errors.length > 0) return { errors: errors.slice(0, mostErrors) };
  return value.size > 0 ? { value: Object.fromEntries(value), lineOf: (name) => lines.get(name) } : { errors: [empty] };
}

const mostErrors = 20;
const empty = 'The file has no choices. Write one per line, such as successStatus.createDrive: 200.';
const notRead =
  'this cannot be read here. Write one open point and its choice per line, such as successStatus.createDrive: 200; or use JSON.';
const twice = (name: string) => `${name} appears twice. Remove one of the lines.`;

// A name, a colon, a value in quotes or without, a comment.
const entryLine =
  /^(?<name>[A-Za-z_][\w.]*|"[^"\\]*"|'[^']*')[ \t]*:(?:[ \t]+(?<value>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#&*!|>%@`{}[\],?:-](?:[^\s#:]|(?<=\S)#|:(?=\S)|[ \t]+(?=[^\s#]))*|-?\d+))?[ \t]*(?:[ \t]#.*)?$/;

/** The entry in a line, or its error; undefined if there is no entry. */
function entryIn(line: string, index: number): { name: string; value: unknown } | string | undefined {
  if (/^[ \t]*(?:#.*)?$/.test(line) || (index === 0 && /^---[ \t]*$/.test(line))) return undefined;
  const { name = '', value } = entryLine.exec(line)?.groups ?? {};
  if (name === '') return notRead;
  if (value === undefined) return `${name} has no choice. Write one after the colon.`;
  const read = scalarOf(value);
  return typeof read === 'string' ? read : { name: name.replaceAll(/^["']|["']$/g, ''), ...read };
}

// Values that YAML reads as something other than a string or an integer.
const typed =
  /^(?:~|null|true|false|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0o[0-7]+|0x[\da-f]+|[-+]?\.(?:inf|nan))$/i;

/** The value of a text in YAML, or its error. */
function scalarOf(text: string): { value: unknown } | string {
  if (text.startsWith('"')) {
    const parsed = parseJson(text);
    return 'value' in parsed ? parsed : notRead;
  }
  if (text.startsWith("'")) return { value: text.slice(1, -1).replaceAll("''", "'") };
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) return { value: Number(text) };
  return typed.test(text)
    ? `${text} is neither text nor a whole number. Put it in quotes if it is text.`
    : { value: text };
}
