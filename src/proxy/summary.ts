import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Learned } from '../../openapi/reading/learned.ts';
import { type ExchangeViolation, type FailureKind, type ProxyExchange, type Severity, sideOf } from './exchange.ts';

/** How often one rule was broken at one place of one operation. */
export interface Tally {
  /** Absent if it is not an operation of the contract. */
  operation?: OperationId;
  severity: Severity;
  /** The place, with `*` for any item of a list. */
  place: string;
  code: string;
  count: number;
  /** The first exchange that showed it. */
  first: { requestId: string; method: string; path: string; status: number; message: string };
}

/** Counts and violations for all traffic through a proxy. */
export interface ProxySummary {
  /** The base URL of the upstream. */
  upstream: string;
  /** When the proxy started, as an ISO date-time. */
  since: string;
  requests: number;
  /** The number of completely judged exchanges. */
  judged: number;
  /** Why others were not judged, or only in part, with counts. */
  notJudged: Record<string, number>;
  failures: Partial<Record<FailureKind, number>>;
  /** The violations of each side, the most frequent first. */
  client: Tally[];
  server: Tally[];
  /** Findings that are not violations, but depend on an open point. */
  restsOnOpenPoints: Tally[];
  /** Responses that contradict earlier ones, unless a client that does not use the proxy was at work. */
  contradictions: Tally[];
  learned: Learned;
}

// Traffic must not fill the memory.
const mostTallies = 500;

/** Counts exchanges and their violations. */
export class Tallies {
  readonly #since = new Date().toISOString();
  readonly #tallies = new Map<string, Tally & { side: 'client' | 'server' | undefined }>();
  readonly #notJudged = new Map<string, number>();
  readonly #failures = new Map<FailureKind, number>();
  #requests = 0;
  #judged = 0;

  add(exchange: ProxyExchange): void {
    this.#requests += 1;
    if (exchange.notJudged.length === 0) this.#judged += 1;
    for (const reason of exchange.notJudged) count(this.#notJudged, reason);
    if (exchange.failure !== undefined) count(this.#failures, exchange.failure.kind);
    for (const violation of exchange.violations) this.#tally(exchange, violation);
  }

  summary(upstream: string, learned: Learned): ProxySummary {
    const all = [...this.#tallies.values()].sort((a, b) => b.count - a.count);
    const of = (wanted: 'client' | 'server' | 'Information' | 'Hint') =>
      all.filter(({ side, severity }) => (side ?? severity) === wanted).map(({ side: _, ...tally }) => tally);
    return {
      upstream,
      since: this.#since,
      requests: this.#requests,
      judged: this.#judged,
      notJudged: Object.fromEntries(this.#notJudged),
      failures: Object.fromEntries(this.#failures),
      client: of('client'),
      server: of('server'),
      restsOnOpenPoints: of('Information'),
      contradictions: of('Hint'),
      learned,
    };
  }

  #tally({ operation, requestId, method, path, status }: ProxyExchange, violation: ExchangeViolation): void {
    const { severity, code, message } = violation;
    const place = placeOf(violation);
    const key = JSON.stringify([operation, severity, place, code]);
    const known = this.#tallies.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#tallies.size < mostTallies) {
      const first = { requestId, method, path, status, message };
      const about = operation === undefined ? {} : { operation };
      this.#tallies.set(key, { ...about, severity, place, code, count: 1, first, side: sideOf(violation) });
    }
  }
}

function placeOf({ location }: ExchangeViolation): string {
  return location.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.');
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
