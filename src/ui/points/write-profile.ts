import { inQuotes } from '../../../lib/text.ts';
import type { Choice } from '../../../openapi/points/open-point.ts';
import type { Choices } from './choices.ts';

/** A way to export a profile. */
interface Format {
  name: string;
  /** What to do with it. */
  help: string;
  /** The name of the file; undefined if it is not a file. */
  file?: string;
  write(choices: Choices): string;
}

/** How a profile is written, by the name in the form. */
export const formats = {
  yaml: { name: 'YAML', help: 'Start the mock with --profile profile.yaml.', file: 'profile.yaml', write: toYaml },
  json: { name: 'JSON', help: 'Start the mock with --profile profile.json.', file: 'profile.json', write: toJson },
  flags: { name: 'Command line', help: 'Add these to the mock command.', write: toFlags },
  library: { name: 'Library', help: 'An option of createMock, createFetch and createHandlers.', write: toLibrary },
} as const satisfies Readonly<Record<string, Format>>;
export type FormatName = keyof typeof formats;

function toJson(choices: Choices): string {
  return `${JSON.stringify(choices, null, 2)}\n`;
}

function toYaml(choices: Choices): string {
  const lines = Object.entries(choices).map(([id, choice]) => `${id}: ${yamlOf(choice)}\n`);
  return lines.length === 0 ? '{}\n' : lines.join('');
}

// Text that starts with a letter and has nothing that is special in YAML needs no quotes.
const plain = /^[a-z][\w./-]*(?: [\w.-]+)*$/i;
const taken = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function yamlOf(choice: Choice): string {
  return typeof choice === 'number' || (plain.test(choice) && !taken.test(choice))
    ? `${choice}`
    : JSON.stringify(choice);
}

function toFlags(choices: Choices): string {
  return Object.entries(choices)
    .map(([id, choice]) => `--set ${wordOf(`${id}=${choice}`)}`)
    .join(' ');
}

function wordOf(text: string): string {
  return /^[\w=./+-]+$/.test(text) ? text : inQuotes(text);
}

function toLibrary(choices: Choices): string {
  const entries = Object.entries(choices).map(
    ([id, choice]) => `${id.includes('.') ? `'${id}'` : id}: ${codeOf(choice)}`,
  );
  return entries.length === 0 ? 'profile: {}' : `profile: { ${entries.join(', ')} }`;
}

function codeOf(choice: Choice): string {
  return typeof choice === 'string' && /^[ !#-&(-[\]-~]*$/.test(choice) ? `'${choice}'` : JSON.stringify(choice);
}
