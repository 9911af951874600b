import type { SchemaError } from './schema-error.ts';

// The errors of a value are bounded, however large and wrong the value is. A list of a million wrong elements breaks a
// handful of rules a million times: the first few errors of each rule are kept, the rest are only counted.

/** The maximum number of errors kept for one rule. All elements of a list count as one place. */
const mostAlike = 20;
/** The maximum number of rules whose errors are kept: a rule may include names that the client chose. */
const mostRules = 100;
/** The number of errors after which they are folded. */
export const fewErrors = 200;

/** Bounds the errors that one check of one value keeps. */
export class ErrorBounds {
  readonly #most: number;
  #left = 0;

  /** `most`: after this many errors, the lists and maps of the value are not searched any further. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Starts a new value. */
  reset(): void {
    this.#left = this.#most;
  }

  /** Whether there were enough errors to stop looking for more. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** From `start` on, removes all errors except the first ones of each rule, which count the rest. */
  fold(errors: SchemaError[], start: number): void {
    const byRule = new Map<string, { first: SchemaError; count: number }>();
    let end = start;
    for (const error of errors.slice(start)) {
      const rule = ruleOf(error);
      const known = byRule.get(rule);
      if (known === undefined && byRule.size < mostRules) byRule.set(rule, { first: error, count: 1 });
      else if (known === undefined || known.count === mostAlike) {
        this.#left -= 1;
        const kept = known?.first ?? errors[start];
        if (kept !== undefined) kept.more = (kept.more ?? 0) + 1 + (error.more ?? 0);
        continue;
      } else known.count++;
      errors[end++] = error;
    }
    errors.length = end;
  }
}

function ruleOf({ keyword, instancePath, params }: SchemaError): string {
  const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return `${keyword} ${place} ${params.missingProperty ?? ''}`;
}

/** Two equal items of a list, searched from its end in linear time. */
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

/** A text that is the same for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  return ` ${JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) return { '': String(part) };
    const isMap = typeof part === 'object' && part !== null && !Array.isArray(part);
    return isMap ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;
  })}`;
}
