import {
  type ContractDocument,
  dereference,
  type ParameterObject,
  type RequestBodyObject,
  type SchemaObject,
} from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';

/** One input of an operation: a parameter, or a field of its body. */
export interface Field {
  /** Unique within the operation: a parameter and a body field may share a name. */
  key: string;
  name: string;
  place: 'path' | 'query' | 'header' | 'body';
  isRequired: boolean;
  schema: SchemaObject;
  description: string;
}

/** The inputs of an operation, required ones first. */
export function fieldsOf(document: ContractDocument, operation: Operation): Field[] {
  const parameters = operation.parameters.map((parameter) => toField(document, parameter));
  const all = [...parameters, ...bodyFieldsOf(document, operation)];
  return [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)];
}

function toField(document: ContractDocument, parameter: ParameterObject): Field {
  const { name, description = '', required = false } = parameter;
  const place = parameter.in === 'path' || parameter.in === 'header' ? parameter.in : 'query';
  const schema = dereference<SchemaObject>(document, (parameter.schema ?? {}) as SchemaObject);
  return { key: `${place}.${name}`, name, place, isRequired: required, schema, description: plain(description) };
}

function bodyFieldsOf(document: ContractDocument, operation: Operation): Field[] {
  const schema = bodySchemaOf(document, operation);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const resolved = dereference<SchemaObject>(document, property as SchemaObject);
    return {
      ...{ key: `body.${name}`, name, place: 'body', schema: resolved },
      isRequired: schema?.required?.includes(name) === true,
      description: plain(resolved.description ?? ''),
    };
  });
}

function mediaOf(document: ContractDocument, { definition }: Operation) {
  const body = definition.requestBody && dereference<RequestBodyObject>(document, definition.requestBody);
  return body?.content['application/json'];
}

function bodySchemaOf(document: ContractDocument, operation: Operation): SchemaObject | undefined {
  const schema = mediaOf(document, operation)?.schema;
  return schema && dereference<SchemaObject>(document, schema as SchemaObject);
}

/** Values to fill in, from the contract. */
export interface Example {
  name: string;
  /** By the key of the field. */
  values: Readonly<Record<string, string>>;
}

/** The examples for parameters and body, without ids, which would not exist here. */
export function examplesOf(document: ContractDocument, operation: Operation): Example[] {
  const isId = (key: string) => key.endsWith('Id');
  return allExamplesOf(document, operation)
    .map(({ name, values }) => ({
      name,
      values: Object.fromEntries(Object.entries(values).filter(([key]) => !isId(key))),
    }))
    .filter(({ values }) => Object.keys(values).length > 0);
}

function allExamplesOf(document: ContractDocument, operation: Operation): Example[] {
  const parameters = operation.parameters.filter(({ in: place }) => place === 'query');
  return [
    ...parameters.flatMap((parameter) =>
      named(document, parameter.examples).map(({ name, value }) => ({
        name: `${parameter.name}: ${name}`,
        values: { [toField(document, parameter).key]: textOf(value) },
      })),
    ),
    ...named(document, mediaOf(document, operation)?.examples).map(({ name, value }) => ({
      name,
      values: Object.fromEntries(Object.entries(value as object).map(([key, each]) => [`body.${key}`, textOf(each)])),
    })),
  ];
}

function named(document: ContractDocument, examples: object = {}): { name: string; value: unknown }[] {
  return Object.entries(examples).map(([key, example]) => {
    const { summary, value } = dereference<{ summary?: string; value?: unknown }>(document, example);
    return { name: summary ?? key, value };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The first part of a description; what is unspecified follows it. */
export function plain(description: string): string {
  return (description.split(/\n\n|Unspecified:/)[0] ?? '').trim();
}

/** A response that can be forced, with the preference for it. */
export interface Forced {
  label: string;
  prefer: string;
}

/** The responses that the contract declares for an operation, each with its examples. */
export function forcedOf(document: ContractDocument, { definition }: Operation): Forced[] {
  return Object.entries(definition.responses ?? {})
    .filter(([code]) => /^\d{3}$/.test(code))
    .flatMap(([code, reference]) => {
      const response = dereference(document, reference) as { content?: Record<string, { examples?: object }> };
      const examples = Object.values(response.content ?? {}).flatMap(({ examples = {} }) => Object.entries(examples));
      return examples.length === 0
        ? [{ label: code, prefer: `code=${code}` }]
        : examples.map(([name, example]) => ({
            label: `${code}: ${dereference<{ summary?: string }>(document, example as object).summary ?? name}`,
            prefer: `code=${code}, example=${name}`,
          }));
    });
}
