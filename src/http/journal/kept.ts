import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../../engine/call.ts';

/** What is kept of one exchange, as it came: it is made readable when somebody reads it. */
export interface Kept {
  number: number;
  timeMs: number;
  durationMs: number;
  method: string;
  url: string;
  requestId: string;
  headers: IncomingHttpHeaders;
  body: Uint8Array | undefined;
  answer: Answer;
  bodyBytes: number;
  /** Whether the bodies had to go. */
  isStripped: boolean;
}
