// The trace of a run as a HAR file.
import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { harTimes, toHarRequest, toHarResponse } from '../../lib/har.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { currentCheck, type Exchange, toExchange } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { SuiteError } from './suite-error.ts';

/** One exchange in HAR 1.2. Additional members begin with an underscore. */
interface HarEntry {
  startedDateTime: string;
  time: number;
  request: object;
  response: object;
  cache: object;
  timings: { send: number; wait: number; receive: number };
  comment?: string;
  _operation?: string;
  _requestId?: string;
  _check?: string;
  _error?: string;
}

/** What an exchange lacks: when it began, and the headers common to all requests of the run. */
interface HarFacts {
  startedAt: Date;
  /** The check that sent it, if one did. */
  check: string | undefined;
  headers: Readonly<Record<string, string>>;
}

/** One exchange as an entry of a HAR file. */
function toHarEntry(exchange: Exchange, { startedAt, check, headers }: HarFacts): HarEntry {
  const { operation, requestId, request, response, failure, durationMs } = exchange;
  const received = response ?? { status: 0, headers: {}, body: '' };
  return {
    startedDateTime: startedAt.toISOString(),
    request: toHarRequest({ ...request, headers: { ...headers, ...request.headers } }),
    response: toHarResponse(received, STATUS_CODES[received.status] ?? ''),
    ...harTimes(durationMs),
    ...(operation === undefined ? {} : { _operation: operation }),
    ...(requestId === undefined ? {} : { _requestId: requestId }),
    ...(check === undefined ? {} : { _check: check }),
    ...(failure === undefined ? {} : { _error: `${failure.kind}: ${failure.message}` }),
  };
}

/** The maximum length kept of one body. */
const longestBody = 64_000;

const end = '\n]}}\n';

// Otherwise whoever created a link would choose which file is emptied.
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
const notThroughLinks = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

/**
 * A HAR file that grows with the run. Nothing is kept in memory: each exchange is written when it ends, followed by the
 * end of the file, so that the file can be read at any time, even if the process was killed.
 */
export class TraceFile {
  readonly #path: string;
  readonly #descriptor: number;
  #position: number;
  #isEmpty = true;
  #problem: Sentence | undefined;

  /** Empties the file. Throws a {@link SuiteError} if it cannot be written. */
  constructor(path: string, tool: string) {
    this.#path = path;
    const [name = '', version = ''] = tool.split('/');
    const log = { version: '1.2', creator: { name, version }, comment: about };
    const head = JSON.stringify({ log }).replace(/\}\}$/, ',"entries":[');
    try {
      if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? true)) throw new Error('it is not a regular file');
      this.#descriptor = openSync(path, notThroughLinks);
      this.#position = writeSync(this.#descriptor, head, 0);
      writeSync(this.#descriptor, end, this.#position);
    } catch (error) {
      throw new SuiteError('FILE_UNWRITABLE', say`${complaint(path, error)} Choose a different file.`);
    }
  }

  /** Why the file is incomplete; undefined if it is complete. */
  get problem(): Sentence | undefined {
    return this.#problem;
  }

  /** Writes an entry. A full disk ends the trace, not the run. */
  add(entry: HarEntry): void {
    if (this.#problem !== undefined) return;
    const text = `${this.#isEmpty ? '' : ','}\n${JSON.stringify(entry)}`;
    try {
      // In one write with the end of the file.
      writeSync(this.#descriptor, text + end, this.#position);
      this.#position += Buffer.byteLength(text);
      this.#isEmpty = false;
    } catch (error) {
      this.#problem = complaint(this.#path, error);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const about =
  'Keys are removed. Headers that the HTTP client adds are missing. Only total times are known. Bodies are truncated at 64,000 characters.';

function complaint(path: string, error: unknown): Sentence {
  const { code, message } = error as NodeJS.ErrnoException;
  return say`${path} cannot be written: ${own(code ?? message)}.`;
}

/** Writes every exchange of a session to a trace, from now on. */
export function traceInto(trace: TraceFile, { target, settings, redact }: Session, tool: string): void {
  target.onExchange = (happened) => {
    const exchange = toExchange(settings, redact, happened, longestBody);
    const { requestId } = happened;
    const id = requestId === undefined ? {} : { [settings.requestIdHeader]: requestId };
    trace.add(
      toHarEntry(exchange, {
        startedAt: new Date(performance.timeOrigin + happened.sentAtMs),
        check: currentCheck.getStore(),
        headers: { 'User-Agent': tool, Accept: 'application/json', ...id },
      }),
    );
  };
}
