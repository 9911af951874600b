import { loadCoverage, loadDocument, loadOpenPoints, loadOwnYaml } from '../../openapi/contract/load.ts';
import type { Choice, OpenPoint } from '../../openapi/contract/open-points.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import { type Unit, unitsOf } from '../../openapi/contract/requirements.ts';
import { type PlayedExample, playExamples, type WrittenExample } from './exchanges.ts';

/** What a client would like to know of an open point: see `questions.yaml`. */
export interface Cost {
  cost: 1 | 2 | 3;
  /** Every open point needs one; a test says which has none. */
  example?: WrittenExample;
  breaks: string;
  says: Readonly<Record<string, string>>;
}

/** What a wrong guess does to a client. */
export const prices = {
  1: 'is a nuisance',
  2: 'shows something wrong, or sends again',
  3: 'breaks the client',
} as const;

/** An open point as a question to the owners of the specification. */
export interface Question {
  point: OpenPoint;
  /** Undefined where there is nothing to ask. */
  asks: string | undefined;
  cost: Cost;
  /** What the specification says at the places where it is silent. */
  text: readonly string[];
  /** The sections of these places. */
  sections: readonly string[];
  /** Its choices, each with the sentence that the specification would need. */
  answers: readonly { value: Choice; means: string; sentence: string; isDefault: boolean }[];
  /** The sentence for a value that is not listed, with `{value}` in its place; undefined where none is legal. */
  otherSentence: string | undefined;
  /** What shows it, under two choices; in words where no exchange does. */
  example: PlayedExample | string;
}

/** The questions of one endpoint, the most expensive first; without an operation those that concern most of them. */
export interface Part {
  operation: Operation | undefined;
  title: string;
  questions: readonly Question[];
}

/** The costs by the ids of the open points. */
export function loadCosts(): Readonly<Record<string, Cost>> {
  return loadOwnYaml(new URL('../questions.yaml', import.meta.url)) as Record<string, Cost>;
}

/** The sentence that the specification would need for a choice; undefined if nobody wrote one. */
export function sentenceOf({ says }: Cost, value: Choice): string | undefined {
  return (says[String(value)] ?? says['*'])?.replaceAll('{value}', String(value));
}

let loaded: Promise<readonly Part[]> | undefined;

/** All questions, endpoint by endpoint. Plays their examples, once: that takes seconds. */
export function loadParts(): Promise<readonly Part[]> {
  loaded ??= makeParts();
  return loaded;
}

async function makeParts(): Promise<Part[]> {
  const costs = loadCosts();
  const operations = operationsOf(loadDocument());
  const points = loadOpenPoints().toSorted((one, other) => costOf(costs, other).cost - costOf(costs, one).cost);
  const examples = await playExamples(points.map((point) => ({ point, example: costOf(costs, point).example })));
  const units = new Map(loadCoverage().flatMap((section) => unitsOf(section).map((unit) => [unit.id, unit] as const)));
  const questions = points.map((point) => toQuestion(point, costOf(costs, point), examples.get(point.id) ?? '', units));
  return [undefined, ...operations].flatMap((operation) => {
    const asked = questions.filter(({ point }) => placeOf(point, operations) === operation);
    return asked.length === 0 ? [] : [{ operation, title: titleOf(operation), questions: asked }];
  });
}

function titleOf(operation: Operation | undefined): string {
  if (operation === undefined) return 'Everywhere';
  return `${operation.definition.summary} – ${operation.method} ${operation.path}`;
}

/** The operation under which a point is asked: its first, or none where it concerns more than half of them. */
function placeOf(point: OpenPoint, operations: readonly Operation[]): Operation | undefined {
  if (point.operations.length > operations.length / 2) return undefined;
  return operations.find(({ operationId }) => point.operations.includes(operationId));
}

function toQuestion(
  point: OpenPoint,
  cost: Cost,
  example: Question['example'],
  units: ReadonlyMap<string, Unit>,
): Question {
  return {
    ...{ point, cost, example },
    asks: point.question.startsWith('None') ? undefined : point.question,
    text: point.sources.flatMap((source) => toStatement(sectionOf(source), units.get(source)) ?? []),
    sections: [...new Set(point.sources.map(sectionOf))],
    answers: point.choices.map(({ value, means }) => {
      return { value, means, sentence: sentenceOf(cost, value) ?? '', isDefault: value === point.default };
    }),
    otherSentence: point.range === undefined ? undefined : cost.says['*'],
  };
}

function toStatement(section: string, unit: Unit | undefined): string | undefined {
  if (unit === undefined) return undefined;
  const { kind, says } = unit;
  if (kind === 'gap') return `Section ${section} does not show ${says.charAt(0).toLowerCase()}${says.slice(1)}`;
  return `Section ${section} says${kind === 'row' ? ` of \`${unit.name}\`` : ''}: ${says}`;
}

/** `2 (drive)` of `2.drive/row:id`, `4.4` of `4.4/gap:1` */
function sectionOf(source: string): string {
  const [section = ''] = source.split('/');
  return section.replace(/\.([a-z]\w*)$/i, ' ($1)');
}

function costOf(costs: Readonly<Record<string, Cost>>, { id }: OpenPoint): Cost {
  const cost = costs[id];
  if (cost === undefined) throw new Error(`docs/questions.yaml says nothing about ${id}. Add it.`);
  return cost;
}
