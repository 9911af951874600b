// Profiles are changed in `src/app/settings.ts`, from code in `src/app/edge/edge-context.ts`.
/*
 * To add a response header, set it here or in `engine.ts`. To let pages read it, add it to `exposed` in
 * `src/http/cors.ts`.
 */

import { contractFor, successStatus, toProblem } from '../../openapi/contract/contract-for.ts';
import {
  type ContractDocument,
  dereference,
  openPointsOf,
  type ResponseObject,
  type SchemaObject,
} from '../../openapi/contract/document.ts';
import { sharedOf } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { decidingPoints, type OpenPointId, type Profile } from '../../openapi/contract/profile.ts';
import { type RefusalDefinition, refusals } from '../../openapi/contract/refusals.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import {
  type AuthHeader,
  authHeadersOf,
  challenge,
  howToAuthenticate,
  keyHeaders,
  keyIn,
} from '../../openapi/contract/security.ts';
import { loadUsualContract } from '../../openapi/contract/usual-input.ts';
import { errorShapeUnder, type Problem } from '../../openapi/points/error-bodies.ts';
import { loadOpenPoints, relevanceOf, sharedPoints } from '../../openapi/points/index.ts';
import { hasReached, type Outcome, type RelevanceRule } from '../../openapi/points/relevance.ts';
import { type Intake, RequestFacts, readIntake } from '../../openapi/reading/request-facts.ts';
import type { Organization, Runtime } from '../domain/organizations.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer, Call, JudgedCall, RequestHeaders } from './call.ts';
import { type CompiledOperation, createIdValidator, createInputReader } from './input.ts';
import { createJsonText, KeptPages, type ToJson } from './json-text.ts';
import type { MockClock } from './mock-clock.ts';
import { createViews, type Views } from './views.ts';

/** Values by a text, each kept while someone uses it; the latest longer. */
class WeaklyKept<Value extends object> {
  readonly #kept = new Map<string, WeakRef<Value>>();
  #latest: Value | undefined;

  of(text: string, make: () => Value): Value {
    this.#latest = this.#kept.get(text)?.deref() ?? this.#add(text, make());
    return this.#latest;
  }

  #add(text: string, value: Value): Value {
    for (const [key, other] of this.#kept) if (other.deref() === undefined) this.#kept.delete(key);
    this.#kept.set(text, new WeakRef(value));
    return value;
  }
}

/** Compiling takes longer than all else at the start of a mock, and depends on the profile alone. */
const compiledContracts = new WeaklyKept<CompiledContract>();

/** The profiles in use, each compiled once. Unused ones are dropped. */
export class AppliedProfiles {
  readonly #base: Omit<ProfileRuntime, 'profile'>;
  readonly #byProfile = new WeaklyKept<AppliedProfile>();
  // An organization holds its runtime, which keeps the applied profile alive.
  readonly #byRuntime = new WeakMap<Runtime, AppliedProfile>();

  constructor(base: Omit<ProfileRuntime, 'profile'>) {
    this.#base = base;
  }

  of(profile: Profile): AppliedProfile {
    const text = JSON.stringify(Object.entries(profile).sort());
    const compiled = () => compiledContracts.of(text, () => compileContract(profile));
    // Shown to the user as it is.
    const runtime = () => ({ ...this.#base, profile: Object.freeze({ ...profile }) });
    const applied = this.#byProfile.of(text, () => new AppliedProfile(runtime(), compiled()));
    this.#byRuntime.set(applied.runtime, applied);
    return applied;
  }

  /** The applied profile of an organization; undefined if the organization belongs to a different engine. */
  appliedTo({ runtime }: Organization): AppliedProfile | undefined {
    return this.#byRuntime.get(runtime);
  }
}

/** The profile of one organization, with the choices of the common profile that cannot differ. */
export function withShared(own: Profile, ofAll: Profile): Profile {
  return { ...own, ...Object.fromEntries(Array.from(sharedPoints, (id) => [id, ofAll[id]])) };
}

/** What an engine runs with: profile, random seed, and a clock that can be set. */
export type ProfileRuntime = Runtime & { readonly clock: MockClock };

/** A profile in use: how calls are read and responses written. Organizations with the same profile share one. */
export class AppliedProfile {
  readonly runtime: ProfileRuntime;
  readonly profile: Profile;
  readonly views: Views;
  readonly pages: KeptPages;
  readonly #compiled: CompiledContract;
  readonly #toJson: ToJson;
  readonly #openPointTrace: OpenPointTrace;
  /** For successes with a body. All share one object, since the request log keeps it. */
  readonly #bodyHeaders: Record<string, string>;

  constructor(runtime: ProfileRuntime, compiled: CompiledContract) {
    const { profile } = runtime;
    this.runtime = runtime;
    this.profile = profile;
    this.views = createViews(profile);
    this.#compiled = compiled;
    this.#toJson = createJsonText(profile.keyOrder);
    this.pages = new KeptPages(this.#toJson);
    this.#openPointTrace = createOpenPointTrace(compiled, profile);
    this.#bodyHeaders = Object.freeze({ 'content-type': profile.answerMediaType });
  }

  /** The contract under the profile. */
  get contract(): ContractDocument {
    return this.#compiled.contract;
  }

  get operations(): readonly Operation[] {
    return this.#compiled.operations;
  }

  /** The effective key in the headers of a request, or the error response if there is none or if several differ. */
  keyOf(headers: RequestHeaders): string | Refusal {
    const { bothAuthHeaders: rule, bearerSpelling } = this.profile;
    const sent: { authHeader: AuthHeader; key: string }[] = [];
    // This runs for every call: a loop is several times as fast as `flatMap`.
    for (const authHeader of this.#compiled.authHeaders) {
      const key = keyIn(authHeader, headers, bearerSpelling);
      if (key !== undefined) sent.push({ authHeader, key });
    }
    const [first] = sent;
    if (first === undefined)
      return refuse('unauthenticated', `The request has no API key in a supported form. ${howToAuthenticate}`);
    if (sent.every(({ key }) => key === first.key)) return first.key;
    if (rule === 'refused')
      return refuse('unauthenticated', `${keyHeaders.join(' and ')} carry different keys. Send one.`);
    const winner = sent.find(({ authHeader }) => authHeader.scheme === (rule === 'apiKeyWins' ? 'plain' : 'bearer'));
    return (winner ?? first).key;
  }

  operation(id: OperationId): CompiledOperation {
    return this.#compiled.byId.get(id) as CompiledOperation;
  }

  success(call: Call, body: unknown, headers: Record<string, string>): Answer {
    const { status } = this.operation(call.operationId);
    const openPoints = this.#openPointTrace(undefined, call);
    if (body === undefined) return { status, headers, openPoints };
    const all = Object.keys(headers).length === 0 ? this.#bodyHeaders : { ...this.#bodyHeaders, ...headers };
    return { status, headers: all, body: this.#toJson(body), openPoints };
  }

  /** An error response. `call` is what is known about the request. */
  refusal(refusal: Refusal, call: Partial<JudgedCall>, headers: Record<string, string>): Answer {
    const status = refusals[refusal.refused].status(this.profile);
    const openPoints = this.#openPointTrace(refusal.refused, call);
    const isChallenged = refusal.refused === 'unauthenticated' && this.profile.wwwAuthenticate === 'sent';
    const answer = this.problem(toProblem(refusal, status), { ...(isChallenged ? challenge : {}), ...headers });
    return { ...answer, openPoints, notes: [refusal.detail] };
  }

  /** An error in the shape of the profile: open point `errorBody`. */
  problem(problem: Problem, headers: Record<string, string> = {}): Answer {
    const { status } = problem;
    const shape = errorShapeUnder(this.profile);
    if (shape === undefined) return { status, headers };
    const isPlain = shape.contentType === 'application/json';
    const contentType = isPlain ? this.profile.answerMediaType : shape.contentType;
    const body = this.#toJson(shape.toBody(problem));
    return { status, headers: { 'content-type': contentType, ...headers }, body };
  }
}

/** The contract under a profile, which never changes, and its operations, ready to read calls. */
interface CompiledContract {
  contract: ContractDocument;
  operations: readonly Operation[];
  authHeaders: readonly AuthHeader[];
  byId: ReadonlyMap<OperationId, CompiledOperation>;
}

const loadStatedOperations = sharedOf(() => operationsOf(loadUsualContract()));

function compileContract(profile: Profile): CompiledContract {
  const contract = contractFor(profile);
  const operations = operationsOf(contract);
  const schemas = new Schemas(contract);
  const statedById = new Map(loadStatedOperations().map((operation) => [operation.operationId, operation]));
  const compile = (applied: Operation): CompiledOperation => {
    const stated = statedById.get(applied.operationId) ?? applied;
    return {
      ...{ stated, applied, status: successStatus(applied, profile) },
      idViolations: createIdValidator(schemas, applied),
      readInput: createInputReader(contract, schemas, stated, applied, profile),
    };
  };
  const byId = new Map(operations.map((operation) => [operation.operationId, compile(operation)]));
  return { contract, operations, authHeaders: authHeadersOf(contract), byId };
}

/**
 * The open points that shaped a response, in register order, as a header text: those where a different choice would, or
 * could, have changed its status, headers or body. `call` is what is known about the request.
 */
type OpenPointTrace = (outcome: Outcome, call: Partial<JudgedCall>) => string;

/** Computes what each operation and outcome depends on only once. */
function createOpenPointTrace({ contract, authHeaders, byId }: CompiledContract, profile: Profile): OpenPointTrace {
  const known = new Map<string, Entry>();
  let relevantTo: RelevantTo | undefined;
  const add = (key: string, { operationId }: Partial<JudgedCall>, outcome: Outcome): Entry => {
    relevantTo ??= createRelevantTo(contract, profile);
    const operation = operationId === undefined ? undefined : byId.get(operationId);
    const intake = operation && readIntake(operation, authHeaders);
    const entry = { intake, points: relevantTo(intake, outcome), latest: new WeakMap() };
    known.set(key, entry);
    return entry;
  };
  return (outcome, call) => {
    const key = `${call.operationId} ${outcome}`;
    const entry = known.get(key) ?? add(key, call, outcome);
    if (!isRepeatable(call)) return textOf(entry, profile, call, outcome);
    const { pathParameters, headers, query } = call;
    const latest = entry.latest.get(pathParameters);
    if (latest?.headers === headers && latest.query === query) return latest.text;
    const text = textOf(entry, profile, call, outcome);
    entry.latest.set(pathParameters, { headers, query, text });
    return text;
  };
}

/** What the responses of one operation with one outcome depend on. */
interface Entry {
  intake: Intake | undefined;
  points: readonly RelevantPoint[];
  /** The latest call with the same path parameters: a client that repeats a call sends the same objects again. */
  latest: WeakMap<Call['pathParameters'], Pick<Call, 'headers' | 'query'> & { text: string }>;
}

// The path parameters of a call that was refused before it was read are unknown.
function isRepeatable(call: Partial<JudgedCall>): call is Call {
  return call.pathParameters !== undefined && call.body === undefined && call.hasTwoFaults !== true;
}

function textOf({ intake, points }: Entry, profile: Profile, call: Partial<JudgedCall>, outcome: Outcome): string {
  const request = intake && new RequestFacts(intake, profile, call);
  const met = points.filter(({ appliesTo }) => !appliesTo || !request || appliesTo(request, outcome));
  return met.map(({ id }) => id).join(', ');
}

/** An open point on which a response depends: always, or if the rule applies to the request. */
interface RelevantPoint {
  id: OpenPointId;
  appliesTo: RelevanceRule['appliesTo'] | undefined;
}

/** The open points on which the responses of one operation (if there was one) with one outcome depend. */
type RelevantTo = (intake: Intake | undefined, outcome: Outcome) => RelevantPoint[];

/** `contract` is the contract under the profile. */
function createRelevantTo(contract: ContractDocument, profile: Profile): RelevantTo {
  const points = loadOpenPoints().map(({ id, operations }) => ({ id: id as OpenPointId, operations }));
  return (intake, outcome) => {
    const named = namedInResponse(contract, profile, intake, outcome);
    return points.flatMap(({ id, operations }) => {
      const rule = relevanceOf(id);
      const concerns = intake !== undefined && operations.includes(intake.stated.operationId as OperationId);
      if (rule === undefined) return named.has(id) ? [{ id, appliesTo: undefined }] : [];
      return concerns && isDecisive(rule, profile, intake, outcome) ? [{ id, appliesTo: rule.appliesTo }] : [];
    });
  };
}

function isDecisive(rule: RelevanceRule, profile: Profile, { stated }: Intake, outcome: Outcome): boolean {
  if (!('stage' in rule)) return rule.outcomes(profile, stated).includes(outcome);
  // The stated 404 is returned whatever the input is (4.10).
  const isStated = stated.statesNotFound && outcome === 'mcpServerNotFound';
  return hasReached(rule.stage, outcome) && !(isStated && rule.stage === 'input');
}

// The open points that the contract names at the response, and those that show in all responses of its kind.
function namedInResponse(
  contract: ContractDocument,
  profile: Profile,
  intake: Intake | undefined,
  outcome: Outcome,
): ReadonlySet<string> {
  const found = { openPoints: new Set<string>(['rateLimits']), hasKeyOrder: false };
  // Only an operation has a success.
  const { stated } = (intake ?? {}) as Intake;
  const response =
    outcome === undefined
      ? appliedResponse(intake as Intake, successStatus(stated, profile))
      : refusalResponse(profile);
  const [mediaType, media] = Object.entries(response.content ?? {})[0] ?? [];
  collect(contract, media?.schema as SchemaObject | undefined, found);
  const { openPoints, hasKeyOrder } = found;
  if (hasKeyOrder) openPoints.add('keyOrder');
  if (mediaType === 'application/json') openPoints.add('answerMediaType');
  const deciding = (ids: readonly string[]) => ids.flatMap((id) => decidingPoints(profile, id as OpenPointId));
  if (outcome === undefined) {
    return new Set([...openPoints, ...openPointsOf(response), ...deciding([stated.statusOpenPoint ?? []].flat())]);
  }
  const { openPoint = 'errorBody' }: RefusalDefinition = refusals[outcome];
  const ofKey = outcome === 'unauthenticated' && intake !== undefined ? openPointsOf(appliedResponse(intake, 401)) : [];
  return new Set([...openPoints, 'errorBody', ...deciding([openPoint]), ...ofKey]);
}

function appliedResponse({ applied }: Intake, status: number): ResponseObject {
  return applied.definition.responses?.[status] as ResponseObject;
}

function refusalResponse(profile: Profile): ResponseObject {
  const shape = errorShapeUnder(profile);
  return { description: '', ...(shape && { content: { [shape.contentType]: { schema: shape.schema } } }) };
}

type Found = { openPoints: Set<string>; hasKeyOrder: boolean };

// Annotations may be next to a reference. The contract's schemas do not contain themselves.
function collect(document: ContractDocument, schema: SchemaObject | undefined, found: Found): void {
  if (schema === undefined) return;
  for (const openPoint of openPointsOf(schema)) found.openPoints.add(openPoint);
  if ('$ref' in schema) collect(document, dereference<SchemaObject>(document, schema), found);
  const properties = Object.values(schema.properties ?? {}) as SchemaObject[];
  if (properties.length > 1) found.hasKeyOrder = true;
  for (const property of properties) collect(document, property, found);
  if ('items' in schema) collect(document, schema.items as SchemaObject, found);
}
