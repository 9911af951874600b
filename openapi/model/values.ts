/*
 * When two values are the same although they are written differently. What is open is treated generously here: a
 * difference that some legal server could make is none.
 */
import { remembering } from '../../lib/remembering.ts';
import { normalizePath } from '../reading/path-rule.ts';
import { fractionDigits } from '../reading/timestamps.ts';

/** Letter case and Unicode form are open (`pathForm.letters`), and so is the spelling (`pathForm.spelling`). */
export function isSamePath(one: string, other: string): boolean {
  return one === other || storedForm(one) === storedForm(other);
}

function storedForm(path: string): string {
  return lettersOf(normalizePath(path));
}

/**
 * The path in the coarsest form in which a server may compare it: also without accents. Remembered, since every change is
 * compared with every file.
 */
export const comparedForm: (path: string) => string = remembering(toComparedForm);

function toComparedForm(path: string): string {
  const segments = normalizePath(path).split('/');
  return lettersOf(segments.map((segment) => segment.normalize('NFKD').replaceAll(/\p{M}/gu, '')).join('/'))
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i');
}

function lettersOf(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** Whether every reader takes a path alike: no empty and no `.` segment, no blanks or dots at the edges of names. */
export function isPlainPath(path: string): boolean {
  return /^(?:\/\w(?:[\w .-]*\w)?)+$/.test(path);
}

/** Outer blanks may be removed (`nameRules`), and letters may be composed. */
export function isSameName(one: string, other: string): boolean {
  return one === other || one.trim().normalize('NFC') === other.trim().normalize('NFC');
}

/** The spelling of a URL is open (`mcpUrlRules`). */
export function isSameUrl(one: string, other: string): boolean {
  return one === other || canonicalUrl(one) === canonicalUrl(other);
}

/** Whether a creation asks for a name or a URL that a resource has (`duplicates`), or may have in its own spelling. */
export function asksForTaken(
  sent: { name?: unknown; url?: unknown },
  known: { name?: unknown; url?: unknown },
): boolean {
  const isBoth = (one: unknown, other: unknown, isSame: (one: string, other: string) => boolean) =>
    typeof one === 'string' && typeof other === 'string' && isSame(one, other);
  return isBoth(sent.name, known.name, isSameName) || isBoth(sent.url, known.url, isSameUrl);
}

function canonicalUrl(url: string): string {
  if (!URL.canParse(url)) return url.trim();
  const parsed = new URL(url);
  let end = parsed.pathname.length;
  while (parsed.pathname[end - 1] === '/') end--;
  parsed.pathname = parsed.pathname.slice(0, end);
  return parsed.href.replaceAll(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
}

/** Precision and notation are open (`timestamps`): only the digits that both have count. */
export function isSameTime(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return true;
  const [first, second] = [Date.parse(one), Date.parse(other)];
  if (Number.isNaN(first) || Number.isNaN(second)) return true;
  const digits = Math.min(fractionDigits(one), fractionDigits(other), 3);
  // The coarser one may be rounded or cut.
  return Math.abs(first - second) < 10 ** (3 - digits) + (digits === 3 ? 0 : 1);
}
