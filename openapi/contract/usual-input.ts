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

/** What the path of a tree is called unless somebody calls it otherwise. */
export const usualTreeParameter = 'path';

/**
 * The contract with the input that every server understands: all fields that are shown for a body, and the path of a tree
 * under a name. The specification leaves open which input is required, and that name; but who sends a request, or judges
 * one, has to call things by some name. A new document at each call.
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

// In the contract it is an object, since its name is open: each member of such an object is a parameter of that name.
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
