import type { RegisteredCheck } from '../checks/index.ts';
import { wrap } from '../reporters/text.ts';
import { requireMeaning } from '../selection.ts';
import { SuiteError } from '../suite-error.ts';
import { needs, settingsOf } from './needs.ts';
import { deedsOf } from './plan.ts';
import { describeDeeds } from './plan-text.ts';

/** The lines of `--list`: id, level, what each check does and what it needs. */
export function listing(checks: readonly RegisteredCheck[]): string {
  const idWidth = Math.max(...checks.map(({ id }) => id.length));
  return checks
    .map((check) => `${check.id.padEnd(idWidth)}  ${check.level.padEnd(6)}  ${doesAndNeeds(check)}\n`)
    .join('');
}

function doesAndNeeds({ does, ...check }: RegisteredCheck): string {
  const settings = settingsOf(check.needs);
  return settings.length === 0 ? does : `${does} Needs ${settings.join(', ')}`;
}

/** All that is to be known of one check. Throws a `SuiteError` when there is none of this id. */
export function explain(checks: readonly RegisteredCheck[], id: string): string {
  const check = checks.find((candidate) => candidate.id === id);
  if (check === undefined) throw unknown(checks, id);
  return [
    `${check.id} (${check.level})`,
    '',
    ...indented(wrap(check.does, width)),
    ...part('It judges', check.requirements.flatMap(requirementLines)),
    ...part('It needs', needLines(check)),
    ...part('It changes', changesOf(check)),
    ...part('To run it alone', [commandFor(check)]),
    '',
  ].join('\n');
}

const width = 96;

function unknown(checks: readonly RegisteredCheck[], id: string): Error {
  const ids = checks.map((check) => check.id);
  requireMeaning(ids, id);
  return new SuiteError(
    'UNKNOWN_CHECK',
    `--explain takes the id of one check. --list --only '${id}' shows which there are.`,
  );
}

function part(title: string, lines: readonly string[]): string[] {
  return ['', `${title}:`, ...indented(lines)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function requirementLines({ requirement, sources, pointer }: RegisteredCheck['requirements'][number]): string[] {
  const sections = [...new Set(sources.map((source) => source.slice(0, source.indexOf('/'))))];
  const places = [pointer].flat().map((place) => `openapi.yaml${place}`);
  return [...wrap(`${requirement.trim()} (section ${sections.join(', ')})`, width), ...indented(places)];
}

function needLines(check: RegisteredCheck): string[] {
  if (check.needs.length === 0) return ['nothing but the base URL and a key'];
  return check.needs.map((name) => `${needs[name].setting.padEnd(30)} ${needs[name].what}`);
}

function changesOf({ effects }: RegisteredCheck): string[] {
  const deeds = deedsOf([effects]);
  const sure = describeDeeds(deeds);
  const perhaps = describeDeeds({ ...deeds.perhaps, moves: 0 });
  return [
    sure === '' ? 'nothing' : `${sure}; once in a run for all checks that look at the same`,
    ...(perhaps === '' ? [] : [`where the target has nothing to look at yet: ${perhaps}`]),
  ];
}

function commandFor({ id, ...check }: RegisteredCheck): string {
  const settings = settingsOf(check.needs);
  const flags = settings.filter((setting) => setting.startsWith('--'));
  const file = settings.length > flags.length ? ['--config <file>'] : [];
  return ['agent-platform conformance --base-url <url>', ...file, ...flags, `--only ${id}`].join(' ');
}
