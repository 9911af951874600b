import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Answer, Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { type Connection, wait } from '../connection.ts';
import { createForcedAnswers, type ForcedAnswers, isForced, refusePreference } from './forced-answers.ts';
import { type Preferences, preferenceApplied, readPreferences } from './preferences.ts';

/** Answers a call by its preferences, after the delay that it prefers. Undefined when the client went away meanwhile. */
export type AnswerPreferring = (
  operation: Operation,
  call: Call,
  connection: Connection,
) => Promise<Answer | undefined>;

/**
 * Answers calls with preferences: the forced ones itself, all others by the engine. `prismProblem` says why Prism cannot
 * be loaded here, if so.
 */
export function createPreferring(engine: Engine, prismProblem?: string): AnswerPreferring {
  const write = (refusal: Refusal) => engine.refusal(refusal);
  const forced = createForcedBy(engine, prismProblem);
  return async (operation, call, connection) => {
    const read = readPreferences(call.query, call.headers);
    if (!isRefusal(read) && !isForced(read.preferences)) {
      return answerLater(engine, { ...call, query: read.query }, read.preferences, connection);
    }
    const caller = engine.authenticate(call.headers);
    if (isRefusal(caller)) return engine.refusal(caller);
    const about = { operationId: call.operationId, organizationId: caller.id };
    if (isRefusal(read)) return { ...refusePreference(read, write), about };
    const answer = await forced().answer(operation, read.preferences);
    return (await isStillThere(read.preferences, connection)) ? { ...answer, about } : undefined;
  };
}

// Made anew when another profile is played.
function createForcedBy(engine: Engine, prismProblem: string | undefined): () => ForcedAnswers {
  let made: { contract: ContractDocument; answers: ForcedAnswers } | undefined;
  return () => {
    const { contract, runtime } = engine;
    const { profile, randomSeed } = runtime;
    if (made?.contract !== contract) {
      const refuse = (refusal: Refusal) => engine.refusal(refusal);
      made = { contract, answers: createForcedAnswers({ contract, profile, randomSeed, refuse, prismProblem }) };
    }
    return made.answers;
  };
}

// The call takes effect when it comes: only the answer is late.
async function answerLater(
  engine: Engine,
  call: Call,
  { delayMs, dynamic }: Preferences,
  connection: Connection,
): Promise<Answer | undefined> {
  const applied = { ...(dynamic === undefined ? {} : { dynamic }), ...(delayMs === undefined ? {} : { delayMs }) };
  const { headers, ...answer } = engine.answer(call);
  const preferring = { ...answer, headers: { ...headers, ...preferenceApplied(applied) } };
  return (await isStillThere(applied, connection)) ? preferring : undefined;
}

async function isStillThere({ delayMs }: Preferences, connection: Connection): Promise<boolean> {
  return delayMs === undefined || wait(delayMs, connection);
}
