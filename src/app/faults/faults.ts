import type { OperationId } from '../../../openapi/contract/operations.ts';
import { createRandom, type Random } from '../../domain/random.ts';
import { type FaultMoment, type Latency, momentsOf } from './effects.ts';
import {
  type Fault,
  FaultError,
  type FaultMatch,
  type FaultPatch,
  invalidFault,
  isLatencyId,
  type ListedFault,
  latencyId,
} from './fault.ts';
import { HeldCalls } from './held-calls.ts';
import { parseFault } from './parse-fault.ts';

const range = 2 ** 32;

/** A fault with its counts and its random streams. */
class ArmedFault {
  readonly id: string;
  fault: Fault;
  applied: number;
  #matched: number;
  readonly #streamName: string;
  #shares: Random;
  readonly #delays: Random;

  /** Its random choices depend on `streamName` alone. */
  constructor(id: string, { matched = 0, applied = 0, ...fault }: Fault, streamName: string) {
    this.id = id;
    this.fault = fault;
    this.applied = applied;
    this.#matched = matched;
    this.#streamName = streamName;
    this.#shares = createRandom(`${streamName}/share`);
    this.#delays = createRandom(`${streamName}/delay`);
  }

  get moment(): FaultMoment {
    return this.fault.moment ?? momentsOf(this.fault.effect)[0];
  }

  /** Counts from the start again. */
  beginAgain(): void {
    this.#matched = 0;
    this.applied = 0;
    this.#shares = createRandom(`${this.#streamName}/share`);
  }

  /** Whether it applies to a call. Call it once per call: it counts. */
  isDue(operationId: OperationId, caller: string): boolean {
    const { isEnabled = true, organizationId = caller, operations, when } = this.fault;
    const isMeant = operations === undefined || operations.includes(operationId);
    if (!isEnabled || organizationId !== caller || !isMeant) return false;
    this.#matched++;
    if (when === undefined) return true;
    if ('next' in when) return this.applied < when.next;
    if ('every' in when) return this.#matched % when.every === 0;
    return this.#shares.uint32() / range < when.share;
  }

  /** How long it delays a call. Both bounds are included. */
  drawMs(latency: Latency): number {
    if ('delayMs' in latency) return latency.delayMs;
    const { fromMs, toMs } = latency;
    return fromMs + Math.floor((this.#delays.uint32() / range) * (toMs - fromMs + 1));
  }

  toListed(): ListedFault {
    const { id, fault, moment, applied } = this;
    const { isEnabled = true, when } = fault;
    const isUsedUp = when !== undefined && 'next' in when && applied >= when.next;
    return structuredClone({ ...fault, id, isEnabled, moment, matched: this.#matched, applied, isUsedUp });
  }
}

/** The ids of the organizations with an id or a name: one, none, or several with the same name. */
type IdsOfOrganization = (named: string) => readonly string[];

/** The faults of one mock, in their order. Their random choices depend on the random seed alone. */
export class Faults {
  /** The calls that they delay. */
  readonly held = new HeldCalls();
  readonly #randomSeed: number;
  readonly #atStart: readonly Fault[];
  readonly #idsOf: IdsOfOrganization;
  readonly #onChange: (operationId: string) => void;
  #armed: ArmedFault[] = [];
  #counted = 0;
  /** How many faults were added for each organization, or for all (the empty name). */
  readonly #added = new Map<string, number>();

  /** `atStart`: the initial faults. `onChange` gets the operation of the admin API that makes the same change. */
  constructor(
    randomSeed: number,
    atStart: readonly Fault[] = [],
    idsOf: IdsOfOrganization = (named) => [named],
    onChange: (operationId: string) => void = () => undefined,
  ) {
    this.#randomSeed = randomSeed;
    this.#idsOf = idsOf;
    this.#onChange = onChange;
    this.#atStart = atStart;
    for (const fault of atStart) this.#arm(fault);
  }

  get isEmpty(): boolean {
    return this.#armed.length === 0;
  }

  /** All faults, or only those of one organization. */
  list(organizationId?: string): ListedFault[] {
    this.forgetGone();
    const isListed = ({ fault }: ArmedFault) => organizationId === undefined || fault.organizationId === organizationId;
    return this.#armed.filter(isListed).map((armed) => armed.toListed());
  }

  find(id: string): ListedFault | undefined {
    return this.#armed.find((armed) => armed.id === id)?.toListed();
  }

  /** Adds a fault at the end of the list, or throws a {@link FaultError}. */
  add(fault: Fault): ListedFault {
    this.forgetGone();
    const armed = this.#arm(fault);
    this.#onChange('addFault');
    return armed.toListed();
  }

  /** Adds several faults at the end of the list, in this order, or throws a {@link FaultError}. */
  addAll(faults: readonly Fault[]): void {
    this.forgetGone();
    // A counted id must not be one that a later fault of the list names.
    const named = new Set(faults.map(({ id }) => id));
    for (const fault of faults) this.#arm(fault, named);
    this.#onChange('addFault');
  }

  #arm(fault: Fault, named?: ReadonlySet<string | undefined>): ArmedFault {
    const parsed = this.#parsedOrThrown(fault);
    const { id } = parsed;
    if (id !== undefined && this.find(id) !== undefined) {
      const message = `Fault ${id} already exists. Change it, or choose a different id.`;
      throw new FaultError('FAULT_ID_TAKEN', message);
    }
    // Counted per organization: parallel tests, each with its own, get the same random choices in any order.
    const { organizationId = '' } = parsed;
    const number = (this.#added.get(organizationId) ?? 0) + 1;
    this.#added.set(organizationId, number);
    const streamName = `${this.#randomSeed}/fault/${organizationId}/${id ?? number}`;
    const armed = new ArmedFault(id ?? this.#nextId(named), parsed, streamName);
    this.#armed.push(armed);
    return armed;
  }

  /** Changes a fault without moving it, or throws a {@link FaultError}. With a new `when` it counts from the start. */
  replace(id: string, patch: FaultPatch): ListedFault {
    const armed = this.#armed.find((one) => one.id === id);
    if (armed === undefined) throw new FaultError('FAULT_UNKNOWN', `There is no fault ${id}.`);
    const fault = this.#parsedOrThrown(patched({ ...armed.fault, id }, patch));
    if (fault.id !== id)
      throw invalidFault([{ location: ['id'], code: 'const', message: `is ${id} and cannot change` }]);
    armed.fault = fault;
    if (patch.when !== undefined) armed.beginAgain();
    if (fault.isEnabled === false) this.#letGo(id);
    this.#onChange('changeFault');
    return armed.toListed();
  }

  /** Removes a fault; the calls that it delays continue. False if there was none with this id. */
  remove(id: string): boolean {
    const rest = this.#armed.filter((armed) => armed.id !== id);
    if (rest.length === this.#armed.length) return false;
    this.#armed = rest;
    this.#letGo(id);
    this.#onChange('deleteFault');
    return true;
  }

  /**
   * Removes all faults, or only those of one organization. Latencies of the settings stay. The delayed calls of all, or of
   * that one, continue before this returns, so that a reset comes after them.
   */
  clear(organizationId?: string): void {
    this.#clear(organizationId, ({ id }) => isLatencyId(id));
    this.#onChange('clearFaults');
  }

  /** Removes the faults and the latency of one organization, which is deleted or begins again. */
  forget(organizationId: string): void {
    this.#clear(organizationId);
    this.#onChange('clearFaults');
  }

  /** Removes the faults of organizations that are gone: removed for a new sandbox, or not in a restored snapshot. */
  forgetGone(): void {
    this.#armed = this.#armed.filter(
      ({ fault: { organizationId } }) => organizationId === undefined || this.#idsOf(organizationId).length > 0,
    );
  }

  #clear(organizationId?: string, stays: (armed: ArmedFault) => boolean = () => false): void {
    const isAll = organizationId === undefined;
    const isOthers = ({ fault }: ArmedFault) => !isAll && fault.organizationId !== organizationId;
    this.#armed = this.#armed.filter((armed) => isOthers(armed) || stays(armed));
    if (isAll) {
      this.#added.clear();
      this.#counted = 0;
    } else this.#added.delete(organizationId);
    this.held.letGo((strike) => isAll || strike.organizationId === organizationId);
  }

  /** Removes all faults except the initial ones, which count from the start again. */
  reset(): void {
    this.#clear();
    for (const fault of this.#atStart) this.#arm(fault);
    this.#onChange('clearFaults');
  }

  /** The faults that apply to a call, if any. Call it once per call: faults count. */
  strike(operationId: OperationId, organizationId: string): FaultMatch | undefined {
    const faults: string[] = [];
    const delayMs = { before: 0, after: 0 };
    let spoiling: FaultMatch['spoiling'];
    const hasOwnLatency = this.#armed.some(
      ({ id, fault }) => fault.organizationId === organizationId && id !== latencyId && isLatencyId(id),
    );
    for (const armed of this.#armed) {
      if (hasOwnLatency && armed.id === latencyId) continue;
      if (!armed.isDue(operationId, organizationId)) continue;
      const { effect } = armed.fault;
      if ('latency' in effect) delayMs[armed.moment] += armed.drawMs(effect.latency);
      else if (spoiling === undefined) spoiling = { moment: armed.moment, effect };
      else continue;
      armed.applied++;
      faults.push(armed.id);
    }
    if (faults.length === 0) return undefined;
    return { organizationId, faults, delayMs, ...(spoiling === undefined ? {} : { spoiling }) };
  }

  #parsedOrThrown(value: unknown): Fault {
    const parsed = parseFault(value);
    if (Array.isArray(parsed)) throw invalidFault(parsed);
    const { organizationId: named } = parsed;
    if (named === undefined) return parsed;
    const [organizationId, ...others] = this.#idsOf(named);
    if (organizationId !== undefined && others.length === 0) return { ...parsed, organizationId };
    const message = organizationId === undefined ? 'names no organization' : 'names several organizations; pass an id';
    throw invalidFault([{ location: ['organizationId'], code: 'unknown', message }]);
  }

  #letGo(id: string): void {
    this.held.letGo((strike) => strike.faults.includes(id));
  }

  #nextId(named: ReadonlySet<string | undefined> = new Set()): string {
    for (;;) {
      const id = `fault-${++this.#counted}`;
      if (!named.has(id) && this.find(id) === undefined) return id;
    }
  }
}

function patched(fault: Fault, patch: FaultPatch): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  return Object.fromEntries(Object.entries({ ...fault, ...patch }).filter(([, value]) => value !== null));
}
