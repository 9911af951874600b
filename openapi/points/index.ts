/*
 * The open points: what the specification leaves unspecified. All that is known about one stands in the file of its
 * theme: question, choices, default, what a wrong guess costs (`room.ts` says what each field means), how traffic shows
 * the choice, and which requests depend on it. The types of profiles, the schema of profile files, options, help, the
 * page and `docs/open-points.md` follow from it (`npm run generate`).
 *
 * To add one: an entry in the file that fits, with what its choices change in the contract; `x-open-point: <id>` in
 * `openapi/openapi.yaml` where it shows; its name in the code that uses it (`profile.<id>`, or
 * `profile['<id>.<case>']`); if the checks of the suite do not show it, what to send in `conformance/observe/table.ts`.
 */
import { loadDocument, sharedOf } from '../contract/load.ts';
import { type Operation, type OperationId, operationSet, operationsOf } from '../contract/operations.ts';
import type { OpenPointId, Profile } from '../contract/profile.ts';
import type { RefusalKind } from '../contract/refusals.ts';
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
import type { ContractChanges, Point, Rooms } from './room.ts';
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
const rooms: ReadonlyMap<OpenPointId, Omit<Point, 'cases'>> = new Map(
  Object.entries(points).flatMap(([id, { cases, ...whole }]) => {
    const all = cases === undefined ? [['', {}] as const] : Object.entries(cases);
    return all.map(([name, own]) => [(name === '' ? id : `${id}.${name}`) as OpenPointId, { ...whole, ...own }]);
  }),
);

// What is data in a room: the rest is code.
const dataFields = [
  ...['sources', 'impact', 'seen', 'severity', 'needs', 'open', 'choices', 'range', 'default', 'cost', 'question'],
] as const satisfies readonly (keyof OpenPoint & keyof Point)[];

/** The profile with the default of every open point. */
export const usualProfile = Object.fromEntries(
  [...rooms].map(([id, room]) => [id, room.default]),
) as unknown as Readonly<Profile>;

let operationsByPoint: ReadonlyMap<OpenPointId, ReadonlySet<OperationId>> | undefined;

/** The operations that each open point concerns. */
function operationsOfPoints(): NonNullable<typeof operationsByPoint> {
  if (operationsByPoint !== undefined) return operationsByPoint;
  const all = operationsOf(loadDocument());
  const idsOf = (names: string | string[] = []) => operationSet(all, names).map(({ operationId }) => operationId);
  operationsByPoint = new Map([...rooms].map(([id, { operations }]) => [id, new Set(idsOf(operations))]));
  return operationsByPoint;
}

/** The open points as data, for readers only. A point with cases is one entry for each case. */
export const loadOpenPoints = sharedOf((): OpenPoint[] => {
  const operations = operationsOfPoints();
  return [...rooms].map(([id, room]) => ({
    id,
    ...Object.fromEntries(dataFields.flatMap((name) => (room[name] === undefined ? [] : [[name, room[name]]]))),
    operations: [...(operations.get(id) ?? [])],
  })) as OpenPoint[];
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

/** What a profile changes in the contract at a place that names these open points. */
export function changesAt(openPoints: readonly string[]): ContractChanges[] {
  return openPoints.flatMap((id) => rooms.get(id as OpenPointId)?.inContract ?? []);
}

/** The error responses that open points make possible for an operation under a profile. */
export function refusalsByChoice(operation: Operation, profile: Profile): Set<RefusalKind> {
  const ofOperation = [...rooms].filter(([id]) => concerns(id, operation));
  return new Set(ofOperation.flatMap(([, room]) => room.refuses?.(profile, operation) ?? []));
}

/** The open points that the description of an error response names, besides the one that chooses its status. */
export function regarding(kind: RefusalKind): OpenPointId[] {
  return [...rooms].flatMap(([id, { regards }]) => (regards?.includes(kind) ? [id] : []));
}

/** The open points whose new choice affects only new data, until a reset. */
export const storedPoints = pointsWith('isStored');

/** The open points that cannot differ between organizations. */
export const sharedPoints = pointsWith('isShared');

function pointsWith(mark: 'isStored' | 'isShared'): ReadonlySet<OpenPointId> {
  return new Set([...rooms].flatMap(([id, room]) => (room[mark] ? [id] : [])));
}

/** Whether an open point concerns an operation. */
export function concerns(openPoint: OpenPointId, { operationId }: Pick<Operation, 'operationId'>): boolean {
  return operationsOfPoints().get(openPoint)?.has(operationId) === true;
}
