import type { RequestLogEntry } from '../../workbench/request-log.ts';

/** One way in which a request or a response breaks the contract, as the proxy reports it. */
export interface Violation {
  /** From `request` or `response` down to the place. */
  location: readonly string[];
  severity: 'Error' | 'Warning' | 'Information' | 'Hint';
  code: string;
  message: string;
}

interface Message {
  headers: Record<string, string>;
  body?: string;
  bodyBytes: number;
}

/** What the proxy found out about an exchange. */
export interface Judgement {
  violations: readonly Violation[];
  notJudged: readonly string[];
  failure?: { kind: string; detail: string };
  /** What is missing from the bodies, as sentences; empty if they are complete. */
  missing: { request: string; answer: string };
  /** The status of the upstream; absent if it gave no response. */
  upstreamStatus?: number;
}

/** One exchange in the list: of a mock, or of a proxy, which judges it. */
export type TrafficEntry = RequestLogEntry & { judgement?: Judgement };

/** One exchange as the admin API of a proxy shows it. */
export interface ProxyEntry extends Omit<Judgement, 'upstreamStatus' | 'missing'> {
  id: number;
  time: string;
  durationMs: number;
  requestId: string;
  method: string;
  path: string;
  operation?: string;
  /** What the client got; 0 for no response. */
  status: number;
  request: Message;
  answer?: Message & { status: number };
}

/** An exchange of a proxy in the form of the mock's. */
export function fromProxy(entry: ProxyEntry): TrafficEntry {
  const { id, time, durationMs, requestId, operation, status, request, answer } = entry;
  const { violations, notJudged, failure } = entry;
  return {
    ...{ id, time, durationMs, requestId },
    ...(operation === undefined ? {} : { operationId: operation }),
    request: { method: entry.method, url: entry.path, ...shown(request) },
    answer: { status, ...shown(answer) },
    judgement: {
      ...{ violations, notJudged, missing: { request: missingOf(request), answer: missingOf(answer) } },
      ...(failure && { failure }),
      ...(answer && { upstreamStatus: answer.status }),
    },
  };
}

function shown({ headers, body }: Message = { headers: {}, bodyBytes: 0 }) {
  return { headers, ...(body === undefined ? {} : { body }) };
}

// The proxy keeps this many characters of a body.
const keptCharacters = 16_384;

function missingOf({ body, bodyBytes }: Message = { headers: {}, bodyBytes: 0 }): string {
  if (body === undefined)
    return bodyBytes === 0 ? '' : `A body of ${bodyBytes} bytes, which the proxy did not keep as text.`;
  return body.length < keptCharacters ? '' : `The proxy kept only the beginning of ${bodyBytes} bytes.`;
}

/** A side that can break the contract. */
export type Side = 'client' | 'server';

/** The side responsible for a violation; undefined if the violation depends on an open point. */
export function sideOf({ location, severity }: Violation): Side | undefined {
  if (severity === 'Information' || severity === 'Hint') return undefined;
  return location[0] === 'request' ? 'client' : 'server';
}

/** The sides that broke the contract in an exchange. */
export function sidesOf({ judgement }: TrafficEntry): Side[] {
  const sides = judgement?.violations.map(sideOf) ?? [];
  return (['client', 'server'] as const).filter((side) => sides.includes(side));
}
