import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Answer, Call } from '../../engine/call.ts';
import type { Connection } from '../connection.ts';
import { applyFaults, type MatchedCall, matchFaults } from '../faults/apply-faults.ts';
import type { Damage } from '../faults/damage.ts';
import type { FaultMatch } from '../faults/fault.ts';
import { toStatusAnswer } from '../faults/status-answer.ts';
import { mayPrefer } from '../forced/preferences.ts';
import type { EdgeContext } from './edge-context.ts';

/** How an exchange ends without a response. */
export type Loss = 'connectionReset' | 'emptyAnswer';

/** One call, with everything needed to respond to it. */
export interface PendingCall {
  operation: Operation;
  call: Call;
  /** Carries this exchange and others. */
  connection: Connection;
  /** The exchange itself. */
  exchange: Connection;
  send(answer: Answer, damage?: Damage): void;
  /** Ends the exchange without a response. */
  lose(about: NonNullable<Answer['about']>, how: Loss): void;
  /** Called with unexpected errors. */
  fail(error: unknown): void;
}

/** Responds to a call: according to its faults, its preferences, or else state and input. */
export function answerCall(context: EdgeContext, pending: PendingCall): void {
  const { faults, engine } = context;
  const match = matchFaults(faults, engine, pending.call);
  if (match !== undefined) applyFaults(faults.held, match, toMatchedCall(context, pending, match));
  else carryOut(context, pending, (answer) => pending.send(answer));
}

/** Passes on the response to a call, immediately or later; never if the client has disconnected. */
function carryOut(context: EdgeContext, pending: PendingCall, then: (answer: Answer) => void): void {
  const { engine, prepare, answerPreferring } = context;
  const { operation, call } = pending;
  const later = mayPrefer(call.query, call.headers)
    ? answerPreferring(operation, call, pending.exchange)
    : prepare?.(call)?.then(() => engine.answer(call));
  if (later === undefined) {
    then(engine.answer(call));
    return;
  }
  later.then((answer) => answer && then(answer)).catch((error) => pending.fail(error));
}

function toMatchedCall(
  context: EdgeContext,
  pending: PendingCall,
  { organizationId, faults }: FaultMatch,
): MatchedCall {
  const { operation, call, connection } = pending;
  const about = { operationId: call.operationId, organizationId, faults };
  return {
    connection,
    carryOut: (then) => carryOut(context, pending, then),
    statusAnswer: (status) => toStatusAnswer(context.engine, operation, call.headers, status),
    send: (answer, damage) => pending.send({ ...answer, about }, damage),
    lose: (how) => pending.lose(about, how),
    fail: (error) => pending.fail(error),
  };
}
