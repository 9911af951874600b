import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import supertest from 'supertest';
import type { Redact } from '../../lib/secrets.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { isSuccess } from '../../openapi/reading/statuses.ts';
import type { EndedBy } from '../report/report.ts';
import type { Settings } from '../run/settings.ts';
import { Inconclusive, Stopped } from '../run/signals.ts';
import { type Clock, currentClock } from './clock.ts';
import { hasSameKey } from './credentials.ts';
import { isReused, isSilent, Lanes, Pace } from './pace.ts';
import {
  Bodies,
  collectBytes,
  maxBodyBytes,
  maxHeaderBytes,
  type RawAnswer,
  readAnswer,
  toFailure,
  tooMuch,
} from './received.ts';
import {
  type Crash,
  currentCheck,
  currentTrial,
  type Exchange,
  type Happened,
  isCutOff,
  type Reply,
  repeatedCrashOf,
  type SentRequest,
  toExchange,
  troubleIn,
} from './reply.ts';

/** The value of `requestIdHeader` that sends no id. */
const noRequestId = 'none';

/**
 * The header that identifies a request in the target's log; empty if none is wanted or the user sends that header. The
 * id has the form of a UUID, which gateways accept: the run's id, then the request's number.
 */
export function requestIdOf(
  { runId, requestIdHeader, headers }: Pick<Settings, 'requestIdHeader' | 'headers'> & { runId: string },
  count: number,
): Record<string, string> {
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === requestIdHeader.toLowerCase());
  if (requestIdHeader === noRequestId || isGiven) return {};
  return { [requestIdHeader]: `${runId.replace('run-', '')}-0000-4000-8000-${String(count).padStart(12, '0')}` };
}

/**
 * How to reach the target. It counts as gone after `settleMs` and a while without a response. `tool`: the User-Agent.
 */
type TargetSettings = Pick<
  Settings,
  | ('baseUrl' | 'headers' | 'timeoutMs' | 'settleMs' | 'maxRequests' | 'concurrency' | 'requestIdHeader')
  | ('rate' | 'maxWaitMs' | 'timeLimitMs')
> & {
  tool: string;
  runId: string;
  clock?: Clock | undefined;
};

/** A request with the header that identifies it in the target's log. */
type NamedRequest = SentRequest & { ids: Readonly<Record<string, string>> };

/** Whether the target responds: as before, again after a crash, no longer, or no longer to this key. */
type Presence = 'there' | 'back' | 'gone' | 'shutOut';

/**
 * The server that is judged, over HTTP. Redirects are never followed. A request is sent twice only if it was
 * rate-limited; if it is safe and the target had closed the connection; or after a crash, if it is safe or belongs to a
 * check.
 */
export class Target {
  readonly #settings: TargetSettings;
  readonly #redact: Redact;
  readonly #client;
  readonly #pool;
  readonly #single;
  /** For requests that must not be sent twice: the target may close an idle connection at any time. */
  readonly #fresh;
  readonly #lanes: Lanes;
  readonly #clock: Clock;
  readonly #pace: Pace;
  /** When the run has to end. */
  readonly #deadlineMs: number;
  #phase: 'judging' | 'tidying' = 'judging';
  #stopReason: Sentence | undefined;
  #endedBy: EndedBy | undefined;
  #isGone = false;
  /** Set while the cause of a missing response is unknown. If many requests fail in parallel, the first finds it out. */
  #presence: Promise<Presence> | undefined;
  /** The last of the requests that are repeated after a crash. */
  #repeated: Promise<unknown> = Promise.resolve();
  readonly #bodies = new Bodies();
  #waiting = new AbortController();
  requests = 0;
  /** How often each kind of trouble came in place of a usable response. */
  readonly troubles = new Map<string, number>();
  /** Every response with a status of 500 and above, also those whose requests were repeated. */
  readonly serverErrors: Reply[] = [];
  /** The crashes after which the target came back. */
  readonly crashes: Crash[] = [];
  /** The longest time that a response took, and whether one timed out. */
  #slowestMs = 0;
  #hasHung = false;
  /** A safe request that got a response. Once it no longer does, the target is gone. Needed for any conclusion. */
  heartbeat: SentRequest | undefined;
  /** Called with each request and its result. */
  onExchange: ((happened: Happened) => void) | undefined;
  /** Called with each request when it is sent; what it returns, with the reply. */
  onSend: ((request: SentRequest, sentAtMs: number) => (reply: Reply) => void) | undefined;
  /** Called when the target is back after a crash. */
  onBack: (() => void) | undefined;

  constructor(settings: TargetSettings, redact: Redact) {
    this.#settings = settings;
    this.#redact = redact;
    this.#client = supertest(settings.baseUrl);
    this.#lanes = new Lanes(settings.concurrency);
    this.#clock = settings.clock ?? currentClock();
    this.#pace = new Pace(settings, this.#lanes, this.#clock);
    this.#deadlineMs = this.#clock.nowMs() + (settings.timeLimitMs ?? Number.POSITIVE_INFINITY);
    const Agent = settings.baseUrl.startsWith('https:') ? HttpsAgent : HttpAgent;
    this.#pool = new Agent({ keepAlive: true, maxSockets: 16 });
    this.#single = new Agent({ keepAlive: true, maxSockets: 1 });
    this.#fresh = new Agent({ keepAlive: false, maxSockets: 16 });
  }

  /** For how long the target let requests wait (429, 503), in milliseconds. */
  get waitedMs(): number {
    return Math.round(this.#pace.waitedMs);
  }

  /**
   * Sends a request, at the target's pace: see {@link Pace}. Never rejects for what the target does. Rejects if the
   * request was not sent: with {@link Stopped} if the run was stopped or the target is gone, with {@link Inconclusive}
   * at the limit on requests.
   */
  send(request: SentRequest): Promise<Reply> {
    return this.#pace.untilAccepted(request, () => this.#sendPastCrash(request));
  }

  /**
   * A check that crashed the target ends there. An operation that keeps crashing it is not called any more. Throws
   * {@link Inconclusive} if a request must not be sent for that reason.
   */
  requireNoCrash({ operation, isAuthenticated }: Pick<SentRequest, 'operation' | 'isAuthenticated'>): void {
    const alike = this.crashes.filter(
      ({ isRepeated, reply: { request } }) =>
        isRepeated && request.operation === operation && request.isAuthenticated === isAuthenticated,
    );
    if (alike.length >= 2) this.#leaveAlone(operation);
    this.#requireInnocent(operation);
  }

  #requireInnocent(operation: SentRequest['operation']): void {
    if (currentTrial.getStore()?.isOver === true)
      throw new Inconclusive(
        'TARGET',
        say`The target stopped responding, so ${own(operation)} was not called in parallel with others.`,
      );
    if (repeatedCrashOf(this.crashes, currentCheck.getStore()) !== undefined) this.#leaveAlone(operation);
  }

  #leaveAlone(operation: SentRequest['operation']): void {
    if (this.isTidying) return;
    throw new Inconclusive('PREREQUISITE', say`The target crashes, so ${own(operation)} was not called again.`);
  }

  /** Makes further requests throw {@link Stopped}, except for tidying up. Requests in progress are completed. */
  stop(reason: Sentence, by: EndedBy = 'user'): void {
    if (!this.isTidying) this.#end(reason, by);
  }

  /** Why no more requests are sent; undefined while the run goes on. */
  get stopReason(): Sentence | undefined {
    return this.#stopReason;
  }

  /** What ended the run early; undefined while it goes on. Stays set while tidying up. */
  get endedBy(): EndedBy | undefined {
    return this.#endedBy;
  }

  get isTidying(): boolean {
    return this.#phase === 'tidying';
  }

  /**
   * Allows requests again, without the limit, since files must be moved back. Waits a while for a target that is gone.
   * Resolves to whether the target responds.
   */
  async startTidying(): Promise<boolean> {
    this.#phase = 'tidying';
    this.#waiting = new AbortController();
    const { settleMs, timeoutMs } = this.#settings;
    if (this.#endedBy === 'key') return false;
    if (this.#isGone && isAway(await this.#lookFor(settleMs + timeoutMs))) return false;
    this.#isGone = false;
    this.#stopReason = undefined;
    return true;
  }

  /** Closes the connections. */
  close(): void {
    for (const agent of [this.#pool, this.#single, this.#fresh]) agent.destroy();
  }

  /** Sends a request when a lane is free and it is its turn. `isAgain`: to see whether it is to blame for a crash. */
  #sendOnce(request: SentRequest, isAgain = false): Promise<Reply> {
    return this.#lanes.run(async () => {
      await this.#itsTurn();
      // Wait until it is known whether the target is gone.
      await this.#presence;
      if (this.#stopReason !== undefined) throw new Stopped(this.#stopReason);
      // Only now: an earlier request of the check may have crashed the target meanwhile.
      if (isAgain) this.#requireInnocent(request.operation);
      else this.requireNoCrash(request);
      const { maxRequests } = this.#settings;
      if (this.#phase === 'judging' && this.requests >= maxRequests)
        throw new Inconclusive(
          'REQUESTS',
          say`The run sent the ${own(plural(maxRequests, 'request'))} that --max-requests allows.`,
        );
      const reply = await this.#timed(request, (named) => this.#answerTo(named));
      if (reply.failure === 'timeout') this.#hasHung = true;
      else this.#slowestMs = Math.max(this.#slowestMs, reply.receivedAtMs - reply.sentAtMs);
      const trial = currentTrial.getStore();
      if (trial !== undefined && isSilent(reply)) trial.isOver = true;
      if (reply.status >= 500) this.serverErrors.push(reply);
      const trouble = troubleIn(reply);
      if (trouble !== undefined) this.troubles.set(trouble, (this.troubles.get(trouble) ?? 0) + 1);
      return reply;
    });
  }

  /** Waits for the pace, and ends the run at its time limit. */
  async #itsTurn(): Promise<void> {
    for (;;) {
      const leftMs = this.isTidying ? Number.POSITIVE_INFINITY : this.#deadlineMs - this.#clock.nowMs();
      if (leftMs <= 0)
        this.stop(
          say`the time limit of ${this.#settings.timeLimitMs ?? 0} ms (--time-limit) was reached`,
          'time-limit',
        );
      if (this.#stopReason !== undefined || this.#pace.take()) return;
      await this.#clock.sleep(Math.min(this.#pace.waitMs, leftMs), this.#waiting.signal);
    }
  }

  async #timed(request: SentRequest, send: (named: NamedRequest) => Promise<RawAnswer>): Promise<Reply> {
    this.requests++;
    const ids = requestIdOf(this.#settings, this.requests);
    const sentAtMs = this.#clock.nowMs();
    const tell = this.onSend?.(request, sentAtMs);
    const answered = await send({ ...request, ids });
    const receivedAtMs = this.#clock.nowMs();
    const happened = { request, answered, sentAtMs, receivedAtMs, requestId: Object.values(ids)[0] };
    this.onExchange?.(happened);
    const sentBy = currentCheck.getStore();
    const reply = this.#toReply(happened);
    if (sentBy !== undefined) reply.sentBy = sentBy;
    tell?.(reply);
    return reply;
  }

  // If a request crashes the target, the request is sent once more to see whether it is to blame.
  async #sendPastCrash(request: SentRequest): Promise<Reply> {
    const reply = await this.#sendOnce(request);
    if (this.#isShutOut(reply)) await this.#presenceAfter(reply);
    if (!isSilent(reply) || (await this.#presenceAfter(reply)) !== 'back' || !isCutOff(reply)) return reply;
    const backAtMs = this.#clock.nowMs();
    const check = currentCheck.getStore();
    const mayRepeat = currentTrial.getStore() === undefined && (request.method === 'GET' || check !== undefined);
    // Not repeated if the run was stopped meanwhile, or if another request of the check crashed the target twice.
    const again = mayRepeat ? await this.#repeat(request).catch(() => reply) : reply;
    const isRepeated = again !== reply && isCutOff(again) && (await this.#presenceAfter(again)) !== 'there';
    // A crash cuts off every request in progress. Only the first and the one that caused it are recorded.
    const isKnown = this.crashes.some((crash) => reply.sentAtMs < crash.backAtMs);
    if (isRepeated || !isKnown) this.crashes.push({ reply, check, isRepeated, backAtMs });
    return again;
  }

  // One after the other: requests that were only cut off by a crash that another one caused get responses now.
  async #repeat(request: SentRequest): Promise<Reply> {
    const again = this.#repeated.then(() => this.#sendOnce(request, true));
    const settled = async (reply: Reply) => (isSilent(reply) ? this.#presenceAfter(reply) : undefined);
    this.#repeated = again.then(settled).catch(() => undefined);
    return again;
  }

  /** Whether the key was refused with which the target was reached: it may have expired. */
  #isShutOut(reply: Reply): boolean {
    const { request } = reply;
    const { heartbeat } = this;
    return isKeyRefused(reply) && request.isAuthenticated && heartbeat !== undefined && hasSameKey(request, heartbeat);
  }

  #end(reason: Sentence, by: EndedBy): void {
    this.#endedBy ??= by;
    this.#stopReason ??= reason;
    this.#waiting.abort();
  }

  // If other requests get responses, the checks judge the missing one.
  async #presenceAfter(reply: Reply): Promise<Presence> {
    const { settleMs, timeoutMs } = this.#settings;
    this.#presence ??= this.#lookFor(settleMs + Math.min(timeoutMs, restartMs)).finally(() => {
      this.#presence = undefined;
    });
    const presence = await this.#presence;
    if (isAway(presence) && this.#stopReason === undefined) this.#giveUp(reply, presence);
    return presence;
  }

  #giveUp({ exchange, status }: Reply, presence: 'gone' | 'shutOut'): void {
    this.#isGone = true;
    const { request, failure } = exchange;
    // This text is all ours and must not be redacted: a key may be a word in it.
    const result = own(failure?.message ?? `status ${status}`);
    const since = say`since ${own(request.method)} ${own(request.url)}: ${result}.`;
    if (presence === 'gone') this.#end(say`The target has not responded ${since}`, 'target');
    else this.#end(say`The target has not accepted the key ${since}`, 'key');
  }

  /**
   * Whether the safe request gets a response, and not one that refuses the key, within some tries over `limitMs`. If it
   * hangs, it is tried twice.
   */
  async #lookFor(limitMs: number): Promise<Presence> {
    const { heartbeat } = this;
    const { signal } = this.#waiting;
    if (heartbeat === undefined) return 'there';
    let wasAway = false;
    for (let tries = 0; ; tries++) {
      const reply = await this.#timed(heartbeat, (named) =>
        this.#request(named, this.#fresh).then(readAnswer, toFailure),
      );
      const isRefused = isKeyRefused(reply);
      // A run that was stopped needs no response.
      if (!(isRefused || isSilent(reply)) || signal.aborted) {
        if (wasAway) this.onBack?.();
        return wasAway ? 'back' : 'there';
      }
      wasAway ||= isCutOff(reply);
      const share = shares[tries];
      if (share === undefined || (tries > 0 && reply.failure === 'timeout')) return isRefused ? 'shutOut' : 'gone';
      await this.#clock.sleep(limitMs * share, signal);
    }
  }

  // The full time limit is only spent once: after that, requests get many times as long as the slowest response so far.
  get #timeLimitMs(): number {
    const { timeoutMs } = this.#settings;
    return this.#hasHung ? Math.min(timeoutMs, Math.max(shortestLimitMs, 20 * this.#slowestMs)) : timeoutMs;
  }

  // A server may close an idle connection without notice.
  async #answerTo(request: NamedRequest): Promise<RawAnswer> {
    const agent = this.#agentFor(request);
    const first = this.#request(request, agent);
    const answered = await first.then(readAnswer, toFailure);
    const isStale = answered.failure?.kind === 'reset' && isReused(first);
    const mayRepeat = request.method === 'GET' && (request.isAuthenticated || !request.onKeptConnection);
    if (!isStale || !mayRepeat) return answered;
    return this.#request(request, request.onKeptConnection ? agent : this.#fresh).then(readAnswer, toFailure);
  }

  #agentFor({ method, onKeptConnection }: SentRequest): HttpAgent {
    if (onKeptConnection) return this.#single;
    return method === 'GET' ? this.#pool : this.#fresh;
  }

  #request(request: NamedRequest, agent: HttpAgent) {
    const { method, path, body, timeoutMs = this.#timeLimitMs } = request;
    const test = this.#client[method.toLowerCase() as 'get'](path)
      .redirects(0)
      .agent(agent)
      .timeout({ response: timeoutMs, deadline: timeoutMs })
      .buffer(true)
      .maxResponseSize(maxBodyBytes)
      .parse(collectBytes)
      .ok(() => true)
      .on('request', ({ req }) => {
        req.maxHeaderSize = maxHeaderBytes;
      })
      .set({
        'User-Agent': this.#settings.tool,
        Accept: 'application/json',
        ...request.ids,
        ...this.#settings.headers,
        ...request.headers,
      });
    return body === undefined ? test : test.send(body);
  }

  #toReply(happened: Happened): Reply {
    const { request, answered, sentAtMs, receivedAtMs } = happened;
    const { status, headers, isTooDeep, hasBody } = answered;
    const body = answered.text === undefined ? undefined : this.#bodies.take(answered.text, this.isTidying);
    if (answered.text !== undefined && body === undefined) return this.#toReply(withoutBody(happened));
    // Equal texts are kept once.
    if (body !== undefined) answered.text = body.text;
    let exchange: Exchange | undefined;
    const exchangeOnce = () => {
      exchange ??= toExchange(this.#settings, this.#redact, happened);
      return exchange;
    };
    return {
      request,
      status,
      headers,
      text: body?.text,
      get json() {
        return body?.json;
      },
      isJson: body?.isJson === true,
      isTooDeep,
      hasBody,
      isSuccess: isSuccess(answered),
      ...(answered.failure === undefined ? {} : { failure: answered.failure.kind }),
      // Created on demand: most exchanges are never shown, and redacting them takes time.
      get exchange() {
        return exchangeOnce();
      },
      sentAtMs,
      receivedAtMs,
    };
  }
}

function isKeyRefused({ status }: Reply): boolean {
  return status === 401 || status === 403;
}

function isAway(presence: Presence): presence is 'gone' | 'shutOut' {
  return presence === 'gone' || presence === 'shutOut';
}

/** The response of a run that had too much of them before. */
function withoutBody(happened: Happened): Happened {
  const failure = { kind: 'tooLarge' as const, message: own(tooMuch) };
  return { ...happened, answered: { status: 0, headers: {}, text: '', isTooDeep: false, hasBody: false, failure } };
}

/** The minimum time for a response after one has timed out. */
const shortestLimitMs = 1_000;
/** How long a target may take to come back after a crash, besides the time to settle. */
const restartMs = 5_000;
/** The pauses between tries, as shares of the whole time: most targets are back immediately, or late. */
const shares = [0.025, 0.075, 0.225, 0.675];
