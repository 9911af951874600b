import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Engine, WireFault } from '../mutant.ts';
import { isSuccess, operationIdOf, pathOf, withBody, write } from '../mutants/wire-faults.ts';
import { hasValidKey, type Oddity } from './oddity.ts';

const json = { 'content-type': 'application/json' };

function refusal(status: number, headers: Record<string, string> = {}) {
  return { status, headers: { ...json, ...headers }, body: '{"message":"not now"}' };
}

/** Answers every n-th request that is meant by itself. */
function everyNth(
  n: number,
  isMeant: (request: IncomingMessage) => boolean,
  status: number,
  headers: Record<string, string> = {},
): WireFault {
  let count = 0;
  return async (request, response, forward) => {
    const isHit = isMeant(request) && ++count % n === 0;
    write(response, isHit ? refusal(status, headers) : await forward());
  };
}

const isRead = ({ method }: IncomingMessage) => method === 'GET';
const isWrite = ({ method }: IncomingMessage) => method !== 'GET';

/** A second request that comes while one of the same kind is being answered is turned away. */
function oneAtATime(isMeant: (request: IncomingMessage) => boolean, status: number): WireFault {
  let running = 0;
  return async (request, response, forward) => {
    if (!isMeant(request)) return write(response, await forward());
    if (running > 0) return write(response, refusal(status));
    running++;
    await setTimeout(2);
    write(response, await forward().finally(() => running--));
  };
}

/** So many requests in each window of time, and then none before it is over: the answer says when. */
function windows(most: number, windowMs: number): WireFault {
  let [count, endsMs] = [0, 0];
  return async (_request, response, forward) => {
    if (Date.now() >= endsMs) [count, endsMs] = [0, Date.now() + windowMs];
    const retryAfter = String(Math.ceil((endsMs - Date.now()) / 1_000));
    write(response, ++count > most ? refusal(429, { 'retry-after': retryAfter }) : await forward());
  };
}

/** After a success, what it was about is busy for a while: another one is turned away meanwhile. */
function busyAfter(operation: OperationId, busyMs: number, status: number): (engine: Engine) => WireFault {
  const busyUntil = new Map<string, number>();
  return (engine) => async (request, response, forward) => {
    if (operationIdOf(request) !== operation || !hasValidKey(engine, request)) return write(response, await forward());
    const subject = pathOf(request.url ?? '');
    if ((busyUntil.get(subject) ?? 0) > Date.now()) return write(response, refusal(status));
    const answer = await forward();
    if (isSuccess(answer.status)) busyUntil.set(subject, Date.now() + busyMs);
    write(response, answer);
  };
}

/** So many creations of a kind succeed, and then no more. */
function quota(most: number, status: number): (engine: Engine) => WireFault {
  const counts = new Map<string, number>();
  return (engine) => async (request, response, forward) => {
    const operation = operationIdOf(request) ?? '';
    if (!operation.startsWith('create') || !hasValidKey(engine, request)) return write(response, await forward());
    const isFull = (counts.get(operation) ?? 0) >= most;
    const answer = isFull ? refusal(status) : await forward();
    if (isSuccess(answer.status)) counts.set(operation, (counts.get(operation) ?? 0) + 1);
    write(response, answer);
  };
}

/** A file that was moved is processed for a while, and says so; meanwhile it is not moved again. */
function processedAfterMove(busyMs: number): (engine: Engine) => WireFault {
  const readyAt = new Map<string, number>();
  return (engine) => async (request, response, forward) => {
    const [file, operation] = [pathOf(request.url ?? ''), operationIdOf(request)];
    const isBusy = (readyAt.get(file) ?? 0) > Date.now() && hasValidKey(engine, request);
    if (isBusy && operation === 'updateDriveFile') return write(response, refusal(409));
    const answer = await forward();
    if (operation === 'updateDriveFile' && isSuccess(answer.status)) readyAt.set(file, Date.now() + busyMs);
    const isShown = isBusy && operation === 'getDriveFile' && isSuccess(answer.status);
    write(response, isShown ? withBody(answer, answer.body.replace('"ready"', '"processing"')) : answer);
  };
}

/** Servers that turn requests away for the moment, or have had enough. */
export const busy: Record<string, Oddity> = {
  'readings-limited-with-retry-after': {
    why: 'Section 8: rate limits are not shown.',
    wire: () => everyNth(6, isRead, 429, { 'retry-after': '0' }),
  },
  'four-hundred-requests-a-second': {
    why: 'Section 8: rate limits are not shown.',
    wire: () => windows(400, 1_000),
  },
  'readings-limited-without-a-word': {
    why: 'Section 8: rate limits are not shown, nor is how they are told.',
    wire: () => everyNth(9, isRead, 429),
  },
  'writings-limited': {
    why: 'Section 8: rate limits are not shown.',
    wire: () => everyNth(5, isWrite, 429, { 'retry-after': '0' }),
  },
  'unavailable-now-and-then': {
    why: 'Section 7: other failures are not shown; a gateway may answer 503 for a moment.',
    wire: () => everyNth(7, () => true, 503),
  },
  'readings-unavailable-now-and-then': {
    why: 'Section 7: other failures are not shown; a gateway may answer 502 for a moment.',
    wire: () => everyNth(5, isRead, 502),
  },
  'one-request-at-a-time': {
    why: 'Section 8: rate limits are not shown; one may count requests that run at the same time.',
    wire: () => oneAtATime(() => true, 429),
  },
  'one-writing-at-a-time': {
    why: 'Section 7: other failures are not shown; a second creation may be in the way of a first.',
    wire: () => oneAtATime(isWrite, 409),
  },
  'a-moved-file-is-locked-for-a-while': {
    why: 'Section 3: the transitions of a file are not shown; section 7: nor what answers a move of one that is being processed.',
    wire: busyAfter('updateDriveFile', 15, 423),
  },
  'a-moved-file-is-in-conflict-for-100-ms': {
    why: 'Section 7: what answers a move of a file that is locked is not shown.',
    wire: busyAfter('updateDriveFile', 100, 409),
  },
  'a-moved-file-is-processed-for-a-while': {
    why: 'Section 3: the transitions of a file are not shown; section 7: nor what answers a move of one that is being processed.',
    wire: processedAfterMove(15),
  },
  'one-deletion-at-a-time': {
    why: 'Section 4.7 answers with a job; what answers a second one meanwhile is not shown (section 7).',
    wire: busyAfter('deleteDriveTree', 150, 409),
  },
  'quota-of-six': {
    why: 'Section 8: how many drives and MCP servers an organization may have is not shown.',
    wire: quota(6, 402),
  },
  'quota-of-one': {
    why: 'Section 8: how many drives and MCP servers an organization may have is not shown.',
    wire: quota(1, 403),
  },
};
