/*
 * How the suite varies the spelling of requests; the auth header of the key: `session.ts`.
 */
import type { OperationId } from '../../openapi/contract/operations.ts';

/** Query parameters, not encoded; a string is sent verbatim. */
export type Query = Readonly<Record<string, string | number>> | string;

/** The value of a JSON body, or a body that is sent verbatim, with its media type. */
export interface Content {
  json?: unknown;
  raw?: { body: string; contentType: string };
}

// The specification does not say that limit and offset may be left out; a separate check tries that.
const usualQueries: Partial<Record<OperationId, Query>> = { listDrives: { limit: 100, offset: 0 } };

/** The media type and the body of a request. A JSON value is spelled in one of several ways. */
export function contentOf({ json, raw }: Content, turn: number): { headers: Record<string, string>; body?: string } {
  if (raw !== undefined) return { headers: { 'Content-Type': raw.contentType }, body: raw.body };
  if (json === undefined) return { headers: {} };
  return { headers: { 'Content-Type': 'application/json' }, body: spellJson(json, turn) };
}

/** The path of an operation with its parameters, percent-encoded. */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((values[name] ?? '').toWellFormed()),
  );
}

/** The query of a call with its question mark; its parameters come in either order. */
export function queryOf(operation: OperationId, given: Query | undefined, turn: number): string {
  const query = given ?? usualQueries[operation];
  if (query === undefined) return '';
  if (typeof query === 'string') return `?${query}`;
  const pairs = Object.entries(query).map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`);
  const ordered = turn % 2 === 0 ? pairs : pairs.reverse();
  return pairs.length === 0 ? '' : `?${ordered.join('&')}`;
}

/** The name of a query parameter as sent: only characters that would end or change it are encoded. */
export function encodeName(name: string): string {
  return name.replaceAll(/[^!-~]|[&=+#%]/gu, encodeURIComponent);
}

/** The ways to spell one JSON value. RFC 8259 gives them all the same meaning. */
const spellings: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => `${JSON.stringify(value, null, 2)}\n`,
  (value) =>
    JSON.stringify(value)
      .replaceAll('/', '\\/')
      .replaceAll(/[\u0080-\uffff]/g, escaped),
  (value) => JSON.stringify(reversed(value)),
];

/** A JSON value as text, in one of several spellings in turn. */
export function spellJson(value: unknown, turn: number): string {
  const spell = spellings[turn % spellings.length] ?? JSON.stringify;
  return spell(value);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function reversed(value: unknown): unknown {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPlain ? Object.fromEntries(Object.entries(value).reverse()) : value;
}
