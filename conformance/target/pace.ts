// How fast requests are sent: how many at a time, how many a second, and when the target asks to wait.
import { ClientRequest } from 'node:http';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Settings } from '../run/settings.ts';
import type { Clock } from './clock.ts';
import { answeredByGateway, type Reply, type SentRequest } from './reply.ts';

/** Limits how many requests are in progress. The others wait in order. */
export class Lanes {
  #limit: number;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Does some work when a lane is free. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#busy >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#busy++;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Halves the number of parallel requests from now on, to at least one. */
  narrow(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }

  // The next request takes over the lane, unless there are fewer lanes now.
  #leave(): void {
    const next = this.#busy <= this.#limit ? this.#waiting.shift() : undefined;
    if (next === undefined) this.#busy--;
    else next();
  }
}

/** How long a target that is too busy (429, 503) asks to wait, in seconds or until a date; undefined if it does not say. */
export function retryAfterMs({ status, headers }: Pick<Reply, 'status' | 'headers'>): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || (status !== 429 && status !== 503)) return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds * 1_000);
}

/** Whether the target itself did not respond. A target that names a time to come back is there. */
export function isSilent(reply: Reply): boolean {
  const { failure, status } = reply;
  if (failure !== undefined) return failure !== 'tooLarge';
  return answeredByGateway.includes(status) && retryAfterMs(reply) === undefined;
}

/** Whether a request used a connection that had carried an earlier one. */
export function isReused(request: object): boolean {
  const sent: unknown = Reflect.get(request, 'req');
  return sent instanceof ClientRequest && sent.reusedSocket;
}

type PaceSettings = Pick<Settings, 'rate' | 'maxWaitMs'>;

/** The pauses before a rate-limited request is sent again, if the target does not say how long to wait. */
const pausesMs = [250, 500, 1_000, 2_000];
/** How often it is sent again if the target does say. */
const mostTries = 8;

/**
 * The pace of requests: at most `rate` per second, and not before the time that the target asked for. A rate-limited
 * request (429, 503) was not performed, so any may be sent again; others wait meanwhile.
 */
export class Pace {
  readonly #settings: PaceSettings;
  readonly #lanes: Lanes;
  readonly #clock: Clock;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #nextTurnMs = Number.NEGATIVE_INFINITY;
  /** The operations that were refused for the maximum wait of a request, and not accepted since. */
  readonly #givenUp = new Set<OperationId>();

  /** For how long the target let requests wait. */
  waitedMs = 0;

  constructor(settings: PaceSettings, lanes: Lanes, clock: Clock) {
    this.#settings = settings;
    this.#lanes = lanes;
    this.#clock = clock;
  }

  /** How long the next request has to wait. */
  get waitMs(): number {
    return Math.max(this.#notBeforeMs, this.#nextTurnMs) - this.#clock.nowMs();
  }

  /** Takes one request's turn, if it is due. */
  take(): boolean {
    if (this.waitMs > 0) return false;
    const { rate } = this.#settings;
    if (rate !== undefined) this.#nextTurnMs = Math.max(this.#nextTurnMs, this.#clock.nowMs() - 1) + 1_000 / rate;
    return true;
  }

  // Requests wait at the same time.
  #holdUntil(timeMs: number): void {
    const fromMs = Math.max(this.#notBeforeMs, this.#clock.nowMs());
    this.waitedMs += Math.max(0, timeMs - fromMs);
    this.#notBeforeMs = Math.max(this.#notBeforeMs, timeMs);
  }

  /**
   * Sends a request with `send`, again while it is rate-limited and may still wait. A reading is also sent again if a
   * gateway's server was away for a moment (502, 504).
   */
  async untilAccepted({ operation, method }: SentRequest, send: () => Promise<Reply>): Promise<Reply> {
    let waitedMs = 0;
    for (let tries = 0; ; tries++) {
      const reply = await send();
      const isBusy = reply.status === 429 || reply.status === 503;
      const isAway = method === 'GET' && (reply.status === 502 || reply.status === 504);
      if (!isBusy && !isAway) {
        this.#givenUp.delete(operation);
        return reply;
      }
      if (isBusy) this.#lanes.narrow();
      const waitMs = this.#givenUp.has(operation) ? undefined : waitAfter(reply, tries);
      if (waitMs === undefined || waitedMs + waitMs > this.#settings.maxWaitMs) {
        this.#givenUp.add(operation);
        return reply;
      }
      waitedMs += waitMs;
      this.#holdUntil(this.#clock.nowMs() + waitMs);
    }
  }
}

// A target that always says "now" would be asked forever.
function waitAfter(reply: Reply, tries: number): number | undefined {
  const askedMs = retryAfterMs(reply);
  if (askedMs === undefined) return pausesMs[tries];
  if (tries >= mostTries) return undefined;
  return tries === 0 ? askedMs : Math.max(askedMs, pausesMs[tries] ?? 2_000);
}
