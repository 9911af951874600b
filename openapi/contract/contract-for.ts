/*
 * What a profile changes in the contract, as far as schemas can say it: what the mock accepts and sends. The document
 * that client generators read is made of this in `profile-document.ts`; the command is `src/cli/contract.ts`.
 */
import { concerns } from '../points/index.ts';
import { nameBounds } from '../points/names.ts';
import { leftOutFields, leftOutOfPagination } from '../points/optional-fields.ts';
import { mayHaveBody } from '../reading/statuses.ts';
import {
  type ContractDocument,
  dereference,
  type OperationObject,
  openPointsOf,
  type ParameterObject,
  type RequestBodyObject,
  type ResponseObject,
  type SchemaObject,
} from './document.ts';
import { codeOf, errorShapes, type Problem } from './error-bodies.ts';
import { loadMockParts, type ProblemExample } from './mock-parts.ts';
import { type Operation, operationsOf } from './operations.ts';
import { type Chosen, chosen, type OpenPointId, type Profile } from './profile.ts';
import { inputRefusalFor, pointsOfRefusal, type RefusalKind, refusals } from './refusals.ts';
import { loadUsualContract } from './usual-input.ts';

type Responses = Record<string, ResponseObject>;

/** The contract under a profile: parameter names, codes, bodies and bounds. A new document for each call. */
export function contractFor(profile: Profile): ContractDocument {
  const document = loadUsualContract();
  const { license, server, problem, errors } = loadMockParts();
  document.info.license = license;
  document.servers = [server];
  if (profile.errorBody === 'problem') Object.assign(document.components?.schemas ?? {}, { Problem: problem });
  requireWhatApplies(document, profile);
  if (profile.missingValues === 'leftOut') forbidNull(document);
  for (const operation of operationsOf(document)) {
    applyResponses(document, operation, errors[operation.operationId], profile);
    if (operation.takesBody) applyRequestBody(document, operation.definition, profile);
    if (profile.malformedIds === 'refused') boundIds(operation);
    for (const parameter of operation.parameters) if (parameter.in === 'query') applyQuery(parameter, profile);
  }
  applyPathRule(schemaOf(document, 'DrivePath'), profile);
  return document;
}

/** The success code of an operation under a profile: stated in 4.1, 4.9 and 4.10, unspecified elsewhere. */
export function successStatus({ statusOpenPoint }: Operation, profile: Profile): number {
  return statusOpenPoint === undefined ? 200 : chosen(profile, statusOpenPoint);
}

function schemaOf(document: ContractDocument, name: string): SchemaObject {
  return document.components?.schemas?.[name] as SchemaObject;
}

// The mock sends the fields of `x-should-have` unless its profile leaves them out, so its contract may promise them.
function requireWhatApplies(document: ContractDocument, profile: Profile): void {
  for (const schema of Object.values(document.components?.schemas ?? {}) as SchemaObject[]) {
    const leftOut = leftOutOf(schema, profile);
    const required = schema['x-should-have']?.filter((name) => !leftOut.has(name));
    if (required !== undefined && required.length > 0) schema.required = required;
  }
}

/** Removes null from the types of values that may be missing; the hand-written contract allows it. */
export function forbidNull(document: ContractDocument): void {
  const schemas = Object.values(document.components?.schemas ?? {}) as SchemaObject[];
  for (const property of schemas.flatMap(({ properties = {} }) => Object.values(properties) as SchemaObject[])) {
    if (!openPointsOf(property).includes('missingValues')) continue;
    const [type] = [property.type ?? []].flat().filter((name) => name !== 'null');
    Object.assign(property, { type });
  }
}

function leftOutOf(schema: SchemaObject, profile: Profile): ReadonlySet<string> {
  const points = openPointsOf(schema);
  if (points.includes('optionalFields')) return leftOutFields(profile.optionalFields);
  if (!points.includes('paginationFields')) return new Set();
  return new Set(leftOutOfPagination[profile.paginationFields]);
}

function applyResponses(
  document: ContractDocument,
  operation: Operation,
  errors: readonly ProblemExample[],
  profile: Profile,
): void {
  const declared = operation.definition.responses as Responses;
  const unauthenticated = errors.filter(({ value }) => isOf('unauthenticated', value));
  const { content: _, ...stated } = dereference<ResponseObject>(document, declared['401'] as ResponseObject);
  operation.definition.responses = {
    ...success(document, operation, declared, profile),
    '401': refusal(stated, unauthenticated, '401', profile),
    ...refused(operation, errors, profile),
  };
}

function success(document: ContractDocument, operation: Operation, declared: Responses, profile: Profile): Responses {
  const status = String(successStatus(operation, profile));
  const response = declared[status] ?? (declared['2XX'] as ResponseObject);
  const isOpen = operation.openPoints.has('publishBody');
  return { [status]: isOpen ? published(document, response, profile) : asApplied(document, response) };
}

// If the schema of the resource requires all fields, the response does not have to require them again.
function asApplied(document: ContractDocument, response: ResponseObject): ResponseObject {
  const json = response.content?.['application/json'];
  const { allOf: [resource] = [], required: whole = [] } = (json?.schema ?? {}) as SchemaObject;
  if (json === undefined || resource === undefined) return response;
  const { required = [] } = dereference<SchemaObject>(document, resource);
  if (!whole.every((name) => required.includes(name))) return response;
  return { ...response, content: { ...response.content, 'application/json': { ...json, schema: resource } } };
}

function published(document: ContractDocument, response: ResponseObject, profile: Profile): ResponseObject {
  const { content, ...rest } = response;
  if (profile.publishBody === 'none' || !mayHaveBody(profile['successStatus.publishAgentRevision'])) return rest;
  const example = content?.['application/json']?.examples?.[profile.publishBody];
  const result = schemaOf(document, 'PublishResult');
  Object.assign(result, publishResults[profile.publishBody]);
  return {
    ...rest,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/PublishResult' },
        examples: example ? { [profile.publishBody]: example } : {},
      },
    },
  };
}

const publishResults = {
  agent: { $ref: '#/components/schemas/Agent' },
  revision: {
    type: 'object',
    required: ['revisionId', 'agentId', 'createdAt'],
    properties: {
      revisionId: { type: 'string', 'x-open-point': 'idFormat' },
      agentId: { type: 'string', 'x-open-point': 'idFormat' },
      createdAt: { $ref: '#/components/schemas/Timestamp' },
    },
  },
  emptyObject: { type: 'object', additionalProperties: false },
} as const;

// The status code of an error response is unspecified, so its example may appear under any of them.
function refused(operation: Operation, errors: readonly ProblemExample[], profile: Profile): Responses {
  const byStatus = Map.groupBy(refusalsOf(operation, profile), (kind) => String(refusals[kind].status(profile)));
  return Object.fromEntries(
    [...byStatus].sort().map(([status, kinds]) => {
      const description = [...new Set(kinds.map((kind) => refusals[kind].title))].join(', or ');
      const points = new Set(kinds.flatMap((kind) => pointsOfRefusal(kind, profile)));
      const told = [...points].filter((point) => concerns(point, operation));
      const examples = errors.filter(({ value }) => kinds.some((kind) => isOf(kind, value)));
      return [status, refusal({ description, 'x-open-point': told }, examples, status, profile)];
    }),
  );
}

// Invalid input has one code, whatever is wrong with it.
function isOf(kind: RefusalKind, problem: Problem): boolean {
  const isCaused = problem.validation === undefined || inputRefusalFor(problem.validation) === kind;
  return refusals[kind].code === codeOf(problem) && isCaused;
}

function refusal(
  response: ResponseObject,
  errors: readonly ProblemExample[],
  status: string,
  profile: Profile,
): ResponseObject {
  if (profile.errorBody === 'empty') return response;
  const shape = errorShapes[profile.errorBody];
  const examples = errors.map(({ name, summary, value }) => [
    name,
    { summary, value: shape.toBody({ ...inNamesOf(profile, value), status: Number(status) }) },
  ]);
  return {
    ...response,
    content: { [shape.contentType]: { schema: shape.schema, examples: Object.fromEntries(examples) } },
  };
}

// Errors use the profile's name for the tree parameter.
function inNamesOf({ treePathParameter }: Profile, problem: Problem): Problem {
  const { detail, validation } = problem;
  if (treePathParameter === 'path') return problem;
  const located = validation?.map((violation) => {
    const isTree = violation.location.join('.') === 'query.path';
    return isTree ? { ...violation, location: ['query', treePathParameter] } : violation;
  });
  return {
    ...problem,
    ...(detail && { detail: detail.replace(/^query\.path(?= )/, () => `query.${treePathParameter}`) }),
    ...(located && { validation: located }),
  };
}

function applyRequestBody(document: ContractDocument, definition: OperationObject, profile: Profile): void {
  const body = dereference(document, definition.requestBody as RequestBodyObject);
  const schema = dereference<SchemaObject>(document, body.content['application/json']?.schema as SchemaObject);
  const required = openPointsOf(schema).find((id) => id.startsWith('requiredFields.')) as RequiredFields;
  applyRequired(body, schema, chosen(profile, required));
  if (profile['unknownInput.bodyFields'] === 'refused') schema.additionalProperties = false;
  const { name, url } = (schema.properties ?? {}) as Record<string, SchemaObject | undefined>;
  if (name !== undefined) Object.assign(name, nameBounds[profile.nameRules]);
  if (profile.wrongBodyTypes === 'coerced') allowScalars(schema);
  // Numbers and booleans are not URLs.
  if (url !== undefined && profile.mcpUrlRules !== 'anyString') Object.assign(url, httpUrl);
}

type RequiredFields = Extract<OpenPointId, `requiredFields.${string}`>;

function applyRequired(body: RequestBodyObject, schema: SchemaObject, required: Chosen<RequiredFields>): void {
  if (required === 'all') return;
  if (required === 'url') {
    schema.required = ['url'];
    return;
  }
  body.required = false;
  delete schema.required;
}

function allowScalars(schema: SchemaObject): void {
  for (const property of Object.values(schema.properties ?? {}) as SchemaObject[]) {
    if (property.type === 'string') Object.assign(property, { type: ['string', 'number', 'boolean'] });
  }
}

const httpUrl = {
  type: 'string' as const,
  format: 'uri',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/]',
  'x-violation': 'must be an http or https URL',
};

// For an MCP server 404 is stated (4.10), so its id may be any text: the open point does not concern it.
function boundIds(operation: Operation): void {
  if (!concerns('malformedIds', operation)) return;
  for (const parameter of operation.parameters.filter((candidate) => candidate.in === 'path')) {
    Object.assign(parameter.schema as SchemaObject, {
      pattern: '^[A-Za-z0-9_-]+$',
      'x-violation': 'must be an id: letters, digits, _ and - only',
    });
  }
}

function applyQuery(parameter: ParameterObject, profile: Profile): void {
  const openPoints = openPointsOf(parameter);
  if (openPoints.includes('treePathParameter')) {
    parameter.name = profile.treePathParameter;
    parameter.required = profile['treePath.notSent'] === 'refused';
    return;
  }
  const schema = parameter.schema as SchemaObject;
  const fallback = openPoints.includes('pagingDefaults.limit')
    ? profile['pagingDefaults.limit']
    : profile['pagingDefaults.offset'];
  if (typeof fallback === 'number') schema.default = fallback;
  if (profile['oddPaging.outOfRange'] === 'refused') return;
  delete schema.minimum;
  delete schema.maximum;
}

// The stated pattern, with a dot that also matches line breaks.
function applyPathRule(schema: SchemaObject, profile: Profile): void {
  // Separate from the rule, which has its own message.
  if (profile['pathForm.length'] !== 'none') schema.allOf = [{ maxLength: profile['pathForm.length'] }];
  if (profile['pathForm.lineBreaks'] === 'refused') return;
  schema.pattern = '^/(?![\\s\\S]*(?:^|/)\\.\\.(?:/|$))[\\s\\S]*$';
  Object.assign(schema, { 'x-violation': 'must start with / and must not contain a .. segment' });
}

type Condition = (operation: Operation, profile: Profile) => boolean;

const at =
  (openPoint: OpenPointId, when: (profile: Profile) => boolean = () => true): Condition =>
  (operation, profile) =>
    concerns(openPoint, operation) && when(profile);

/** When an operation can be refused in a way. Those that are not here happen before an operation is found, or to any. */
const possible: Readonly<Partial<Record<RefusalKind, Condition>>> = {
  malformedJson: at('errorStatus.malformedJson'),
  bodyTooLarge: at('errorStatus.bodyTooLarge'),
  invalidInput: hasRulesForInput,
  invalidBody: at('errorStatus.invalidBody'),
  invalidPath: at('errorStatus.invalidPath'),
  unknownParameter: at(
    'errorStatus.unknownParameter',
    (profile) => profile['unknownInput.queryParameters'] === 'refused',
  ),
  unsupportedMediaType: at('errorStatus.unsupportedMediaType', ({ mediaTypeRules }) => mediaTypeRules === 'strict'),
  mcpServerNotFound: ({ statesNotFound }) => statesNotFound,
  // The operations that name something in a drive: a file or a directory.
  notFound: at('errorStatus.driveNotFound'),
  driveNotFound: at('errorStatus.driveNotFound'),
  agentNotFound: at('errorStatus.agentNotFound'),
  forbidden: at('foreignResourceStatus', ({ foreignResourceStatus }) => foreignResourceStatus === 'forbidden'),
  unknownRevision: at('errorStatus.unknownRevision'),
  conflict: hasConflicts,
  mcpServerUnreachable: at(
    'unreachableTools',
    (profile) => profile.toolsOfNewServer === 'live' && profile.unreachableTools !== 'none',
  ),
};

/** The refusals besides 401 that an operation of the hand-written contract can return under a profile. */
export function refusalsOf(operation: Operation, profile: Profile): RefusalKind[] {
  const all = Object.entries(possible) as [RefusalKind, Condition][];
  return all.flatMap(([kind, isPossible]) => (isPossible(operation, profile) ? [kind] : []));
}

// Apart from rules whose code is chosen by a different open point.
function hasRulesForInput(operation: Operation, profile: Profile): boolean {
  const hasQuery = operation.parameters.some((parameter) => parameter.in === 'query');
  const judgesIds = profile.malformedIds === 'refused' && concerns('malformedIds', operation);
  return hasQuery || judgesIds;
}

function hasConflicts(operation: Operation, profile: Profile): boolean {
  return (
    (concerns('republish', operation) && profile.republish === 'refused') ||
    (concerns('duplicates.names', operation) && profile['duplicates.names'] === 'refused') ||
    (concerns('duplicates.urls', operation) && profile['duplicates.urls'] === 'refused') ||
    (concerns('pathConflict', operation) && profile.pathConflict === 'refused') ||
    (concerns('moveTargets', operation) && profile.moveTargets === 'strict')
  );
}
