import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refuse } from '../domain/refusal.ts';

const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The Host that a client named, when it is one. */
export function hostOf(headers: IncomingHttpHeaders): string | undefined {
  return headers.host !== undefined && host.test(headers.host) ? headers.host : undefined;
}

/** Refuses what HTTP/1.1 does not allow before there is a path to speak of (RFC 9112, sections 3.2 and 7.2). */
export function refuseTarget(url: string, httpVersion: string, headers: IncomingHttpHeaders): Refusal | undefined {
  if (url.includes('#')) return refuse('malformedRequest', 'The address has a #. Send it percent-encoded, as %23.');
  const hosts = headers.host?.split(', ').length ?? 0;
  if (hosts > 1) return refuse('malformedRequest', 'There are several Host headers. Send one.');
  if (hosts === 0 && httpVersion === '1.1') return refuse('malformedRequest', 'There is no Host header. Send one.');
  return undefined;
}

/** Refuses an expectation that cannot be met (RFC 9110, section 10.1.1). */
export function refuseExpectation({ expect }: IncomingHttpHeaders): Refusal | undefined {
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return refuse('expectationFailed', 'Only Expect: 100-continue can be met.');
}

/** The path of a request target, decoded, without its query: `/drives` for `http://a/%64rives?limit=1`. */
export function pathOf(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?]*/i, '').split('?', 1)[0] as string;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
