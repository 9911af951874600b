/** What stands at each place of a type, as the compiler sees it and as the contract says it. */
import ts from 'typescript';
import {
  type ContractDocument,
  dereference,
  type ParameterObject,
  type ResponseObject,
  type SchemaObject,
} from '../../openapi/contract/document.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';

/** The type at each place, by name: `listDrives.success.data[].name` is a `string`. `[*]` is any other key. */
export type Places = Record<string, string>;

/** Places at which a type says nothing. */
export function hollow(places: Places): string[] {
  return Object.keys(places).filter((name) => ['any', 'unknown', '{}', 'object'].includes(places[name] ?? ''));
}

/** The places of a type. Absence (`undefined`, `void`, `never`) is left out. */
export function placesOfType(checker: ts.TypeChecker, type: ts.Type, name = ''): Places {
  const present = withoutAbsence(checker, type);
  if (checker.isArrayType(present)) {
    const [element] = checker.getTypeArguments(present as ts.TypeReference);
    return element === undefined ? { [name]: 'any' } : placesOfType(checker, element, `${name}[]`);
  }
  if (present.flags & ts.TypeFlags.Never) return {};
  if (!isObject(present)) return { [name]: textOf(checker, present) };
  const rest = checker.getIndexInfoOfType(present, ts.IndexKind.String);
  const parts = present.getProperties().map((property) => {
    const part = name === '' ? property.name : `${name}.${property.name}`;
    return placesOfType(checker, checker.getTypeOfSymbol(property), part);
  });
  if (rest !== undefined) parts.push(placesOfType(checker, rest.type, `${name}[*]`));
  return parts.length === 0 ? { [name]: '{}' } : Object.assign({}, ...parts);
}

function withoutAbsence(checker: ts.TypeChecker, type: ts.Type): ts.Type {
  // Without null and undefined `unknown` would be `{}`.
  const present = type.flags & ts.TypeFlags.Unknown ? type : checker.getNonNullableType(type);
  const members = present.isUnion() ? present.types.filter(({ flags }) => (flags & ts.TypeFlags.Void) === 0) : [];
  return members.length === 1 && members[0] !== undefined ? members[0] : present;
}

function isObject(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
}

function textOf(checker: ts.TypeChecker, type: ts.Type): string {
  const isBoolean = (type.flags & ts.TypeFlags.Boolean) !== 0;
  if (!type.isUnion() || isBoolean) return checker.typeToString(type);
  return type.types
    .map((member) => checker.typeToString(member))
    .sort()
    .join(' | ');
}

/** The places of the parameters, the request body and the success body of each operation, read from the contract. */
export function placesOfContract(document: ContractDocument): Places {
  return Object.assign({}, ...operationsOf(document).map((operation) => placesOfOperation(document, operation)));
}

function placesOfOperation(document: ContractDocument, { operationId, parameters, definition }: Operation): Places {
  const body = dereference(document, definition.requestBody)?.content['application/json'];
  const responses = (definition.responses ?? {}) as Record<string, ResponseObject>;
  const success = (responses['200'] ?? responses['2XX'])?.content?.['application/json'];
  return {
    ...Object.assign({}, ...parameters.map((one) => placesOfParameter(document, operationId, one))),
    ...(body === undefined ? {} : placesOfSchema(document, body.schema as SchemaObject, `${operationId}.body`)),
    ...placesOfSchema(document, success?.schema as SchemaObject, `${operationId}.success`),
  };
}

function placesOfParameter(document: ContractDocument, operationId: string, parameter: ParameterObject): Places {
  return placesOfSchema(document, parameter.schema as SchemaObject, `${operationId}.${parameter.in}.${parameter.name}`);
}

function placesOfSchema(document: ContractDocument, reference: SchemaObject, name: string): Places {
  // Of `allOf`, the first names the resource, the other what must be there.
  const schema = dereference<SchemaObject>(document, reference.allOf?.[0] ?? reference);
  if (schema.type === 'array') return placesOfSchema(document, schema.items as SchemaObject, `${name}[]`);
  if (!typesOf(schema).includes('object')) return { [name]: scalarOf(schema) };
  const parts = Object.entries(schema.properties ?? {}).map(([key, property]) =>
    placesOfSchema(document, property as SchemaObject, `${name}.${key}`),
  );
  const { additionalProperties: rest } = schema;
  if (rest === true) parts.push({ [`${name}[*]`]: 'unknown' });
  else if (typeof rest === 'object') parts.push(placesOfSchema(document, rest as SchemaObject, `${name}[*]`));
  return Object.assign({}, ...parts);
}

// Absence is left out.
function typesOf({ type }: SchemaObject): string[] {
  return [type ?? []].flat().filter((name) => name !== 'null');
}

function scalarOf(schema: SchemaObject): string {
  const { enum: values } = schema;
  const [type] = typesOf(schema);
  if (type === undefined && values === undefined) return 'unknown';
  if (values !== undefined) {
    return values
      .map((value) => JSON.stringify(value))
      .sort()
      .join(' | ');
  }
  return type === 'integer' ? 'number' : String(type);
}
