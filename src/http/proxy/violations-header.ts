import type { ExchangeViolation } from './exchange.ts';

// With the name of the header it stays below eight kibibytes.
const limitBytes = 8 * 1024 - 100;

/** The value of `sl-violations`: JSON in ASCII. What does not fit is counted in a last element. */
export function toViolationsHeader(violations: readonly ExchangeViolation[]): string {
  const texts = violations.map(toAscii);
  if (lengthOf(texts) <= limitBytes) return `[${texts.join(',')}]`;
  const kept: string[] = [];
  for (const text of texts) {
    const withText = [...kept, text, remainder(texts.length)];
    if (lengthOf(withText) > limitBytes) break;
    kept.push(text);
  }
  return `[${[...kept, remainder(texts.length - kept.length)].join(',')}]`;
}

function remainder(count: number): string {
  const message = `${count} more; GET /__admin/requests has all of them`;
  return toAscii({ location: [], severity: 'Information', code: 'cut', message });
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length + 1, 1);
}

// A header takes no other characters for certain.
function toAscii(violation: ExchangeViolation): string {
  const { location, severity, code, message } = violation;
  return JSON.stringify({ location, severity, code, message }).replaceAll(/[^\x20-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
