import { type ContractDocument, openPointsOf } from './document.ts';
import type { Choice, OpenPoint } from './open-points.ts';
import type { Profile } from './profile.gen.ts';

/** The start of the address of a page with a question for each open point; its id follows after a `#`. */
export type QuestionsPage = string;

/**
 * A document whose descriptions say in words what is open at each place and what the profile chose, for the tools that
 * show `x-open-point` as raw data, or not at all. The document that is given stays as it is.
 */
export function tellOpenPoints(
  document: ContractDocument,
  profile: Profile,
  points: readonly OpenPoint[],
  questions?: QuestionsPage,
): ContractDocument {
  const byId = new Map(points.map((point) => [point.id, point]));
  const told = structuredClone(document);
  visit(told, '', (place, name) => {
    const sentences = openPointsOf(place).flatMap((id) => {
      const point = byId.get(id);
      const choice = profile[id as keyof Profile];
      return point === undefined || isOtherStatus(choice, name) ? [] : [sentenceOf(point, choice, questions)];
    });
    if (sentences.length > 0) place.description = toDescription(place.description, sentences);
  });
  return told;
}

// Of the codes for refusals, a response with one code tells only that one.
function isOtherStatus(choice: Choice, name: string): boolean {
  return /^[1-5]\d\d$/.test(name) && /^[1-5]\d\d$/.test(String(choice)) && String(choice) !== name;
}

interface Place {
  description?: string;
}

// Examples hold data, not descriptions.
const opaque = new Set(['example', 'examples', 'default', 'enum', 'x-open-point']);

function visit(value: unknown, name: string, tell: (place: Place, name: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) tell(value, name);
  for (const [key, child] of Object.entries(value)) if (!opaque.has(key)) visit(child, key, tell);
}

function toDescription(description: string | undefined, sentences: readonly string[]): string {
  const own = description === undefined ? '' : `${description.trim()}\n\n`;
  if (sentences.length === 1) return `${own}Open in the specification: ${sentences[0]}`;
  return `${own}Open in the specification:\n\n${sentences.map((sentence) => `- ${sentence}`).join('\n')}`;
}

function sentenceOf({ id, open, choices }: OpenPoint, choice: Choice, questions: QuestionsPage | undefined): string {
  const name = questions === undefined ? `\`${id}\`` : `[\`${id}\`](${questions}#${id})`;
  const means = choices.find(({ value }) => value === choice)?.means;
  const meaning = means === undefined ? '' : ` (${means.replace(/^"|"$/g, '')})`;
  return `${firstSentence(open)} Here ${name} is \`${choice}\`${meaning}.`;
}

/** The first sentence of a text. A full stop within a name, such as `pagination.total`, ends none. */
function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text.trim())?.[0].replace(/:$/, '.') ?? text;
}
