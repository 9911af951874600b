import type { Redact } from './secrets.ts';

/** How much more of a text is read than shown: half a secret at its end would not be found. */
const besides = 16_000;

/**
 * The beginning of a text, without secrets. The time does not grow with the text, which may be megabytes long.
 * `isWhole` says whether this is the whole text.
 */
export function beginning(text: string, longest: number, redact: Redact): { shown: string; isWhole: boolean } {
  if (text.length <= longest + besides) {
    const redacted = redact(text);
    return { shown: redacted.slice(0, longest), isWhole: redacted.length <= longest };
  }
  const redacted = redact(text.slice(0, longest + besides));
  return { shown: redacted.slice(0, Math.max(0, Math.min(longest, redacted.length - besides))), isWhole: false };
}

/** The value as JSON; for a large value, enough for the beginning of its text. Undefined if it is not JSON. */
export function jsonBeginning(value: unknown, longest: number): string | undefined {
  let left = longest + besides;
  const pruned = (part: unknown): unknown => {
    left -= 4;
    if (typeof part === 'string') {
      const kept = part.length > left ? part.slice(0, Math.max(0, left)) : part;
      left -= part.length;
      return kept;
    }
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return prunedList(part);
    const kept: [string, unknown][] = [];
    for (const name in part) {
      if (left <= 0) break;
      kept.push([String(pruned(name)), pruned((part as Record<string, unknown>)[name])]);
    }
    return Object.fromEntries(kept);
  };
  const prunedList = (list: readonly unknown[]) => {
    const kept: unknown[] = [];
    for (const item of list) {
      if (left <= 0) break;
      kept.push(pruned(item));
    }
    return kept;
  };
  return JSON.stringify(pruned(value));
}
