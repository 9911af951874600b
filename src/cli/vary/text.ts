import { styleText } from 'node:util';
import { columns } from '../help.ts';
import { type Dependency, type Flakiness, isStillRed, type OpenPointReport, type VaryReport } from './report.ts';
import { namesOf } from './search.ts';
import { describeDependency, quotedOutput, relianceOf, row, stillRedText } from './words.ts';

type Format = Parameters<typeof styleText>[0];
type Paint = (format: Format, text: string) => string;

/** Puts text in a style, or leaves it as it is. */
export function painter(isColored: boolean): Paint {
  return (format, text) => (isColored ? styleText(format, text, { validateStream: false }) : text);
}

/** What stands above a run: what is run, and in which worlds. */
export function head(
  report: Pick<VaryReport, 'tool' | 'command' | 'settings'>,
  about: HeadFacts,
  paint: Paint,
): string {
  const { settings, command } = report;
  const atOnce = settings.parallel === 1 ? 'one at a time' : `${settings.parallel} at once`;
  return [
    `${paint('bold', 'Agent Platform vary')} ${report.tool.split('/')[1]}`,
    '',
    columns([
      ['Command', command.join(' ')],
      ['Base', about.base],
      ['Worlds', about.worlds],
      ['Limit', `${settings.maxRuns} runs of the command, ${atOnce}`],
    ]),
    '',
    '',
  ].join('\n');
}

export interface HeadFacts {
  base: string;
  worlds: string;
}

/** What stands below a run: each finding with all that there is to know of it, and what came out. */
export function toText(report: VaryReport, written: readonly string[], paint: Paint): string {
  const findings = report.dependencies.map((dependency) => describe(dependency, paint));
  const blocks = [
    ...findings,
    ...stillRed(report, paint),
    ...flakiness(report, paint),
    closing(report, written, paint),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function describe(dependency: Dependency, paint: Paint): string[] {
  const [headline, ...rest] = [relianceOf(dependency), ...describeDependency(dependency)];
  return [paint(['bold', 'red'], headline), '', ...rest.map((line) => dimmed(line, paint))];
}

function dimmed(line: string, paint: Paint): string {
  return line.startsWith('    | ') ? paint('dim', line) : line;
}

function stillRed({ worlds }: VaryReport, paint: Paint): string[][] {
  return worlds.filter(isStillRed).map((world) => {
    const lines = [row('Choices', namesOf(world.remaining)), row('Again', world.again ?? '')];
    return [paint(['bold', 'red'], stillRedText(world)), '', ...lines];
  });
}

function flakiness({ flakiness: found, base }: VaryReport, paint: Paint): string[][] {
  if (found === undefined) return [];
  const headline = `Your tests are flaky: ${found.red} of ${found.runs} runs were red in worlds in which they can be green.`;
  return [
    [
      paint(['bold', 'yellow'], headline),
      '',
      row('Base', `${base.red} of ${base.runs} runs red`),
      ...elsewhere(found),
      row('So', 'nothing was concluded from these runs; what is named above was red each time'),
      ...quotedOutput(`One of them (${found.ending}):`, found.output).map((line) => dimmed(line, paint)),
    ],
  ];
}

const shownWorlds = 5;

function elsewhere({ worlds }: Flakiness): string[] {
  const others = worlds.filter(({ choices }) => Object.keys(choices).length > 0);
  const shown = others
    .toSorted((a, b) => b.red / b.runs - a.red / a.runs)
    .slice(0, shownWorlds)
    .map(({ purpose, red, runs }) => `${purpose}: ${red} of ${runs}`);
  const rest = others.length - shown.length;
  if (shown.length === 0) return [];
  return [row('Elsewhere', `${shown.join('; ')}${rest > 0 ? `; and ${rest} more worlds` : ''}`)];
}

function closing(report: VaryReport, written: readonly string[], paint: Paint): string[] {
  const { runs, durationMs, worlds } = report;
  const tried = worlds.filter(({ outcome }) => outcome !== 'unfinished').length;
  const effort = `${plural(tried, 'world')}, ${plural(runs, 'run')}, ${duration(durationMs)}`;
  return [
    paint('bold', `${verdict(report)} (${effort})`),
    ...reach(report),
    ...unfinished(report),
    ...(report.dependencies.length === 0 ? [] : [byHand]),
    ...(written.length === 0 ? [] : [`Written: ${written.join(', ')}`]),
  ];
}

const byHand =
  'By hand: start the mock of a finding, and your tests with AGENT_PLATFORM_BASE_URL and AGENT_PLATFORM_API_KEY as it prints them.';

function verdict(report: VaryReport): string {
  const { dependencies, worlds, flakiness: flaky } = report;
  const red = worlds.filter(isStillRed).length;
  const parts = [
    ...(dependencies.length === 0
      ? []
      : [`${plural(dependencies.length, 'dependency', 'dependencies')} on ${named(report)}`]),
    ...(red === 0 ? [] : [`${plural(red, 'world')} red for a reason that was not found`]),
    ...(flaky === undefined ? [] : ['flaky tests']),
  ];
  if (dependencies.length + red > 0) return `Found: ${parts.join('; ')}.`;
  if (report.endedBy !== 'end') return 'Not finished; no dependency found so far.';
  return `No dependency found${flaky === undefined ? '' : '; the tests are flaky'}.`;
}

function named({ dependencies }: VaryReport): string {
  const names = dependencies.map(({ openPoints }) =>
    openPoints.map(({ openPoint, reliesOn }) => `${openPoint} = ${reliesOn}`).join(' with '),
  );
  return names.join(', ');
}

/** How much the tests can say at all: of what they never meet, nothing was learned. */
function reach({ openPoints }: VaryReport): string[] {
  const idsOf = (wanted: OpenPointReport['outcome']) =>
    openPoints.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const [relied, free, fixed] = [idsOf('reliedOn'), idsOf('free'), idsOf('notVaried')];
  const met = relied.length + free.length + fixed.length;
  const known = `Your tests met ${met} of ${openPoints.length} open points: they depend on ${relied.length}, ${free.length} they do not depend on`;
  if (fixed.length === 0) return [`${known}.`];
  const names = fixed.length > 12 ? '' : ` (${fixed.join(', ')})`;
  return [`${known}, ${fixed.length} ${fixed.length === 1 ? 'was' : 'were'} not varied${names}.`];
}

function unfinished({ endedBy, settings, worlds }: VaryReport): string[] {
  const left = worlds.filter(({ outcome }) => outcome === 'unfinished');
  if (endedBy === 'end') return [];
  const why = endedBy === 'maxRuns' ? `--max-runs ${settings.maxRuns} was reached` : 'It was stopped';
  const what =
    left.length === 0 ? 'in the base' : `before ${listed(left.map(({ name }) => name))} were tried to the end`;
  return [`${why} ${what}.`];
}

function listed(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more worlds` : names.join(', ');
}

/** What is said when the tests are red before anything varies. */
export function baseIsRed({ base }: VaryReport): string {
  const choices = Object.keys(base.choices).length === 0 ? '' : ` (${namesOf(base.choices)})`;
  return [
    `Your tests are red in the base${choices} already, in ${base.red} of ${base.runs} runs, before anything varies.`,
    'Make them green there first, or name the profile that they were written for with --profile. If they are flaky, --repeat',
    'with a greater number gives them more chances.',
    ...(base.requests > 0
      ? []
      : ['They sent no request to the mock: AGENT_PLATFORM_BASE_URL in their environment says where it is.']),
    ...quotedOutput('The end of what they printed:', base.output),
  ].join('\n');
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
