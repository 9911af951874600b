import type { IncomingMessage } from 'node:http';
import { decodeUtf8 } from '../../openapi/reading/messages.ts';
import { own, type Sentence, say } from '../../openapi/reading/sentence.ts';
import type { TransportFailure } from './exchange.ts';

/** An answer as it came over the wire. */
export interface RawAnswer {
  /** 0 if no answer came. */
  status: number;
  headers: Record<string, string>;
  /** Undefined if the bytes are not UTF-8. */
  text: string | undefined;
  hasBody: boolean;
  failure?: { kind: TransportFailure; message: Sentence };
}

/** Converts a response of the HTTP client. */
export function readAnswer(response: { status: number; headers: Record<string, unknown>; body: unknown }): RawAnswer {
  const bytes = Buffer.isBuffer(response.body) ? response.body : Buffer.alloc(0);
  return {
    status: response.status,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    text: decodeUtf8(bytes),
    hasBody: bytes.length > 0,
  };
}

/** Converts an error of the HTTP client. */
export function toFailure(error: unknown): RawAnswer {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const kind = kinds[String(code)] ?? (/^(HPE_|Z_)/.test(String(code)) ? 'unreadable' : 'other');
  const reason = code === undefined ? String(message) : own(String(code));
  const inWords = say`${own(describe[kind])} (${reason})`;
  return { status: 0, headers: {}, text: '', hasBody: false, failure: { kind, message: inWords } };
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
};

const describe: Record<TransportFailure, string> = {
  timeout: 'no complete response came within the time limit',
  refused: 'no connection could be made',
  reset: 'the connection closed before the response was complete',
  unreadable: 'the response is not HTTP, or not encoded as its headers say',
  tooLarge: 'the response is larger than 20 MB',
  other: 'the request failed',
};

type Parse = (error: Error | null, body: unknown) => void;

/** Reads the body of a response as bytes, for the HTTP client. */
export function collectBytes(received: unknown, done: Parse): void {
  const response = received as IncomingMessage;
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer | string) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  });
  response.on('end', () => done(null, Buffer.concat(chunks)));
}
