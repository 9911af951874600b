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
import type { Profile } from './profile.gen.ts';
import type { operations } from './types.gen.ts';

/** The name of an operation in the contract. */
export type OperationId = keyof operations;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** One method on one path of the contract, with its references resolved. */
export interface Operation {
  operationId: OperationId;
  /** In upper case, as on the wire. */
  method: string;
  /** As in the contract, for instance `/drives/{driveId}/files/{fileId}`. */
  path: string;
  segments: readonly Segment[];
  parameters: readonly ParameterObject[];
  /** Whether the operation takes a JSON body. */
  takesBody: boolean;
  /** The names of the fields that the contract shows for the request body. */
  bodyFields: readonly string[];
  /** Whether the operation changes nothing. */
  isRead: boolean;
  /** Whether it creates the resource that it returns. */
  isCreation: boolean;
  /** Where the list is in its response; undefined if the response is not a list. */
  list: AnsweredList | undefined;
  /** The schema name of the resource that it returns or lists; undefined if no shape is stated. */
  resource: string | undefined;
  /** The open point that chooses its success code; undefined if 200 is stated (4.1, 4.9, 4.10). */
  statusOpenPoint: StatusOpenPoint | undefined;
  /** The schema of its successful response; undefined if none is stated. */
  answerSchema: SchemaObject | undefined;
  /** The open points that the contract names at the operation itself, its parameters, its body and its responses. */
  openPoints: ReadonlySet<string>;
  /** Whether 404 is stated for an unknown resource (4.10). In the contract under a profile: whether 404 is used. */
  statesNotFound: boolean;
  definition: OperationObject;
}

type StatusOpenPoint = Extract<keyof Profile, `successStatus.${string}`>;

/** The list in a response. */
interface AnsweredList {
  /** The property that contains it; undefined if the response itself is the list. */
  property: string | undefined;
  itemSchema: string;
}

type Segment = { literal: string } | { parameter: string };

export function operationsOf(document: ContractDocument): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const definition = item?.[method] as OperationObject | undefined;
      return definition === undefined ? [] : [toOperation(document, path, method, definition)];
    }),
  );
}

function toOperation(document: ContractDocument, path: string, method: string, definition: OperationObject): Operation {
  const parameters = (definition.parameters ?? []).map((one) => dereference<ParameterObject>(document, one));
  const responses = Object.values(definition.responses ?? {}).map((one) => dereference<ResponseObject>(document, one));
  const answer = answerOf(document, definition);
  const annotated = [definition, ...parameters, definition.requestBody, ...responses];
  return {
    operationId: definition.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    segments: path
      .slice(1)
      .split('/')
      .map((text) => (text.startsWith('{') ? { parameter: text.slice(1, -1) } : { literal: text })),
    parameters,
    takesBody: definition.requestBody !== undefined,
    bodyFields: bodyFieldsOf(document, definition),
    isRead: method === 'get',
    isCreation: method === 'post' && answer.resource !== undefined,
    ...answer,
    openPoints: new Set(annotated.flatMap(openPointsOf)),
    statesNotFound: definition.responses?.['404'] !== undefined,
    definition,
  };
}

function bodyFieldsOf(document: ContractDocument, { requestBody }: OperationObject): string[] {
  const body = requestBody && dereference<RequestBodyObject>(document, requestBody);
  const schema = dereference<SchemaObject>(document, body?.content['application/json']?.schema ?? {});
  return Object.keys(schema.properties ?? {});
}

function answerOf(
  document: ContractDocument,
  { responses = {} }: OperationObject,
): Pick<Operation, 'list' | 'resource' | 'statusOpenPoint' | 'answerSchema'> {
  const status = Object.keys(responses).findLast((code) => code.startsWith('2'));
  const success = status === undefined ? undefined : responses[status];
  const response = success && dereference<ResponseObject>(document, success);
  const answer = response?.content?.['application/json']?.schema as SchemaObject | undefined;
  const list = answer && listIn(document, answer);
  // No shape is stated for the response to a publication (4.2).
  const isOpen = openPointsOf(response).includes('publishBody');
  return {
    list,
    answerSchema: isOpen ? undefined : answer,
    resource: isOpen ? undefined : (list?.itemSchema ?? schemaName(answer)),
    statusOpenPoint: openPointsOf(response).find((id): id is StatusOpenPoint => id.startsWith('successStatus.')),
  };
}

function listIn(document: ContractDocument, answer: SchemaObject): AnsweredList | undefined {
  const properties = Object.entries({ '': answer, ...dereference<SchemaObject>(document, answer).properties });
  return properties.flatMap(([property, schema]) => {
    const itemSchema = 'items' in schema ? schemaName(schema.items) : undefined;
    return itemSchema === undefined ? [] : [{ property: property || undefined, itemSchema }];
  })[0];
}

// If all fields are required: `allOf`, with the resource first.
function schemaName(schema: SchemaObject | undefined): string | undefined {
  const named: object | undefined = schema?.allOf?.[0] ?? schema;
  return named !== undefined && '$ref' in named ? String(named.$ref).split('/').at(-1) : undefined;
}

function pathNamesOf({ parameters }: Operation): string[] {
  return parameters.flatMap((parameter) => (parameter.in === 'path' ? (parameter.name ?? []) : []));
}

const sets: Readonly<Record<string, (operation: Operation) => boolean>> = {
  all: () => true,
  bodies: ({ takesBody }) => takesBody,
  ids: (operation) => pathNamesOf(operation).length > 0,
  reads: ({ isRead }) => isRead,
  writes: ({ isRead }) => !isRead,
};

/**
 * The operations that a register names: by id, by the schema of the resource that they return or list (`Drive`), by a
 * parameter in their path (`driveId`), or as one of the sets `all`, `bodies` (with a request body), `ids` (with an id in
 * the path), `reads` and `writes`. A name after `-` is left out. Throws if a name matches no operation.
 */
export function operationSet(operations: readonly Operation[], names: string | readonly string[]): Operation[] {
  const meant = (name: string) => {
    const found = operations.filter(
      (operation) =>
        [operation.operationId, operation.resource, ...pathNamesOf(operation)].includes(name) ||
        sets[name]?.(operation),
    );
    if (found.length === 0) throw new Error(`${name} names no operation`);
    return found;
  };
  const all = [names].flat();
  const left = new Set(all.filter((name) => name.startsWith('-')).flatMap((name) => meant(name.slice(1))));
  const wanted = new Set(all.filter((name) => !name.startsWith('-')).flatMap(meant));
  return operations.filter((operation) => wanted.has(operation) && !left.has(operation));
}

/** The operations whose path template matches `path` (without the base address), for any method. */
export function operationsAt<T extends Operation>(operations: readonly T[], path: string): T[] {
  const parts = path.slice(1).split('/');
  return operations.filter((operation) => fits(operation.segments, parts));
}

function fits(segments: readonly Segment[], parts: readonly string[]): boolean {
  return (
    segments.length === parts.length &&
    segments.every((segment, index) => ('literal' in segment ? segment.literal === parts[index] : parts[index] !== ''))
  );
}

/** The path that every base address ends with, from the contract's server (`/v0.1`; section 9). */
export function basePathOf(document: ContractDocument): string {
  const { url = 'http://localhost/', variables = {} } = document.servers?.[0] ?? {};
  const address = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? '');
  return new URL(address).pathname.replace(/\/$/, '');
}
