// What the HTTP client receives: responses, failures, and the bodies that a run keeps.
import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { decodeUtf8, isTooDeep, parseJson } from '../../openapi/reading/messages.ts';

/** The text of a body, and its value. */
interface ReceivedBody {
  readonly text: string;
  readonly isJson: boolean;
  /** The value of a JSON body. Parsed again if it was not needed for a while. */
  readonly json: unknown;
}

/** How many characters of bodies are kept. They are needed until the end of the run, as checks compare responses. */
const mostCharacters = 200_000_000;
// A value may take twenty times as much memory as its text.
const usualParsed = 8_000_000;

export const tooMuch = 'the responses of the run are larger than 200 MB in all';

/** The bodies of a run's responses, within bounds: equal ones are kept once, and only the latest parsed. */
export class Bodies {
  readonly #known = new Map<string, ReceivedBody>();
  readonly #values: LatestValues;
  readonly #most: number;
  #characters = 0;

  /** `most`: how many characters of text are kept; `mostParsed`: the total length of texts whose values are kept. */
  constructor(most: number = mostCharacters, mostParsed: number = usualParsed) {
    this.#most = most;
    this.#values = new LatestValues(mostParsed);
  }

  /** The body with a text; undefined if the run has received too much, unless `isNeeded`. */
  take(text: string, isNeeded: boolean): ReceivedBody | undefined {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const isTooMuch = this.#characters + text.length > this.#most;
    if (isTooMuch && !isNeeded) return undefined;
    const body = this.#toBody(text);
    if (isTooMuch) return body;
    this.#characters += text.length;
    this.#known.set(text, body);
    return body;
  }

  #toBody(text: string): ReceivedBody {
    const values = this.#values;
    const key = { text };
    return {
      text,
      isJson: values.of(key) !== undefined,
      get json() {
        return values.of(key)?.value;
      },
    };
  }
}

type Parsed = ReturnType<typeof parseJson>;

/** The values of the most recently used texts. */
class LatestValues {
  /** Most recent last. */
  readonly #values = new Map<{ text: string }, Parsed>();
  readonly #most: number;
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  of(key: { text: string }): Parsed {
    const isKnown = this.#values.has(key);
    const parsed = isKnown ? this.#values.get(key) : parseJson(key.text);
    this.#values.delete(key);
    this.#values.set(key, parsed);
    if (!isKnown) this.#makeRoom(key.text.length);
    return parsed;
  }

  #makeRoom(added: number): void {
    this.#characters += added;
    for (const key of this.#values.keys()) {
      if (this.#characters <= this.#most || this.#values.size === 1) break;
      this.#values.delete(key);
      this.#characters -= key.text.length;
    }
  }
}

/** A response as received. */
export interface RawAnswer {
  /** 0 if no response came. */
  status: number;
  headers: Record<string, string>;
  /** Undefined if the bytes are not UTF-8. Only the beginning if nested too deeply. */
  text: string | undefined;
  /** Whether the body is nested too deeply to be read as JSON. */
  isTooDeep: boolean;
  hasBody: boolean;
  failure?: { kind: TransportFailure; message: Sentence };
}

/** Converts a response of the HTTP client. */
export function readAnswer(response: { status: number; headers: Record<string, unknown>; body: unknown }): RawAnswer {
  const bytes = Buffer.isBuffer(response.body) ? response.body : Buffer.alloc(0);
  return {
    status: response.status,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    ...readText(bytes),
    hasBody: bytes.length > 0,
  };
}

const shownOfDeepBytes = 4_000;

// An unreadable body is not kept: a target may send megabytes with every response.
function readText(bytes: Buffer): Pick<RawAnswer, 'text' | 'isTooDeep'> {
  const text = decodeUtf8(bytes);
  if (text === undefined || !isTooDeep(text)) return { text, isTooDeep: false };
  return { text: bytes.toString('utf8', 0, shownOfDeepBytes), isTooDeep: true };
}

/** Converts an error of the HTTP client. */
export function toFailure(error: unknown): RawAnswer {
  const { code: given, message } = error as { code?: unknown; message?: unknown };
  // For a failed connection, the client reports a text that begins with the code.
  const code = given ?? /^(E[A-Z]+): /.exec(String(message))?.[1];
  const kind = kinds[String(code)] ?? kindByName(String(code));
  const reason = code === undefined ? String(message) : own(String(code));
  const inWords = say`${own(describe[kind])} (${reason})`;
  return { status: 0, headers: {}, text: '', isTooDeep: false, hasBody: false, failure: { kind, message: inWords } };
}

const kinds: Record<string, TransportFailure> = {
  ECONNABORTED: 'timeout',
  ETIMEDOUT: 'timeout',
  ETIME: 'timeout',
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'refused',
  EAI_AGAIN: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETOOLARGE: 'tooLarge',
  HPE_HEADER_OVERFLOW: 'tooLarge',
  ERR_BUFFER_TOO_LARGE: 'tooLarge',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
};

function kindByName(code: string): TransportFailure {
  if (/^(HPE_|Z_)/.test(code)) return 'unreadable';
  return /CERT_|_CERT/.test(code) ? 'certificate' : 'other';
}

const describe: Record<TransportFailure, string> = {
  timeout: 'no complete response came within the time limit',
  refused: 'no connection could be made',
  reset: 'the connection closed before the response was complete',
  unreadable: 'the response is not HTTP, or not encoded as its headers say',
  tooLarge: 'the response is larger than 20 MB, or its headers larger than 1 MB',
  certificate: 'the certificate of the target is not trusted',
  other: 'the request failed',
};

type Parse = (error: Error | null, body: unknown) => void;

export const maxBodyBytes = 20_000_000;
/** HTTP sets no limit on headers. Node's client reads 16 kB unless it is told otherwise. */
export const maxHeaderBytes = 1_000_000;

/** Reads the body of a response as bytes, for the HTTP client, which decodes the usual encodings itself. */
export function collectBytes(received: unknown, done: Parse): void {
  const response = received as IncomingMessage;
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer | string) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  });
  response.on('end', () => {
    const bytes = Buffer.concat(chunks);
    // Another name of gzip (RFC 9110, section 8.4.1.3), which the client does not know.
    const isZipped = response.headers['content-encoding']?.trim().toLowerCase() === 'x-gzip' && bytes.length > 0;
    if (isZipped) gunzip(bytes, { maxOutputLength: maxBodyBytes }, done);
    else done(null, bytes);
  });
}

/** Why there was no response. */
export type TransportFailure = 'timeout' | 'refused' | 'reset' | 'unreadable' | 'tooLarge' | 'certificate' | 'other';
