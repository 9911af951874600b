import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { NoTools } from './no-tools.ts';

/** The limits of one request for the tools of an MCP server. */
export interface Limits {
  timeoutMs: number;
  /** For all its responses together. */
  limitBytes: number;
  pageCount: number;
  toolCount: number;
  /** All requests sent to it, including replies to its own requests. */
  requestCount: number;
}

/** Far more than people can use, but little enough to store. */
export const generousLimits: Omit<Limits, 'timeoutMs'> = {
  limitBytes: 8 * 1024 * 1024,
  pageCount: 100,
  toolCount: 10_000,
  requestCount: 1_000,
};

/** One question to one MCP server: its time, limits, connections, and why it failed. */
export class Question {
  readonly limits: Limits;
  readonly agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #reason: NoTools | undefined;
  #suspicion: NoTools | undefined;
  #receivedBytes = 0;
  #sentRequests = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Aborted when the question is over, whatever the outcome. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Ends it for this reason, unless it is over. Returns the reason, for throwing. */
  fail(reason: NoTools): NoTools {
    if (!this.signal.aborted) this.#reason = reason;
    this.end();
    return reason;
  }

  /** Notes a possible reason for a failure. */
  suspect(reason: NoTools): NoTools {
    this.#suspicion = reason;
    return reason;
  }

  /** Counts the received bytes, and ends the question if there are too many. */
  receive(bytes: number): void {
    this.#receivedBytes += bytes;
    const { limitBytes } = this.limits;
    if (this.#receivedBytes <= limitBytes) return;
    throw this.fail(new NoTools('TOO_LARGE', `it sent more than ${limitBytes} bytes.`));
  }

  /** Counts the requests, and ends the question if there are too many. */
  send(): void {
    this.#sentRequests += 1;
    const { requestCount } = this.limits;
    if (this.#sentRequests <= requestCount) return;
    throw this.fail(new NoTools('TOO_MANY', `it made the mock send it more than ${requestCount} requests.`));
  }

  /** Runs the work within the time limit, or throws the reason for the failure. */
  async answer<T>(work: () => Promise<T>): Promise<T> {
    const { timeoutMs } = this.limits;
    const over = Promise.withResolvers<never>();
    this.signal.addEventListener('abort', () => over.reject(this.signal.reason), { once: true });
    try {
      this.signal.throwIfAborted();
      const remedy =
        'Check that it is running and has the registered type, or give it more time with --live-mcp-timeout.';
      const tooSlow = new NoTools('TOO_SLOW', `it did not respond within ${timeoutMs} ms. ${remedy}`);
      this.#timer = setTimeout(() => this.fail(tooSlow), timeoutMs);
      return await Promise.race([work(), over.promise]);
    } catch (error) {
      throw this.#reason ?? (error instanceof NoTools ? error : (this.#suspicion ?? unusable(error)));
    }
  }

  /** Closes all its connections. */
  end(): void {
    clearTimeout(this.#timer);
    this.#end.abort();
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}

function unusable(cause: unknown): NoTools {
  const { name, code } = Object(cause) as { name?: unknown; code?: unknown };
  // The library itself has codes for a closed connection and for no response.
  if (name === 'McpError' && typeof code === 'number' && code !== -32_000 && code !== -32_001)
    return new NoTools('FAILED', `it returned the MCP error ${code}. Check its log.`);
  const message = 'its response is not valid MCP. Check that its URL belongs to an MCP server of this type.';
  return new NoTools('UNUSABLE', message, { cause });
}
