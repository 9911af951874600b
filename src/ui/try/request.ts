import type { Operation } from '../../../openapi/contract/operations.ts';
import { type AuthHeader, headerWith } from '../../../openapi/contract/security.ts';
import { type Field, isText, textOf } from './fields.ts';

/** A request ready to be sent or copied. */
export interface TryRequest {
  method: string;
  /** Path and query, with the base path. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | undefined;
}

export interface FormValues {
  /** By field key; empty fields are not sent. */
  values: Readonly<Record<string, string>>;
  /** The body as typed; undefined if it is built from the fields. */
  rawBody: string | undefined;
  /** Undefined for a caller without a key. */
  key: string | undefined;
  authHeaders: readonly AuthHeader[];
  /** The header `Prefer`; empty for none. */
  prefer: string;
}

export function toRequest(
  operation: Operation,
  fields: readonly Field[],
  form: FormValues,
  basePath: string,
): TryRequest {
  const textOf = (name: string, place: Field['place']) => form.values[`${place}.${name}`] ?? '';
  const path = operation.segments.map((segment) =>
    'literal' in segment ? segment.literal : encodeURIComponent(textOf(segment.parameter, 'path')),
  );
  const query = fields
    .filter(({ place, name }) => place === 'query' && textOf(name, place) !== '')
    .map(({ name, place }) => `${encodeName(name)}=${encodeURIComponent(textOf(name, place)).replaceAll('%2F', '/')}`);
  const body = operation.takesBody ? (form.rawBody ?? toBody(fields, form.values)) : undefined;
  return {
    method: operation.method,
    target: `${basePath}/${path.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: headersOf(form, body !== undefined),
    body,
  };
}

// Names such as `filter[path]` stay readable.
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');
}

function headersOf({ key, authHeaders, prefer }: FormValues, hasBody: boolean): TryRequest['headers'] {
  const keys = key === undefined ? [] : authHeaders.map((authHeader) => headerWith(authHeader, key));
  return [
    ...keys,
    ...(hasBody ? [['Content-Type', 'application/json'] as const] : []),
    ...(prefer === '' ? [] : [['Prefer', prefer] as const]),
  ];
}

/** The body built from the fields. Values that are not strings stay as typed, so that no number loses digits. */
export function toBody(fields: readonly Field[], values: FormValues['values']): string {
  const members = fields
    .filter(({ key, place }) => place === 'body' && (values[key] ?? '') !== '')
    .map(({ key, name, schema }) => {
      const text = values[key] ?? '';
      return `${JSON.stringify(name)}:${isText(schema) ? JSON.stringify(text) : text}`;
    });
  return `{${members.join(',')}}`;
}

/** The values from which the fields build this body; undefined if they cannot, or it is not JSON. */
export function fromBody(fields: readonly Field[], body: string): FormValues['values'] | undefined {
  const own = fields.filter(({ place }) => place === 'body');
  try {
    const members = JSON.parse(body);
    const values = Object.fromEntries(
      own.map(({ key, name }) => [key, Object.hasOwn(members, name) ? textOf(members[name]) : '']),
    );
    return inOrder(toBody(fields, values)) === inOrder(body) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** JSON that is the same for any order of the members. */
function inOrder(text: string): string {
  const value = JSON.parse(text);
  return JSON.stringify(value, Object.keys(value).sort());
}
