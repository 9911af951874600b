import { invalid } from './refusal.ts';
import type { Page } from './repository.ts';

/** The query of a request: a parameter that was sent more than once has several values. */
export type Query = Record<string, string | string[]>;

/** What requests may hold. A mistake replaces one of these rules. */
export const rules = {
  query(search: string): Query {
    const parameters = new URLSearchParams(search);
    return Object.fromEntries(
      [...new Set(parameters.keys())].map((name) => {
        const values = parameters.getAll(name);
        return [name, values.length === 1 ? (values[0] ?? '') : values];
      }),
    );
  },

  page(query: Query): Page {
    return { limit: integer(query, 'limit', 1, 100, 20), offset: integer(query, 'offset', 0, 2 ** 31 - 1, 0) };
  },

  name: (value: unknown): string => text(value, 'name', 255),

  url(value: unknown): string {
    const url = text(value, 'url', 2_000);
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw invalid('url is no http or https URL');
    return url;
  },

  revisionId: (value: unknown): string => text(value, 'revisionId', 255),

  // The stated pattern stops at line breaks, and the sentence next to it forbids every .. segment. An index row of
  // PostgreSQL holds 2,700 bytes.
  path(value: unknown): string {
    const path = text(value, 'path', 600);
    if (!path.startsWith('/')) throw invalid('path must start with /');
    if (path.split('/').includes('..')) throw invalid('path has a .. segment');
    if (/[\r\n\u2028\u2029]/.test(path)) throw invalid('path has a line break');
    return path;
  },
};

export type Rules = typeof rules;

// A NUL is no text in PostgreSQL, and half a surrogate pair is none in UTF-8.
function text(value: unknown, field: string, most: number): string {
  if (typeof value !== 'string') throw invalid(`${field} must be a string`);
  if (value === '' || value.length > most) throw invalid(`${field} must have 1 to ${most} characters`);
  if (value.includes('\0') || !value.isWellFormed()) throw invalid(`${field} must be text`);
  return value;
}

function integer(query: Query, name: string, least: number, most: number, usual: number): number {
  const value = query[name];
  if (value === undefined) return usual;
  if (typeof value !== 'string' || !/^\d{1,10}$/.test(value)) throw invalid(`${name} must be one integer`);
  if (Number(value) < least || Number(value) > most) throw invalid(`${name} must be from ${least} to ${most}`);
  return Number(value);
}
