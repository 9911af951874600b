/*
 * What the proxy caches, so as not to judge the same thing twice: verdicts here; heads in `../request-head.ts` and
 * `../headers.ts`; responses in `../latest-answers.ts`; open points in `openapi/reading/reading.ts`.
 */
import { serialize } from 'node:v8';
import type { FoundViolation } from '../exchange.ts';

type Verdict = readonly FoundViolation[];

const mostJudged = 200;
const longestJudged = 32_768;

/**
 * Caches the violations of the latest messages: clients keep sending the same requests. They must depend on the
 * arguments alone. Callers must not change the result.
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

// Not as JSON, in which 1e999 becomes null.
function keyOf(args: readonly unknown[]): string {
  return serialize(args).toString('latin1');
}
