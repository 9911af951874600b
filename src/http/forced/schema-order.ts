import { type ContractDocument, dereference, type SchemaObject } from '../../../openapi/contract/document.ts';

/** A value with its keys in the order in which the schema has them; keys that it does not have come last. */
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
