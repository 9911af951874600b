import { type ContractDocument, dereference, type SchemaObject } from '../contract/document.ts';

/** An object in an answer, its schema in the contract, and its place. */
export interface BodyObject {
  schema: SchemaObject;
  value: Record<string, unknown>;
  location: readonly string[];
}

/** Every object in a value whose schema shows fields, from the outermost in. */
export function bodyObjects(
  document: ContractDocument,
  reference: SchemaObject | undefined,
  value: unknown,
  location: readonly string[] = [],
): BodyObject[] {
  if (reference === undefined || typeof value !== 'object' || value === null) return [];
  const schema = dereference<SchemaObject>(document, reference);
  if (Array.isArray(value)) {
    const items = 'items' in schema ? (schema.items as SchemaObject) : undefined;
    return value.flatMap((item, index) => bodyObjects(document, items, item, [...location, String(index)]));
  }
  const fields = Object.entries(schema.properties ?? {}) as [string, SchemaObject][];
  if (fields.length === 0) return [];
  const own = { schema, value: value as Record<string, unknown>, location };
  const inner = fields.filter(([name]) => Object.hasOwn(value, name));
  return [own, ...inner.flatMap(([name, field]) => bodyObjects(document, field, own.value[name], [...location, name]))];
}
