import { plural } from '../../../lib/text.ts';

export { duration, number, plural } from '../../../lib/text.ts';

/** What the page's marks mean, by their words. */
export const meanings = {
  open: 'The specification leaves it open, so servers may differ. The mock uses the choice in Open points.',
  'always there': 'The specification states that a response has this field.',
  expected: 'The specification shows this field, but does not state that it is always there.',
  'may be missing': 'A response may leave this field out.',
} as const;

/** `2026-11-23 20:33`, in the time zone in which it was written. */
export function moment(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** `3.9 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return plural(bytes, 'byte');
  const power = [4, 3, 2].find((each) => bytes >= 1_000 ** each) ?? 1;
  return `${(bytes / 1_000 ** power).toFixed(1)} ${['', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

/** Whether all words of a search occur in a text. */
export function matches(whole: string, search: string): boolean {
  const text = whole.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * A name that people, or tests, gave; one that nobody can see in quotes. What would change the order of the letters is
 * shown as its code.
 */
export function shown(name: string): string {
  const visible = name.replace(/[\u202a-\u202e\u2066-\u2069]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);
  return /[^\p{C}\p{Z}]/u.test(visible) ? visible : JSON.stringify(visible);
}

/** A name within a question, which a long one would drown. */
export function shortened(name: string): string {
  return shown(name).replace(/^(.{40}).+$/su, '$1…');
}
