import { ClientRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import supertest from 'supertest';
import { Stopped, Unverified } from '../signals.ts';
import type { Exchange } from './exchange.ts';
import { type Answered, readAnswer, toFailure } from './raw-answer.ts';
import type { Redact } from './redact.ts';
import type { Reply, Sending } from './reply.ts';

/** How to reach the target. */
export interface TargetSettings {
  baseUrl: string;
  /** What every request carries, for gateways. */
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxRequests: number;
  tool: string;
}

/**
 * The implementation that is judged, over HTTP. Redirects are never followed, and nothing is sent twice but a safe request
 * that was told to wait, or that met a connection which the target had closed.
 */
export class Target {
  readonly #settings: TargetSettings;
  readonly #redact: Redact;
  readonly #pool;
  readonly #single;
  /** For what must not be sent twice: a connection that idled may be closed at any time. */
  readonly #fresh;
  #phase: 'judging' | 'stopped' | 'tidying' = 'judging';
  #waiting = new AbortController();
  #notBeforeMs = 0;
  requests = 0;

  constructor(settings: TargetSettings, redact: Redact) {
    this.#settings = settings;
    this.#redact = redact;
    const Agent = settings.baseUrl.startsWith('https:') ? HttpsAgent : HttpAgent;
    this.#pool = new Agent({ keepAlive: true, maxSockets: 16 });
    this.#single = new Agent({ keepAlive: true, maxSockets: 1 });
    this.#fresh = new Agent({ keepAlive: false, maxSockets: 16 });
  }

  /**
   * Sends a request, when the target does not ask to wait (429 with Retry-After): then all requests wait, and a safe one
   * that was turned away is sent again. Never rejects for what the target does.
   */
  async send(sending: Sending): Promise<Reply> {
    const reply = await this.#sendOnce(sending);
    const waitMs = retryAfterMs(reply);
    if (waitMs === undefined) return reply;
    this.#notBeforeMs = Date.now() + waitMs;
    return sending.method === 'GET' ? this.#sendOnce(sending) : reply;
  }

  /** Sends nothing more: every further request throws {@link Stopped}. What is under way is waited for. */
  stop(): void {
    this.#phase = 'stopped';
    this.#waiting.abort();
  }

  get isStopped(): boolean {
    return this.#phase === 'stopped';
  }

  get isTidying(): boolean {
    return this.#phase === 'tidying';
  }

  /** Sends again, whatever the limit on requests says: what was moved has to be moved back. */
  startTidying(): void {
    this.#phase = 'tidying';
    this.#waiting = new AbortController();
  }

  /** Ends the connections. */
  close(): void {
    this.#pool.destroy();
    this.#single.destroy();
    this.#fresh.destroy();
  }

  async #sendOnce(sending: Sending): Promise<Reply> {
    const waitMs = this.#notBeforeMs - Date.now();
    if (waitMs > 0) await pause(waitMs, this.#waiting.signal);
    if (this.isStopped) throw new Stopped();
    if (this.#phase === 'judging' && this.requests >= this.#settings.maxRequests) {
      throw new Unverified(
        'REQUESTS',
        `The ${this.#settings.maxRequests} requests that --max-requests allows were sent.`,
      );
    }
    this.requests++;
    const startedMs = performance.now();
    const answered = await this.#answerTo(sending);
    return this.#toReply(sending, answered, performance.now() - startedMs);
  }

  // HTTP lets a server close a connection that idles without a word.
  async #answerTo(sending: Sending): Promise<Answered> {
    const agent = this.#agentFor(sending);
    const first = this.#request(sending, agent);
    const answered = await first.then(readAnswer, toFailure);
    const isStale = answered.failure?.kind === 'reset' && isReused(first);
    const mayRepeat = sending.method === 'GET' && (sending.isAuthenticated || !sending.onKeptConnection);
    if (!isStale || !mayRepeat) return answered;
    return this.#request(sending, sending.onKeptConnection ? agent : this.#fresh).then(readAnswer, toFailure);
  }

  #agentFor({ method, onKeptConnection }: Sending): HttpAgent {
    if (onKeptConnection) return this.#single;
    return method === 'GET' ? this.#pool : this.#fresh;
  }

  #request(sending: Sending, agent: HttpAgent) {
    const { method, path, body, timeoutMs = this.#settings.timeoutMs } = sending;
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
        ...sending.headers,
      });
    return body === undefined ? test : test.send(body);
  }

  #toReply(sending: Sending, answered: Answered, durationMs: number): Reply {
    const { status, headers, text, hasBody } = answered;
    const json = text === undefined ? notJson : parseJson(text);
    return {
      sending,
      status,
      headers,
      text,
      json: json.value,
      isJson: json.isJson,
      hasBody,
      isSuccess: status >= 200 && status < 300,
      ...(answered.failure === undefined ? {} : { failure: answered.failure.kind }),
      exchange: this.#toExchange(sending, answered, durationMs),
      receivedAtMs: Date.now(),
    };
  }

  #toExchange(sending: Sending, answered: Answered, durationMs: number): Exchange {
    const redact = this.#redact;
    return {
      operation: sending.operation,
      request: {
        method: sending.method,
        url: redact(this.#settings.baseUrl + sending.path),
        headers: redactHeaders({ ...this.#settings.headers, ...sending.headers }, redact),
        ...(sending.body === undefined ? {} : { body: cut(redact(sending.body)) }),
      },
      ...(answered.failure === undefined
        ? {
            response: {
              status: answered.status,
              headers: redactHeaders(answered.headers, redact),
              body: cut(redact(answered.text ?? '(bytes that are no UTF-8)')),
            },
          }
        : { failure: { kind: answered.failure.kind, message: redact(answered.failure.message) } }),
      durationMs: Math.round(durationMs * 10) / 10,
    };
  }
}

const maxBodyBytes = 20_000_000;
const shownBodyLength = 2_000;
const longestWaitMs = 30_000;

/** Whether a request went over a connection that had carried another. */
function isReused(request: object): boolean {
  const sent: unknown = Reflect.get(request, 'req');
  return sent instanceof ClientRequest && sent.reusedSocket;
}

type Parse = (error: Error | null, body: unknown) => void;

function collectBytes(received: unknown, done: Parse): void {
  const response = received as IncomingMessage;
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer | string) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  });
  response.on('end', () => done(null, Buffer.concat(chunks)));
}

function cut(text: string): string {
  if (text.length <= shownBodyLength) return text;
  return `${text.slice(0, shownBodyLength)}… (${text.length} characters in all)`;
}

function redactHeaders(headers: Readonly<Record<string, string>>, redact: Redact): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [redact(name), redact(value)]));
}

const notJson = { isJson: false, value: undefined };

function parseJson(text: string): { isJson: boolean; value: unknown } {
  try {
    return { isJson: true, value: JSON.parse(text) };
  } catch {
    return notJson;
  }
}

/** How long a target that answers 429 asks to wait; undefined when it does not say, or asks for longer than half a minute. */
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
