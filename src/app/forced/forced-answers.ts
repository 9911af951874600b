/*
 * Examples are read from the contract. Only generated bodies load Prism, which takes 0.3 to 3 seconds and 80 MB: too
 * much to load for everybody in the background.
 */

import { rememberingBy } from '../../../lib/remembering.ts';
import { type ContractDocument, dereference } from '../../../openapi/contract/document.ts';
import { mockHeaders } from '../../../openapi/contract/mock-headers.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { Schemas } from '../../../openapi/contract/schemas.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import type { AppliedProfile } from '../../engine/applied-profile.ts';
import { type Answer, type Call, withHeaders } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { createJsonText } from '../../engine/json-text.ts';
import { type Connection, wait } from '../connection.ts';
import { loadedOnce } from '../loaded-once.ts';
import { whyNotGenerated } from '../prism.ts';
import { createMocker, generateValid, inSchemaOrder, narrowSchemas, onlyResponse } from './generation.ts';
import { codeFor, type Preferences, preferenceApplied, preferenceHint, readPreferences } from './preferences.ts';
import { responseWith } from './responses.ts';

/** The ingredients of forced responses. */
interface ForcedAnswersOptions {
  /** Under the profile. */
  contract: ContractDocument;
  profile: Profile;
  /** The seed for generation if the request has none. */
  randomSeed: number;
  /** Writes an error response under the profile. */
  refuse(refusal: Refusal): Answer;
}

const retryAfterSeconds = '1';

/**
 * Responses that the preferences of a request ask for. They neither read nor change the state. Nothing is loaded or
 * compiled before the first one. The caller must have checked the key.
 */
export function createForcedAnswers({ contract, profile, randomSeed, refuse: write }: ForcedAnswersOptions) {
  const toJson = createJsonText(profile.keyOrder);
  // Clients ask for the same few codes.
  const prepare = rememberingBy(
    ({ operation, code }: { operation: Operation; code: number }) => `${operation.operationId} ${code}`,
    ({ operation, code }) => prepareAnswer(contract, profile, operation, code),
    longestName,
  );
  return async (operation: Operation, preferences: Preferences): Promise<Answer> => {
    const code = codeFor(preferences, operation, contract, profile);
    if (typeof code !== 'number') return refusePreference(code, write);
    const { isDeclared, body } = prepare({ operation, code });
    const whyNot = body !== undefined && isGenerated(body, preferences) ? whyNotGenerated() : undefined;
    if (whyNot !== undefined) return refusePreference(refuse('invalidPreference', whyNot), write);
    const { dynamic, seed, ...others } = preferences;
    // The header that the engine itself sends with a 401.
    const challenge = code === 401 ? write(refuse('unauthenticated', '')).headers['www-authenticate'] : undefined;
    const headers = {
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
      ...(code === 429 || code === 503 ? { 'retry-after': retryAfterSeconds } : {}),
      ...(isDeclared ? {} : { [mockHeaders.undeclared]: String(code) }),
      ...preferenceApplied(body === undefined ? others : { ...others, dynamic, seed: dynamic ? seed : undefined }),
    };
    if (body === undefined) return { status: code, headers };
    const value = await bodyValue(body, { seed: String(randomSeed), ...preferences });
    return { status: code, headers: { 'content-type': body.contentType, ...headers }, body: toJson(value) };
  };
}

const longestName = 100;

/** The error response to an invalid preference, marked as one that the service would never send. */
function refusePreference(refusal: Refusal, write: (refusal: Refusal) => Answer): Answer {
  return withHeaders(write(refusal), { [mockHeaders.error]: 'preference' });
}

type PreparedBody = NonNullable<ReturnType<typeof prepareAnswer>['body']>;

function isGenerated({ examples }: PreparedBody, { dynamic }: Preferences): boolean {
  return dynamic === true || examples.size === 0;
}

async function bodyValue(body: PreparedBody, preferences: Preferences & { seed: string }): Promise<unknown> {
  const { dynamic, example, seed } = preferences;
  if (!isGenerated(body, preferences)) return body.examples.get(example ?? [...body.examples.keys()][0] ?? '');
  const make = await body.mocker();
  if (!dynamic) return make();
  return body.inOrder(await generateValid(seed, make, body.validate));
}

/** One response, ready to serve. */
function prepareAnswer(contract: ContractDocument, profile: Profile, operation: Operation, code: number) {
  const { document, response, isDeclared } = responseWith(code, operation, contract, profile);
  const [content] = Object.entries(response.content ?? {});
  if (content === undefined) return { isDeclared, body: undefined };
  const [mediaType, { schema = {}, examples = {} }] = content;
  let schemas: Schemas | undefined;
  const body = {
    contentType: mediaType === 'application/json' ? profile.answerMediaType : mediaType,
    // Prism would return the same, but loading it takes most of a second and 80 MB.
    examples: new Map(Object.entries(examples).map(([name, example]) => [name, dereference(document, example).value])),
    /** Loaded when a body has to be generated. */
    mocker: loadedOnce(() => {
      const narrowed = onlyResponse(document, operation, code, response);
      narrowSchemas(narrowed, code, profile);
      return createMocker(narrowed, operation, code);
    }),
    // Against the contract, not the narrower schemas that guide the generator.
    validate: (value: unknown) => {
      schemas ??= new Schemas(document);
      return schemas.of(schema)(value);
    },
    inOrder: (value: unknown) => inSchemaOrder(value, schema, document),
  };
  return { isDeclared, body };
}

/** Responds to a call according to its preferences. Undefined if the client disconnected during the preferred delay. */
export type AnswerPreferring = ReturnType<typeof createPreferring>;

/** Responds to calls with preferences: forced responses by itself, all others through the engine. */
export function createPreferring(engine: Engine) {
  // Created once per profile.
  const made = new WeakMap<AppliedProfile, ReturnType<typeof createForcedAnswers>>();
  const forcedUnder = (applied: AppliedProfile) => {
    const { contract, runtime } = applied;
    const { profile, randomSeed } = runtime;
    const refuse = (refusal: Refusal) => engine.refusalIn(applied, refusal);
    const forced = made.get(applied) ?? createForcedAnswers({ contract, profile, randomSeed, refuse });
    made.set(applied, forced);
    return forced;
  };
  const respond = async (
    operation: Operation,
    call: Call,
  ): Promise<{ answer: Answer; delayMs?: number | undefined }> => {
    const { operationId, headers } = call;
    const read = readPreferences(call.query, headers);
    if (!isRefusal(read) && !isForced(read.preferences)) {
      // The call takes effect immediately: only the response is delayed.
      const { dynamic, delayMs } = read.preferences;
      const answer = engine.answer({ ...call, query: read.query });
      return { answer: withHeaders(answer, preferenceApplied({ dynamic, delayMs })), delayMs };
    }
    const caller = engine.authenticate(headers);
    if (isRefusal(caller)) return { answer: engine.refusal(caller) };
    const about = { operationId, organizationId: caller.id };
    const write = (refusal: Refusal) => engine.refusal(refusal, undefined, { headers });
    if (isRefusal(read)) return { answer: { ...refusePreference(read, write), about } };
    const applied = engine.appliedFor(headers);
    const answer = await forcedUnder(applied)(applied.operation(operation.operationId).applied, read.preferences);
    return { answer: { ...answer, about }, delayMs: read.preferences.delayMs };
  };
  return async (operation: Operation, call: Call, connection: Connection): Promise<Answer | undefined> => {
    const { answer, delayMs } = await respond(operation, call);
    if (delayMs !== undefined && !(await wait(delayMs, connection))) return undefined;
    return withHeaders(answer, preferenceHint(call.query, call.headers));
  };
}

/** Whether these preferences ask for a response that does not depend on state and input. */
function isForced({ code, example, dynamic }: Preferences): boolean {
  return code !== undefined || example !== undefined || dynamic === true;
}
