import {
  type ContractDocument,
  dereference,
  type ResponseObject,
  type SchemaObject,
} from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import type { Violation } from '../../../openapi/contract/schemas.ts';
import { problemType } from '../../../openapi/points/error-bodies.ts';
import { largestPage } from '../../../openapi/reading/pages.ts';
import { createTimestamps } from '../../engine/views.ts';
import { loadPrism } from '../prism.ts';

type Hints = Readonly<Record<string, SchemaObject>>;

/**
 * Narrows the schemas of a document for a generator that supports `pattern` but neither `not` nor a pattern together
 * with a format, and would give a file the name "ad sit" and a negative size. Validate the result by the original
 * schemas.
 */
export function narrowSchemas(document: ContractDocument, code: number, profile: Profile): void {
  const byOpenPoint: Hints = {
    idFormat: { pattern: idPatterns[profile.idFormat] },
    mcpUrlRules: { pattern: '^https://[a-z]{3,12}\\.example/[a-z]{3,8}$' },
    'timestamps.precision': { pattern: timestampPattern(profile) },
  };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    narrow(value, byOpenPoint);
    for (const [key, inner] of Object.entries(value)) if (key !== 'examples') visit(inner);
  };
  visit(document.paths);
  visit(document.components?.schemas);
  const { type, status } = (document.components?.schemas?.Problem?.properties ?? {}) as Record<string, SchemaObject>;
  Object.assign(type ?? {}, { pattern: `^${problemType('[a-z]{4,12}')}$` });
  Object.assign(status ?? {}, { enum: [code] });
}

function narrow(schema: SchemaObject, byOpenPoint: Hints): void {
  const openPoints = schema.type === 'string' ? [schema['x-open-point'] ?? []].flat() : [];
  if (schema.format === 'date-time') delete schema.format;
  for (const openPoint of openPoints) Object.assign(schema, byOpenPoint[openPoint]);
  if (schema.type === 'integer') Object.assign(schema, { minimum: 0, maximum: 1_000_000, ...schema });
  if (schema.type !== 'object' || (schema.properties === undefined && !('$ref' in schema))) return;
  schema.additionalProperties = false;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(byProperty, name)) Object.assign(property, byProperty[name]);
  }
}

const byProperty: Hints = {
  limit: { minimum: 1, maximum: largestPage },
  path: { pattern: '^(/[a-z]{3,10}){1,3}\\.[a-z]{3}$' },
  contentType: { pattern: '^(application/(json|pdf)|image/png|text/plain)$' },
};

const idPatterns = {
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  prefixed: '^[a-z]{3}_[0-9a-hjkmnp-tv-z]{20}$',
  sortable: '^[0-9a-hjkmnp-tv-z]{26}$',
  numeric: '^[1-9][0-9]{12}$',
} as const satisfies Record<Profile['idFormat'], string>;

// Derives digits and zone from how the profile writes the start of the epoch.
function timestampPattern(profile: Profile): string {
  const ending = createTimestamps(profile)(0).slice('1970-01-01T00:00:00'.length);
  const digits = ending.replace('.000', '\\.[0-9]{3}').replace('+', '\\+');
  return `^20(1[0-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]${digits}$`;
}

const maxAttempts = 20;

/** The first valid value that `generate` returns, for the seed or seeds derived from it. */
export async function generateValid(
  seed: string,
  generate: (seed: string) => Promise<unknown>,
  violationsOf: (value: unknown) => Violation[],
): Promise<unknown> {
  let violations: Violation[] = [];
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const value = await generate(attempt === 0 ? seed : `${seed}/${attempt}`);
    violations = violationsOf(value);
    if (violations.length === 0) return value;
  }
  const [{ location, message } = { location: [], message: '' }] = violations;
  throw new Error(`${maxAttempts} attempts gave no valid body: ${location.join('.')} ${message}`);
}

/** A value with its keys in the order of the schema; other keys come last. */
export function inSchemaOrder(value: unknown, schema: SchemaObject, document: ContractDocument): unknown {
  const resolved = dereference(document, schema);
  if (Array.isArray(value)) {
    const items = 'items' in resolved ? resolved.items : {};
    return value.map((item) => inSchemaOrder(item, items as SchemaObject, document));
  }
  if (typeof value !== 'object' || value === null) return value;
  const properties = (resolved.properties ?? {}) as Record<string, SchemaObject>;
  const known = Object.keys(properties).filter((key) => Object.hasOwn(value, key));
  const rest = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  return Object.fromEntries(
    [...known, ...rest].map((key) => {
      const inner = value[key as keyof typeof value];
      return [key, inSchemaOrder(inner, properties[key] ?? {}, document)];
    }),
  );
}

/** Makes a body of one response of an operation. With a seed, which is never empty, it is generated from the schema. */
type Mocker = (seed?: string) => Promise<unknown>;

/** Prism's mocker for one response. */
export async function createMocker(document: ContractDocument, operation: Operation, code: number): Promise<Mocker> {
  const ask = await loadPrism(document);
  const method = operation.method.toLowerCase() as Lowercase<'GET' | 'POST' | 'PATCH' | 'DELETE'>;
  const path = operation.path.replaceAll(/\{\w+\}/g, 'any');
  // The response does not depend on the request, so the request is not judged.
  return async (seed) => {
    const mock = { code, dynamic: seed !== undefined, ...(seed === undefined ? {} : { seed }) };
    const { output } = await ask(operation.operationId, { method, url: { path } }, { mock });
    return output.body;
  };
}

export function onlyResponse(
  document: ContractDocument,
  { path, method, operationId }: Operation,
  code: number,
  response: ResponseObject,
): ContractDocument {
  const only = { operationId, responses: { [code]: response } };
  const { openapi, info, components = {} } = document;
  return structuredClone({ openapi, info, components, paths: { [path]: { [method.toLowerCase()]: only } } });
}
