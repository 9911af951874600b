/** One mistake as teams make it: a small change of a correct server. */
export interface Mistake<Parts> {
  name: string;
  /** What the team did, and what a client sees of it. */
  what: string;
  change(parts: Parts): void;
  /** Whether the first message of the suite leads to the place, as a person judged it; `not found` when there is none. */
  leads: 'yes' | 'partly' | 'no' | 'not found';
  /** Why; for what is not found, what a check would need. */
  why: string;
}

/** Replaces a part of one statement, or of a schema. The part must be there, so that no mistake is lost unnoticed. */
export function rewrite<Name extends string>(texts: Record<Name, string>, name: Name, part: string, by: string): void {
  if (!texts[name].includes(part)) throw new Error(`${name} has no ${part}`);
  texts[name] = texts[name].replaceAll(part, by);
}
