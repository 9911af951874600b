import type { RequestLogEntry } from '../../app/request-log.ts';
import { plural } from '../shared/words.ts';

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
  /** How long the body was; only in a proxy, which keeps the beginning of a body. */
  bodyBytes?: number;
}

/** One exchange in the list: of a mock, or of a proxy, which judges it. */
export interface TrafficEntry extends RequestLogEntry {
  request: RequestLogEntry['request'] & Message;
  answer: RequestLogEntry['answer'] & Message;
  violations?: readonly Violation[];
  notJudged?: readonly string[];
  failure?: { kind: string; detail: string };
  /** The status of the upstream; absent if it gave no response. */
  upstreamStatus?: number;
}

// The proxy keeps this many characters of a body.
const keptCharacters = 16_384;

/** What is missing from a body, as a sentence; empty if it is complete. */
export function missingFrom({ body, bodyBytes = 0 }: Message, isStripped = false): string {
  if (isStripped) return 'The body was too large to keep, or was dropped to make room for newer ones.';
  if (body === undefined)
    return bodyBytes === 0 ? '' : `A body of ${plural(bodyBytes, 'byte')}, which the proxy did not keep as text.`;
  return bodyBytes === 0 || body.length < keptCharacters
    ? ''
    : `The proxy kept only the beginning of ${plural(bodyBytes, 'byte')}.`;
}

export type Side = 'client' | 'server';

/** The side responsible for a violation; undefined if the violation depends on an open point. */
export function sideOf({ location, severity }: Violation): Side | undefined {
  if (severity === 'Information' || severity === 'Hint') return undefined;
  return location[0] === 'request' ? 'client' : 'server';
}

/** The sides that broke the contract in an exchange. */
export function sidesOf({ violations = [] }: TrafficEntry): Side[] {
  const sides = violations.map(sideOf);
  return (['client', 'server'] as const).filter((side) => sides.includes(side));
}
