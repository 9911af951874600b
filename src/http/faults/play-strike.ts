import type { ServerResponse } from 'node:http';
import { isRefusal } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { closeConnection, type Deliver, resetConnection, type Wait, writeHalf, writeSlowly } from './deliver.ts';
import type { Spoilings, Status, Strike } from './fault.ts';
import type { Faults } from './faults.ts';
import type { HeldCalls } from './held-calls.ts';

/** One call that faults strike, as the server hands it over. */
export interface StruckCall {
  readonly response: ServerResponse;
  /** Carries the call out and hands on its answer, at once or later; never, when there is nobody left to answer. */
  answer(then: (answer: Answer) => void): void;
  /** The answer of a status fault. */
  statusAnswer(status: Status): Answer;
  /** Sends an answer, plainly or in a way of its own. */
  send(answer: Answer, deliver?: Deliver): void;
  /** Ends the exchange without an answer. */
  lose(end: (response: ServerResponse) => void): void;
  /** Told of what should not have happened. */
  fail(error: unknown): void;
}

/** What strikes a call, if anything does. A call without a valid key is no organization's, and meets no fault. */
export function strikeOf(faults: Faults, engine: Engine, { operationId, headers }: Call): Strike | undefined {
  if (faults.isEmpty) return undefined;
  const caller = engine.authenticate(headers);
  return isRefusal(caller) ? undefined : faults.strike(operationId, caller.id);
}

/** Plays what strikes a call: waits, carries it out unless that is spoiled before, waits, and answers or does not. */
export function playStrike(held: HeldCalls, strike: Strike, call: StruckCall): void {
  const connection = call.response.req.socket;
  const wait: Wait = (delayMs, then) => held.hold(strike, connection, delayMs, () => guard(call, then));
  wait(strike.delayMs.before, () => {
    const finish = (answer?: Answer) => wait(strike.delayMs.after, () => end(strike, call, answer, wait));
    if (strike.spoiling?.moment === 'before') finish();
    else call.answer(finish);
  });
}

// A wait ends outside of the request's own handling: nobody else would catch this.
function guard(call: StruckCall, step: () => void): void {
  try {
    step();
  } catch (error) {
    call.fail(error);
  }
}

function end(strike: Strike, call: StruckCall, answer: Answer | undefined, wait: Wait): void {
  const { status, connectionReset, emptyAnswer, ...damage }: Partial<Spoilings> = strike.spoiling?.effect ?? {};
  if (connectionReset !== undefined) call.lose(resetConnection);
  else if (emptyAnswer !== undefined) call.lose(closeConnection);
  else if (status !== undefined) call.send(marked(call.statusAnswer(status), strike));
  else if (answer !== undefined) sendDamaged(call, marked(answer, strike), damage, wait);
}

function sendDamaged(call: StruckCall, answer: Answer, damage: Partial<Spoilings>, wait: Wait): void {
  const { truncatedBody, slowDribble, wrongMediaType } = damage;
  if (truncatedBody !== undefined) call.send(answer, writeHalf);
  else if (slowDribble !== undefined)
    call.send(answer, (response, written) => writeSlowly(response, written, slowDribble.overMs, wait));
  else call.send(wrongMediaType === undefined ? answer : mistyped(answer, wrongMediaType.contentType));
}

/** The answer with the ids of the faults that touched it. */
function marked(answer: Answer, { faults }: Strike): Answer {
  return { ...answer, headers: { ...answer.headers, 'x-fault': faults.join(', ') } };
}

function mistyped(answer: Answer, contentType = 'text/html'): Answer {
  return 'content-type' in answer.headers
    ? { ...answer, headers: { ...answer.headers, 'content-type': contentType } }
    : answer;
}
