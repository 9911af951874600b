// The time limits of the proxy. Those for bodies that are judged: `forward.ts`.
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers';
import type { ProxyContext, ReceivedRequest } from './exchange-record.ts';
import { malformedAnswer } from './failures.ts';
import { hasOddCoding, isFramed, outsideHead, toRecord } from './headers.ts';
import { cameTooLate, isPlainRead } from './upstream.ts';

// Real servers send only a few.
const mostInterim = 1_000;

/** The request to the upstream for one request of a client. Ends when the client disconnects. */
export class UpstreamCall {
  /** Whether the client disconnected before it had its response. */
  isClientGone = false;
  /** Whether the upstream was silent for too long. */
  hasTimedOut = false;
  readonly #context: ProxyContext;
  readonly #request: ReceivedRequest;
  readonly #response: ServerResponse;
  #outgoing: ClientRequest | undefined;
  /** Whether the upstream announced that it closes the connection: no more of the body is sent (RFC 9112, section 9.5). */
  #isBodyUnwanted = false;
  #timeout: IdleTimeout | undefined;

  constructor(context: ProxyContext, request: ReceivedRequest, response: ServerResponse) {
    this.#context = context;
    this.#request = request;
    this.#response = response;
    response.once('close', () => {
      this.isClientGone = !response.writableFinished;
      // What the client sends after its response is dropped, so the body would never end for the upstream.
      if (this.isClientGone || this.#outgoing?.writableEnded === false) this.abort();
      request.body.drop();
    });
  }

  /** Sends the request. Resolves when the head of the response has arrived; its body follows. */
  async send(): Promise<IncomingMessage> {
    const { upstream } = this.#context;
    const { message, head } = this.#request;
    // Only if the client may send more requests on its connection.
    const isKept = isPlainRead(message) && this.#response.shouldKeepAlive && !message.socket.destroyed;
    if (!isKept) return this.#exchange(upstream.send(head.outgoing));
    const outgoing = await upstream.read(head.outgoing, message.socket);
    try {
      return await this.#exchange(outgoing);
    } catch (error) {
      const isOver = this.isClientGone || this.hasTimedOut || this.#context.isStopping;
      if (isOver || !cameTooLate(outgoing, error)) throw error;
      return this.#exchange(upstream.send(head.outgoing));
    }
  }

  /** From now on, ends the call if the upstream is silent for too long. */
  startWaiting(): void {
    const [outgoing, response] = [this.#outgoing, this.#response];
    if (outgoing === undefined) return;
    // If the client does not read or send, it is not the upstream that is slow.
    const isClientSlow = () => !outgoing.writableEnded && !outgoing.writableNeedDrain && !this.#isBodyUnwanted;
    const isExcused = () => response.writableNeedDrain || isClientSlow();
    this.stopWaiting();
    this.#timeout = createIdleTimeout(this.#context.timeoutMs, isExcused, () => {
      this.hasTimedOut = true;
      outgoing.destroy();
    });
  }

  /** Call it when something was received from the upstream or sent to it. */
  readonly renew = (): void => this.#timeout?.renew();

  stopWaiting(): void {
    this.#timeout?.end();
  }

  abort(): void {
    this.stopWaiting();
    this.#outgoing?.destroy();
  }

  #exchange(outgoing: ClientRequest): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    this.#outgoing = outgoing;
    let interimCount = 0;
    outgoing.on('error', reject);
    outgoing.on('information', (information) => {
      interimCount += 1;
      if (interimCount <= mostInterim) return relayInformation(this.#request.message, this.#response, information);
      const flaw = `does not come after ${mostInterim} interim responses`;
      outgoing.destroy(malformedAnswer(this.#context.upstreamUrl, flaw));
    });
    outgoing.once('response', (answer) => {
      this.renew();
      // If the connection of a response without a length is reset, Node reports the body as complete.
      outgoing.on('error', (error) => answer.complete || answer.destroy(error));
      resolve(answer);
    });
    outgoing.once('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answer);
    });
    if (this.isClientGone) outgoing.destroy();
    this.startWaiting();
    void this.#sendBody(outgoing);
    return promise;
  }

  async #sendBody(outgoing: ClientRequest): Promise<void> {
    const { message, body } = this.#request;
    // No byte is sent that no header frames.
    if (!isFramed(message)) return void outgoing.end();
    let hasAnswer = false;
    const onAnswer = ({ headers }: IncomingMessage) => {
      hasAnswer = true;
      this.#isBodyUnwanted = headers.connection?.toLowerCase() === 'close' && !outgoing.writableEnded;
    };
    outgoing.once('response', onAnswer).once('upgrade', onAnswer);
    try {
      await body.passTo(outgoing, this.renew, () => this.#isBodyUnwanted);
      if (this.#isBodyUnwanted) return;
      outgoing.addTrailers(outsideHead(message.rawTrailers));
      outgoing.end();
    } catch (error) {
      // An upstream may respond before it has read everything, and close.
      if (!hasAnswer) outgoing.destroy(error instanceof Error ? error : undefined);
    }
  }
}

/** Why HTTP does not allow a response, or Node could not send it: Node parses some that it does not let a server send. */
export function flawOf(incoming: IncomingMessage): string | undefined {
  const { statusCode = 0, statusMessage = '' } = incoming;
  if (statusCode === 101) return 'switches protocols although nobody requested it';
  if (statusCode < 100) return `has the status ${String(statusCode).padStart(3, '0')}`;
  if (/[^\t\x20-\x7e\x80-\xff]/.test(statusMessage)) return 'has control characters in its status line';
  return hasOddCoding(incoming) ? 'has a Transfer-Encoding other than chunked' : undefined;
}

function relayInformation(
  request: IncomingMessage,
  response: ServerResponse,
  { statusCode, rawHeaders }: { statusCode: number; rawHeaders: string[] },
): void {
  if (request.httpVersionMinor === 0 || response.headersSent) return;
  if (statusCode === 102) response.writeProcessing();
  const { link, ...hints } = toRecord(outsideHead(rawHeaders));
  if (statusCode !== 103 || link === undefined) return;
  try {
    response.writeEarlyHints({ ...hints, link });
  } catch {
    // Node refuses links that it cannot read. Hints are optional.
  }
}

type IdleTimeout = ReturnType<typeof createIdleTimeout>;

/** Calls `onOver` after `timeoutMs` without activity, unless `isExcused` says that somebody else is slow. */
function createIdleTimeout(timeoutMs: number, isExcused: () => boolean, onOver: () => void) {
  let isOver = false;
  let isRenewed = false;
  // Data that arrived while this process was busy is read first.
  const timer = setTimeout(() => {
    isRenewed = false;
    setImmediate(() => {
      if (isOver) return;
      if (isRenewed || isExcused()) timer.refresh();
      else onOver();
    });
  }, timeoutMs);
  return {
    // A refreshed timer runs again even after it was cleared.
    renew: () => {
      isRenewed = true;
      if (!isOver) timer.refresh();
    },
    end: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
