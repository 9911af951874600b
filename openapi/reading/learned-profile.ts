import { shownCommand } from '../../lib/shown-command.ts';
import { yaml } from '../../lib/yaml.ts';
import { loadOpenPoints } from '../points/index.ts';
import type { Choice, OpenPoint } from '../points/open-point.ts';
import type { Evidence, Learned } from './learned.ts';

/** What was learned, as a profile file that a mock can use; unclear points are comments. */
export function toLearnedYaml(learned: Learned, upstream: string, time: string): string {
  const title = `Choices that ${upstream} was observed to make for unspecified behaviour, up to ${time}.`;
  return profileText(
    title,
    loadOpenPoints().flatMap((point) => entryOf(point, learned)),
  );
}

/** The text of a profile file: a title, how to use it, and the entries. */
export function profileText(title: string, entries: readonly string[]): string {
  const head = `# ${title}\n# ${shownCommand('mock', ['--profile <this file>'])} uses it.`;
  return `${[head, ...entries].join('\n\n')}\n`;
}

function entryOf(point: OpenPoint, { observed, evidence, unclear }: Learned): string[] {
  const id = point.id as keyof Learned['observed'];
  const choice = observed[id];
  const { count, first } = evidence[id] ?? { count: 0, first: '' };
  if (choice !== undefined) return [choiceEntry(point, choice, [`${timesSeen(count)}, first: ${inOneLine(first)}`])];
  const sightings = unclear[id];
  if (sightings === undefined) return [];
  const lines = sightings.map((each) => `#   ${sightingOf(each)}`);
  return [[`# ${openIn(point)}`, `# ${id}: left out, because the observations are inconclusive:`, ...lines].join('\n')];
}

/** A choice as an entry of a profile file, with its meaning and notes as comments. */
export function choiceEntry(point: OpenPoint, choice: Choice, notes: readonly string[] = []): string {
  const means = point.choices.find(({ value }) => value === choice)?.means;
  const comment = means === undefined ? openIn(point) : `${openIn(point)} Here: ${means}.`;
  const comments = [comment, ...notes].map((line) => `# ${line}\n`);
  const entry = yaml().stringify({ [point.id]: choice });
  return comments.join('') + entry.trimEnd();
}

/** `Seen 3 times` */
function timesSeen(count: number): string {
  return count === 1 ? 'Seen once' : `Seen ${count} times`;
}

/** One sighting in one line. */
export function sightingOf({ sighting, count, first }: Evidence): string {
  const what = typeof sighting === 'object' ? sighting.other : String(sighting);
  return `${inOneLine(what)} (${timesSeen(count).toLowerCase()}, first: ${inOneLine(first)})`;
}

const longest = 200;

/** The beginning of a text, in one line. */
export function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}

/** The first sentence of what is unspecified. */
export function openIn({ open }: OpenPoint): string {
  return open
    .replace(/\.\s.*$/s, '.')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
