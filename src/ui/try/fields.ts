import {
  type ContractDocument,
  dereference,
  type ParameterObject,
  type RequestBodyObject,
  type SchemaObject,
} from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { type Described, describe } from './contract-docs.ts';

/** One input of an operation: a parameter, or a field of its body. */
export interface Field extends Described {
  /** Unique within the operation: a parameter and a body field may share a name. */
  key: string;
  name: string;
  place: 'path' | 'query' | 'header' | 'body';
  isRequired: boolean;
  schema: SchemaObject;
}

/** The inputs of an operation, required ones first. */
export function fieldsOf(document: ContractDocument, operation: Operation): Field[] {
  const parameters = operation.parameters.map((parameter) => toField(document, parameter));
  const all = [...parameters, ...bodyFieldsOf(document, operation)];
  return [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)];
}

function toField(document: ContractDocument, parameter: ParameterObject): Field {
  const { name, description, required = false } = parameter;
  const place = parameter.in === 'path' || parameter.in === 'header' ? parameter.in : 'query';
  const schema = dereference<SchemaObject>(document, (parameter.schema ?? {}) as SchemaObject);
  return { key: `${place}.${name}`, name, place, isRequired: required, schema, ...describe(description) };
}

function bodyFieldsOf(document: ContractDocument, operation: Operation): Field[] {
  const schema = mediaOf(document, operation)?.schema;
  const body = schema && dereference<SchemaObject>(document, schema as SchemaObject);
  return Object.entries(body?.properties ?? {}).map(([name, property]) => {
    const own = dereference<SchemaObject>(document, property as SchemaObject);
    const isRequired = body?.required?.includes(name) === true;
    return { key: `body.${name}`, name, place: 'body', schema: own, isRequired, ...describe(own.description) };
  });
}

function mediaOf(document: ContractDocument, { definition }: Operation) {
  const body = definition.requestBody && dereference<RequestBodyObject>(document, definition.requestBody);
  return body?.content['application/json'];
}

/** Whether a field holds a string, which is typed without quotes. */
export function isText({ type }: SchemaObject): boolean {
  return type === undefined || [type].flat().includes('string');
}

/** Values to fill in, from the contract. */
export interface Example {
  name: string;
  /** By the key of the field. */
  values: Readonly<Record<string, string>>;
}

/** The examples for parameters and body, without ids, which would not exist here. */
export function examplesOf(document: ContractDocument, operation: Operation): Example[] {
  const ofParameters = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) =>
      named(document, parameter.examples).map(({ name, value }) => ({
        ...{ name: `${parameter.name}: ${name}`, given: [[`query.${parameter.name}`, value] as const] },
      })),
    );
  const ofBody = named(document, mediaOf(document, operation)?.examples).map(({ name, value }) => ({
    ...{ name, given: Object.entries(value as object).map(([key, each]) => [`body.${key}`, each] as const) },
  }));
  return [...ofParameters, ...ofBody].flatMap(({ name, given }) => {
    const kept = given.filter(([key]) => !key.endsWith('Id')).map(([key, value]) => [key, textOf(value)]);
    return kept.length === 0 ? [] : [{ name, values: Object.fromEntries(kept) }];
  });
}

function named(document: ContractDocument, examples: object = {}): { name: string; value: unknown }[] {
  return Object.entries(examples).map(([key, example]) => {
    const { summary, value } = dereference<{ summary?: string; value?: unknown }>(document, example);
    return { name: summary ?? key, value };
  });
}

/** A value as it is typed in a field. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The responses that can be forced: the preference for each, and its words. */
export function forcedOf(document: ContractDocument, { definition }: Operation): [prefer: string, words: string][] {
  return Object.entries(definition.responses ?? {})
    .filter(([code]) => /^\d{3}$/.test(code))
    .flatMap(([code, reference]) => {
      const response = dereference(document, reference) as { content?: Record<string, { examples?: object }> };
      const examples = Object.values(response.content ?? {}).flatMap(({ examples = {} }) => Object.entries(examples));
      if (examples.length === 0) return [[`code=${code}`, code] satisfies [string, string]];
      return examples.map(([name, example]): [string, string] => [
        `code=${code}, example=${name}`,
        `${code}: ${dereference<{ summary?: string }>(document, example as object).summary ?? name}`,
      ]);
    });
}
