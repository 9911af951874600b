/*
 * The stages of a request to the mock, with the statuses of the default profile. Before the engine
 * (`src/http/server.ts`): preflight 204, unknown path 404, wrong method 405, no valid key
 * 401, body too large 413. Here and in `input.ts`: media type 415, JSON 400, input 422. In `operations.ts`: unknown
 * resource 404, conflict 409; `finders` find a resource before the input (`judgedFirst`). If you
 * change the order, also change `openPointTrace` in `applied-profile.ts` and `conformance/observe/requests.ts`.
 */
import type { ContractDocument } from '../../openapi/contract/document.ts';
import type { Operation, OperationId } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { howToAuthenticate } from '../../openapi/contract/security.ts';
import { runDue } from '../domain/due.ts';
import type { Organization } from '../domain/organizations.ts';
import { originIn } from '../domain/origin-in.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { createStore, type Seed } from '../domain/seed.ts';
import {
  fromSnapshot,
  type OrganizationSnapshot,
  type Snapshot,
  toOrganizationSnapshot,
  toSnapshot,
} from '../domain/snapshot.ts';
import type { Sandbox, Store } from '../domain/store.ts';
import { type AppliedProfile, AppliedProfiles, type ProfileRuntime, withShared } from './applied-profile.ts';
import type { Answer, Call, JudgedCall, RequestHeaders } from './call.ts';
import type { MockClock } from './mock-clock.ts';
import { type Context, finders, type Handler, handlers } from './operations.ts';
import { createRateLimitHeaders } from './rate-limits.ts';
import { type Reseeding, reseedStore } from './reseed.ts';
import { remake, restoreStore } from './restore.ts';
import { Sandboxes, type SandboxRules } from './sandboxes.ts';

const defaultRules: SandboxRules = { hasOpenKeys: false, limit: 1_000 };

/**
 * Takes one call and returns one response: authenticate, validate, handle, present. No HTTP server, no wall clock.
 * The order of judgement is key, media type, JSON, input, resource; open point `judgedFirst` may move the resource up, never
 * the key. An unknown MCP server is always reported first.
 */
export class Engine {
  /** Opens and retires sandboxes: organizations in addition to the seed's. */
  readonly sandboxes: Sandboxes;
  store: Store;
  readonly clock: MockClock;
  #seed: Seed;
  readonly #appliedProfiles: AppliedProfiles;
  /** The profile of all organizations without their own. */
  #applied: AppliedProfile;
  readonly #rateLimitHeaders = createRateLimitHeaders();

  constructor(runtime: ProfileRuntime, seed: Seed, rules: SandboxRules = defaultRules) {
    this.clock = runtime.clock;
    this.#appliedProfiles = new AppliedProfiles(runtime);
    this.#applied = this.#appliedProfiles.of(runtime.profile);
    this.store = createStore(this.runtime, seed);
    this.sandboxes = new Sandboxes(this, rules);
    this.#seed = seed;
  }

  /** The profile, clock and random seed in use. */
  get runtime(): ProfileRuntime {
    return this.#applied.runtime;
  }

  /** The contract under the profile. */
  get contract(): ContractDocument {
    return this.#applied.contract;
  }

  /** The seed that a reset restores. */
  get seed(): Seed {
    return this.#seed;
  }

  get operations(): readonly Operation[] {
    return this.#applied.operations;
  }

  /** Restores the initial state: seed, random streams and clock. */
  reset(): void {
    this.clock.reset();
    this.store = createStore(this.runtime, this.#seed);
    this.sandboxes.reset();
  }

  /** Resets one organization to its initial state, with its first keys and without its own profile. */
  resetOrganization(sandbox: Sandbox): Organization | Refusal {
    const { organization, origin, firstKeys } = sandbox;
    const fresh = remake(this.store, this.runtime, organization.name, origin, organization.id);
    if (fresh === undefined)
      return refuse(
        'conflict',
        'The seed no longer contains this organization, or the one that it was copied from. Delete this organization, or reset the whole mock.',
      );
    if (this.store.isTaken(firstKeys, sandbox) || (this.store.sandbox(fresh.id) ?? sandbox) !== sandbox) {
      return refuse(
        'conflict',
        'Another organization now has the id of this one, or one of its original keys. Delete that organization, or reset the whole mock.',
      );
    }
    if (fresh.id !== organization.id) this.store.remove(this.store.sandbox(organization.id) as Sandbox);
    this.store.put({ organization: fresh, origin, keys: firstKeys });
    return fresh;
  }

  /** All of the state as data. */
  snapshot(): Snapshot {
    return { ...toSnapshot(this.store), clockMs: this.clock.fixedAtMs };
  }

  /** Restores the state of a snapshot, which must be valid. Existing organizations keep their own profiles. */
  restore(snapshot: Snapshot): void {
    this.#replaceStore(snapshot);
    this.clock.set(snapshot.clockMs);
  }

  /** Restores one organization, or adds it. */
  restoreOrganization(snapshot: OrganizationSnapshot): void {
    const ownProfile = this.store.sandbox(snapshot.id)?.ownProfile;
    const sandbox = fromSnapshot(this.runtimeFor(ownProfile), snapshot);
    this.store.put({ ...sandbox, origin: originIn(this.#seed, sandbox), ownProfile });
  }

  /** Uses a new seed: immediately for organizations that are unchanged, for others after their next reset. */
  reseed(seed: Seed): Reseeding {
    const earlier = this.store;
    const { store, ...told } = reseedStore(this.runtime, seed, earlier);
    this.#seed = seed;
    this.store = store;
    for (const { organization, ownProfile } of earlier.sandboxes) {
      const sandbox = store.sandbox(organization.id);
      if (sandbox !== undefined && sandbox.ownProfile !== ownProfile) this.applyFor(sandbox, ownProfile);
    }
    return told;
  }

  /** Switches all organizations without their own profile to a different one. The state is preserved. */
  apply(profile: Profile): void {
    const applied = this.#appliedProfiles.of(profile);
    this.#applied = applied;
    this.#replaceStore(this.store);
  }

  /** Gives one organization its own profile, or removes it. The state is preserved. */
  applyFor({ organization: { id } }: Sandbox, profile: Profile | undefined): void {
    const sandbox = this.store.sandbox(id) as Sandbox;
    const runtime = this.runtimeFor(profile);
    const { organization, ...kept } = fromSnapshot(runtime, toOrganizationSnapshot(sandbox));
    organization.isWritten = sandbox.organization.isWritten;
    this.store.put({ organization, ...kept, ownProfile: profile && runtime.profile });
  }

  /** The applied profile of the organization whose key is in these headers. Opens no sandbox. */
  appliedFor(headers: RequestHeaders = {}): AppliedProfile {
    if (!this.store.hasOwnProfiles) return this.#applied;
    const key = this.#applied.keyOf(headers);
    const owner = typeof key === 'string' ? this.store.ownerOf(key) : undefined;
    return (owner && this.#appliedProfiles.appliedTo(owner.organization)) ?? this.#applied;
  }

  /** The organization of the effective key of a request, or the error response (section 5). */
  authenticate(headers: RequestHeaders): Organization | Refusal {
    const key = this.#applied.keyOf(headers);
    if (typeof key !== 'string') return key;
    const organization = this.store.organizationOf(key) ?? this.sandboxes.openFor(key);
    if (organization !== undefined) return organization;
    const valid = this.store.ownerOf('demo-key') === undefined ? 'the seed defines the keys' : 'demo-key is valid';
    const why = this.sandboxes.whyUnknown(key) ?? `The API key is unknown; ${valid}.`;
    return refuse('unauthenticated', `${why} ${howToAuthenticate}`);
  }

  /** The organization of a call whose key and input are valid; undefined otherwise. Changes nothing. */
  callerOf(call: Call): Organization | undefined {
    const caller = this.authenticate(call.headers);
    const { readInput } = this.appliedFor(call.headers).operation(call.operationId);
    return isRefusal(caller) || isRefusal(readInput(call)) ? undefined : caller;
  }

  /** Handles one call. A refused call changes nothing. */
  answer(call: Call): Answer {
    const applied = this.appliedFor(call.headers);
    const organization = this.authenticate(call.headers);
    if (isRefusal(organization)) return this.refusal(organization, undefined, call);
    const input = applied.operation(call.operationId).readInput(call);
    runDue(organization);
    if (isRefusal(input)) return this.#refuseInput(applied, input, call, organization);
    const handle = handlers[call.operationId] as Handler<OperationId>;
    const result = handle(input as never, this.#contextOf(applied, organization));
    if (typeof result === 'object' && result !== null && isRefusal(result))
      return this.refusal(result, organization, call);
    if (!applied.operation(call.operationId).stated.isRead) organization.isWritten = true;
    organization.deferred.countCall();
    runDue(organization);
    const answer = applied.success(call, result, this.#announcement(applied, organization));
    answer.about = { operationId: call.operationId, organizationId: organization.id };
    return answer;
  }

  /** The error response under the caller's profile. `call` is what is known about the request. */
  refusal(refusal: Refusal, caller?: Organization, call: Partial<JudgedCall> = {}): Answer {
    return this.refusalIn(this.appliedFor(call.headers), refusal, caller, call);
  }

  /** The same under a given profile. */
  refusalIn(applied: AppliedProfile, refusal: Refusal, caller?: Organization, call: Partial<JudgedCall> = {}): Answer {
    return { ...applied.refusal(refusal, call, this.#announcement(applied, caller)), ...aboutOf(call, caller) };
  }

  // If the resource is unknown as well, the profile decides which error is reported, except where 404 is stated (4.10).
  #refuseInput(applied: AppliedProfile, input: Refusal, call: Call, organization: Organization): Answer {
    const { stated, idViolations } = applied.operation(call.operationId);
    const hasUsualIds = idViolations(call.pathParameters).length === 0;
    const find = hasUsualIds ? finders[call.operationId] : undefined;
    const found = find?.(call.pathParameters as never, this.#contextOf(applied, organization)) ?? {};
    if (!isRefusal(found)) return this.refusalIn(applied, input, organization, call);
    const told = applied.profile.judgedFirst === 'input' && !stated.statesNotFound ? input : found;
    return this.refusalIn(applied, told, organization, { ...call, hasTwoFaults: true });
  }

  #contextOf({ profile, views, pages }: AppliedProfile, organization: Organization): Context {
    return { organization, store: this.store, profile, views, pages };
  }

  #announcement({ profile }: AppliedProfile, caller: Organization | undefined): Record<string, string> {
    const notice = caller === undefined ? undefined : this.sandboxes.takeNotice(caller);
    if (profile.rateLimits === 'none') return notice ?? nothingAnnounced;
    return { ...this.#rateLimitHeaders(caller ?? this.store, this.clock), ...notice };
  }

  /** The runtime for an organization with this profile; without a profile, the common runtime. */
  runtimeFor(own: Profile | undefined): ProfileRuntime {
    return own === undefined ? this.runtime : this.#appliedProfiles.of(withShared(own, this.runtime.profile)).runtime;
  }

  #replaceStore(state: Store | Snapshot): void {
    this.store = restoreStore(this.#seed, state, this.store, (own) => this.runtimeFor(own));
  }
}

const nothingAnnounced: Record<string, string> = Object.freeze({});

function aboutOf({ operationId }: Partial<Call>, caller: Organization | undefined): Pick<Answer, 'about'> {
  if (operationId === undefined) return {};
  return { about: caller === undefined ? { operationId } : { operationId, organizationId: caller.id } };
}
