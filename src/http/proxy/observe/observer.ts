import type { Choice } from '../../../../openapi/contract/open-points.ts';
import type { OperationId } from '../../../../openapi/contract/operations.ts';
import type { OpenPointId } from '../../../../openapi/contract/profile.ts';
import type { ShownObject } from '../judge/shown.ts';
import { type AnswerView, isSuccess, jsonOf, type RequestView } from '../judge/views.ts';
import type { Sighting } from './learned.ts';
import type { Memory } from './memory.ts';

/** An exchange as the open points are seen in it. */
export interface SeenExchange {
  operation: OperationId;
  request: RequestView;
  answer: AnswerView;
  /** The objects of a success; of the answer to a publication none, as its shape is open. */
  objects: readonly ShownObject[];
  /** Whether a key came. */
  hasKey: boolean;
  /** What was learnt before this exchange, by the key that came with it. */
  memory: Memory;
}

/** What all sightings come to: a choice, or undefined where they do not tell. */
export type Settle = (sightings: readonly Sighting[]) => Choice | undefined;

/** How one open point is seen in passing. An observer never judges, and sends nothing. */
export interface Observer {
  openPoint: OpenPointId;
  /** Undefined where the exchange does not tell. */
  see(exchange: SeenExchange): Sighting | undefined;
  /** Where several different sightings make sense together. */
  settle?: Settle;
}

/** The same for successes of some operations only. */
export function inSuccesses(
  operations: readonly OperationId[],
  see: (exchange: SeenExchange) => Sighting | undefined,
): Observer['see'] {
  return (exchange) =>
    operations.includes(exchange.operation) && isSuccess(exchange.answer) ? see(exchange) : undefined;
}

const notForWhatItSays = [401, 403, 407, 408, 429];

/** Whether a request with a key that is good elsewhere was refused for what it says. */
export function isRefused({ answer: { status }, memory }: SeenExchange): boolean {
  return memory.isKeyGood && status >= 400 && status <= 499 && !notForWhatItSays.includes(status);
}

/** What is read from each text, when it is the same for all; otherwise two that differ, or one that is not read. */
export function sameForAll(texts: readonly string[], read: (text: string) => string | undefined): Sighting | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  const value = read(first);
  const different = texts.find((text) => read(text) !== value);
  if (different !== undefined) return { other: `${first}, and ${different}` };
  return value ?? { other: first };
}

/** The JSON of a successful answer. */
export function shownIn({ answer }: SeenExchange): unknown {
  return jsonOf(answer);
}
