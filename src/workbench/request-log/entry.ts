import { createHeadersRedact, type HeaderPair, redactHeaders } from '../../../lib/secrets.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Answer, RequestHeaders } from '../../engine/call.ts';
import type { ExchangeFacts } from './filter.ts';
import { type Recorded, RequestLog, type RequestLogLimits } from './request-log.ts';

/**
 * One exchange of the mock, unprocessed: it is formatted and redacted when somebody reads it. It holds no objects
 * created for it alone, and always has all fields: records are overwritten by later ones.
 */
export interface RequestLogRecord {
  timeMs: number;
  durationMs: number;
  method: string;
  url: string;
  requestId: string;
  headers: RequestHeaders;
  body: Uint8Array | undefined;
  status: number;
  answerHeaders: Answer['headers'];
  answerBody: string | undefined;
  openPoints: string | undefined;
  operationId: OperationId | undefined;
  organizationId: string | undefined;
  faults: readonly string[] | undefined;
  /** Whether the bodies were removed to make room. */
  isStripped: boolean;
}

/** What a response adds to the record of its exchange. */
export function recordOf({ status, headers, body, openPoints, about }: Answer) {
  const { operationId, organizationId, faults } = about ?? nothing;
  return { status, answerHeaders: headers, answerBody: body, openPoints, operationId, organizationId, faults };
}

const nothing: Partial<NonNullable<Answer['about']>> = {};

export type MockRequestLog = RequestLog<RequestLogRecord>;

/** A request log that removes the oldest bodies first. The bodies of one exchange get at most an eighth of it. */
export function createMockRequestLog(limits: RequestLogLimits): MockRequestLog {
  return new RequestLog<RequestLogRecord>(limits, {
    largestShare: 1 / 8,
    shrink: (record) => ({ ...record, isStripped: true, body: undefined, answerBody: '' }),
    overwrite: Object.assign,
  });
}

/** One exchange as the admin API shows it. Keys are redacted. */
export interface RequestLogEntry {
  /** Counts from 0 since the start. */
  id: number;
  /** An ISO date-time, by the mock's clock. */
  time: string;
  durationMs: number;
  requestId: string;
  /** Absent if the request was not for an operation. */
  operationId?: string;
  /** Absent if the request had no valid key. */
  organizationId?: string;
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  answer: { status: number; headers: Record<string, string>; body?: string };
  /** The faults that applied to it. */
  faults?: readonly string[];
  /** The open points that shaped the response. */
  openPoints?: readonly string[];
  /** Whether the bodies were too large, or were removed to make room. */
  isStripped?: boolean;
}

/** The facts that filters check. */
export function factsOf(record: RequestLogRecord): ExchangeFacts {
  return record;
}

function pairsOf(headers: RequestHeaders): HeaderPair[] {
  return Object.entries(headers).map(([name, value]) => [name, String(value)]);
}

/** An exchange in readable form. */
export function toEntry({ number, entry }: Recorded<RequestLogRecord>): RequestLogEntry {
  const { timeMs, durationMs, requestId, method, url, headers, body, openPoints } = entry;
  const redact = createHeadersRedact(headers);
  const bodyOf = (text: string | undefined) => (text === undefined || text === '' ? {} : { body: redact(text) });
  return {
    ...{ id: number, time: new Date(timeMs).toISOString(), durationMs: Math.round(durationMs * 100) / 100 },
    requestId: redact(requestId),
    ...aboutOf(entry),
    request: {
      ...{ method, url: redact(url), headers: redactHeaders(pairsOf(headers), redact) },
      ...bodyOf(body && new TextDecoder().decode(body)),
    },
    answer: {
      ...{ status: entry.status, headers: redactHeaders(pairsOf(entry.answerHeaders), redact) },
      ...bodyOf(entry.answerBody),
    },
    ...(openPoints === undefined ? {} : { openPoints: openPoints.split(', ') }),
    ...(entry.isStripped ? { isStripped: true } : {}),
  };
}

function aboutOf({ operationId, organizationId, faults }: RequestLogRecord): Partial<RequestLogEntry> {
  return {
    ...(operationId && { operationId }),
    ...(organizationId && { organizationId }),
    ...(faults && { faults }),
  };
}
