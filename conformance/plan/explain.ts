import { say } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { wrap } from '../../lib/text.ts';
import type { RegisteredCheck } from '../checks/index.ts';
import { sectionsOf } from '../run-check.ts';
import { requireMatch } from '../selection.ts';
import { SuiteError } from '../suite-error.ts';
import { needs, settingsOf } from './needs.ts';
import { planEffects } from './plan.ts';
import { describeEffects } from './plan-text.ts';

/** The lines of `--list`: id, level, what each check does and which settings it needs. */
export function listing(checks: readonly RegisteredCheck[]): string {
  const idWidth = Math.max(...checks.map(({ id }) => id.length));
  const lines = checks.map(({ id, level, does, needs: names }) => {
    const settings = settingsOf(names);
    const needed = settings.length === 0 ? '' : ` Needs ${settings.join(', ')}`;
    return `${id.padEnd(idWidth)}  ${level.padEnd(6)}  ${does}${needed}\n`;
  });
  return lines.join('');
}

const width = 96;

/** The full description of one check. Throws a `SuiteError` if there is none with this id. */
export function explain(checks: readonly RegisteredCheck[], id: string): string {
  const check = checks.find((candidate) => candidate.id === id);
  if (check === undefined) {
    requireMatch(
      checks.map((candidate) => candidate.id),
      id,
    );
    throw new SuiteError(
      'UNKNOWN_CHECK',
      say`--explain takes the id of one check. --list --only '${id}' lists the checks that match.`,
    );
  }
  return [
    `${check.id} (${check.level})`,
    '',
    ...indented(wrap(check.does, width)),
    ...part('Judges', check.requirements.flatMap(requirementLines)),
    ...part('Needs', needLines(check)),
    ...part('Changes', changeLines(check)),
    ...part('Run only this check', [commandFor(check)]),
    '',
  ].join('\n');
}

function part(title: string, lines: readonly string[]): string[] {
  return ['', `${title}:`, ...indented(lines)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function requirementLines({ requirement, sources, pointer }: RegisteredCheck['requirements'][number]): string[] {
  const places = pointer.map((place) => `openapi.yaml${place}`);
  return [...wrap(`${requirement.trim()} (section ${sectionsOf(sources).join(', ')})`, width), ...indented(places)];
}

function needLines({ needs: names }: RegisteredCheck): string[] {
  if (names.length === 0) return ['only the base URL and a key'];
  return names.map((name) => `${needs[name].setting.padEnd(30)} ${needs[name].what}`);
}

function changeLines({ effects }: RegisteredCheck): string[] {
  const planned = planEffects([effects]);
  const certain = describeEffects(planned);
  const perhaps = describeEffects({ ...planned.perhaps, moves: 0 });
  return [
    certain === '' ? 'nothing' : `${certain}; once per run, shared by all checks that need it`,
    ...(perhaps === '' ? [] : [`if the target has too little data: ${perhaps}`]),
  ];
}

function commandFor({ id, needs: names }: RegisteredCheck): string {
  const settings = settingsOf(names);
  const flags = settings.filter((setting) => setting.startsWith('--'));
  const file = settings.length > flags.length ? ['--config <file>'] : [];
  return shownCommand('conformance', ['--base-url <url>', ...file, ...flags, `--only ${id}`]);
}
