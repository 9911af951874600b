import { loadOpenPoints } from '../contract/load.ts';
import type { Choice, OpenPoint } from '../contract/open-points.ts';
import { yaml } from '../contract/yaml.ts';
import type { Evidence, Learned } from './learned.ts';

/** What was learned, as the text of a profile that a mock can play; unclear points are in comments. */
export function toLearnedYaml(learned: Learned, upstream: string, time: string): string {
  const head = [
    `# What ${upstream} was seen to do where the specification is silent, up to ${time}.`,
    '# agent-platform mock --profile <this file> plays it.',
  ];
  const entries = loadOpenPoints().flatMap((point) => entryOf(point, learned));
  return `${[head.join('\n'), ...entries].join('\n\n')}\n`;
}

function entryOf(point: OpenPoint, { observed, evidence, unclear }: Learned): string[] {
  const id = point.id as keyof Learned['observed'];
  const choice = observed[id];
  if (choice !== undefined) return [choiceOf(point, choice, evidence[id] ?? { count: 0, first: '' })];
  const sightings = unclear[id];
  if (sightings === undefined) return [];
  const lines = sightings.map((each) => `#   ${sightingOf(each)}`);
  return [[`# ${openIn(point)}`, `# ${id}: left out, as what was seen does not tell:`, ...lines].join('\n')];
}

function choiceOf(point: OpenPoint, choice: Choice, { count, first }: { count: number; first: string }): string {
  const means = point.choices.find(({ value }) => value === choice)?.means;
  const comment = means === undefined ? openIn(point) : `${openIn(point)} Here: ${means}.`;
  const entry = yaml()
    .stringify({ [point.id]: choice })
    .trimEnd();
  return `# ${comment}\n# ${timesSeen(count)}, first: ${inOneLine(first)}\n${entry}`;
}

/** `Seen 3 times` */
export function timesSeen(count: number): string {
  return count === 1 ? 'Seen once' : `Seen ${count} times`;
}

/** One sighting in one line. */
export function sightingOf({ sighting, count, first }: Evidence): string {
  const what = typeof sighting === 'object' ? sighting.other : String(sighting);
  return `${inOneLine(what)} (${timesSeen(count).toLowerCase()}, first: ${inOneLine(first)})`;
}

const longest = 200;

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}

/** What is open, in its first sentence. */
function openIn({ open }: OpenPoint): string {
  return open
    .replace(/\.\s.*$/s, '.')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
