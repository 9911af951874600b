import type { Paint } from '../../lib/terminal-colors.ts';
import { columns, duration, number, plural, quoted, wrap } from '../../lib/text.ts';
import { severities } from '../../openapi/points/open-point.ts';
import { impactWords } from '../app/draw-profile.ts';
import { type VaryOptions, varyOptions } from '../options/vary-options.ts';
import { namesOf } from './probes.ts';
import { isHidden, reasonToRepair } from './repair-order.ts';
import {
  type Dependency,
  type Flakiness,
  isAnyTried,
  isStillRed,
  ownTestsGuide,
  type Relied,
  type VariantReport,
  type VaryReport,
  whyUnfinished,
} from './report.ts';
import type { VaryPlan } from './vary.ts';

/** The text before a run: the command and the profiles to try. */
export function head(options: VaryOptions, { settings, base, profiles }: VaryPlan, paint: Paint): string {
  const { tool, command, profile, set = {}, only = {}, learned = [] } = options;
  const { parallel, maxRuns, variants, randomSeed, impact } = settings;
  const choices = namesOf(base);
  const fixed = Object.keys(set).length === 0 ? '' : `; fixed: ${namesOf(set)}`;
  const drawn =
    variants === 0 ? [] : [`${variants} at most, drawn from random seed ${randomSeed} (${impactWords[impact]})`];
  const isSingle = Object.keys(only).length > 0;
  return [
    `${paint('bold', 'Agent Platform vary')} ${tool.split('/')[1]}`,
    '',
    ...columns([
      ['Command', command.map(quoted).join(' ')],
      ['Base', `${profile ?? 'the default profile'}${choices === '' ? '' : `: ${choices}`}${fixed}`],
      ['Profiles', isSingle ? namesOf(profiles[0]?.choices ?? {}) : [...learned, ...drawn].join(', then ')],
      ['Limit', `${maxRuns} runs of the command, ${parallel === 1 ? 'one at a time' : `${parallel} at a time`}`],
    ]),
    '',
    '',
  ].join('\n');
}

/** The text after a run: each finding in full, and the result. `byHand` runs the tests against a mock started by hand. */
export function toText(report: VaryReport, byHand: string, written: readonly string[], paint: Paint): string {
  const dimmed = (line: string) => (line.startsWith('    | ') ? paint('dim', line) : line);
  const blocks = [
    ...report.dependencies.map((one) => [
      paint(['bold', 'bad'], relianceOf(one)),
      '',
      ...describeDependency(one).map(dimmed),
    ]),
    ...report.variants
      .filter(isStillRed)
      .map((variant) => [
        paint(['bold', 'bad'], stillRedText(variant)),
        '',
        row('Choices', namesOf(variant.remaining)),
        row('Again', variant.again ?? ''),
      ]),
    ...flakiness(report, paint).map((lines) => lines.map(dimmed)),
    closing(report, byHand, written, paint),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** `Your tests rely on successStatus.createDrive = 201; the contract does not promise it.` */
export function relianceOf({ openPoints }: Pick<Dependency, 'openPoints'>): string {
  const relied = openPoints.map(({ openPoint, reliesOn }) => `${openPoint} = ${reliesOn}`);
  if (relied.length === 1) return `Your tests rely on ${relied[0]}; the contract does not promise it.`;
  return `Your tests rely on ${relied.join(' together with ')}; the contract promises neither.`;
}

/** A finding without its headline, line by line. */
export function describeDependency(dependency: Dependency): string[] {
  const { openPoints, redRuns, ending, output, again, mock } = dependency;
  const names = openPoints.map(({ openPoint, redWith }) => `${openPoint} = ${redWith}`).join(' and ');
  const runs = `${redRuns} of ${plural(redRuns, 'run')}`;
  const isSingle = openPoints.length === 1;
  return [
    ...prose(
      'Failed',
      isSingle
        ? `with ${names} alone, in ${runs}`
        : `with ${names} together, in ${runs}; without any one of these they pass`,
    ),
    ...(isHidden(dependency)
      ? prose('Impact', 'hidden: a correct client does not notice it, so this is a bug in the client or in a test')
      : []),
    ...openPoints.flatMap(({ openPoint, open, legal, severity, cost, question }: Relied) => {
      const prefix = isSingle ? '' : `${openPoint}: `;
      return [
        ...prose('Open', `${prefix}${open}`),
        ...prose('Legal', `${prefix}${legal}`),
        ...prose('Cost', `${prefix}a wrong guess ${severities[severity]}. ${cost}`),
        ...prose('Ask', `${prefix}${question}`),
      ];
    }),
    row('Again', again),
    row('By hand', mock),
    ...outputLines(`Output of your tests (${ending}):`, output),
  ];
}

/** A run's output, marked as foreign. */
function outputLines(title: string, output: string): string[] {
  if (output === '') return [`  ${title} nothing.`];
  return [`  ${title}`, ...output.split('\n').map((line) => `    | ${line}`)];
}

const labelWidth = 9;

/** A row in one line, which a command needs to be copied. */
function row(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)} ${text}`;
}

const proseWidth = 86;

function prose(label: string, text: string): string[] {
  return wrap(text, proseWidth).map((line, index) => row(index === 0 ? label : '', line));
}

/** A profile with which the tests fail for a reason that was not found. */
export function stillRedText({ name, remaining, outcome, red, runs }: VariantReport): string {
  const count = plural(Object.keys(remaining).length, 'choice');
  const reason = outcome === 'red' ? 'No smaller set of its choices fails every time' : 'The search ended earlier';
  return `Your tests fail with ${name}, in ${red} of ${plural(runs, 'run')}. ${reason}. It differs from the base profile in ${count}.`;
}

function flakiness({ flakiness: found, base }: VaryReport, paint: Paint): string[][] {
  if (found === undefined) return [];
  const headline = `Your tests are flaky: ${found.red} of ${found.runs} runs failed with profiles that can pass.`;
  return [
    [
      paint(['bold', 'warning'], headline),
      '',
      row('Base', `${base.red} of ${base.runs} runs failed`),
      ...elsewhere(found),
      row('Note', 'no conclusion was drawn from these runs; every finding above failed each time'),
      ...outputLines(`Output of one of them (${found.ending}):`, found.output),
    ],
  ];
}

const shownProfiles = 5;

function elsewhere({ variants }: Flakiness): string[] {
  const others = variants.filter(({ choices }) => Object.keys(choices).length > 0);
  const shown = others
    .toSorted((a, b) => b.red / b.runs - a.red / a.runs)
    .slice(0, shownProfiles)
    .map(({ purpose, red, runs }) => `${purpose}: ${red} of ${runs}`);
  const rest = others.length - shown.length;
  if (shown.length === 0) return [];
  return [row('Profiles', `${shown.join('; ')}${rest > 0 ? `; and ${rest} more profiles` : ''}`)];
}

function closing(report: VaryReport, byHand: string, written: readonly string[], paint: Paint): string[] {
  const { runs, durationMs, variants, dependencies } = report;
  const tried = variants.filter(({ outcome }) => outcome !== 'unfinished').length;
  return [
    paint('bold', `${verdict(report)} (${plural(tried, 'profile')}, ${plural(runs, 'run')}, ${duration(durationMs)})`),
    ...repairs(report),
    openPointCounts(report),
    ...notVaried(report),
    ...coverage(report),
    ...unfinished(report),
    ...(dependencies.length === 0
      ? []
      : [
          inTests,
          'To run your tests by hand, start a mock with the command of a finding ("By hand"). Then, in another terminal:',
          `  ${byHand}`,
        ]),
    ...(written.length === 0 ? [] : [`Written: ${written.join(', ')}`]),
  ];
}

const inTests =
  'If only a test assumes it, repair the test: for example, poll until the list shows the new drive, or look up the ' +
  `ids of the demo data, which depend on idFormat. See ${ownTestsGuide}.`;

function verdict({ dependencies, variants, flakiness: flaky, endedBy }: VaryReport): string {
  const red = variants.filter(isStillRed).length;
  const names = dependencies.map(reliedNames);
  const parts = [
    ...(names.length === 0 ? [] : [`${plural(names.length, 'dependency', 'dependencies')} on ${names.join(', ')}`]),
    ...(red === 0 ? [] : [`${plural(red, 'profile')} with an unknown cause`]),
    ...(flaky === undefined ? [] : ['flaky tests']),
  ];
  if (names.length + red > 0) return `Found: ${parts.join('; ')}.`;
  if (!isAnyTried({ endedBy, variants })) return 'Nothing is known: the search ended before any profile was tried.';
  if (endedBy !== 'end') return 'Not finished; no dependency found so far.';
  return `No dependency found${flaky === undefined ? '' : '; the tests are flaky'}.`;
}

/** What to repair first, if there is a choice. */
function repairs({ dependencies }: VaryReport): string[] {
  if (dependencies.length < 2) return [];
  const rows = dependencies.map((one, index) => [`${index + 1}. ${reliedNames(one)}`, reasonToRepair(one)] as const);
  return ['Repair in this order:', ...columns(rows)];
}

function reliedNames({ openPoints }: Dependency): string {
  return openPoints.map(({ openPoint, reliesOn }) => `${openPoint} = ${reliesOn}`).join(' with ');
}

/** How much the tests can show: nothing about open points that they never meet. */
function openPointCounts({ openPoints, variants }: VaryReport): string {
  const idsOf = (wanted: string) => openPoints.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  const [relied, free, fixed] = [idsOf('reliedOn'), idsOf('free'), idsOf('notVaried')];
  const met = relied.length + free.length + fixed.length;
  const known = `Your tests exercised ${met} of ${openPoints.length} open points.`;
  if (variants.some(isStillRed))
    return `${known} They rely on ${relied.length}; a failure with an unknown cause may be due to any of the others.`;
  if (fixed.length === 0) return `${known} They rely on ${relied.length}, and do not rely on ${free.length}.`;
  const rest = `${fixed.length} ${fixed.length === 1 ? 'was' : 'were'} not varied`;
  return `${known} They rely on ${relied.length}, do not rely on ${free.length}, and ${rest}.`;
}

/** Why open points that the tests met were not varied: a line for each reason. */
function notVaried({ openPoints }: VaryReport): string[] {
  const why = Map.groupBy(openPoints, ({ notVariedBecause }) => notVariedBecause);
  return [...why].flatMap(([reason, points]) => {
    if (reason === undefined) return [];
    const names = points.length > 12 ? `${points.length} open points` : points.map(({ id }) => id).join(', ');
    return [`Not varied: ${names}, because ${reason}.`];
  });
}

/** What a passing result covers. */
function coverage({ coverage: { choices, pairs }, variants }: VaryReport): string[] {
  if (choices.all === 0 || variants.some(isStillRed)) return [];
  const all = `${number(choices.tried)} of ${plural(choices.all, 'choice')} and ${number(pairs.tried)} of ${plural(pairs.all, 'pair')} of choices`;
  return [`At open points that your tests do not rely on, ${all} passed.`];
}

function unfinished(report: VaryReport): string[] {
  const { variants, base } = report;
  const reason = whyUnfinished(report);
  if (reason === undefined) return [];
  const names = variants.filter(({ outcome }) => outcome === 'unfinished').map(({ name }) => name);
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more profiles`] : names;
  if (names.length > 0) return [`${reason}. Not finished: ${shown.join(', ')}.`];
  const failed = base.red === 0 ? '' : ` Your tests failed with it in ${base.red} of ${plural(base.runs, 'run')}.`;
  return [`${reason} in the base profile.${failed}`];
}

/** The error for tests that fail before anything varies. */
export function baseIsRed({ base, command }: VaryReport): string {
  const choices = Object.keys(base.choices).length === 0 ? '' : ` (${namesOf(base.choices)})`;
  return [
    `Your tests already fail with the base profile${choices}, in ${base.red} of ${base.runs} runs.`,
    ...misplaced(command),
    'Fix them first, or use --profile with the profile that they were written for. If they are flaky, a higher --repeat',
    'gives them more chances to pass.',
    `${whyBaseIsRed(base)} See`,
    `${ownTestsGuide}.`,
    ...outputLines('Their output:', base.output),
  ].join('\n');
}

/** npm appends options to the command of the tests. Only names that no test runner has. */
function misplaced(command: readonly string[]): string[] {
  const own = (['impact', 'learned', 'openKeys', 'maxRuns', 'randomSeed'] as const).map((key) => varyOptions[key].name);
  return command.flatMap((word) => {
    const name = own.find((one) => word.split('=')[0] === `--${one}`);
    if (name === undefined) return [];
    const fix = 'Put it before --; if npm appended it there, set its environment variable.';
    return [`--${name} is an option of vary, but it went to your tests. ${fix}`];
  });
}

function whyBaseIsRed({ requests, unauthorized }: VaryReport['base']): string {
  if (requests === 0)
    return 'They sent no request to the mock. They must call it at the address in AGENT_PLATFORM_BASE_URL.';
  if (unauthorized * 2 <= requests)
    return 'If they pass without vary, test files may disturb each other: all use one mock and one key.';
  return [
    `${unauthorized} of ${plural(requests, 'request')} got a 401: the mock does not know their API key. Use the key in`,
    'AGENT_PLATFORM_API_KEY, or, if each test makes up a key, start vary with --open-keys.',
  ].join('\n');
}
