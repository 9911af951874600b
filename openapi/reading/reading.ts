import type { Redact } from '../../lib/secrets.ts';
import { loadDocument } from '../contract/load.ts';
import type { OpenPointId } from '../contract/profile.ts';
import { authHeadersOf, keysOf } from '../contract/security.ts';
import { loadOpenPoints, observers } from '../points/index.ts';
import { type Choice, isLegalChoice, type OpenPoint } from '../points/open-point.ts';
import { bodyObjects } from './body-objects.ts';
import type { Evidence, Learned, Sighting } from './learned.ts';
import { type AnswerView, jsonOf, Memory, mostItems, type RequestView } from './messages.ts';
import { isSuccess } from './statuses.ts';

// Bounds the memory that a server with random responses can use.
const mostSightings = 20;

/** The result of all sightings of an open point: a choice that a mock can use, or the evidence if there is none. */
type Conclusion = { choice: Choice } | { unclear: readonly Evidence[] };

/** Learns from exchanges, in the order of their responses, which choice a server made at each open point. */
export class Reading {
  readonly #points = new Map<string, OpenPoint>(loadOpenPoints().map((point) => [point.id, point]));
  readonly #document = loadDocument();
  readonly #authHeaders = authHeadersOf(this.#document);
  readonly #memory = new Memory();
  readonly #sightings = new Map<OpenPointId, Map<string, Evidence>>();

  /** Reads one exchange. `line` names it as evidence; `redact` is applied to everything quoted from it. */
  add(request: RequestView, answer: AnswerView, line: string, redact: Redact): void {
    const { operation } = request;
    const keys = keysOf(request, this.#authHeaders);
    const objects = isSuccess(answer)
      ? [...bodyObjects(this.#document, operation.answerSchema, jsonOf(answer), mostItems)]
      : [];
    const exchange = { operation, request, answer, objects, memory: this.#memory.of(keys) };
    for (const [openPoint, { see }] of observers) {
      const seen = see(exchange);
      if (seen === undefined) continue;
      const sighting = typeof seen === 'object' ? { other: seen.other.shown(redact) } : seen;
      this.#note(openPoint, sighting, line);
    }
    this.#memory.learn(keys, exchange);
  }

  /** What is known about an open point so far; undefined while nothing is. */
  conclusion(openPoint: OpenPointId): Conclusion | undefined {
    const evidence = [...(this.#sightings.get(openPoint)?.values() ?? [])];
    const sightings = evidence.map(({ sighting }) => sighting);
    if (sightings.length === 0) return undefined;
    const { settle, toChoice } = observers.get(openPoint) ?? {};
    const isOther = sightings.some((sighting) => typeof sighting === 'object');
    const isOne = settle !== undefined || sightings.length === 1;
    const choice = isOther || !isOne ? undefined : settle === undefined ? sightings[0] : settle(sightings);
    if (choice === undefined && settle !== undefined && !isOther) return undefined;
    const point = this.#points.get(openPoint);
    return point !== undefined && isLegalChoice(point, choice)
      ? { choice }
      : { unclear: toChoice === undefined ? evidence : byChoice(evidence, toChoice) };
  }

  /** The choice at an open point, if it is clear so far. */
  choiceAt(openPoint: OpenPointId): Choice | undefined {
    const conclusion = this.conclusion(openPoint);
    return conclusion !== undefined && 'choice' in conclusion ? conclusion.choice : undefined;
  }

  learned(): Learned {
    const learned: Learned = { observed: {}, evidence: {}, unclear: {} };
    for (const [openPoint, byValue] of this.#sightings) {
      const conclusion = this.conclusion(openPoint);
      if (conclusion === undefined) continue;
      if ('unclear' in conclusion) {
        learned.unclear[openPoint] = conclusion.unclear;
        continue;
      }
      const all = [...byValue.values()];
      Object.assign(learned.observed, { [openPoint]: conclusion.choice });
      learned.evidence[openPoint] = { count: countOf(all), first: all[0]?.first ?? '' };
    }
    return learned;
  }

  /** Counts a sighting, unless there are too many others. */
  #note(openPoint: OpenPointId, sighting: Sighting, line: string): void {
    const byValue = this.#sightings.get(openPoint) ?? new Map<string, Evidence>();
    this.#sightings.set(openPoint, byValue);
    const key = JSON.stringify(sighting);
    const known = byValue.get(key) ?? { sighting, count: 0, first: line };
    if (known.count === 0 && byValue.size >= mostSightings) return;
    known.count += 1;
    byValue.set(key, known);
  }
}

/** The evidence by choice: sightings of the same choice are counted together. */
function byChoice(evidence: readonly Evidence[], toChoice: (sighting: string) => string): Evidence[] {
  const named = evidence.map(({ sighting, ...rest }) => ({
    ...rest,
    sighting: typeof sighting === 'string' ? toChoice(sighting) : sighting,
  }));
  const groups = Map.groupBy(named, ({ sighting }) => JSON.stringify(sighting)).values();
  return Array.from(groups, (alike) => ({ ...(alike[0] as Evidence), count: countOf(alike) }));
}

function countOf(evidence: readonly Evidence[]): number {
  return evidence.reduce((sum, { count }) => sum + count, 0);
}
