import type { Dependency, Relied, WorldReport } from './report.ts';

/** `Your tests depend on createStatus = 201; the contract does not promise it.` */
export function relianceOf({ openPoints }: Pick<Dependency, 'openPoints'>): string {
  const relied = openPoints.map(({ openPoint, reliesOn }) => `${openPoint} = ${reliesOn}`);
  if (relied.length === 1) return `Your tests depend on ${relied[0]}; the contract does not promise it.`;
  return `Your tests depend on ${relied.join(' together with ')}; the contract promises neither.`;
}

/** All of one finding beside its headline, line by line. */
export function describeDependency(dependency: Dependency): string[] {
  const { openPoints, redRuns, ending, output, again, mock } = dependency;
  return [
    row('Red with', redWith(openPoints, redRuns)),
    ...openPoints.flatMap((relied) => rowsOf(relied, openPoints.length > 1)),
    row('Again', again),
    row('By hand', mock),
    ...quotedOutput(`Your tests then (${ending}):`, output),
  ];
}

function redWith(openPoints: readonly Relied[], redRuns: number): string {
  const names = openPoints.map(({ openPoint, redWith: choice }) => `${openPoint} = ${choice}`).join(' and ');
  const times = `${redRuns} of ${redRuns} ${redRuns === 1 ? 'run' : 'runs'}`;
  return openPoints.length === 1
    ? `${names} alone, in ${times}`
    : `${names} together, in ${times}; without one of them green`;
}

function rowsOf({ openPoint, open, legal, question }: Relied, isOneOfSeveral: boolean): string[] {
  const prefix = isOneOfSeveral ? `${openPoint}: ` : '';
  return [row('Open', `${prefix}${open}`), row('Legal', `${prefix}${legal}`), row('Ask', `${prefix}${question}`)];
}

/** The end of what a run printed, set apart from what we say ourselves. */
export function quotedOutput(title: string, output: string): string[] {
  if (output === '') return [`  ${title} nothing was printed.`];
  return [`  ${title}`, ...output.split('\n').map((line) => `    | ${line}`)];
}

const labelWidth = 9;

/** `  Red with  createStatus = 200 alone` */
export function row(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)} ${text}`;
}

/** What is to be said of a world in which no cause was found although the tests stay red. */
export function stillRedText({ name, remaining, outcome, red, runs }: WorldReport): string {
  const count = Object.keys(remaining).length;
  const why = outcome === 'red' ? 'No smaller set of its choices turns them red each time' : 'The search ended before';
  return `Your tests are red in ${name}, in ${red} of ${runs} runs. ${why}. It differs from the base in ${count} choices.`;
}
