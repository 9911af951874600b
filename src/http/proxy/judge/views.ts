import type { Operation } from '../../../../openapi/contract/operations.ts';
import { type Carrier, keyIn } from '../../../../openapi/contract/security.ts';
import { decodePair, decodeText, type Pair } from '../../../engine/query.ts';
import type { Below } from '../target.ts';
import type { Body } from './body.ts';

/** A request as it is judged. */
export interface RequestView {
  /** Of the contract as it is written. */
  operation: Operation;
  /** As it was sent, below the base path. */
  path: string;
  query: readonly Pair[];
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Body;
}

/** An answer as it is judged. */
export interface AnswerView {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Body;
}

export function toRequestView(
  operation: Operation,
  { sentPath, query }: Below,
  headers: Readonly<Record<string, string>>,
  body: Body,
): RequestView {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return { operation, path: sentPath, query: pairs.map(decodePair), headers, body };
}

/** The values that a query parameter came with. */
export function valuesOf({ query }: RequestView, name: string): (string | undefined)[] {
  return query.filter((pair) => pair.name === name).map(({ value }) => value);
}

/** The keys that a request carries, in the headers of section 5. */
export function keysOf({ headers }: RequestView, carriers: readonly Carrier[]): string[] {
  return carriers.flatMap((carrier) => keyIn(carrier, headers) ?? []);
}

/** The value of a path parameter; undefined when there is none, or when it is not percent-encoded UTF-8. */
export function pathParameter({ operation, path }: RequestView, name: string): string | undefined {
  const place = operation.segments.findIndex((segment) => 'parameter' in segment && segment.parameter === name);
  return place < 0 ? undefined : decodeText((path.split('/')[place + 1] ?? '').replaceAll('+', '%2B'));
}

/** The media type without its parameters, in lower case. */
export function mediaTypeOf(headers: Readonly<Record<string, string>>): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** A member of a JSON object; undefined when there is none. */
export function member(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a body that is JSON. */
export function jsonOf({ body }: { body: Body }): unknown {
  return body.kind === 'json' ? body.value : undefined;
}

export function isSuccess({ status }: { status: number }): boolean {
  return status >= 200 && status <= 299;
}
