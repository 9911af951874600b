// Valid keys and all others (section 5).

import { say } from '../../lib/sentence.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';

/** A response to a request without a valid key. */
export function judgeWithoutKey(call: Call, report: Report): void {
  const { operation, outcome, status } = call;
  const isTools = operation.operationId === 'listMcpServerTools';
  if (outcome === 'success') {
    report(ruleOfEntry(call), 'certain', { expected: say`status 401`, actual: say`status ${status}` });
    return;
  }
  // The text does not mention other schemes: their keys may be read, as long as nobody is let in.
  const isOtherScheme = ruleOfEntry(call) === 'auth.other-schemes-are-not-let-through';
  if (status === 401 || isOtherScheme || mayAnswerAnyone(status)) return;
  const rule = isTools ? 'auth.tools-refusal-is-401' : 'auth.other-refusals-are-401';
  // Whether writes may be in progress at the same time is open, and a lock may come before the key.
  if (call.isBesideWrites && (status === 409 || status === 423)) return;
  report(rule, 'certain', { expected: say`status 401, whatever else is wrong`, actual: say`status ${status}` });
}

/** The rule that a request without a valid key broke which had an effect. In another scheme, a good key may be read. */
export function ruleOfKeylessEffect(call: Call): string {
  const rule = ruleOfEntry(call);
  return rule === 'auth.other-schemes-are-not-let-through' ? rule : 'auth.unauthenticated-request-has-no-effect';
}

function ruleOfEntry({ sent: { headers } }: Call): string {
  const { authorization, 'x-api-key': key } = headers;
  if (key !== undefined) return 'auth.wrong-key-is-not-let-through';
  if (authorization === undefined) return 'auth.no-key-is-not-let-through';
  // The text speaks of Bearer only; of other schemes it says nothing.
  const isBearer = /^bearer /i.test(authorization);
  return isBearer ? 'auth.wrong-key-is-not-let-through' : 'auth.other-schemes-are-not-let-through';
}

// What a server says about the connection, the size or the rate of requests comes before everything in them, and what
// fails says nothing about the key.
function mayAnswerAnyone(status: number): boolean {
  return status === 0 || status >= 500 || [408, 413, 414, 421, 425, 426, 429, 431].includes(status);
}

/** A refusal of a valid key where nothing else can be refused: a list that needs no input (4.1, 4.9, 5.2). */
export function judgeRefusedKey(call: Call, report: Report): void {
  const { operation, status, query, sent } = call;
  const isPlainList = operation.list !== undefined && operation.parameters.length === 0 && query.length === 0;
  if (!isPlainList || (status !== 401 && status !== 403)) return;
  const { authorization, 'x-api-key': key } = sent.headers;
  if (authorization !== undefined && key !== undefined) return;
  const rule = key === undefined ? 'auth.bearer-header' : 'auth.api-key-header';
  report(rule, 'certain', { expected: say`success with a valid key`, actual: say`status ${status}` });
}
