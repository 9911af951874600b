import { contractFor, successStatus } from '../../openapi/contract/contract-for.ts';
import { type ContractDocument, dereference, type SchemaObject } from '../../openapi/contract/document.ts';
import { errorShapes, type Problem, problemType } from '../../openapi/contract/error-bodies.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { refusals } from '../../openapi/contract/refusals.ts';
import { Schemas, type Validate, type Violation } from '../../openapi/contract/schemas.ts';
import { carriersOf } from '../../openapi/contract/security.ts';
import type { Organization, World } from '../domain/organizations.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { createStore, type Seed } from '../domain/seed.ts';
import type { Store } from '../domain/store.ts';
import { authenticate } from './authenticate.ts';
import { bodyViolations, coerceScalars, readBody } from './body.ts';
import type { Answer, Call, RequestHeaders } from './call.ts';
import { createGuesses, type Guesses } from './guesses/guesses.ts';
import type { Context, Handler, Input } from './handler.ts';
import { createJsonText, type ToJson } from './json-text.ts';
import { handlers } from './operations/index.ts';
import { createQueryReader, type QueryResult } from './query.ts';
import { createRateLimitHeaders } from './rate-limits.ts';
import { createViews, type Views } from './views.ts';

/** What is compiled for one operation. */
interface Prepared {
  /** The code of its success under the profile. */
  status: number;
  readQuery(query: string): QueryResult;
  pathViolations(parameters: Readonly<Record<string, string>>): Violation[];
  /** Present where the operation takes a body. */
  validateBody: Validate | undefined;
}

/**
 * One operation call in, one answer out: authenticate, validate, handle, present. No HTTP server, no wall clock.
 * The order of judgement is the key, the media type, JSON, the input, the resource; `judgedFirst` can put the key last.
 */
export class Engine {
  readonly world: World;
  /** The contract as the profile plays it. */
  readonly contract: ContractDocument;
  readonly operations: readonly Operation[];
  store: Store;
  readonly #seed: Seed;
  readonly #prepared: ReadonlyMap<OperationId, Prepared>;
  readonly #carriers;
  readonly #views: Views;
  readonly #toJson: ToJson;
  readonly #guesses: Guesses;
  readonly #rateLimitHeaders = createRateLimitHeaders();

  constructor(world: World, seed: Seed) {
    this.world = world;
    this.contract = contractFor(world.profile);
    this.operations = operationsOf(this.contract);
    this.store = createStore(world, seed);
    this.#seed = seed;
    this.#prepared = prepare(this.contract, this.operations, world);
    this.#carriers = carriersOf(this.contract);
    this.#views = createViews(world.profile);
    this.#toJson = createJsonText(world.profile.keyOrder);
    this.#guesses = createGuesses(this.contract, world.profile);
  }

  /** Back to the starting state: the same seed, the same random streams. */
  reset(): void {
    this.store = createStore(this.world, this.#seed);
  }

  /** The organization of a request, or the refusal to answer with. */
  authenticate(headers: RequestHeaders): Organization | Refusal {
    return authenticate(this.store, this.#carriers, this.world.profile.bothCarriers, headers);
  }

  /** The organization of a call that no refusal of key or input awaits; undefined where one does. Changes nothing. */
  callerOf(call: Call): Organization | undefined {
    const caller = this.authenticate(call.headers);
    return isRefusal(caller) || isRefusal(this.#readInput(call)) ? undefined : caller;
  }

  /** Answers one call. Nothing has changed when it is refused. */
  answer(call: Call): Answer {
    const early = this.#isKeyFirst(call.operationId) ? this.authenticate(call.headers) : undefined;
    if (early !== undefined && isRefusal(early)) return this.refusal(early, undefined, call);
    const input = this.#readInput(call);
    if (isRefusal(input)) return this.refusal(input, early, call);
    const organization = early ?? this.authenticate(call.headers);
    if (isRefusal(organization)) return this.refusal(organization, undefined, call);
    organization.deferred.countCall(this.world.clock.nowMs());
    return this.#handle(call, input, organization);
  }

  /**
   * The answer that a refusal has under the profile: open point `errorBody` and the codes of the refusals. `call` is what
   * is known of the request.
   */
  refusal(refusal: Refusal, caller?: Organization, call: Partial<Call> = {}): Answer {
    const { profile } = this.world;
    const status = refusals[refusal.refused].status(profile);
    const headers = { ...this.#challenge(refusal.refused), ...this.#announcement(caller) };
    const openPoints = this.#guesses(refusal.refused, call);
    if (profile.errorBody === 'empty') return { status, headers, openPoints };
    const shape = errorShapes[profile.errorBody];
    const contentType = shape.contentType === 'application/json' ? profile.answerMediaType : shape.contentType;
    const body = this.#toJson(shape.toBody(toProblem(refusal, status)));
    return { status, headers: { 'content-type': contentType, ...headers }, body, openPoints };
  }

  // For the tools 401 is stated without reservation (4.10).
  #isKeyFirst(operationId: OperationId): boolean {
    return this.world.profile.judgedFirst === 'key' || operationId === 'listMcpServerTools';
  }

  #handle(call: Call, input: Input<OperationId>, organization: Organization): Answer {
    const context: Context = { organization, store: this.store, profile: this.world.profile, views: this.#views };
    const handle = handlers[call.operationId] as Handler<OperationId>;
    const result = handle(input as never, context);
    if (result !== undefined && isRefusal(result)) return this.refusal(result, organization, call);
    return this.#success(call, result, organization);
  }

  #challenge(refused: Refusal['refused']): Record<string, string> {
    if (refused !== 'unauthenticated' || this.world.profile.wwwAuthenticate === 'absent') return {};
    return { 'www-authenticate': 'Bearer realm="agent-platform"' };
  }

  #readInput(call: Call): Input<OperationId> | Refusal {
    const { readQuery, pathViolations, validateBody } = this.#prepared.get(call.operationId) as Prepared;
    const query = readQuery(call.query);
    const body = validateBody === undefined ? undefined : readBody(call.body, call.headers, this.world.profile);
    if (body !== undefined && isRefusal(body)) return body;
    const value = this.world.profile.wrongBodyTypes === 'coerced' ? coerceScalars(body?.value) : body?.value;
    const violations = [
      ...pathViolations(call.pathParameters),
      ...('violations' in query ? query.violations : []),
      ...(validateBody === undefined ? [] : bodyViolations(value, validateBody, this.world.profile)),
    ];
    if (violations.length > 0 || 'violations' in query) return refuseInput(violations);
    return { path: call.pathParameters, query: query.values, body: value ?? {} } as Input<OperationId>;
  }

  #success(call: Call, body: unknown, caller: Organization): Answer {
    const { status } = this.#prepared.get(call.operationId) as Prepared;
    const headers = this.#announcement(caller);
    const openPoints = this.#guesses(undefined, call);
    if (body === undefined) return { status, headers, openPoints };
    return {
      status,
      headers: { 'content-type': this.world.profile.answerMediaType, ...headers },
      body: this.#toJson(body),
      openPoints,
    };
  }

  #announcement(caller: Organization | undefined): Record<string, string> {
    return this.world.profile.rateLimits === 'none'
      ? {}
      : this.#rateLimitHeaders(caller ?? this.store, this.world.clock);
  }
}

function toProblem({ refused, detail, violations }: Refusal, status: number): Problem {
  const { code, title } = refusals[refused];
  const problem: Problem = { type: problemType(code), title, status, detail };
  if (violations !== undefined) problem.validation = violations.map((one) => ({ ...one, severity: 'Error' }));
  return problem;
}

function refuseInput(violations: NonNullable<Refusal['violations']>): Refusal {
  const detail = violations.map(({ location, message }) => `${location.join('.')} ${message}`).join('; ');
  return refuse('invalidInput', detail, violations);
}

function prepare(
  contract: ContractDocument,
  operations: readonly Operation[],
  { profile }: World,
): ReadonlyMap<OperationId, Prepared> {
  const schemas = new Schemas(contract);
  const stated = new Map(operationsOf(loadDocument()).map((operation) => [operation.operationId, operation]));
  return new Map(
    operations.map((operation) => {
      const original = stated.get(operation.operationId) ?? operation;
      const prepared: Prepared = {
        status: successStatus(operation.operationId, profile),
        readQuery: createQueryReader(schemas, original, operation, profile),
        pathViolations: pathValidator(schemas, operation),
        validateBody: bodyValidator(contract, schemas, operation),
      };
      return [operation.operationId, prepared];
    }),
  );
}

// Any text is an id but for the profile that says otherwise: open point `malformedIds`.
function pathValidator(schemas: Schemas, operation: Operation): Prepared['pathViolations'] {
  const validators = operation.parameters.flatMap((parameter) => {
    const schema = parameter.schema as SchemaObject;
    const isBounded = parameter.in === 'path' && schema.pattern !== undefined;
    return isBounded ? [{ name: parameter.name, validate: schemas.of(schema) }] : [];
  });
  return (parameters) =>
    validators.flatMap(({ name, validate }) =>
      validate(parameters[name]).map((violation) => ({ ...violation, location: ['path', name] })),
    );
}

// Compiled when the first body comes: most runs never use all of them, and none should wait for them at the start.
function bodyValidator(contract: ContractDocument, schemas: Schemas, operation: Operation): Validate | undefined {
  const schema = dereference(contract, operation.definition.requestBody)?.content['application/json']?.schema;
  if (schema === undefined || !('$ref' in schema)) return undefined;
  const pointer = String(schema.$ref);
  return (value) => schemas.at(pointer)(value);
}
