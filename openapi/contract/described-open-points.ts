import type { Choice, OpenPoint } from '../points/open-point.ts';
import { type ContractDocument, openPointsOf } from './document.ts';
import type { Profile } from './profile.gen.ts';

/**
 * A document whose descriptions say in words what is unspecified at each place and what the profile chose, for tools
 * that show `x-open-point` as raw data or not at all. The given document is not changed. `pointsAt` is what a link to an
 * open point has before its id; without it there are no links.
 */
export function tellOpenPoints(
  document: ContractDocument,
  profile: Profile,
  points: readonly OpenPoint[],
  pointsAt?: string,
): ContractDocument {
  const byId = new Map(points.map((point) => [point.id, point]));
  const told = structuredClone(document);
  visit(told, (place) => {
    const ids = openPointsOf(place);
    const sentences = ids.flatMap((id) => {
      const point = byId.get(id);
      const choice = profile[id as keyof Profile];
      return point === undefined ? [] : [sentenceOf(point, choice, pointsAt)];
    });
    if (ids.length > 0) place.description = toDescription(place.description, sentences);
  });
  return told;
}

interface Place {
  description?: string;
}

// Examples hold data, not descriptions.
const opaque = new Set(['example', 'examples', 'default', 'enum', 'x-open-point']);

function visit(value: unknown, tell: (place: Place) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) tell(value);
  for (const [key, child] of Object.entries(value)) if (!opaque.has(key)) visit(child, tell);
}

function toDescription(description: string | undefined, sentences: readonly string[]): string {
  const stated = description?.trim() ?? '';
  if (sentences.length === 0) return stated;
  const own = stated === '' ? '' : `${stated}\n\n`;
  if (sentences.length === 1) return `${own}Unspecified: ${sentences[0]}`;
  return `${own}Unspecified:\n\n${sentences.map((sentence) => `- ${sentence}`).join('\n')}`;
}

function sentenceOf({ id, open, choices }: OpenPoint, choice: Choice, pointsAt: string | undefined): string {
  const name = pointsAt === undefined ? `\`${id}\`` : `[\`${id}\`](${pointsAt}${id})`;
  const means = choices.find(({ value }) => value === choice)?.means;
  const meaning = means === undefined ? '' : ` (${means.replace(/^"|"$/g, '')})`;
  return `${firstSentence(open)} Here ${name} is \`${choice}\`${meaning}.`;
}

const link = /\[([^\][]+)\]\([^()#[]*(?:#([\w.]+))?\)/g;

/** The document with names in the place of links, for readers who do not have the list of open points beside it. */
export function withoutLinks(document: ContractDocument): ContractDocument {
  const named = structuredClone(document);
  visit(named, (place) => {
    if (typeof place.description !== 'string') return;
    place.description = place.description.replaceAll(link, (_, words: string, id: string | undefined) => {
      return id === undefined ? words : `${words} (\`${id}\`)`;
    });
  });
  return named;
}

/** The first sentence of a text. A full stop within a name, such as `pagination.total`, does not end it. */
function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text.trim())?.[0].replace(/:$/, '.') ?? text;
}
