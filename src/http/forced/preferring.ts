import type { ServerResponse } from 'node:http';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { createForcedAnswers, type ForcedAnswers, isForced, refusePreference } from './forced-answers.ts';
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
  const write = (refusal: Refusal) => engine.refusal(refusal);
  const forced = createForcedBy(engine);
  return async (operation, call, response) => {
    const read = readPreferences(call.query, call.headers);
    if (!isRefusal(read) && !isForced(read.preferences)) {
      return answerLater(engine, { ...call, query: read.query }, read.preferences, response);
    }
    const caller = engine.authenticate(call.headers);
    if (isRefusal(caller)) return engine.refusal(caller);
    const about = { operationId: call.operationId, organizationId: caller.id };
    if (isRefusal(read)) return { ...refusePreference(read, write), about };
    const answer = await forced().answer(operation, read.preferences);
    return (await isStillThere(read.preferences, response)) ? { ...answer, about } : undefined;
  };
}

// Made anew when another profile is played.
function createForcedBy(engine: Engine): () => ForcedAnswers {
  let made: { contract: ContractDocument; answers: ForcedAnswers } | undefined;
  return () => {
    const { contract, world } = engine;
    const { profile, randomSeed } = world;
    if (made?.contract !== contract) {
      const refuse = (refusal: Refusal) => engine.refusal(refusal);
      made = { contract, answers: createForcedAnswers({ contract, profile, randomSeed, refuse }) };
    }
    return made.answers;
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
