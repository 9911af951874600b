import type { SchemaObject } from '../../../openapi/contract/document.ts';
import type { Field } from './fields.ts';

/** The error in a field's text, as far as it can be detected before sending; undefined if there is none. */
export function checkField({ isRequired, schema, place }: Field, text: string): string | undefined {
  if (text === '') return isRequired ? 'is required' : undefined;
  if (isText(schema)) return checkText(schema, text);
  if (schema.type === 'integer' || schema.type === 'number') return checkNumber(schema, text);
  return place === 'body' ? checkJson(text) : undefined;
}

/** Whether a field holds a string, which is typed without quotes. */
export function isText({ type }: SchemaObject): boolean {
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

// The contract describes its patterns in words.
function checkText(schema: SchemaObject & { 'x-violation'?: unknown }, text: string): string | undefined {
  const { minLength = 0, maxLength = Infinity, pattern, enum: values, not } = schema;
  const inWords = typeof schema['x-violation'] === 'string' ? schema['x-violation'] : undefined;
  if (values !== undefined && !values.includes(text)) return `must be one of ${values.join(', ')}`;
  if (text.length < minLength) return `must have at least ${minLength} characters`;
  if (text.length > maxLength) return `must have at most ${maxLength} characters`;
  const isForbidden = not !== undefined && 'pattern' in not && matches(not.pattern, text) === true;
  if (isForbidden || matches(pattern, text) === false) return inWords ?? `must match ${pattern}`;
  return undefined;
}

function matches(pattern: string | undefined, text: string): boolean | undefined {
  return pattern === undefined ? undefined : new RegExp(pattern, 'u').test(text);
}

function checkNumber(
  { type, minimum = -Infinity, maximum = Infinity }: SchemaObject,
  text: string,
): string | undefined {
  const value = Number(text);
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text))
    return type === 'integer' ? 'must be an integer' : 'must be a number';
  if (type === 'integer' && !Number.isInteger(value)) return 'must be an integer';
  if (value < minimum) return `must be at least ${minimum}`;
  return value > maximum ? `must be at most ${maximum}` : undefined;
}

function checkJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `must be JSON: ${(error as Error).message}`;
  }
}
