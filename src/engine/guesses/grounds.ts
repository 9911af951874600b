import { successStatus } from '../../../openapi/contract/contract-for.ts';
import type {
  Annotations,
  ContractDocument,
  ResponseObject,
  SchemaObject,
} from '../../../openapi/contract/document.ts';
import { errorShapes } from '../../../openapi/contract/error-bodies.ts';
import { loadDocument, loadOpenPoints } from '../../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../../openapi/contract/operations.ts';
import type { OpenPointId, Profile } from '../../../openapi/contract/profile.ts';
import { type RefusalDefinition, refusals } from '../../../openapi/contract/refusals.ts';
import { type Intake, intakeOf } from './asked.ts';
import { type Judgement, judgements, type Outcome, type Stage, stageOf, stagesOf } from './judgements.ts';
import { type Shown, shownIn } from './shown.ts';

/** The contract as a profile plays it, with the register of open points: what tells on what an answer depends. */
export interface Grounds {
  contract: ContractDocument;
  profile: Profile;
  /** The operations that each open point touches, in the order of the register. */
  touched: ReadonlyMap<OpenPointId, readonly OperationId[]>;
  intakes: ReadonlyMap<OperationId, Intake>;
}

export function readGrounds(contract: ContractDocument, profile: Profile): Grounds {
  const document = loadDocument();
  const played = new Map(operationsOf(contract).map((operation) => [operation.operationId, operation]));
  const intakes = operationsOf(document).map((stated) => {
    const { operationId } = stated;
    return [operationId, intakeOf(document, stated, played.get(operationId) ?? stated)] as const;
  });
  const touched = loadOpenPoints().map(({ id, operations }) => [id as OpenPointId, operations] as const);
  return { contract, profile, touched: new Map(touched), intakes: new Map(intakes) };
}

/** An open point that bears on an answer; always, or where the request had something in it. */
export interface Bearing {
  id: OpenPointId;
  had: Judgement['had'] | undefined;
}

/** The open points that bear on the answers of one operation (if there is one) with one outcome. */
export function bearingOn(grounds: Grounds, operationId: OperationId | undefined, outcome: Outcome): Bearing[] {
  const operation = operationId === undefined ? undefined : grounds.intakes.get(operationId)?.operation;
  const shown = operation === undefined ? shownByAny(grounds, outcome) : shownBy(grounds, operation, outcome);
  return [...grounds.touched.keys()].flatMap((id) => {
    const judgement = judgements[id];
    if (judgement === undefined) return shown.has(id) ? [{ id, had: undefined }] : [];
    const isDecided = operation !== undefined && decides(grounds, id, judgement, operation, outcome);
    return isDecided ? [{ id, had: judgement.had }] : [];
  });
}

function decides(grounds: Grounds, id: OpenPointId, judgement: Judgement, operation: Operation, outcome: Outcome) {
  const { profile, touched } = grounds;
  if (touched.get(id)?.includes(operation.operationId) !== true) return false;
  const isReached = judgement.stage === undefined || hasReached(judgement.stage, operation, profile, outcome);
  return isReached && judgement.could?.(outcome, profile, operation) !== false;
}

function hasReached(stage: Stage, operation: Operation, profile: Profile, outcome: Outcome): boolean {
  const stages = stagesOf(operation, profile);
  const end = outcome === undefined ? 'success' : stageOf[outcome];
  return end !== undefined && stages.indexOf(stage) <= stages.indexOf(end);
}

function shownBy(grounds: Grounds, operation: Operation, outcome: Outcome): ReadonlySet<string> {
  const { contract, profile, touched } = grounds;
  const { operationId, definition } = operation;
  const responses = definition.responses as Record<string, ResponseObject & Annotations>;
  if (outcome !== undefined) {
    const challenge = outcome === 'unauthenticated' ? responses['401']?.['x-open-point'] : undefined;
    return new Set([...shownByAny(grounds, outcome), ...[challenge ?? []].flat()]);
  }
  const shown = shownIn(contract, responses[successStatus(operationId, profile)] as ResponseObject);
  const touches = (id: string) => touched.get(id as OpenPointId)?.includes(operationId) === true;
  return new Set([...shown.openPoints, ...ofEvery(shown)].filter(touches));
}

// All refusals look alike. What the refusal of no operation shows, any refusal does.
function shownByAny({ contract, profile }: Grounds, outcome: Outcome): ReadonlySet<string> {
  const shape = profile.errorBody === 'empty' ? undefined : errorShapes[profile.errorBody];
  const content = shape === undefined ? {} : { [shape.contentType]: { schema: shape.schema as SchemaObject } };
  const { openPoint }: RefusalDefinition = refusals[outcome ?? 'unexpected'];
  const status = openPoint === undefined ? [] : [openPoint];
  return new Set(['errorBody', ...status, ...ofEvery(shownIn(contract, { description: '', content }))]);
}

/** What no place of the contract names, since it is about every answer. */
function ofEvery({ hasKeyOrder, isPlainJson }: Shown): OpenPointId[] {
  return [
    'rateLimits',
    ...(hasKeyOrder ? (['keyOrder'] as const) : []),
    ...(isPlainJson ? (['answerMediaType'] as const) : []),
  ];
}
