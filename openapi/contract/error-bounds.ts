import type { SchemaError } from './schema-error.ts';

// What a value breaks is found within bounds, however large and wrong the value is. A list of a million wrong elements
// breaks a handful of rules a million times: of each rule the first few errors are kept, and the others are counted.

/** The most errors that are kept of one rule. Those of all elements of a list count as of one. */
const mostAlike = 20;
/** The most rules whose errors are kept: names that a client chose may be part of a rule. */
const mostRules = 100;
/** How many errors may come before they are looked through. */
export const fewErrors = 200;

/** The errors that one check of one value keeps. */
export class ErrorBounds {
  readonly #most: number;
  #left = 0;

  /** `most`: after so many errors, the lists and maps of the value are looked through no further. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Begins with another value. */
  reset(): void {
    this.#left = this.#most;
  }

  /** Whether there were so many errors that no one looks for more. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** Takes out, from `start` on, all errors but the first of each rule, which count the others. */
  fold(errors: SchemaError[], start: number): void {
    const byRule = new Map<string, { first: SchemaError; count: number }>();
    let end = start;
    for (const error of errors.slice(start)) {
      const rule = ruleOf(error);
      const known = byRule.get(rule);
      if (known === undefined && byRule.size < mostRules) byRule.set(rule, { first: error, count: 1 });
      else if (known === undefined || known.count === mostAlike) {
        this.#count(known?.first ?? errors[start], error);
        continue;
      } else known.count++;
      errors[end++] = error;
    }
    errors.length = end;
  }

  #count(kept: SchemaError | undefined, { more = 0 }: SchemaError): void {
    this.#left -= 1;
    if (kept !== undefined) kept.more = (kept.more ?? 0) + 1 + more;
  }
}

function ruleOf({ keyword, instancePath, params }: SchemaError): string {
  const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return `${keyword} ${place} ${params.missingProperty ?? ''}`;
}

/** Two items of a list that are equal, from its end; in time that grows with the list, not with its square. */
export function findTwins(items: readonly unknown[]): { i: number; j: number } | undefined {
  const places = new Map<string, number>();
  for (let j = items.length - 1; j >= 0; j--) {
    const text = typeof items[j] === 'string' ? `"${items[j]}` : canonical(items[j]);
    const i = places.get(text);
    if (i !== undefined) return { i, j };
    places.set(text, j);
  }
  return undefined;
}

/** A text that equal values share, in whatever order their keys are. */
function canonical(value: unknown): string {
  return ` ${JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) return { '': String(part) };
    const isMap = typeof part === 'object' && part !== null && !Array.isArray(part);
    return isMap ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;
  })}`;
}
