import type { ContractDocument } from '../../openapi/contract/document.ts';
import { errorShapes } from '../../openapi/contract/error-bodies.ts';
import type { Operation, OperationId } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { refusals } from '../../openapi/contract/refusals.ts';
import { runDue } from '../domain/due.ts';
import type { Organization, World } from '../domain/organizations.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { createStore, type Seed } from '../domain/seed.ts';
import { fromSnapshot, type OrganizationSnapshot, type Snapshot, toSnapshot } from '../domain/snapshot.ts';
import type { Resident, Store } from '../domain/store.ts';
import { authenticate } from './authenticate.ts';
import { bodyViolations, coerceScalars, readBody } from './body.ts';
import type { Answer, Call, RequestHeaders } from './call.ts';
import type { MockClock } from './clock.ts';
import type { Context, Handler, Input } from './handler.ts';
import { handlers } from './operations/index.ts';
import { createPlay, type Play, type Prepared } from './play.ts';
import { refuseInput, toProblem } from './problem.ts';
import { createRateLimitHeaders } from './rate-limits.ts';
import { remake, restoreStore } from './restore.ts';
import { type WorldRules, Worlds } from './worlds.ts';

const defaultRules: WorldRules = { hasOpenKeys: false, limit: 1_000 };

/**
 * One operation call in, one answer out: authenticate, validate, handle, present. No HTTP server, no wall clock.
 * The order of judgement is the key, the media type, JSON, the input, the resource; `judgedFirst` can put the key last.
 */
export class Engine {
  /** The organizations that were opened beside those of the seed. */
  readonly worlds: Worlds;
  store: Store;
  readonly clock: MockClock;
  readonly #seed: Seed;
  #world: World & { clock: MockClock };
  #play: Play;
  readonly #rateLimitHeaders = createRateLimitHeaders();

  constructor(world: World & { clock: MockClock }, seed: Seed, rules: WorldRules = defaultRules) {
    this.clock = world.clock;
    this.#world = world;
    this.#play = createPlay(world.profile);
    this.store = createStore(world, seed);
    this.worlds = new Worlds(this, rules);
    this.#seed = seed;
  }

  /** What everything is played with. */
  get world(): World & { clock: MockClock } {
    return this.#world;
  }

  /** The contract as the profile plays it. */
  get contract(): ContractDocument {
    return this.#play.contract;
  }

  get operations(): readonly Operation[] {
    return this.#play.operations;
  }

  /** Back to the starting state: the same seed, the same random streams, the clock where it stood. */
  reset(): void {
    this.clock.reset();
    this.store = createStore(this.#world, this.#seed);
    this.worlds.reset();
  }

  /** One organization as it was at the start, with the keys that it began with. */
  resetOrganization(resident: Resident): Organization | Refusal {
    const { organization, origin, firstKeys } = resident;
    const fresh = remake(this.store, this.#world, organization.name, origin);
    if (this.store.isTaken(firstKeys, resident) || (this.store.resident(fresh.id) ?? resident) !== resident) {
      return refuse('conflict', 'Another organization has one of its first keys by now, or its id.');
    }
    if (fresh.id !== organization.id) this.store.remove(this.store.resident(organization.id) as Resident);
    this.store.put({ organization: fresh, origin, keys: firstKeys });
    return fresh;
  }

  /** All of the state as data. */
  snapshot(): Snapshot {
    return { ...toSnapshot(this.store), clockMs: this.clock.standsAtMs };
  }

  /** Puts the state back that a snapshot holds. It must be valid. */
  restore(snapshot: Snapshot): void {
    this.store = restoreStore(this.#world, this.#seed, snapshot);
    this.clock.set(snapshot.clockMs);
  }

  /** Puts one organization back, or adds it. */
  restoreOrganization(snapshot: OrganizationSnapshot): void {
    this.store.put(fromSnapshot(this.#world, snapshot));
  }

  /** Plays another profile from now on. The state stays. */
  play(profile: Profile): void {
    const world = { ...this.#world, profile };
    const play = createPlay(profile);
    this.store = restoreStore(world, this.#seed, this.store);
    this.#world = world;
    this.#play = play;
  }

  /** The organization of a request, or the refusal to answer with. */
  authenticate(headers: RequestHeaders): Organization | Refusal {
    return authenticate(this.store, this.worlds, this.#play.carriers, this.#world.profile.bothCarriers, headers);
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
    runDue(organization);
    return this.#handle(call, input, organization);
  }

  /**
   * The answer that a refusal has under the profile: open point `errorBody` and the codes of the refusals. `call` is what
   * is known of the request.
   */
  refusal(refusal: Refusal, caller?: Organization, call: Partial<Call> = {}): Answer {
    const { profile } = this.#world;
    const status = refusals[refusal.refused].status(profile);
    const headers = { ...this.#challenge(refusal.refused), ...this.#announcement(caller) };
    const told = { openPoints: this.#play.guesses(refusal.refused, call), ...aboutOf(call, caller) };
    if (profile.errorBody === 'empty') return { status, headers, ...told };
    const shape = errorShapes[profile.errorBody];
    const contentType = shape.contentType === 'application/json' ? profile.answerMediaType : shape.contentType;
    const body = this.#play.toJson(shape.toBody(toProblem(refusal, status)));
    return { status, headers: { 'content-type': contentType, ...headers }, body, ...told };
  }

  // For the tools 401 is stated without reservation (4.10).
  #isKeyFirst(operationId: OperationId): boolean {
    return this.#world.profile.judgedFirst === 'key' || operationId === 'listMcpServerTools';
  }

  #handle(call: Call, input: Input<OperationId>, organization: Organization): Answer {
    const context: Context = {
      organization,
      store: this.store,
      profile: this.#world.profile,
      views: this.#play.views,
    };
    const handle = handlers[call.operationId] as Handler<OperationId>;
    const result = handle(input as never, context);
    if (result !== undefined && isRefusal(result)) return this.refusal(result, organization, call);
    return this.#success(call, result, organization);
  }

  #challenge(refused: Refusal['refused']): Record<string, string> {
    if (refused !== 'unauthenticated' || this.#world.profile.wwwAuthenticate === 'absent') return {};
    return { 'www-authenticate': 'Bearer realm="agent-platform"' };
  }

  #readInput(call: Call): Input<OperationId> | Refusal {
    const { readQuery, pathViolations, validateBody } = this.#play.prepared.get(call.operationId) as Prepared;
    const { profile } = this.#world;
    const query = readQuery(call.query);
    const body = validateBody === undefined ? undefined : readBody(call.body, call.headers, profile);
    if (body !== undefined && isRefusal(body)) return body;
    const value = profile.wrongBodyTypes === 'coerced' ? coerceScalars(body?.value) : body?.value;
    const violations = [
      ...pathViolations(call.pathParameters),
      ...('violations' in query ? query.violations : []),
      ...(validateBody === undefined ? [] : bodyViolations(value, validateBody, profile)),
    ];
    if (violations.length > 0 || 'violations' in query) return refuseInput(violations);
    return { path: call.pathParameters, query: query.values, body: value ?? {} } as Input<OperationId>;
  }

  #success(call: Call, body: unknown, caller: Organization): Answer {
    const { status } = this.#play.prepared.get(call.operationId) as Prepared;
    const headers = this.#announcement(caller);
    const told = { openPoints: this.#play.guesses(undefined, call), ...aboutOf(call, caller) };
    if (body === undefined) return { status, headers, ...told };
    return {
      status,
      headers: { 'content-type': this.#world.profile.answerMediaType, ...headers },
      body: this.#play.toJson(body),
      ...told,
    };
  }

  #announcement(caller: Organization | undefined): Record<string, string> {
    const notice = caller === undefined ? undefined : this.worlds.takeNotice(caller);
    if (this.#world.profile.rateLimits === 'none') return notice ?? {};
    return { ...this.#rateLimitHeaders(caller ?? this.store, this.#world.clock), ...notice };
  }
}

function aboutOf({ operationId }: Partial<Call>, caller: Organization | undefined): Pick<Answer, 'about'> {
  if (operationId === undefined) return {};
  return { about: caller === undefined ? { operationId } : { operationId, organizationId: caller.id } };
}
