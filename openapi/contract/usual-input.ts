import {
  type ContractDocument,
  dereference,
  openPointsOf,
  type ParameterObject,
  type RequestBodyObject,
  type SchemaObject,
} from './document.ts';
import { loadDocument } from './load.ts';
import { operationsOf } from './operations.ts';

/** The name of the tree path parameter unless configured otherwise. */
export const usualTreeParameter = 'path';

/**
 * The contract with input that every server understands: all fields shown for a body are required, and the tree path
 * parameter has a name. Both are unspecified, but sending or judging a request needs a decision. A new document for
 * each call.
 */
export function loadUsualContract(): ContractDocument {
  const document = loadDocument();
  for (const { definition } of operationsOf(document)) {
    if (definition.parameters !== undefined) definition.parameters = definition.parameters.map(named);
    if (definition.requestBody === undefined) continue;
    const body = dereference<RequestBodyObject>(document, definition.requestBody);
    const schema = dereference<SchemaObject>(document, body.content['application/json']?.schema ?? {});
    body.required = true;
    schema.required = Object.keys(schema.properties ?? {});
  }
  return document;
}

type Parameter = ParameterObject | { $ref: string };

// In the contract it is an object, since its name is unspecified: each member is a parameter of that name.
function named(parameter: Parameter): Parameter {
  if ('$ref' in parameter || !openPointsOf(parameter).includes('treePathParameter')) return parameter;
  const { style: _, explode: __, schema, examples = {}, ...rest } = parameter;
  const { additionalProperties } = schema as { additionalProperties: { $ref: string } };
  const examplesOfPath = Object.entries(examples as Record<string, { value: object }>).map(([name, example]) => [
    name,
    { ...example, value: Object.values(example.value)[0] },
  ]);
  return {
    ...{ ...rest, name: usualTreeParameter, required: true, schema: additionalProperties },
    examples: Object.fromEntries(examplesOfPath),
  };
}
