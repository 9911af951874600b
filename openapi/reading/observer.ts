import type { Choice } from '../points/open-point.ts';
import type { Seen, Sighting } from './learned.ts';
import type { ReadExchange } from './messages.ts';
import { isInputRefused, isSuccess } from './statuses.ts';

/** Whether something holds for an exchange. */
export type Test = (exchange: ReadExchange) => boolean;

/** The result of `settle` if sightings contradict each other. */
export const unclear = Symbol('unclear');

/** The choice that all sightings together show; undefined while they are inconclusive. */
export type Settle = (sightings: readonly Sighting[]) => Choice | typeof unclear | undefined;

/** How to recognise a choice in traffic. It does not judge and does not send anything. */
export interface Observer {
  /** Undefined if the exchange does not show it. */
  see(exchange: ReadExchange): Seen | undefined;
  /** For observers that combine several sightings. By default all sightings must be the same choice. */
  settle?: Settle;
  /** The choice shown in reports for a sighting for `settle`. By default the sighting itself. */
  toChoice?(sighting: string): string;
}

/** Statuses that may be about the resource, not the input: it is gone, locked, or in conflict with another one. */
export const aboutTheThing: readonly number[] = [404, 409, 410, 423];

/**
 * Whether a request was refused because of its input. The key must have been accepted before; for 403, which may mean
 * that the key lacks a permission, it must have been accepted by the same operation.
 */
export function isRefused({ operation, answer, memory }: ReadExchange): boolean {
  if (!memory.isKeyGood || !isInputRefused(answer)) return false;
  if (operation.statusOpenPoint === 'successStatus.updateDriveFile' && aboutTheThing.includes(answer.status))
    return false;
  return answer.status !== 403 || memory.hasSucceeded(operation);
}

/** One choice if a request succeeded, the other if it was refused because of its input. */
export function either(exchange: ReadExchange, accepted: string, refused: string): string | undefined {
  if (isSuccess(exchange.answer)) return accepted;
  return isRefused(exchange) ? refused : undefined;
}

/** The status of a request that was refused because of its input. */
export function refusalStatus(exchange: ReadExchange): number | undefined {
  return isRefused(exchange) ? exchange.answer.status : undefined;
}

/** Marks a sighting that counts only if there is no certain one. */
export const perhaps = 'perhaps ';

/** The only status among the certain sightings; without any, the only one among the uncertain sightings. */
export function settleStatus(sightings: readonly Sighting[]): ReturnType<Settle> {
  const certain = sightings.filter((seen) => typeof seen === 'number');
  const statuses = new Set(certain.length > 0 ? certain : sightings.map((seen) => Number(statusIn(String(seen)))));
  const [status] = statuses;
  return statuses.size === 1 && status !== undefined ? status : unclear;
}

/** The status of an uncertain sighting, as text. */
export function statusIn(sighting: string): string {
  return sighting.replace(perhaps, '');
}

/** Sees one choice if a request that deviates was accepted, the other if it was refused. */
export function acceptedOrRefused(deviates: Test, accepted: string, rejected: string): Observer['see'] {
  return (exchange) => (deviates(exchange) ? either(exchange, accepted, rejected) : undefined);
}
