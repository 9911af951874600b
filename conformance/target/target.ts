import { ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import supertest from 'supertest';
import { parseJson } from '../../openapi/reading/messages.ts';
import { isSecretHeader, type Redact, redactCredentials, redactHeaders } from '../../openapi/reading/secrets.ts';
import { own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { isSuccess } from '../../openapi/reading/statuses.ts';
import type { Settings } from '../config/settings.ts';
import { Stopped, Unverified } from '../signals.ts';
import type { Exchange } from './exchange.ts';
import { collectBytes, type RawAnswer, readAnswer, toFailure } from './raw-answer.ts';
import { isSilent, type Reply, type SentRequest } from './reply.ts';

/** How to reach the target. One that does not answer for `settleMs` is gone. `tool` is the User-Agent. */
type TargetSettings = Pick<Settings, 'baseUrl' | 'headers' | 'timeoutMs' | 'settleMs' | 'maxRequests'> & {
  tool: string;
};

/**
 * The server that is judged, over HTTP. Redirects are never followed. A request is sent twice only if it is safe, and the
 * target asked to wait or had closed the connection.
 */
export class Target {
  readonly #settings: TargetSettings;
  readonly #redact: Redact;
  readonly #pool;
  readonly #single;
  /** For requests that must not be sent twice: the target may close an idle connection at any time. */
  readonly #fresh;
  #phase: 'judging' | 'tidying' = 'judging';
  #stopReason: Sentence | undefined;
  #isGone = false;
  /** Set while the cause of a missing answer is unknown. If many requests fail at once, the first one finds out. */
  #answersStill: Promise<boolean> | undefined;
  #waiting = new AbortController();
  #notBeforeMs = 0;
  requests = 0;
  /** A safe request that was answered. If it no longer is, the target is gone. Without it, nothing is concluded. */
  heartbeat: SentRequest | undefined;

  constructor(settings: TargetSettings, redact: Redact) {
    this.#settings = settings;
    this.#redact = redact;
    const Agent = settings.baseUrl.startsWith('https:') ? HttpsAgent : HttpAgent;
    this.#pool = new Agent({ keepAlive: true, maxSockets: 16 });
    this.#single = new Agent({ keepAlive: true, maxSockets: 1 });
    this.#fresh = new Agent({ keepAlive: false, maxSockets: 16 });
  }

  /**
   * Sends a request. If the target asks to wait (429 with Retry-After), all requests wait, and a safe one is sent again. Never
   * rejects for what the target does. Rejects if the request was not sent: with {@link Stopped} after the run was stopped or
   * the target is gone, with {@link Unverified} at the limit on requests.
   */
  async send(request: SentRequest): Promise<Reply> {
    const reply = await this.#sendOnce(request);
    if (isSilent(reply)) await this.#stopIfGone(reply);
    const waitMs = retryAfterMs(reply);
    if (waitMs === undefined) return reply;
    this.#notBeforeMs = Date.now() + waitMs;
    return request.method === 'GET' ? this.#sendOnce(request) : reply;
  }

  /** Makes every further request throw {@link Stopped}. Requests in progress are completed. Never stops tidying up. */
  stop(reason: Sentence): void {
    if (!this.isTidying) this.#end(reason);
  }

  /** Why no more requests are sent; undefined while the run goes on. */
  get stopReason(): Sentence | undefined {
    return this.#stopReason;
  }

  get isTidying(): boolean {
    return this.#phase === 'tidying';
  }

  /**
   * Allows requests again, without the limit: files have to be moved back. Waits a while for a target that is gone. Resolves
   * to whether the target answers.
   */
  async startTidying(): Promise<boolean> {
    this.#phase = 'tidying';
    this.#waiting = new AbortController();
    if (this.#isGone && !(await this.#hasHeartbeat(this.#settings.settleMs + this.#settings.timeoutMs))) return false;
    this.#isGone = false;
    this.#stopReason = undefined;
    return true;
  }

  /** Closes the connections. */
  close(): void {
    for (const agent of [this.#pool, this.#single, this.#fresh]) agent.destroy();
  }

  async #sendOnce(request: SentRequest): Promise<Reply> {
    const waitMs = this.#notBeforeMs - Date.now();
    if (waitMs > 0) await pause(waitMs, this.#waiting.signal);
    if (this.#stopReason !== undefined) throw new Stopped(this.#stopReason);
    if (this.#phase === 'judging' && this.requests >= this.#settings.maxRequests) {
      const { maxRequests } = this.#settings;
      throw new Unverified('REQUESTS', say`The run sent the ${maxRequests} requests that --max-requests allows.`);
    }
    return this.#timed(request, () => this.#answerTo(request));
  }

  async #timed(request: SentRequest, send: () => Promise<RawAnswer>): Promise<Reply> {
    this.requests++;
    const startedMs = performance.now();
    const answered = await send();
    return this.#toReply(request, answered, performance.now() - startedMs);
  }

  #end(reason: Sentence): void {
    this.#stopReason ??= reason;
    this.#waiting.abort();
  }

  // If other requests are answered, the checks judge the missing answer.
  async #stopIfGone(reply: Reply): Promise<void> {
    this.#answersStill ??= this.#hasHeartbeat(this.#settings.settleMs).finally(() => {
      this.#answersStill = undefined;
    });
    if ((await this.#answersStill) || this.#stopReason !== undefined) return;
    this.#isGone = true;
    const { request, failure } = reply.exchange;
    // Ours to the letter: a key may be a word of it.
    const result = own(failure?.message ?? `status ${reply.status}`);
    this.#end(say`The target has not responded since ${own(request.method)} ${own(request.url)}: ${result}.`);
  }

  /** Whether the safe request is answered, within some tries over `limitMs`. If it hangs, it is tried twice. */
  async #hasHeartbeat(limitMs: number): Promise<boolean> {
    const { heartbeat } = this;
    const { signal } = this.#waiting;
    if (heartbeat === undefined) return true;
    for (let tries = 1; ; tries++) {
      const reply = await this.#timed(heartbeat, () =>
        this.#request(heartbeat, this.#fresh).then(readAnswer, toFailure),
      );
      // A run that was stopped needs no answer.
      if (!isSilent(reply) || signal.aborted) return true;
      if (tries === mostHeartbeats || (tries > 1 && reply.failure === 'timeout')) return false;
      await pause(limitMs / (mostHeartbeats - 1), signal);
    }
  }

  // HTTP lets a server close an idle connection without notice.
  async #answerTo(request: SentRequest): Promise<RawAnswer> {
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

  #request(request: SentRequest, agent: HttpAgent) {
    const { method, path, body, timeoutMs = this.#settings.timeoutMs } = request;
    const client = supertest(this.#settings.baseUrl);
    const test = client[method.toLowerCase() as 'get'](path)
      .redirects(0)
      .agent(agent)
      .timeout({ response: timeoutMs, deadline: timeoutMs })
      .buffer(true)
      .maxResponseSize(maxBodyBytes)
      .parse(collectBytes)
      .ok(() => true)
      .set({
        'User-Agent': this.#settings.tool,
        Accept: 'application/json',
        ...this.#settings.headers,
        ...request.headers,
      });
    return body === undefined ? test : test.send(body);
  }

  #toReply(request: SentRequest, answered: RawAnswer, durationMs: number): Reply {
    const { status, headers, text, hasBody } = answered;
    const json = text === undefined ? undefined : parseJson(text);
    return {
      request,
      status,
      headers,
      text,
      json: json?.value,
      isJson: json !== undefined,
      hasBody,
      isSuccess: isSuccess(answered),
      ...(answered.failure === undefined ? {} : { failure: answered.failure.kind }),
      exchange: this.#toExchange(request, answered, durationMs),
      receivedAtMs: Date.now(),
    };
  }

  // The headers that the suite sets hold no secret except the key.
  #sentHeaders({ headers }: SentRequest): Record<string, string> {
    const given = Object.entries(this.#settings.headers).map(([name, value]) => [name, this.#redact(value)]);
    const own = Object.entries(headers).map(([name, value]) => [
      name,
      isSecretHeader(name) ? redactCredentials(value, this.#redact) : value,
    ]);
    return Object.fromEntries([...given, ...own]);
  }

  #toExchange(request: SentRequest, answered: RawAnswer, durationMs: number): Exchange {
    const redact = this.#redact;
    const received = Object.entries(answered.headers).map(([name, value]) => [redact(name), value] as const);
    return {
      operation: request.operation,
      request: {
        method: request.method,
        url: redact(this.#settings.baseUrl + request.path),
        headers: this.#sentHeaders(request),
        ...(request.body === undefined ? {} : { body: cut(redact(request.body)) }),
      },
      ...(answered.failure === undefined
        ? {
            response: {
              status: answered.status,
              headers: redactHeaders(received, redact),
              body: answered.text === undefined ? '(bytes that are not UTF-8)' : cut(redact(answered.text)),
            },
          }
        : { failure: { kind: answered.failure.kind, message: answered.failure.message.shown(redact) } }),
      durationMs: Math.round(durationMs * 10) / 10,
    };
  }
}

const maxBodyBytes = 20_000_000;
const shownBodyLength = 2_000;
const longestWaitMs = 30_000;
const mostHeartbeats = 4;

/** Whether a request used a connection that had carried another one. */
function isReused(request: object): boolean {
  const sent: unknown = Reflect.get(request, 'req');
  return sent instanceof ClientRequest && sent.reusedSocket;
}

function cut(text: string): string {
  if (text.length <= shownBodyLength) return text;
  return `${text.slice(0, shownBodyLength)}… (${text.length} characters in all)`;
}

/** How long a target that answers 429 asks to wait; undefined if it does not say, or asks for more than half a minute. */
function retryAfterMs(reply: Reply): number | undefined {
  if (reply.status !== 429) return undefined;
  const value = reply.headers['retry-after'] ?? '';
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  const waitMs = Math.max(0, seconds * 1_000);
  return waitMs <= longestWaitMs ? waitMs : undefined;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
