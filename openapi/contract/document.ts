import type { OpenAPIV3_1 } from 'openapi-types';

/** Our own keywords in the contract. */
interface Annotations {
  /** The open points at a place. */
  'x-open-point'?: string | string[];
  /** The properties that should be there. */
  'x-should-have'?: string[];
  /** What to say of a value that breaks the schema. */
  'x-violation'?: string;
}

/** The open points that the contract names at one place. */
export function openPointsOf(annotated: object | undefined): string[] {
  return [(annotated as Annotations | undefined)?.['x-open-point'] ?? []].flat();
}

export type ContractDocument = OpenAPIV3_1.Document;
export type SchemaObject = OpenAPIV3_1.SchemaObject & Annotations;
export type ParameterObject = OpenAPIV3_1.ParameterObject & Annotations;
export type RequestBodyObject = OpenAPIV3_1.RequestBodyObject;
export type ResponseObject = OpenAPIV3_1.ResponseObject & Annotations;
export type OperationObject = OpenAPIV3_1.OperationObject & Annotations;

/** The value at a JSON pointer in URI-fragment form (`#/components/schemas/Drive`); undefined if there is none. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  if (!pointer.startsWith('#/')) return pointer === '#' ? document : undefined;
  return valueAt(document, pointer.slice(2).split('/').map(decodeURIComponent).map(unescapeToken));
}

/** The value reached from `value` by these steps; undefined if there is none. */
export function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce(step, value);
}

/** A step of a JSON pointer, unescaped. */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function step(value: unknown, token: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
}

/** The object itself, or the one that its `$ref` refers to. */
export function dereference<T>(document: ContractDocument, value: T | OpenAPIV3_1.ReferenceObject): T {
  if (typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string') {
    return dereference(document, resolvePointer(document, value.$ref) as T);
  }
  return value as T;
}
