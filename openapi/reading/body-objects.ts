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
  const { schema, fields } = shapeOf(document, reference);
  if (Array.isArray(value)) {
    const items = 'items' in schema ? (schema.items as SchemaObject) : undefined;
    return value.flatMap((item, index) => bodyObjects(document, items, item, [...location, String(index)]));
  }
  if (fields.length === 0) return [];
  const own = { schema, value: value as Record<string, unknown>, location };
  const inner = fields.filter(([name]) => Object.hasOwn(value, name));
  return [own, ...inner.flatMap(([name, field]) => bodyObjects(document, field, own.value[name], [...location, name]))];
}

/** A schema, and the fields that it shows. */
interface Shape {
  schema: SchemaObject;
  fields: readonly [name: string, SchemaObject][];
}

const shapes = new WeakMap<ContractDocument, WeakMap<SchemaObject, Shape>>();

// Looked up once for each place of a document: every object of every answer asks.
function shapeOf(document: ContractDocument, reference: SchemaObject): Shape {
  const known = shapes.get(document) ?? new WeakMap<SchemaObject, Shape>();
  shapes.set(document, known);
  const shape = known.get(reference) ?? readShape(document, reference);
  known.set(reference, shape);
  return shape;
}

function readShape(document: ContractDocument, reference: SchemaObject): Shape {
  const schema = dereference<SchemaObject>(document, reference);
  return { schema, fields: Object.entries(schema.properties ?? {}) as [string, SchemaObject][] };
}
