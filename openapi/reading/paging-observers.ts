/*
 * The paging bounds are in `openapi/openapi.yaml`, `open-points.yaml` (defaults) and `requirements.yaml`. Apart from
 * here, they are read in `list-observers.ts`, `request-observers.ts` and `src/node/proxy/judge/echoes.ts`; in the suite
 * in `probing/long-lists.ts`, `checks/pages.ts`, `checks/pagination.ts` and `observe/requests.ts`.
 */

import { say } from '../../lib/sentence.ts';
import type { Seen, Sighting } from './learned.ts';
import { pagingNumber } from './list-observers.ts';
import type { ReadExchange } from './memory.ts';
import { valuesOf } from './messages.ts';
import {
  isRefused,
  type Observer,
  perhaps,
  refusalStatus,
  type Settle,
  settleStatus,
  statusIn,
  unclear,
} from './observer.ts';
import { isSuccess } from './statuses.ts';

/** What happens to illegal limits and offsets. */
export const pagingObservers: readonly Observer[] = [
  { openPoint: 'errorStatus.invalidInput', see: seeInvalidPaging, settle: settleStatus, toChoice: statusIn },
  { openPoint: 'oddPaging.outOfRange', see: seeOutOfRange, settle: settlePaging, toChoice: toPagingChoice },
  { openPoint: 'oddPaging.malformed', see: seeMalformedPaging },
  { openPoint: 'oddPaging.repeated', see: seeRepeatedPaging },
];

const bounds = { limit: [1, 100], offset: [0, Number.POSITIVE_INFINITY] } as const;
const pagingNames = Object.keys(bounds) as (keyof typeof bounds)[];

/** Whether a number out of range is the only fault of a query. */
function isOutOfRange({ operation, request: { query } }: ReadExchange): boolean {
  const isPaged = operation.parameters.some(({ name }) => name === 'offset');
  const isKnown = query.every(({ name, value = '' }) => Object.hasOwn(bounds, name) && /^-?\d+$/.test(value));
  const isOnce = new Set(query.map(({ name }) => name)).size === query.length;
  if (!isPaged || !isKnown || !isOnce) return false;
  return query.some(({ name, value }) => {
    const [least, most] = bounds[name as keyof typeof bounds];
    return Number(value) < least || Number(value) > most;
  });
}

// Numbers out of range decide. If all of them succeed, a value that is not a number shows the code.
function seeInvalidPaging(exchange: ReadExchange): Seen | undefined {
  if (isOutOfRange(exchange)) return refusalStatus(exchange);
  const { operation, request } = exchange;
  const [pair, ...more] = request.query;
  const isPaged = operation.parameters.some(({ name }) => name === pair?.name) && operation.list !== undefined;
  if (!isPaged || more.length > 0 || !/^[a-z]+$/i.test(pair?.value ?? '')) return undefined;
  const status = refusalStatus(exchange);
  return status === undefined ? undefined : `${perhaps}${status}`;
}

function seeOutOfRange(exchange: ReadExchange): Seen | undefined {
  if (!isOutOfRange(exchange)) return undefined;
  if (!isSuccess(exchange.answer)) return isRefused(exchange) ? 'refused' : undefined;
  const isShown = (name: string) => pagingNumber(exchange, name) !== undefined;
  if (pagingNames.some((name) => valuesOf(exchange.request, name).length > 0 && !isShown(name))) return undefined;
  const replaced = pagingNames.flatMap((name) => {
    const [sent] = valuesOf(exchange.request, name);
    return sent === undefined ? [] : [replacementOf(name, Number(sent), pagingNumber(exchange, name))];
  });
  if (replaced.includes('other')) return { other: say`a number out of range is used` };
  return replaced.find((each) => each?.startsWith('ignored')) ?? replaced.find((each) => each !== undefined);
}

/** What happened to a number, such as `clamped: limit 100`. The default may be the nearest value: see `settlePaging`. */
function replacementOf(name: keyof typeof bounds, sent: number, shown: number | undefined): string | undefined {
  const [least, most] = bounds[name];
  const nearest = Math.max(least, Math.min(most, sent));
  if (sent === nearest) return shown === sent ? undefined : 'other';
  if (shown === undefined || shown < least || shown > most) return 'other';
  return `${shown === nearest ? 'clamped' : 'ignored'}: ${name} ${shown}`;
}

// One default cannot be the nearest value for two bounds.
function settlePaging(sightings: readonly Sighting[]): ReturnType<Settle> {
  const kinds = new Set(sightings.map(toPagingChoice));
  if (kinds.has('refused')) return kinds.size === 1 ? 'refused' : unclear;
  const limits = new Set(sightings.flatMap((sighting) => /limit .*/.exec(String(sighting))?.[0] ?? []));
  if (kinds.has('ignored')) return limits.size > 1 ? unclear : 'ignored';
  return limits.size > 1 ? 'clamped' : undefined;
}

function toPagingChoice(sighting: Sighting): string {
  return String(sighting).split(':', 1).join();
}

// Only words: other values may be read up to the point where they stop being a number.
function seeMalformedPaging(exchange: ReadExchange): Seen | undefined {
  const { operation, request } = exchange;
  const [pair, ...more] = request.query;
  const isPaged = operation.parameters.some(({ name }) => name === 'offset');
  if (!isPaged || pair === undefined || more.length > 0 || !Object.hasOwn(bounds, pair.name)) return undefined;
  if (!/^[a-z]+$/i.test(pair.value ?? '')) return undefined;
  if (!isSuccess(exchange.answer)) return isRefused(exchange) ? 'refused' : undefined;
  const [least, most] = bounds[pair.name as keyof typeof bounds];
  const shown = pagingNumber(exchange, pair.name);
  if (shown === undefined) return undefined;
  return shown >= least && shown <= most ? 'ignored' : { other: say`a word is read as a number out of range` };
}

/** Two legal values of limit and nothing else. */
function seeRepeatedPaging(exchange: ReadExchange): Seen | undefined {
  const { operation, request } = exchange;
  const isPaged = operation.parameters.some(({ name }) => name === 'offset');
  const [first, last, ...more] = valuesOf(request, 'limit').map(Number);
  if (!isPaged || first === undefined || last === undefined || more.length > 0 || first === last) return undefined;
  const isLegal = [first, last].every((value) => Number.isInteger(value) && value >= 1 && value <= 100);
  if (!isLegal || request.query.length > 2) return undefined;
  if (!isSuccess(exchange.answer)) return isRefused(exchange) ? 'refused' : undefined;
  const shown = pagingNumber(exchange, 'limit');
  if (shown === undefined) return undefined;
  if (shown === first) return 'first';
  return shown === last ? 'last' : { other: say`neither of the two limits is used` };
}
