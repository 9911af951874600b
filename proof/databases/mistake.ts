/** How good the first message of the suite is, as a person judged it. */
export interface Judgement {
  /** Whether it leads to the place; `not found` when there is none. */
  leads: 'yes' | 'partly' | 'no' | 'not found';
  /** Why; for what is not found, what a check would need. */
  why: string;
}

/** One mistake as teams make it: a small change of a correct server. */
export interface Mistake<Parts> extends Judgement {
  name: string;
  /** What the team did, and what a client sees of it. */
  what: string;
  change(parts: Parts): void;
}

/** The first message leads to the place. */
export const yes = (why: string): Judgement => ({ leads: 'yes', why });

/** The first message leads to the neighbourhood; the rest is for the reader to find. */
export const partly = (why: string): Judgement => ({ leads: 'partly', why });

/** The first message leads elsewhere. */
export const no = (why: string): Judgement => ({ leads: 'no', why });

/** There is no message. */
export const notFound = (whatACheckWouldNeed: string): Judgement => ({ leads: 'not found', why: whatACheckWouldNeed });

/** Replaces a part of one statement, or of a schema. The part must be there, so that no mistake is lost unnoticed. */
export function rewrite<Name extends string>(texts: Record<Name, string>, name: Name, part: string, by: string): void {
  if (!texts[name].includes(part)) throw new Error(`${name} has no ${part}`);
  texts[name] = texts[name].replaceAll(part, by);
}
