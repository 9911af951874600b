import type { Kept } from './kept.ts';
import { createRedaction, type Redact, redactHeaders, redactUrl } from './secrets.ts';

/** One exchange as the control plane shows it. Keys are redacted. */
export interface JournalEntry {
  /** Counts from 0 since the start. */
  id: number;
  /** An ISO date-time, by the clock of the mock. */
  time: string;
  durationMs: number;
  requestId: string;
  /** Absent where the request was for no operation. */
  operationId?: string;
  /** Absent where no valid key came. */
  organizationId?: string;
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  answer: { status: number; headers: Record<string, string>; body?: string };
  /** The faults that struck it. */
  faults?: readonly string[];
  /** The open points that shaped the answer. */
  openPoints?: readonly string[];
  /** Whether the bodies were too large to be kept, or had to go for newer ones. */
  isStripped?: boolean;
}

/** An exchange in readable form. */
export function toEntry(kept: Kept): JournalEntry {
  const { number, timeMs, durationMs, requestId, method, url, headers, body, answer, isStripped } = kept;
  const redact = createRedaction(headers);
  return {
    ...{ id: number, time: new Date(timeMs).toISOString(), durationMs: Math.round(durationMs * 100) / 100, requestId },
    ...answer.about,
    request: { method, url: redactUrl(url, headers), headers: redactHeaders(headers, redact), ...bodyOf(body, redact) },
    answer: {
      status: answer.status,
      headers: redactHeaders(answer.headers, redact),
      ...(answer.body === undefined || answer.body === '' ? {} : { body: redact(answer.body) }),
    },
    ...(answer.openPoints === undefined ? {} : { openPoints: answer.openPoints.split(', ') }),
    ...(isStripped ? { isStripped } : {}),
  };
}

function bodyOf(body: Uint8Array | undefined, redact: Redact): { body?: string } {
  return body === undefined || body.length === 0 ? {} : { body: redact(new TextDecoder().decode(body)) };
}
