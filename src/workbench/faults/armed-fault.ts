import type { OperationId } from '../../../openapi/contract/operations.ts';
import { createRandom, type Random } from '../../domain/random.ts';
import { type Fault, type FaultMoment, type ListedFault, momentsOf } from './fault.ts';

const range = 2 ** 32;

/** A fault with its counts and its random streams. */
export class ArmedFault {
  readonly id: string;
  #fault: Fault;
  readonly #streamName: string;
  #shares: Random;
  readonly #delays: Random;
  #matched = 0;
  #struck = 0;

  /** Its random choices depend on `streamName` alone. */
  constructor(id: string, fault: Fault, streamName: string) {
    this.id = id;
    this.#fault = fault;
    this.#streamName = streamName;
    this.#shares = createRandom(`${streamName}/share`);
    this.#delays = createRandom(`${streamName}/delay`);
  }

  get fault(): Fault {
    return this.#fault;
  }

  get moment(): FaultMoment {
    return this.#fault.moment ?? momentsOf(this.#fault.effect)[0];
  }

  /** Takes other settings. The counts go on, unless they are to begin again. */
  change(fault: Fault, isBegunAgain: boolean): void {
    this.#fault = fault;
    if (!isBegunAgain) return;
    this.#matched = 0;
    this.#struck = 0;
    this.#shares = createRandom(`${this.#streamName}/share`);
  }

  /** Whether it is due for a call. To be called once for each call: it counts. */
  isDue(operationId: OperationId, organizationId: string): boolean {
    if (!this.#isMeant(operationId, organizationId)) return false;
    this.#matched++;
    const { when } = this.#fault;
    if (when === undefined) return true;
    if ('next' in when) return this.#struck < when.next;
    if ('every' in when) return this.#matched % when.every === 0;
    return this.#shares.uint32() / range < when.share;
  }

  countStrike(): void {
    this.#struck++;
  }

  /** A delay within bounds, both included. */
  drawMs(fromMs: number, toMs: number): number {
    return fromMs + Math.floor((this.#delays.uint32() / range) * (toMs - fromMs + 1));
  }

  toListed(): ListedFault {
    const { isEnabled = true, when } = this.#fault;
    return structuredClone({
      ...this.#fault,
      id: this.id,
      isEnabled,
      moment: this.moment,
      matched: this.#matched,
      struck: this.#struck,
      isUsedUp: when !== undefined && 'next' in when && this.#struck >= when.next,
    });
  }

  #isMeant(operationId: OperationId, caller: string): boolean {
    const { isEnabled = true, organizationId = caller, operations } = this.#fault;
    return isEnabled && organizationId === caller && (operations === undefined || operations.includes(operationId));
  }
}
