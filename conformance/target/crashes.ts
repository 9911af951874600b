/*
 * How the suite treats a target that crashes: here and in `target.ts`; a target that is not the service at all:
 * `../foreign-answers.ts`, `../reach.ts`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { CrashNote } from '../report.ts';
import { Violated } from '../signals.ts';
import type { Reply } from './reply.ts';

/** The id of the check that sends requests; undefined outside checks. */
export const currentCheck = new AsyncLocalStorage<string>();

/** A request during which the target crashed, and came back. */
export interface Crash {
  reply: Reply;
  /** The check that sent it, if one did. */
  check: string | undefined;
  /** Whether the target crashed again when the request was sent once more. Otherwise the cause may be different. */
  isRepeated: boolean;
  /** When the target was back, by the clock of the process. */
  backAtMs: number;
}

/** Whether the connection ended without a response, as happens when the target's process ends. */
export function isCutOff({ failure }: Pick<Reply, 'failure'>): boolean {
  return failure === 'refused' || failure === 'reset';
}

/** The crash that a check has brought about twice with the same request; undefined if there is none. */
export function repeatedCrashOf(crashes: readonly Crash[], check: string | undefined): Crash | undefined {
  return check === undefined ? undefined : crashes.find((crash) => crash.isRepeated && crash.check === check);
}

/** The failure of the check that sent the request. */
export function toViolation({ reply }: Crash): Violated {
  const actual = say`the target crashed, and crashed again when the request was repeated: ${lineOf(reply)}`;
  return new Violated(say`a response, and a target that goes on`, actual, [reply]);
}

/** The remark on a check whose request met a crash that did not repeat. */
export function remarkOn({ reply }: Crash): Sentence {
  return say`The target crashed during ${lineOf(reply)}. It did not crash when the request was repeated.`;
}

/** A crash as reports show it. */
export function toNote({ reply, check, isRepeated }: Crash): CrashNote {
  return { request: String(lineOf(reply)), ...(check === undefined ? {} : { check }), isRepeated };
}

/** Method and URL. The URL is redacted already. */
function lineOf({ exchange }: Reply): Sentence {
  return own(`${exchange.request.method} ${exchange.request.url}`);
}
