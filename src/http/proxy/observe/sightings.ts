import { dereference, type ResponseObject, type SchemaObject } from '../../../../openapi/contract/document.ts';
import { loadDocument, loadOpenPoints } from '../../../../openapi/contract/load.ts';
import { type Choice, isLegalChoice, type OpenPoint } from '../../../../openapi/contract/open-points.ts';
import { type OperationId, operationsOf } from '../../../../openapi/contract/operations.ts';
import type { OpenPointId } from '../../../../openapi/contract/profile.ts';
import { type Carrier, carriersOf } from '../../../../openapi/contract/security.ts';
import { type ShownObject, shownObjects } from '../judge/shown.ts';
import { type AnswerView, isSuccess, jsonOf, keysOf, member, type RequestView } from '../judge/views.ts';
import { answerObservers } from './answer-observers.ts';
import { headerObservers } from './header-observers.ts';
import type { Evidence, Learned, Sighting } from './learned.ts';
import { listObservers } from './list-observers.ts';
import { Memories } from './memory.ts';
import { isRefused, type Observer } from './observer.ts';
import { refusalObservers } from './refusal-observers.ts';

const observers: readonly Observer[] = [...answerObservers, ...headerObservers, ...listObservers, ...refusalObservers];

// A server that answers at random shall not fill the memory.
const mostSightings = 20;

/** Collects what exchanges show of the open points, in passing. */
export class Sightings {
  readonly #points = new Map<string, OpenPoint>(loadOpenPoints().map((point) => [point.id, point]));
  readonly #document = loadDocument();
  readonly #schemas: ReadonlyMap<OperationId, SchemaObject>;
  readonly #carriers: readonly Carrier[];
  readonly #memories = new Memories();
  readonly #seen = new Map<OpenPointId, Map<string, Evidence>>();

  constructor() {
    this.#carriers = carriersOf(this.#document);
    const schemas = operationsOf(this.#document).map(({ operationId, definition: { responses = {} } }) => {
      const declared = (responses['200'] ?? responses['2XX']) as ResponseObject;
      const { content } = dereference<ResponseObject>(this.#document, declared);
      return [operationId, (content?.['application/json']?.schema ?? {}) as SchemaObject] as const;
    });
    this.#schemas = new Map(schemas);
  }

  /** Looks at one exchange. `line` is how it is named as evidence. */
  look(request: RequestView, answer: AnswerView, line: string): void {
    const { operationId: operation } = request.operation;
    const keys = keysOf(request, this.#carriers);
    const memory = this.#memories.of(keys);
    const objects = this.#objectsIn(operation, answer);
    const seen = { operation, request, answer, objects, hasKey: keys.length > 0, memory };
    for (const { openPoint, see } of observers) {
      const sighting = see(seen);
      if (sighting !== undefined) this.#note(openPoint, sighting, line);
    }
    if (isSuccess(answer)) this.#memories.learn(keys, operation, member(jsonOf(request), 'name'));
    else if (isRefused(seen) && request.query.length > 0) this.#memories.learnRefusal(operation, request.query);
  }

  /** The choice at an open point, as far as it is clear by now. */
  choiceAt(openPoint: OpenPointId): Choice | undefined {
    const observer = observers.find((each) => each.openPoint === openPoint);
    const evidence = [...(this.#seen.get(openPoint)?.values() ?? [])];
    return observer && this.#settle(observer, evidence);
  }

  learned(): Learned {
    const learned: Learned = { observed: {}, evidence: {}, unclear: {} };
    for (const [openPoint, byValue] of this.#seen) {
      const evidence = [...byValue.values()];
      const choice = this.choiceAt(openPoint);
      const count = evidence.reduce((sum, each) => sum + each.count, 0);
      if (choice !== undefined) {
        Object.assign(learned.observed, { [openPoint]: choice });
        learned.evidence[openPoint] = { count, first: evidence[0]?.first ?? '' };
      } else if (evidence.length > 1 || typeof evidence[0]?.sighting === 'object') {
        learned.unclear[openPoint] = evidence;
      }
    }
    return learned;
  }

  #objectsIn(operation: OperationId, answer: AnswerView): ShownObject[] {
    if (!isSuccess(answer)) return [];
    return shownObjects(this.#document, this.#schemas.get(operation), jsonOf(answer));
  }

  #note(openPoint: OpenPointId, sighting: Sighting, line: string): void {
    const byValue = this.#seen.get(openPoint) ?? new Map<string, Evidence>();
    this.#seen.set(openPoint, byValue);
    const key = JSON.stringify(sighting);
    const known = byValue.get(key);
    if (known !== undefined) known.count += 1;
    else if (byValue.size < mostSightings) byValue.set(key, { sighting, count: 1, first: line });
  }

  #settle({ openPoint, settle }: Observer, evidence: readonly Evidence[]): Choice | undefined {
    const sightings = evidence.map(({ sighting }) => sighting);
    const [only] = sightings.length === 1 ? sightings : [];
    const choice = settle === undefined ? only : settle(sightings);
    const point = this.#points.get(openPoint);
    return point !== undefined && isLegalChoice(point, choice) ? choice : undefined;
  }
}
