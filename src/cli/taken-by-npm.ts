import type { Option } from '../../lib/options.ts';
import { type Sentence, say } from '../../lib/sentence.ts';
import { quoted } from '../../lib/text.ts';

// npm has options with these names, which may come from its own settings.
const ofNpm = ['json', 'only', 'no-color'];

/**
 * Why a command line is incomplete: npm takes options before `--` as its own, and passes on the values after them.
 * Undefined if it took none. Only for scripts that run this command and do not read npm's options themselves.
 */
export function takenByNpm(
  options: readonly Option[],
  operands: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Sentence | undefined {
  const { npm_lifecycle_event: event = '', npm_lifecycle_script: script = '' } = environment;
  if (!/agent-platform-contract|src\/cli\/main\.ts/.test(script) || script.includes('npm_config_')) return undefined;
  const taken = options.flatMap((option) => {
    const value = ofNpm.includes(option.name) ? undefined : valueAtNpm(option, environment);
    return value === undefined ? [] : [{ option, value }];
  });
  if (taken.length === 0) return undefined;
  const left = taken.length === 1 ? operands.at(-1) : undefined;
  const words = taken.map(({ option, value }) => wordsOf(option, value === 'true' ? left : value));
  const run = event === 'start' ? 'npm start' : `npm run ${event}`;
  const names = taken.map(({ option: { name } }) => `--${name}`).join(', ');
  return say`npm took ${names} for itself. Put the options of this command after --: ${run} -- ${words.join(' ')}`;
}

/** The value that npm read for an option: `true` if there was none, empty if the option turns something off. */
function valueAtNpm({ name }: Option, environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const at = (own: string) => environment[`npm_config_${own.replaceAll('-', '_')}`];
  if (name.startsWith('no-')) return at(name.slice('no-'.length)) === '' ? 'true' : undefined;
  const value = at(name);
  return value === '' ? undefined : value;
}

function wordsOf({ name, kind, secret, placeholder = '<value>' }: Option, value: string | undefined): string {
  if (kind === 'switch') return `--${name}`;
  return `--${name} ${value === undefined || secret !== undefined ? placeholder : quoted(value)}`;
}
