/*
 * What the proxy remembers, so as not to judge the same again: verdicts here; heads in `../request-head.ts` and
 * `../headers.ts`; responses in `../latest-answers.ts`; open points in `openapi/reading/reading.ts`.
 */
import { serialize } from 'node:v8';
import type { FoundViolation } from '../exchange.ts';

type Verdict = readonly FoundViolation[];

const mostJudged = 200;
const longestJudged = 32_768;

/**
 * Remembers the violations of the last messages: clients ask for the same again and again. They must follow from the
 * arguments alone. Nobody may change what is returned.
 */
export function judgedOnce<Args extends unknown[]>(
  judge: (...args: Args) => Promise<FoundViolation[]>,
): (...args: Args) => Promise<Verdict> {
  const judged = new Map<string, Verdict>();
  return async (...args) => {
    const key = keyOf(args);
    const known = judged.get(key);
    if (known !== undefined) return known;
    const found = await judge(...args);
    if (key.length > longestJudged) return found;
    if (judged.size >= mostJudged) judged.clear();
    judged.set(key, found);
    return found;
  };
}

// Not as JSON: there 1e999 is null.
function keyOf(args: readonly unknown[]): string {
  return serialize(args).toString('latin1');
}
