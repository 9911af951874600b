import type { ServerResponse } from 'node:http';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { isRefusal } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { createForcedAnswers, isForced, refusePreference } from './forced-answers.ts';
import { type Preferences, preferenceApplied, readPreferences } from './preferences.ts';
import { wait } from './wait.ts';

/** Answers a call as it prefers, after the delay it asks for. Undefined when the client went away meanwhile. */
export type AnswerPreferring = (
  operation: Operation,
  call: Call,
  response: ServerResponse,
) => Promise<Answer | undefined>;

/** Answers calls with preferences: the forced ones itself, all others by the engine. */
export function createPreferring(engine: Engine): AnswerPreferring {
  const { profile, randomSeed } = engine.world;
  const write: Engine['refusal'] = (refusal) => engine.refusal(refusal);
  const forced = createForcedAnswers({ contract: engine.contract, profile, randomSeed, refuse: write });
  return async (operation, call, response) => {
    const read = readPreferences(call.query, call.headers);
    if (!isRefusal(read) && !isForced(read.preferences)) {
      return answerLater(engine, { ...call, query: read.query }, read.preferences, response);
    }
    const caller = engine.authenticate(call.headers);
    if (isRefusal(caller)) return engine.refusal(caller);
    if (isRefusal(read)) return refusePreference(read, write);
    const answer = await forced.answer(operation, read.preferences);
    return (await isStillThere(read.preferences, response)) ? answer : undefined;
  };
}

// What the call changes, it changes when it comes: it is the answer that is late.
async function answerLater(
  engine: Engine,
  call: Call,
  { delayMs, dynamic }: Preferences,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const applied = { ...(dynamic === undefined ? {} : { dynamic }), ...(delayMs === undefined ? {} : { delayMs }) };
  const { headers, ...answer } = engine.answer(call);
  const preferring = { ...answer, headers: { ...headers, ...preferenceApplied(applied) } };
  return (await isStillThere(applied, response)) ? preferring : undefined;
}

async function isStillThere({ delayMs }: Preferences, response: ServerResponse): Promise<boolean> {
  return delayMs === undefined || wait(delayMs, response);
}
