import { type ContractDocument, dereference, type SchemaObject } from '../contract/document.ts';

/** An object in a response, its schema in the contract, and its place. */
export interface BodyObject {
  schema: SchemaObject;
  value: Record<string, unknown>;
  location: readonly string[];
}

/** Every object in a value whose schema has fields, from the outside in; of each list, the first `mostItems`. */
export function* bodyObjects(
  document: ContractDocument,
  reference: SchemaObject | undefined,
  value: unknown,
  mostItems: number = Number.POSITIVE_INFINITY,
  location: readonly string[] = [],
): Generator<BodyObject> {
  if (reference === undefined || !isComposed(value)) return;
  const { schema, fields } = shapeOf(document, reference);
  if (Array.isArray(value)) {
    const items = 'items' in schema ? (schema.items as SchemaObject) : undefined;
    for (let index = 0; items !== undefined && index < value.length && index < mostItems; index++) {
      if (!isComposed(value[index])) continue;
      yield* bodyObjects(document, items, value[index], mostItems, [...location, String(index)]);
    }
    return;
  }
  if (fields.length === 0) return;
  const own = value as Record<string, unknown>;
  yield { schema, value: own, location };
  for (const [name, field] of fields) {
    if (!Object.hasOwn(own, name) || !isComposed(own[name])) continue;
    yield* bodyObjects(document, field, own[name], mostItems, [...location, name]);
  }
}

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A schema and its fields. */
interface Shape {
  schema: SchemaObject;
  fields: readonly [name: string, SchemaObject][];
}

const shapes = new WeakMap<ContractDocument, WeakMap<SchemaObject, Shape>>();

// Cached for each place in a document: it is looked up for every object in every response.
function shapeOf(document: ContractDocument, reference: SchemaObject): Shape {
  const known = shapes.get(document) ?? new WeakMap<SchemaObject, Shape>();
  shapes.set(document, known);
  const cached = known.get(reference);
  if (cached !== undefined) return cached;
  const schema = dereference<SchemaObject>(document, reference);
  const shape = { schema, fields: Object.entries(schema.properties ?? {}) as [string, SchemaObject][] };
  known.set(reference, shape);
  return shape;
}
