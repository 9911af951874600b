import {
  type Annotations,
  type ContractDocument,
  dereference,
  type ResponseObject,
  type SchemaObject,
} from '../../../openapi/contract/document.ts';

/** What can be seen of open points in answers of one shape. */
export interface Shown {
  /** The open points that the contract names at the response, or at what its body consists of. */
  openPoints: ReadonlySet<string>;
  /** Whether some object in it has keys to be put in order. */
  hasKeyOrder: boolean;
  /** Whether it is declared as plain JSON. */
  isPlainJson: boolean;
}

/** What the contract says of one response, as a profile plays it. */
export function shownIn(document: ContractDocument, response: ResponseObject): Shown {
  const [mediaType, media] = Object.entries(response.content ?? {})[0] ?? [];
  const found = { openPoints: new Set(annotated(response)), hasKeyOrder: false };
  visit(document, media?.schema as SchemaObject | undefined, found);
  return { ...found, isPlainJson: mediaType === 'application/json' };
}

function annotated(value: object): string[] {
  return [(value as Annotations)['x-open-point'] ?? []].flat();
}

type Found = { openPoints: Set<string>; hasKeyOrder: boolean };

// Annotations may stand beside a reference. The contract's schemas do not contain themselves.
function visit(document: ContractDocument, schema: SchemaObject | undefined, found: Found): void {
  if (schema === undefined) return;
  for (const openPoint of annotated(schema)) found.openPoints.add(openPoint);
  if ('$ref' in schema) visit(document, dereference<SchemaObject>(document, schema), found);
  const properties = Object.values(schema.properties ?? {}) as SchemaObject[];
  if (properties.length > 1) found.hasKeyOrder = true;
  for (const property of properties) visit(document, property, found);
  if ('items' in schema) visit(document, schema.items as SchemaObject, found);
}
