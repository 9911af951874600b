import type { ContractDocument } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { Schemas, type Validate } from '../../../openapi/contract/schemas.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Answer } from '../../engine/call.ts';
import { createJsonText, type ToJson } from '../../engine/json-text.ts';
import { generateValid, inSchemaOrder, narrowSchemas } from './generation.ts';
import { type Preferences, preferenceApplied } from './preferences.ts';
import { createMocker, type Mocker, onlyResponse } from './prism.ts';
import { codeFor, type ForcedResponse, responseWith } from './responses.ts';

/** The ingredients of forced answers. */
interface ForcedAnswersOptions {
  /** As the profile plays it. */
  contract: ContractDocument;
  profile: Profile;
  /** The seed of generation, where the request has none. */
  randomSeed: number;
  /** Writes a refusal as the profile has it. */
  refuse(refusal: Refusal): Answer;
  /** Why Prism cannot be loaded here, if so. */
  prismProblem?: string | undefined;
}

/** Answers that the preferences of a request ask for. They neither read nor change the state. */
export interface ForcedAnswers {
  /** The preferred answer, or a refusal of the mock itself. The caller must have checked the key. */
  answer(operation: Operation, preferences: Preferences): Promise<Answer>;
}

/** Whether these preferences ask for another answer than the one that state and input lead to. */
export function isForced({ code, example, dynamic }: Preferences): boolean {
  return code !== undefined || example !== undefined || dynamic === true;
}

/** Nothing is loaded or compiled before the first answer. */
export function createForcedAnswers(options: ForcedAnswersOptions): ForcedAnswers {
  const maker: Maker = { ...options, toJson: createJsonText(options.profile.keyOrder), prepared: new Map() };
  return { answer: (operation, preferences) => answer(maker, operation, preferences) };
}

/** The answer to a preference that is wrong: a refusal, marked as one that the service would never send. */
export function refusePreference(refusal: Refusal, write: (refusal: Refusal) => Answer): Answer {
  const { headers, ...rest } = write(refusal);
  return { ...rest, headers: { ...headers, 'x-mock-error': 'preference' } };
}

interface Maker extends ForcedAnswersOptions {
  toJson: ToJson;
  prepared: Map<string, Promise<PreparedAnswer>>;
}

/** One response, ready to be served. */
interface PreparedAnswer extends ForcedResponse {
  /** Absent where there is no body. */
  body: PreparedBody | undefined;
}

interface PreparedBody {
  contentType: string;
  make: Mocker;
  /** By the contract, not by the narrower schemas that guide the generator. */
  validate: Validate;
  inOrder(value: unknown): unknown;
}

async function answer(maker: Maker, operation: Operation, preferences: Preferences): Promise<Answer> {
  const code = codeFor(preferences, operation, maker.contract, maker.profile);
  if (typeof code !== 'number') return refusePreference(code, maker.refuse);
  if (maker.prismProblem !== undefined) return refusePreference(noPrism(maker.prismProblem), maker.refuse);
  const { isDeclared, body } = await prepare(maker, operation, code);
  const { dynamic, seed, ...others } = preferences;
  const generated = { ...(dynamic === undefined ? {} : { dynamic }), ...(dynamic && seed ? { seed } : {}) };
  const headers = {
    ...challengeOf(maker, code),
    ...(code === 429 || code === 503 ? { 'retry-after': retryAfterSeconds } : {}),
    ...(isDeclared ? {} : { 'x-undeclared': String(code) }),
    ...preferenceApplied(body === undefined ? others : { ...others, ...generated }),
  };
  if (body === undefined) return { status: code, headers };
  const value = await bodyOf(maker, body, preferences);
  return { status: code, headers: { 'content-type': body.contentType, ...headers }, body: maker.toJson(value) };
}

function noPrism(problem: string): Refusal {
  return refuse('invalidPreference', `Forced answers ${problem}. Start the mock with a later Node.`);
}

const retryAfterSeconds = '1';

async function bodyOf(maker: Maker, body: PreparedBody, preferences: Preferences): Promise<unknown> {
  const { dynamic, example, seed = String(maker.randomSeed) } = preferences;
  if (!dynamic) return body.make({ example });
  return body.inOrder(await generateValid(seed, (next) => body.make({ seed: next }), body.validate));
}

// The header with which the engine itself refuses a request without a key.
function challengeOf({ refuse: write }: Maker, code: number): Record<string, string> {
  const challenge = code === 401 ? write(refuse('unauthenticated', '')).headers['www-authenticate'] : undefined;
  return challenge === undefined ? {} : { 'www-authenticate': challenge };
}

// Clients ask for the same few codes. A client that asks for all of them must not fill the memory.
const maxPrepared = 100;

function prepare(maker: Maker, operation: Operation, code: number): Promise<PreparedAnswer> {
  const key = `${operation.operationId} ${code}`;
  const known = maker.prepared.get(key);
  if (known !== undefined) return known;
  if (maker.prepared.size >= maxPrepared) maker.prepared.clear();
  const prepared = prepareAnew(maker, operation, code);
  maker.prepared.set(key, prepared);
  prepared.catch(() => maker.prepared.delete(key));
  return prepared;
}

async function prepareAnew({ contract, profile }: Maker, operation: Operation, code: number): Promise<PreparedAnswer> {
  const forced = responseWith(code, operation, contract, profile);
  const { document, response } = forced;
  const [content] = Object.entries(response.content ?? {});
  if (content === undefined) return { ...forced, body: undefined };
  const [mediaType, { schema = {} }] = content;
  const narrowed = onlyResponse(document, operation, code, response);
  narrowSchemas(narrowed, code, profile);
  const body = {
    contentType: mediaType === 'application/json' ? profile.answerMediaType : mediaType,
    make: await createMocker(narrowed, operation, code),
    validate: new Schemas(document).of(schema),
    inOrder: (value: unknown) => inSchemaOrder(value, schema, document),
  };
  return { ...forced, body };
}
