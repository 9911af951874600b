/*
 * Examples are read from the contract. Only generated bodies load Prism, which takes 0.3 to 3 seconds and 80 MB: too
 * much to load for everybody in the background.
 */
import { type ContractDocument, dereference } from '../../../openapi/contract/document.ts';
import { mockHeaders } from '../../../openapi/contract/mock-headers.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { Schemas, type Validate } from '../../../openapi/contract/schemas.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import type { AppliedProfile } from '../../engine/applied-profile.ts';
import type { Answer, Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { createJsonText, type ToJson } from '../../engine/json-text.ts';
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

/** Whether these preferences ask for a response that does not depend on state and input. */
function isForced({ code, example, dynamic }: Preferences): boolean {
  return code !== undefined || example !== undefined || dynamic === true;
}

/**
 * Responses that the preferences of a request ask for. They neither read nor change the state. Nothing is loaded or
 * compiled before the first one.
 */
export function createForcedAnswers(options: ForcedAnswersOptions) {
  const maker: Maker = { ...options, toJson: createJsonText(options.profile.keyOrder), prepared: new Map() };
  // The preferred response, or the mock's own error response. The caller must have checked the key.
  return (operation: Operation, preferences: Preferences) => answer(maker, operation, preferences);
}

/** The error response to an invalid preference, marked as one that the service would never send. */
function refusePreference(refusal: Refusal, write: (refusal: Refusal) => Answer): Answer {
  const { headers, ...rest } = write(refusal);
  return { ...rest, headers: { ...headers, [mockHeaders.error]: 'preference' } };
}

interface Maker extends ForcedAnswersOptions {
  toJson: ToJson;
  prepared: Map<string, PreparedAnswer>;
}

/** One response, ready to serve. */
type PreparedAnswer = ReturnType<typeof prepareAnew>;

async function answer(maker: Maker, operation: Operation, preferences: Preferences): Promise<Answer> {
  const code = codeFor(preferences, operation, maker.contract, maker.profile);
  if (typeof code !== 'number') return refusePreference(code, maker.refuse);
  const { isDeclared, body } = prepare(maker, operation, code);
  const whyNot = body !== undefined && isGenerated(body, preferences) ? whyNotGenerated() : undefined;
  if (whyNot !== undefined) return refusePreference(refuse('invalidPreference', whyNot), maker.refuse);
  const { dynamic, seed, ...others } = preferences;
  const headers = {
    ...challengeOf(maker, code),
    ...(code === 429 || code === 503 ? { 'retry-after': retryAfterSeconds } : {}),
    ...(isDeclared ? {} : { [mockHeaders.undeclared]: String(code) }),
    ...preferenceApplied(body === undefined ? others : { ...others, dynamic, seed: dynamic ? seed : undefined }),
  };
  if (body === undefined) return { status: code, headers };
  const value = await bodyOf(maker, body, preferences);
  return { status: code, headers: { 'content-type': body.contentType, ...headers }, body: maker.toJson(value) };
}

function isGenerated({ examples }: NonNullable<PreparedAnswer['body']>, { dynamic }: Preferences): boolean {
  return dynamic === true || examples.size === 0;
}

const retryAfterSeconds = '1';

async function bodyOf(
  maker: Maker,
  body: NonNullable<PreparedAnswer['body']>,
  preferences: Preferences,
): Promise<unknown> {
  const { dynamic, example, seed = String(maker.randomSeed) } = preferences;
  if (!isGenerated(body, preferences)) return body.examples.get(example ?? [...body.examples.keys()][0] ?? '');
  const make = await body.mocker();
  if (!dynamic) return make();
  return body.inOrder(await generateValid(seed, make, body.validate));
}

// The header that the engine itself sends with a 401.
function challengeOf({ refuse: write }: Maker, code: number): Record<string, string> {
  const challenge = code === 401 ? write(refuse('unauthenticated', '')).headers['www-authenticate'] : undefined;
  return challenge === undefined ? {} : { 'www-authenticate': challenge };
}

// Clients ask for the same few codes. One that asks for all of them must not fill the memory.
const maxPrepared = 100;

function prepare(maker: Maker, operation: Operation, code: number): PreparedAnswer {
  const key = `${operation.operationId} ${code}`;
  const known = maker.prepared.get(key);
  if (known !== undefined) return known;
  if (maker.prepared.size >= maxPrepared) maker.prepared.clear();
  const prepared = prepareAnew(maker, operation, code);
  maker.prepared.set(key, prepared);
  return prepared;
}

function prepareAnew({ contract, profile }: Maker, operation: Operation, code: number) {
  const forced = responseWith(code, operation, contract, profile);
  const { document, response } = forced;
  const [content] = Object.entries(response.content ?? {});
  if (content === undefined) return { ...forced, body: undefined };
  const [mediaType, { schema = {}, examples = {} }] = content;
  let validate: Validate | undefined;
  const body = {
    contentType: mediaType === 'application/json' ? profile.answerMediaType : mediaType,
    // Prism would return the same, but loading it takes most of a second and 80 MB.
    examples: new Map(Object.entries(examples).map(([name, example]) => [name, dereference(document, example).value])),
    /** Loaded when a body has to be generated. */
    mocker: loadedOnce(() => createNarrowMocker(forced, operation, code, profile)),
    // Against the contract, not the narrower schemas that guide the generator.
    validate: (value: unknown) => {
      validate ??= new Schemas(document).of(schema);
      return validate(value);
    },
    inOrder: (value: unknown) => inSchemaOrder(value, schema, document),
  };
  return { ...forced, body };
}

function createNarrowMocker(
  { document, response }: ReturnType<typeof responseWith>,
  operation: Operation,
  code: number,
  profile: Profile,
) {
  const narrowed = onlyResponse(document, operation, code, response);
  narrowSchemas(narrowed, code, profile);
  return createMocker(narrowed, operation, code);
}

/** Responds to a call according to its preferences. Undefined if the client disconnected during the preferred delay. */
export type AnswerPreferring = ReturnType<typeof createPreferring>;

/** Responds to calls with preferences: forced responses by itself, all others through the engine. */
export function createPreferring(engine: Engine) {
  const forced = createForcedBy(engine);
  const answerPreferring = async (operation: Operation, call: Call, connection: Connection) => {
    const read = readPreferences(call.query, call.headers);
    if (!isRefusal(read) && !isForced(read.preferences)) {
      return answerLater(engine, { ...call, query: read.query }, read.preferences, connection);
    }
    const caller = engine.authenticate(call.headers);
    if (isRefusal(caller)) return engine.refusal(caller);
    const write = (refusal: Refusal) => engine.refusal(refusal, undefined, { headers: call.headers });
    const about = { operationId: call.operationId, organizationId: caller.id };
    if (isRefusal(read)) return { ...refusePreference(read, write), about };
    const applied = engine.appliedFor(call.headers);
    const answer = await forced(applied)(applied.operation(operation.operationId).applied, read.preferences);
    return (await isStillThere(read.preferences.delayMs, connection)) ? { ...answer, about } : undefined;
  };
  return async (operation: Operation, call: Call, connection: Connection): Promise<Answer | undefined> => {
    const answer = await answerPreferring(operation, call, connection);
    return answer && { ...answer, headers: { ...answer.headers, ...preferenceHint(call.query, call.headers) } };
  };
}

// Created once per profile.
function createForcedBy(engine: Engine) {
  const made = new WeakMap<AppliedProfile, ReturnType<typeof createForcedAnswers>>();
  return (applied: AppliedProfile) => {
    const { contract, runtime } = applied;
    const { profile, randomSeed } = runtime;
    const refuse = (refusal: Refusal) => engine.refusalIn(applied, refusal);
    const answerForced = made.get(applied) ?? createForcedAnswers({ contract, profile, randomSeed, refuse });
    made.set(applied, answerForced);
    return answerForced;
  };
}

// The call takes effect immediately: only the response is delayed.
async function answerLater(
  engine: Engine,
  call: Call,
  { delayMs, dynamic }: Preferences,
  connection: Connection,
): Promise<Answer | undefined> {
  const { headers, ...answer } = engine.answer(call);
  const preferring = { ...answer, headers: { ...headers, ...preferenceApplied({ dynamic, delayMs }) } };
  return (await isStillThere(delayMs, connection)) ? preferring : undefined;
}

async function isStillThere(delayMs: number | undefined, connection: Connection): Promise<boolean> {
  return delayMs === undefined || wait(delayMs, connection);
}
