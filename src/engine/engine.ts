import type { ContractDocument } from '../../openapi/contract/document.ts';
import { errorShapes, type Problem } from '../../openapi/contract/error-bodies.ts';
import type { Operation, OperationId } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { refusals } from '../../openapi/contract/refusals.ts';
import { countCall, runDue } from '../domain/due.ts';
import type { Organization, Runtime } from '../domain/organizations.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { createStore, type Seed } from '../domain/seed.ts';
import { fromSnapshot, type OrganizationSnapshot, type Snapshot, toSnapshot } from '../domain/snapshot.ts';
import type { Store, Tenant } from '../domain/store.ts';
import { authenticate } from './authenticate.ts';
import type { Answer, Call, RequestHeaders } from './call.ts';
import { type CompiledContract, compileContract } from './compile-contract.ts';
import type { Context, Handler, Input } from './handler.ts';
import type { CompiledOperation } from './input.ts';
import type { MockClock } from './mock-clock.ts';
import { handlers } from './operations/index.ts';
import { toProblem } from './problem.ts';
import { createRateLimitHeaders } from './rate-limits.ts';
import { remake, restoreStore } from './restore.ts';
import { type TenantRules, Tenants } from './tenants.ts';

const defaultRules: TenantRules = { hasOpenKeys: false, limit: 1_000 };

/**
 * Takes one call and returns one answer: authenticate, validate, handle, present. No HTTP server, no wall clock.
 * The order of judgement is key, media type, JSON, input, resource; under `judgedFirst: input` the key follows the input.
 */
export class Engine {
  /** Opens and retires worlds: organizations besides those of the seed. */
  readonly tenants: Tenants;
  store: Store;
  readonly clock: MockClock;
  readonly #seed: Seed;
  #runtime: Runtime & { clock: MockClock };
  #play: CompiledContract;
  readonly #rateLimitHeaders = createRateLimitHeaders();

  constructor(runtime: Runtime & { clock: MockClock }, seed: Seed, rules: TenantRules = defaultRules) {
    this.clock = runtime.clock;
    this.#runtime = runtime;
    this.#play = compileContract(runtime.profile);
    this.store = createStore(runtime, seed);
    this.tenants = new Tenants(this, rules);
    this.#seed = seed;
  }

  /** The profile, clock and random seed in use. */
  get runtime(): Runtime & { clock: MockClock } {
    return this.#runtime;
  }

  /** The contract as the profile plays it. */
  get contract(): ContractDocument {
    return this.#play.contract;
  }

  get operations(): readonly Operation[] {
    return this.#play.operations;
  }

  /** Restores the starting state: the same seed, the same random streams, the clock as it started. */
  reset(): void {
    this.clock.reset();
    this.store = createStore(this.#runtime, this.#seed);
    this.tenants.reset();
  }

  /** Restores one organization to its start, with its first keys. */
  resetOrganization(tenant: Tenant): Organization | Refusal {
    const { organization, origin, firstKeys } = tenant;
    const fresh = remake(this.store, this.#runtime, organization.name, origin);
    if (this.store.isTaken(firstKeys, tenant) || (this.store.tenant(fresh.id) ?? tenant) !== tenant) {
      return refuse('conflict', 'Another organization now has one of its first keys, or its id.');
    }
    if (fresh.id !== organization.id) this.store.remove(this.store.tenant(organization.id) as Tenant);
    this.store.put({ organization: fresh, origin, keys: firstKeys });
    return fresh;
  }

  /** All of the state as data. */
  snapshot(): Snapshot {
    return { ...toSnapshot(this.store), clockMs: this.clock.fixedAtMs };
  }

  /** Restores the state of a snapshot, which must be valid. */
  restore(snapshot: Snapshot): void {
    this.store = restoreStore(this.#runtime, this.#seed, snapshot);
    this.clock.set(snapshot.clockMs);
  }

  /** Restores one organization, or adds it. */
  restoreOrganization(snapshot: OrganizationSnapshot): void {
    this.store.put(fromSnapshot(this.#runtime, snapshot));
  }

  /** Switches to another profile. The state is preserved. */
  play(profile: Profile): void {
    const runtime = { ...this.#runtime, profile };
    const play = compileContract(profile);
    this.store = restoreStore(runtime, this.#seed, this.store);
    this.#runtime = runtime;
    this.#play = play;
  }

  /** The organization of a request, or the refusal. */
  authenticate(headers: RequestHeaders): Organization | Refusal {
    return authenticate(this.store, this.tenants, this.#play.carriers, this.#runtime.profile, headers);
  }

  /** The organization of a call whose key and input are valid; undefined otherwise. Changes nothing. */
  callerOf(call: Call): Organization | undefined {
    const caller = this.authenticate(call.headers);
    return isRefusal(caller) || isRefusal(this.#compiledFor(call).readInput(call)) ? undefined : caller;
  }

  /** Answers one call. A refused call has changed nothing. */
  answer(call: Call): Answer {
    const { isKeyFirst, readInput } = this.#compiledFor(call);
    const early = isKeyFirst ? this.authenticate(call.headers) : undefined;
    if (early !== undefined && isRefusal(early)) return this.refusal(early, undefined, call);
    const input = readInput(call);
    if (isRefusal(input)) return this.refusal(input, early, call);
    const organization = early ?? this.authenticate(call.headers);
    if (isRefusal(organization)) return this.refusal(organization, undefined, call);
    runDue(organization);
    return this.#handle(call, input as Input<OperationId>, organization);
  }

  /**
   * The answer to a refusal under the profile: open point `errorBody` and the codes of the refusals. `call` holds what is
   * known of the request.
   */
  refusal(refusal: Refusal, caller?: Organization, call: Partial<Call> = {}): Answer {
    const status = refusals[refusal.refused].status(this.#runtime.profile);
    const headers = { ...this.#challenge(refusal.refused), ...this.#announcement(caller) };
    const openPoints = this.#play.openPointTrace(refusal.refused, call);
    const notes = [refusal.detail];
    return { ...this.problem(toProblem(refusal, status), headers), openPoints, notes, ...aboutOf(call, caller) };
  }

  /** An error in the shape of the profile: open point `errorBody`. */
  problem(problem: Problem, headers: Record<string, string> = {}): Answer {
    const { errorBody, answerMediaType } = this.#runtime.profile;
    const { status } = problem;
    if (errorBody === 'empty') return { status, headers };
    const shape = errorShapes[errorBody];
    const contentType = shape.contentType === 'application/json' ? answerMediaType : shape.contentType;
    const body = this.#play.toJson(shape.toBody(problem));
    return { status, headers: { 'content-type': contentType, ...headers }, body };
  }

  #compiledFor({ operationId }: Call): CompiledOperation {
    return this.#play.compiled.get(operationId) as CompiledOperation;
  }

  #handle(call: Call, input: Input<OperationId>, organization: Organization): Answer {
    const context: Context = {
      organization,
      store: this.store,
      profile: this.#runtime.profile,
      views: this.#play.views,
    };
    const handle = handlers[call.operationId] as Handler<OperationId>;
    const result = handle(input as never, context);
    if (typeof result === 'object' && result !== null && isRefusal(result))
      return this.refusal(result, organization, call);
    if (!this.#compiledFor(call).stated.isRead) organization.isWritten = true;
    countCall(organization);
    return this.#success(call, result, organization);
  }

  #challenge(refused: Refusal['refused']): Record<string, string> {
    if (refused !== 'unauthenticated' || this.#runtime.profile.wwwAuthenticate === 'absent') return {};
    return { 'www-authenticate': 'Bearer realm="agent-platform"' };
  }

  #success(call: Call, body: unknown, caller: Organization): Answer {
    const { status } = this.#compiledFor(call);
    const headers = this.#announcement(caller);
    const told = { openPoints: this.#play.openPointTrace(undefined, call), ...aboutOf(call, caller) };
    if (body === undefined) return { status, headers, ...told };
    return {
      status,
      headers: { 'content-type': this.#runtime.profile.answerMediaType, ...headers },
      body: this.#play.toJson(body),
      ...told,
    };
  }

  #announcement(caller: Organization | undefined): Record<string, string> {
    const notice = caller === undefined ? undefined : this.tenants.takeNotice(caller);
    if (this.#runtime.profile.rateLimits === 'none') return notice ?? {};
    return { ...this.#rateLimitHeaders(caller ?? this.store, this.#runtime.clock), ...notice };
  }
}

function aboutOf({ operationId }: Partial<Call>, caller: Organization | undefined): Pick<Answer, 'about'> {
  if (operationId === undefined) return {};
  return { about: caller === undefined ? { operationId } : { operationId, organizationId: caller.id } };
}
