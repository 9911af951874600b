/*
 * How the proxy and the suite recognise a choice: `formats.ts` for a value or a list; for a whole exchange
 * `answer-observers.ts` (codes, headers, errors), `field-observers.ts`, `list-observers.ts`, `paging-observers.ts` and
 * `request-observers.ts`, with `plain-writes.ts` for writes that deviate in one way only. To add one, list it in the
 * file that fits. What needs requests of its own: `conformance/observe/`.
 */
import type { Choice } from '../contract/open-points.ts';
import type { OpenPointId } from '../contract/profile.ts';
import type { Seen, Sighting } from './learned.ts';
import type { ReadExchange } from './memory.ts';
import { isInputRefused, isSuccess } from './statuses.ts';

/** The result of `settle` where sightings contradict each other. */
export const unclear = Symbol('unclear');

/** The choice that all sightings together show; undefined while they do not tell. */
export type Settle = (sightings: readonly Sighting[]) => Choice | typeof unclear | undefined;

/** How one open point shows in traffic. An observer never judges and sends nothing. */
export interface Observer {
  openPoint: OpenPointId;
  /** Undefined where the exchange does not tell. */
  see(exchange: ReadExchange): Seen | undefined;
  /** For observers whose sightings complete each other. By default all sightings must be one and the same choice. */
  settle?: Settle;
  /** The choice that a sighting for `settle` stands for, in reports. By default the sighting itself. */
  toChoice?(sighting: string): string;
}

/** Statuses that may blame the thing, not the input: it is gone, locked, or another one is in its way. */
export const aboutTheThing: readonly number[] = [404, 409, 410, 423];

/**
 * Whether a request was refused because of its input. The key must have been accepted before; for a 403, which may mean
 * that it lacks a permission, by the same operation.
 */
export function isRefused({ operation, answer, memory }: ReadExchange): boolean {
  if (!memory.isKeyGood || !isInputRefused(answer)) return false;
  if (operation.statusOpenPoint === 'updateStatus' && aboutTheThing.includes(answer.status)) return false;
  return answer.status !== 403 || memory.hasSucceeded(operation);
}

/** One choice where a request succeeded, another where it was refused because of its input. */
export function either(exchange: ReadExchange, accepted: string, refused: string): string | undefined {
  if (isSuccess(exchange.answer)) return accepted;
  return isRefused(exchange) ? refused : undefined;
}

/** The status of a request that was refused because of its input. */
export function refusalStatus(exchange: ReadExchange): number | undefined {
  return isRefused(exchange) ? exchange.answer.status : undefined;
}

/** A sighting that counts where no certain one was made. */
export const perhaps = 'perhaps ';

/** The one status that was seen for certain; where none was, the one that was seen perhaps. */
export function settleStatus(sightings: readonly Sighting[]): ReturnType<Settle> {
  const certain = sightings.filter((seen) => typeof seen === 'number');
  const statuses = new Set(certain.length > 0 ? certain : sightings.map((seen) => Number(statusIn(String(seen)))));
  const [status] = statuses;
  return statuses.size === 1 && status !== undefined ? status : unclear;
}

/** The status of a sighting that counts only perhaps, as text. */
export function statusIn(sighting: string): string {
  return sighting.replace(perhaps, '');
}
