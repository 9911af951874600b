import { successStatus } from '../../../openapi/contract/contract-for.ts';
import {
  type ContractDocument,
  dereference,
  openPointsOf,
  type ResponseObject,
  type SchemaObject,
} from '../../../openapi/contract/document.ts';
import { errorShapes } from '../../../openapi/contract/error-bodies.ts';
import { loadOpenPoints } from '../../../openapi/contract/load.ts';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { OpenPointId, Profile } from '../../../openapi/contract/profile.ts';
import { type RefusalDefinition, refusals } from '../../../openapi/contract/refusals.ts';
import { hasReached, type Outcome, type RelevanceRule, relevanceRules } from './relevance-rules.ts';
import type { Intake } from './request-facts.ts';

/** An open point on which an answer depends: always, or where the rule applies to the request. */
export interface RelevantPoint {
  id: OpenPointId;
  appliesTo: RelevanceRule['appliesTo'] | undefined;
}

/** The open points on which the answers of one operation (if there was one) with one outcome depend. */
export type RelevantTo = (intake: Intake | undefined, outcome: Outcome) => RelevantPoint[];

/** `contract` is the contract as the profile plays it. */
export function createRelevantTo(contract: ContractDocument, profile: Profile): RelevantTo {
  const points = loadOpenPoints().map(({ id, operations }) => ({ id: id as OpenPointId, operations }));
  return (intake, outcome) => {
    const named = namedInResponse(contract, profile, intake, outcome);
    return points.flatMap(({ id, operations }) => {
      const rule = relevanceRules[id];
      const concerns = intake !== undefined && operations.includes(intake.stated.operationId as OperationId);
      // Refusals all look alike, whether they come from an operation or not.
      if (rule === undefined)
        return named.has(id) && (concerns || intake === undefined || outcome !== undefined)
          ? [{ id, appliesTo: rule }]
          : [];
      return concerns && isDecisive(rule, profile, intake, outcome) ? [{ id, appliesTo: rule.appliesTo }] : [];
    });
  };
}

function isDecisive(rule: RelevanceRule, profile: Profile, { stated, isKeyFirst }: Intake, outcome: Outcome): boolean {
  return 'stage' in rule
    ? hasReached(rule.stage, outcome, isKeyFirst)
    : rule.outcomes(profile, stated).includes(outcome);
}

// The open points that the contract names at the response, and those that show in every response of its kind.
function namedInResponse(
  contract: ContractDocument,
  profile: Profile,
  intake: Intake | undefined,
  outcome: Outcome,
): ReadonlySet<string> {
  const found = { openPoints: new Set<string>(['rateLimits']), hasKeyOrder: false };
  const isRefused = outcome !== undefined || intake === undefined;
  const response = isRefused ? refusalResponse(profile) : playedResponse(intake, successStatus(intake.stated, profile));
  const [mediaType, media] = Object.entries(response.content ?? {})[0] ?? [];
  collect(contract, media?.schema as SchemaObject | undefined, found);
  const { openPoints, hasKeyOrder } = found;
  if (hasKeyOrder) openPoints.add('keyOrder');
  if (mediaType === 'application/json') openPoints.add('answerMediaType');
  if (!isRefused) return new Set([...openPoints, ...openPointsOf(response)]);
  const { openPoint = 'errorBody' }: RefusalDefinition = refusals[outcome ?? 'unexpected'];
  const ofKey = outcome === 'unauthenticated' && intake !== undefined ? openPointsOf(playedResponse(intake, 401)) : [];
  return new Set([...openPoints, 'errorBody', openPoint, ...ofKey]);
}

function playedResponse({ played }: Intake, status: number): ResponseObject {
  return played.definition.responses?.[status] as ResponseObject;
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
