import { loadDocument, loadOpenPoints } from '../../openapi/contract/load.ts';
import type { Choice, OpenPoint } from '../../openapi/contract/open-points.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import { loadOwnYaml } from '../../openapi/contract/own-files.ts';
import type { WrongGuess } from '../../openapi/contract/wrong-guesses.ts';
import { runExamples, type ShownExample, type WrittenExample } from './exchanges.ts';
import { sentenceWriter, templateOf } from './sentences.ts';
import { statementsOf, titleOfSection } from './statements.ts';

/** What a client would like to know of an open point: see `questions.yaml`. */
export interface Cost extends WrongGuess {
  /** Every open point needs one; a test says which has none. */
  example?: WrittenExample;
  says: Readonly<Record<string, string>>;
}

/** An open point as a question to the owners of the specification. */
export interface Question {
  point: OpenPoint;
  /** Undefined where there is nothing to ask. */
  asks: string | undefined;
  cost: Cost;
  /** What the specification says at the places where it is silent. */
  text: readonly string[];
  /** The section that would get the sentence. */
  section: string;
  /** Its choices, each with the sentence that the specification would need. */
  answers: readonly Answer[];
  /** The sentence for a value that is not listed, with `{value}` in its place; undefined where none is legal. */
  otherSentence: string | undefined;
  /** What shows it, under two choices; in words where no exchange does. */
  example: ShownExample | string;
}

/** A choice. */
export interface Answer {
  value: Choice;
  means: string;
  /** The sentence with the defaults of other open points in it. */
  sentence: string;
  /** The sentence as it is written: see `questions.yaml`. */
  template: string;
  isDefault: boolean;
}

/** What its sentence does not say of a choice: `Created` of 201, or at which question its value is chosen. */
export function meaningOf({ value, means, template }: Answer): string | undefined {
  const isSaid = template !== '' && !template.includes('{value}');
  return isSaid || means.startsWith(String(value)) ? undefined : means;
}

/** The questions of one endpoint, the most expensive first; without an operation those that concern most of them. */
export interface Part {
  operation: Operation | undefined;
  title: string;
  questions: readonly Question[];
}

/** The costs by the ids of the open points. */
export function loadCosts(): Readonly<Record<string, Cost>> {
  return loadOwnYaml('docs/questions.yaml') as Record<string, Cost>;
}

let loaded: Promise<readonly Part[]> | undefined;

/** All questions, endpoint by endpoint. Uses their examples, once: that takes seconds. */
export function loadParts(): Promise<readonly Part[]> {
  loaded ??= makeParts();
  return loaded;
}

async function makeParts(): Promise<Part[]> {
  const costs = loadCosts();
  const operations = operationsOf(loadDocument());
  const points = loadOpenPoints().toSorted((one, other) => costOf(costs, other).cost - costOf(costs, one).cost);
  const examples = await runExamples(points.map((point) => ({ point, example: costOf(costs, point).example })));
  const write = sentenceWriter(points, costs);
  const questions = points.map((point) => toQuestion(point, costOf(costs, point), examples.get(point.id) ?? '', write));
  return [undefined, ...operations].flatMap((operation) => {
    const asked = questions.filter((question) => placeOf(question, operations) === operation);
    return asked.length === 0 ? [] : [{ operation, title: titleOf(operation), questions: asked }];
  });
}

function titleOf(operation: Operation | undefined): string {
  if (operation === undefined) return 'Everywhere';
  return `${operation.definition.summary} – ${operation.method} ${operation.path}`;
}

/** The operation under which a point is asked: that of its example, or none where it concerns more than half of them. */
function placeOf({ point, example }: Question, operations: readonly Operation[]): Operation | undefined {
  if (point.operations.length > operations.length / 2) return undefined;
  const first = typeof example === 'string' ? undefined : example.steps[0]?.request;
  return (
    operations.find(({ method, path }) => first?.method === method && pathPattern(path).test(first.target)) ??
    operations.find(({ operationId }) => point.operations.includes(operationId))
  );
}

const pathPattern = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`);

/** The open point whose answer a question follows unless it has one of its own. */
export function parentOf({ point }: Question, all: readonly Question[]): Question | undefined {
  return all.find(({ point: { id } }) => point.choices.some(({ value }) => value === id));
}

function toQuestion(
  point: OpenPoint,
  cost: Cost,
  example: Question['example'],
  write: ReturnType<typeof sentenceWriter>,
): Question {
  return {
    ...{ point, cost, example },
    asks: point.question.startsWith('None') ? undefined : point.question,
    text: statementsOf(point),
    section: titleOfSection(point.sources[0] ?? ''),
    answers: point.choices.map(({ value, means }) => {
      const template = templateOf(cost, value) ?? '';
      return { value, means, template, sentence: write(point.id, value) ?? '', isDefault: value === point.default };
    }),
    otherSentence: point.range === undefined ? undefined : cost.says['*'],
  };
}

function costOf(costs: Readonly<Record<string, Cost>>, { id }: OpenPoint): Cost {
  const cost = costs[id];
  if (cost === undefined) throw new Error(`docs/questions.yaml says nothing about ${id}. Add it.`);
  return cost;
}
