import type { TransportFailure } from './exchange.ts';

/** What came over the wire, before anything is made of it. */
export interface Answered {
  /** 0 when no answer came. */
  status: number;
  headers: Record<string, string>;
  /** Undefined when the bytes are no UTF-8. */
  text: string | undefined;
  hasBody: boolean;
  failure?: { kind: TransportFailure; message: string };
}

/** The answer in a response of the HTTP client. */
export function readAnswer(response: { status: number; headers: Record<string, unknown>; body: unknown }): Answered {
  const bytes = Buffer.isBuffer(response.body) ? response.body : Buffer.alloc(0);
  return {
    status: response.status,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    text: decode(bytes),
    hasBody: bytes.length > 0,
  };
}

// A byte order mark stays: JSON must not begin with one.
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What an error of the HTTP client says about the target. */
export function toFailure(error: unknown): Answered {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const kind = kinds[String(code)] ?? (/^(HPE_|Z_)/.test(String(code)) ? 'unreadable' : 'other');
  const text = `${describe[kind]} (${code ?? message})`;
  return { status: 0, headers: {}, text: '', hasBody: false, failure: { kind, message: text } };
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
  timeout: 'no complete answer came within the time limit',
  refused: 'no connection could be made',
  reset: 'the connection ended before the answer did',
  unreadable: 'what came is not HTTP, or not encoded as its headers say',
  tooLarge: 'the answer is larger than 20 MB',
  other: 'the request failed',
};
