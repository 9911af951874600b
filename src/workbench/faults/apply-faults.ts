import { isRefusal } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Connection } from '../connection.ts';
import type { Damage, Wait } from './damage.ts';
import type { FaultMatch, ResponseFaults, Status } from './fault.ts';
import type { Faults } from './faults.ts';
import type { HeldCalls } from './held-calls.ts';

/** One call to which faults apply, as an edge passes it on. */
export interface MatchedCall {
  readonly connection: Connection;
  /** Performs the call and passes on its response, immediately or later; never if the client has disconnected. */
  carryOut(then: (answer: Answer) => void): void;
  /** The response of a status fault. */
  statusAnswer(status: Status): Answer;
  send(answer: Answer, damage?: Damage): void;
  /** Ends the exchange without a response. */
  lose(how: 'connectionReset' | 'emptyAnswer'): void;
  /** Called with unexpected errors. */
  fail(error: unknown): void;
}

/** The faults that apply to a call, if any. A call without a valid key belongs to no organization: no fault applies. */
export function matchFaults(faults: Faults, engine: Engine, { operationId, headers }: Call): FaultMatch | undefined {
  if (faults.isEmpty) return undefined;
  const caller = engine.authenticate(headers);
  return isRefusal(caller) ? undefined : faults.strike(operationId, caller.id);
}

/** Applies the faults of a call: delays it, performs it unless it fails before, delays again, and responds or not. */
export function applyFaults(held: HeldCalls, match: FaultMatch, call: MatchedCall): void {
  const wait: Wait = (delayMs, then) => held.hold(match, call.connection, delayMs, () => guard(call, then));
  wait(match.delayMs.before, () => {
    const finish = (answer?: Answer) => wait(match.delayMs.after, () => end(match, call, answer, wait));
    if (match.spoiling?.moment === 'before') finish();
    else call.carryOut(finish);
  });
}

// A delay ends outside the request's handling, so nothing else would catch an error.
function guard(call: MatchedCall, step: () => void): void {
  try {
    step();
  } catch (error) {
    call.fail(error);
  }
}

function end(match: FaultMatch, call: MatchedCall, answer: Answer | undefined, wait: Wait): void {
  const effect: Partial<ResponseFaults> = match.spoiling?.effect ?? {};
  if (effect.connectionReset !== undefined) call.lose('connectionReset');
  else if (effect.emptyAnswer !== undefined) call.lose('emptyAnswer');
  else if (effect.status !== undefined) call.send(marked(call.statusAnswer(effect.status), match));
  else if (answer !== undefined)
    call.send(retyped(marked(answer, match), effect.wrongMediaType), damageBy(effect, wait));
}

function damageBy({ truncatedBody, slowDribble }: Partial<ResponseFaults>, wait: Wait): Damage | undefined {
  if (truncatedBody !== undefined) return { kind: 'truncatedBody' };
  return slowDribble && { kind: 'slowDribble', overMs: slowDribble.overMs, wait };
}

/** The response with the ids of the faults that applied to it. */
function marked(answer: Answer, { faults }: FaultMatch): Answer {
  return { ...answer, headers: { ...answer.headers, 'x-fault': faults.join(', ') } };
}

function retyped(answer: Answer, fault: ResponseFaults['wrongMediaType'] | undefined): Answer {
  if (fault === undefined || !('content-type' in answer.headers)) return answer;
  return { ...answer, headers: { ...answer.headers, 'content-type': fault.contentType ?? 'text/html' } };
}
