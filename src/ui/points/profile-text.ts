import { inQuotes } from '../../../lib/text.ts';
import { byCase, validateChoices } from '../../../openapi/contract/profile.ts';
import type { Choice, ChoiceRules } from '../../../openapi/points/open-point.ts';
import { parseJson, quote } from '../shared/json.ts';
import type { Choices } from './choices.ts';

// A profile as text: how it is exported, and how a file of it is read.

interface Format {
  name: string;
  /** What to do with it. */
  help: string;
  /** The name of the file; undefined if it is not a file. */
  file?: string;
  write(choices: Choices): string;
}

// Text that starts with a letter and has nothing that is special in YAML needs no quotes.
const plain = /^[a-z][\w./-]*(?: [\w.-]+)*$/i;
const taken = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

const yamlOf = (choice: Choice) =>
  typeof choice === 'number' || (plain.test(choice) && !taken.test(choice)) ? choice : JSON.stringify(choice);
const wordOf = (text: string) => (/^[\w=./+-]+$/.test(text) ? text : inQuotes(text));
const codeOf = (value: Choice) => (typeof value === 'string' ? quote(value) : value);

const each = (choices: Choices, write: (id: string, choice: Choice) => string) =>
  Object.entries(choices).map(([id, choice]) => write(id, choice));

/** How a profile is written, by the name in the form. */
export const formats = {
  yaml: {
    ...{ name: 'YAML', help: 'Start the mock with --profile profile.yaml.', file: 'profile.yaml' },
    write: (choices) => each(choices, (id, choice) => `${id}: ${yamlOf(choice)}\n`).join('') || '{}\n',
  },
  json: {
    ...{ name: 'JSON', help: 'Start the mock with --profile profile.json.', file: 'profile.json' },
    write: (choices) => `${JSON.stringify(choices, null, 2)}\n`,
  },
  flags: {
    ...{ name: 'Command line', help: 'Add these to the mock command.' },
    write: (choices) => each(choices, (id, choice) => `--set ${wordOf(`${id}=${choice}`)}`).join(' '),
  },
  library: {
    ...{ name: 'Library', help: 'An option of createMock, createFetch and createHandlers.' },
    write: (choices) => {
      const entries = each(choices, (id, choice) => `${id.includes('.') ? quote(id) : id}: ${codeOf(choice)}`);
      return entries.length === 0 ? 'profile: {}' : `profile: { ${entries.join(', ')} }`;
    },
  },
} as const satisfies Readonly<Record<string, Format>>;
export type FormatName = keyof typeof formats;

/** The choices in a file, or its errors. */
export type ReadProfile = { choices: Choices } | { errors: readonly string[] };

/** Reads the file of a profile: JSON, or YAML with one open point in each line, as {@link formats} writes them. */
export function readProfile(text: string, points: readonly ChoiceRules[]): ReadProfile {
  const content = text.replace(/^\ufeff/, '');
  try {
    const value = /^\s*[[{]/.test(content) ? parseJson(content) : readLines(content);
    const choices = byCase(points, value);
    const violations = validateChoices(points, choices);
    if (violations.length === 0) return { choices: choices as Choices };
    return { errors: violations.map(({ message }) => `${message}.`) };
  } catch (error) {
    return { errors: [(error as Error).message] };
  }
}

// A name, a colon, a value in quotes or without, a comment.
const entryLine =
  /^(?<name>[A-Za-z_][\w.]*|"[^"\\]*"|'[^']*')[ \t]*:[ \t]+(?<value>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#&*!|>%@`{}[\],?:-](?:[^\s#:]|(?<=\S)#|:(?=\S)|[ \t]+(?=[^\s#]))*|-?\d+)[ \t]*(?:[ \t]#.*)?$/;

function readLines(text: string): Record<string, unknown> {
  const value = new Map<string, unknown>();
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (/^[ \t]*(?:#.*)?$/.test(line) || (at === 0 && /^---[ \t]*$/.test(line))) continue;
    const { name: written = '', value: given = '' } = entryLine.exec(line)?.groups ?? {};
    const name = written.replaceAll(/^["']|["']$/g, '');
    const read = scalarOf(given);
    if (written === '' || value.has(name) || read === undefined)
      throw new Error(
        `Line ${at + 1} cannot be read here. Write each open point once, with its choice on the same line, such as successStatus.createDrive: 200; or use JSON.`,
      );
    value.set(name, read);
  }
  if (value.size === 0) throw new Error('The file has no choices.');
  return Object.fromEntries(value);
}

// Values that YAML reads as something other than a string or an integer.
const typed =
  /^(?:~|null|true|false|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0o[0-7]+|0x[\da-f]+|[-+]?\.(?:inf|nan))$/i;

/** The value of a text in YAML; undefined for what is neither text nor a whole number. */
function scalarOf(text: string): unknown {
  if (text.startsWith('"')) return parseJson(text);
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) return Number(text);
  return typed.test(text) ? undefined : text;
}
