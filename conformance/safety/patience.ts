import { type Sentence, say } from '../../lib/sentence.ts';
import { poll } from '../target/clock.ts';
import { currentCheck } from '../target/reply.ts';

/**
 * What a target may show late: a creation in a list; a move; a deletion; a publication; tools; or readiness for a
 * request that it refused for the moment. To add one, name it here and wait for it with {@link Patience.settle}.
 */
type ChangeKind = 'listed' | 'moved' | 'deleted' | 'published' | 'tools' | 'ready';

/** What was seen last, whether that is what was awaited, and how long it took. */
interface Settled<T> {
  seen: T;
  isThere: boolean;
  tookMs: number;
  pausedMs: number;
}

/** How long to wait for a kind of change that failed to come before, if none of that kind ever came late. */
const shortMs = 30;

/**
 * How long a run waits for what a target may show late. It waits only once for something that does not come: after
 * that, changes of this kind get twice as long as the latest that came. This applies to the check that waited, and to
 * all others once that check has ended with a finding or a missing prerequisite. Otherwise another client, or a
 * changing order, may be the reason.
 */
export class Patience {
  readonly #settleMs: number;
  readonly #latestMs = new Map<ChangeKind, number>();
  readonly #cameNot = new Set<ChangeKind>();
  /** The running checks that have waited in vain for a kind. */
  readonly #inVain = new Map<ChangeKind, Set<string | undefined>>();
  readonly #limitsMs = new Map<ChangeKind, number>();

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** Looks until `isThere` holds or the time for a change of this kind is up; at most `mostMs`. */
  async settle<T>(
    kind: ChangeKind,
    look: () => Promise<T>,
    isThere: (seen: T) => boolean,
    mostMs = this.#settleMs,
  ): Promise<Settled<T>> {
    const limitMs = Math.min(mostMs, this.limitMs(kind));
    this.#limitsMs.set(kind, limitMs);
    const settled = await poll(limitMs, look, isThere);
    if (settled.isThere) this.#latestMs.set(kind, Math.max(settled.pausedMs, this.#latestMs.get(kind) ?? 0));
    else if (limitMs >= this.#settleMs) this.#waitersOf(kind).add(currentCheck.getStore());
    return settled;
  }

  /** How long to wait for a change of a kind now. */
  limitMs(kind: ChangeKind): number {
    if (!this.#cameNot.has(kind) && !this.#hasWaited(kind, currentCheck.getStore())) return this.#settleMs;
    return Math.min(this.#settleMs, Math.max(shortMs, 2 * (this.#latestMs.get(kind) ?? 0)));
  }

  /** Concludes a check that may have waited in vain. `isTheTargets`: whether the target is to blame for its result. */
  conclude(check: string, isTheTargets: boolean): void {
    for (const [kind, waiters] of this.#inVain) if (waiters.delete(check) && isTheTargets) this.#cameNot.add(kind);
  }

  // Outside checks nothing is judged, so it is enough that any check has waited.
  #hasWaited(kind: ChangeKind, check: string | undefined): boolean {
    const waiters = this.#waitersOf(kind);
    return check === undefined ? waiters.size > 0 : waiters.has(check);
  }

  #waitersOf(kind: ChangeKind): Set<string | undefined> {
    const known = this.#inVain.get(kind) ?? new Set();
    this.#inVain.set(kind, known);
    return known;
  }

  /** The time in which the last change of a kind had to come, in words: how long the run waited, and why no longer. */
  lastLimit(kind: ChangeKind): Sentence {
    const limitMs = this.#limitsMs.get(kind) ?? this.#settleMs;
    const isWhole = this.limitMs(kind) >= this.#settleMs;
    if (limitMs >= this.#settleMs || isWhole) return say`within ${limitMs} ms (--settle)`;
    return say`within ${limitMs} ms, because another change did not become visible within ${this.#settleMs} ms (--settle)`;
  }
}
