/*
 * The open points: what the specification leaves unspecified. All that is known about one stands in the file of its
 * theme: question, choices, default, what a wrong guess costs (`room.ts` says what each field means), how traffic shows
 * the choice, and which requests depend on it. The types of profiles, the schema of profile files, options, help, the
 * page and `docs/open-points.md` follow from it (`npm run generate`).
 *
 * To add one: an entry in the file that fits; `x-open-point: <id>` in `openapi/openapi.yaml` where it shows; its name
 * in the code that uses it (`profile.<id>`, or `profile['<id>.<case>']`); how the suite provokes it in
 * `conformance/observe/table.ts`.
 */
import { copyOf, loadDocument } from '../contract/load.ts';
import { type Operation, type OperationId, operationSet, operationsOf } from '../contract/operations.ts';
import type { OpenPointId } from '../contract/profile.ts';
import type { Observer } from '../reading/observer.ts';
import { changesPoints } from './changes.ts';
import { errorsPoints } from './errors.ts';
import { fieldsPoints } from './fields.ts';
import { httpPoints } from './http.ts';
import { inputPoints } from './input.ts';
import { listsPoints } from './lists.ts';
import { mcpPoints } from './mcp.ts';
import { namesPoints } from './names.ts';
import type { OpenPoint } from './open-point.ts';
import { pathsPoints } from './paths.ts';
import type { RelevanceRule } from './relevance.ts';
import type { Room, Rooms } from './room.ts';
import { successPoints } from './success.ts';
import { treesPoints } from './trees.ts';

const points: Rooms = {
  ...successPoints,
  ...inputPoints,
  ...namesPoints,
  ...listsPoints,
  ...pathsPoints,
  ...treesPoints,
  ...changesPoints,
  ...fieldsPoints,
  ...mcpPoints,
  ...errorsPoints,
  ...httpPoints,
};

/** Each point without cases, and each case, with what is true of the whole point. */
const rooms: ReadonlyMap<OpenPointId, Room> = new Map(
  Object.entries(points).flatMap(([id, { cases, ...whole }]) => {
    const all = cases === undefined ? [['', {}] as const] : Object.entries(cases);
    return all.map(([name, own]) => [(name === '' ? id : `${id}.${name}`) as OpenPointId, { ...whole, ...own }]);
  }),
);

/** The open points as data, a copy for each call. A point with cases is one entry for each case. */
export const loadOpenPoints = copyOf((): OpenPoint[] => {
  const all = operationsOf(loadDocument());
  return [...rooms].map(([id, { see: _, settle: __, toChoice: ___, decides: ____, isStored: _____, ...room }]) => ({
    id,
    ...(room as Omit<OpenPoint, 'id' | 'operations'>),
    operations: operationSet(all, room.operations ?? []).map(({ operationId }) => operationId),
  }));
});

/** An open point as one question, with its choices case by case. */
export interface Question {
  id: string;
  open: string;
  question: string;
  cases: readonly OpenPoint[];
}

/** The questions to the owners of the specification, one for each open point. */
export function loadQuestions(): Question[] {
  const byPoint = Map.groupBy(loadOpenPoints(), ({ id }) => id.split('.', 1).join());
  return Object.entries(points).map(([id, { open, question }]) => ({
    id,
    open,
    question,
    cases: byPoint.get(id) ?? [],
  }));
}

/** How to recognise the choices that single exchanges show. */
export const observers: ReadonlyMap<OpenPointId, Observer> = new Map(
  [...rooms].flatMap(([id, room]) => (room.see === undefined ? [] : [[id, room as Observer]])),
);

/** When responses depend on an open point; undefined where the contract names it at the response. */
export function relevanceOf(id: OpenPointId): RelevanceRule | undefined {
  return rooms.get(id)?.decides;
}

/** The open points whose new choice affects only new data, until a reset. */
export const storedPoints: ReadonlySet<OpenPointId> = new Set(
  [...rooms].flatMap(([id, { isStored }]) => (isStored ? [id] : [])),
);

let operationsByPoint: ReadonlyMap<string, ReadonlySet<OperationId>> | undefined;

/** Whether an open point concerns an operation. */
export function concerns(openPoint: OpenPointId, { operationId }: Pick<Operation, 'operationId'>): boolean {
  operationsByPoint ??= new Map(loadOpenPoints().map(({ id, operations }) => [id, new Set(operations)]));
  return operationsByPoint.get(openPoint)?.has(operationId) === true;
}
