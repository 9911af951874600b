import { successStatus } from '../../../openapi/contract/contract-for.ts';
import {
  type ContractDocument,
  dereference,
  openPointsOf,
  type ResponseObject,
  type SchemaObject,
} from '../../../openapi/contract/document.ts';
import { errorShapes } from '../../../openapi/contract/error-bodies.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import { decidingPoints, type OpenPointId, type Profile } from '../../../openapi/contract/profile.ts';
import { type RefusalDefinition, refusals } from '../../../openapi/contract/refusals.ts';
import { authHeadersOf } from '../../../openapi/contract/security.ts';
import { loadOpenPoints, relevanceOf } from '../../../openapi/points/index.ts';
import { hasReached, type Outcome, type RelevanceRule } from '../../../openapi/points/relevance.ts';
import { type Intake, RequestFacts, readIntake } from '../../../openapi/reading/request-facts.ts';
import type { Call, JudgedCall } from '../call.ts';
import type { CompiledOperation } from '../input.ts';

/**
 * The open points that shaped a response, in register order, as a header text: those where a different choice would, or
 * could, have changed its status, headers or body. `call` is what is known about the request.
 */
type OpenPointTrace = (outcome: Outcome, call: Partial<JudgedCall>) => string;

/** Computes what each operation and outcome depends on only once; after that, a call costs two look-ups. */
export function createOpenPointTrace(
  contract: ContractDocument,
  profile: Profile,
  compiled: ReadonlyMap<OperationId, CompiledOperation>,
): OpenPointTrace {
  const known = new Map<string, Entry>();
  let relevantTo: RelevantTo | undefined;
  const add = (key: string, { operationId }: Partial<JudgedCall>, outcome: Outcome): Entry => {
    relevantTo ??= createRelevantTo(contract, profile);
    const operation = operationId === undefined ? undefined : compiled.get(operationId);
    const intake = operation && readIntake(operation, authHeadersOf(contract));
    const points = relevantTo(intake, outcome);
    const entry = {
      intake,
      points,
      conditional: points.filter(isConditional),
      texts: new Map(),
      latest: new WeakMap(),
    };
    known.set(key, entry);
    return entry;
  };
  return (outcome, call) => {
    const key = `${call.operationId} ${outcome}`;
    const entry = known.get(key) ?? add(key, call, outcome);
    const unmet = repeatedUnmet(entry, call) ?? unmetRules(entry, profile, call, outcome);
    if (isRepeatable(call)) entry.latest.set(call.pathParameters, { headers: call.headers, query: call.query, unmet });
    const text = entry.texts.get(unmet) ?? textWithout(entry, unmet);
    entry.texts.set(unmet, text);
    return text;
  };
}

/** What the responses of one operation with one outcome depend on. */
interface Entry {
  intake: Intake | undefined;
  points: readonly RelevantPoint[];
  /** Those of them that depend on the request. */
  conditional: readonly ConditionalPoint[];
  /** The texts, keyed by the conditional points that do not apply, one bit each. */
  texts: Map<number, string>;
  /** The latest call with the same path parameters, and the points that did not apply to it. */
  latest: WeakMap<Call['pathParameters'], Pick<Call, 'headers' | 'query'> & { unmet: number }>;
}

// A client that repeats a call sends the same URL and the same headers, which are then the same objects.
function repeatedUnmet({ latest }: Entry, call: Partial<JudgedCall>): number | undefined {
  if (!isRepeatable(call)) return undefined;
  const known = latest.get(call.pathParameters);
  const isSame = known?.headers === call.headers && known?.query === call.query;
  return isSame ? known?.unmet : undefined;
}

// The path parameters of a call that was refused before it was read are unknown.
function isRepeatable(call: Partial<JudgedCall>): call is Call {
  return call.pathParameters !== undefined && call.body === undefined && call.hasTwoFaults !== true;
}

function unmetRules(
  { intake, conditional }: Entry,
  profile: Profile,
  call: Partial<JudgedCall>,
  outcome: Outcome,
): number {
  if (intake === undefined) return 0;
  const request = new RequestFacts(intake, profile, call);
  let unmet = 0;
  conditional.forEach(({ appliesTo }, bit) => {
    if (!appliesTo(request, outcome)) unmet |= 1 << bit;
  });
  return unmet;
}

function textWithout({ points, conditional }: Entry, unmet: number): string {
  const left = new Set<RelevantPoint>(conditional.filter((_, bit) => (unmet & (1 << bit)) !== 0));
  return points.flatMap((point) => (left.has(point) ? [] : [point.id])).join(', ');
}

/** An open point on which a response depends: always, or if the rule applies to the request. */
interface RelevantPoint {
  id: OpenPointId;
  appliesTo: RelevanceRule['appliesTo'] | undefined;
}

type ConditionalPoint = RelevantPoint & { appliesTo: NonNullable<RelevantPoint['appliesTo']> };

function isConditional(point: RelevantPoint): point is ConditionalPoint {
  return point.appliesTo !== undefined;
}

/** The open points on which the responses of one operation (if there was one) with one outcome depend. */
type RelevantTo = (intake: Intake | undefined, outcome: Outcome) => RelevantPoint[];

/** `contract` is the contract under the profile. */
function createRelevantTo(contract: ContractDocument, profile: Profile): RelevantTo {
  const points = loadOpenPoints().map(({ id, operations }) => ({ id: id as OpenPointId, operations }));
  return (intake, outcome) => {
    const named = namedInResponse(contract, profile, intake, outcome);
    return points.flatMap(({ id, operations }) => {
      const rule = relevanceOf(id);
      const concerns = intake !== undefined && operations.includes(intake.stated.operationId as OperationId);
      if (rule === undefined) return named.has(id) ? [{ id, appliesTo: undefined }] : [];
      return concerns && isDecisive(rule, profile, intake, outcome) ? [{ id, appliesTo: rule.appliesTo }] : [];
    });
  };
}

function isDecisive(rule: RelevanceRule, profile: Profile, { stated }: Intake, outcome: Outcome): boolean {
  if (!('stage' in rule)) return rule.outcomes(profile, stated).includes(outcome);
  // The stated 404 is returned whatever the input is (4.10).
  const isStated = stated.statesNotFound && outcome === 'mcpServerNotFound';
  return hasReached(rule.stage, outcome) && !(isStated && rule.stage === 'input');
}

// The open points that the contract names at the response, and those that show in all responses of its kind.
function namedInResponse(
  contract: ContractDocument,
  profile: Profile,
  intake: Intake | undefined,
  outcome: Outcome,
): ReadonlySet<string> {
  const found = { openPoints: new Set<string>(['rateLimits']), hasKeyOrder: false };
  const response = outcome === undefined ? successResponse(intake as Intake, profile) : refusalResponse(profile);
  const [mediaType, media] = Object.entries(response.content ?? {})[0] ?? [];
  collect(contract, media?.schema as SchemaObject | undefined, found);
  const { openPoints, hasKeyOrder } = found;
  if (hasKeyOrder) openPoints.add('keyOrder');
  if (mediaType === 'application/json') openPoints.add('answerMediaType');
  const deciding = (ids: readonly string[]) => ids.flatMap((id) => decidingPoints(profile, id as OpenPointId));
  if (outcome === undefined) {
    return new Set([
      ...openPoints,
      ...openPointsOf(response),
      ...deciding([intake?.stated.statusOpenPoint ?? []].flat()),
    ]);
  }
  const { openPoint = 'errorBody' }: RefusalDefinition = refusals[outcome];
  const ofKey = outcome === 'unauthenticated' && intake !== undefined ? openPointsOf(appliedResponse(intake, 401)) : [];
  return new Set([...openPoints, 'errorBody', ...deciding([openPoint]), ...ofKey]);
}

// Only an operation has a success.
function successResponse(intake: Intake, profile: Profile): ResponseObject {
  return appliedResponse(intake, successStatus(intake.stated, profile));
}

function appliedResponse({ applied }: Intake, status: number): ResponseObject {
  return applied.definition.responses?.[status] as ResponseObject;
}

function refusalResponse({ errorBody }: Profile): ResponseObject {
  if (errorBody === 'empty') return { description: '' };
  const { contentType, schema } = errorShapes[errorBody];
  return { description: '', content: { [contentType]: { schema } } };
}

type Found = { openPoints: Set<string>; hasKeyOrder: boolean };

// Annotations may be next to a reference. The contract's schemas do not contain themselves.
function collect(document: ContractDocument, schema: SchemaObject | undefined, found: Found): void {
  if (schema === undefined) return;
  for (const openPoint of openPointsOf(schema)) found.openPoints.add(openPoint);
  if ('$ref' in schema) collect(document, dereference<SchemaObject>(document, schema), found);
  const properties = Object.values(schema.properties ?? {}) as SchemaObject[];
  if (properties.length > 1) found.hasKeyOrder = true;
  for (const property of properties) collect(document, property, found);
  if ('items' in schema) collect(document, schema.items as SchemaObject, found);
}
