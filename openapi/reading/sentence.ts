import { beginning, jsonBeginning } from './beginning.ts';
import type { Redact } from './secrets.ts';

interface Part {
  text: string;
  isOwn: boolean;
  /** What is longer is cut, after it was redacted: half a secret is not found. */
  longest: number;
}

/**
 * A sentence of ours that quotes what came over the wire, or from the user. Only what it quotes is ever redacted: a key
 * may be any word, `failed` as well.
 */
export class Sentence {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** The sentence without the secrets in what it quotes. */
  shown(redact: Redact): string {
    return this.#parts.map(({ text, isOwn, longest }) => cut(text, longest, isOwn ? asItIs : redact)).join('');
  }

  /** The sentence with each part cut that has more characters than this. */
  within(longest: number): Sentence {
    return this.#cutWhere(() => true, longest);
  }

  /** The same for what it quotes only. */
  quotingAtMost(longest: number): Sentence {
    return this.#cutWhere(({ isOwn }) => !isOwn, longest);
  }

  #cutWhere(isCut: (part: Part) => boolean, longest: number): Sentence {
    const toPart = (part: Part) => (isCut(part) ? { ...part, longest: Math.min(part.longest, longest) } : part);
    return new Sentence(this.#parts.map(toPart));
  }

  /** The sentence as it is, including any secrets that it quotes. */
  get plain(): string {
    return this.shown((text) => text);
  }

  /** The sentence without what it quotes. */
  toString(): string {
    return this.shown(() => '…');
  }

  /** The parts of several sentences in a row. */
  static of(...values: readonly (Sentence | string | number)[]): Sentence {
    return new Sentence(values.flatMap((value) => (value instanceof Sentence ? value.#parts : [quoted(value)])));
  }
}

// What is quoted may be a whole file, or a path, which may have 4,096 characters.
export const longestQuote = 5_000;

/** An error with a code. What its message quotes may hold a secret; a message that is a string quotes nothing. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code;
  readonly sentence: Sentence;

  constructor(code: Code, message: Sentence | string, options?: ErrorOptions) {
    const sentence = typeof message === 'string' ? own(message) : message.quotingAtMost(longestQuote);
    super(sentence.plain, options);
    this.name = new.target.name;
    this.code = code;
    this.sentence = sentence;
  }
}

function quoted(value: string | number): Part {
  return { text: String(value), isOwn: typeof value === 'number', longest: Number.POSITIVE_INFINITY };
}

const asItIs: Redact = (text) => text;

function cut(text: string, longest: number, redact: Redact): string {
  const { shown, isWhole } = beginning(text, longest, redact);
  return isWhole ? shown : `${shown}…`;
}

/**
 * Makes a sentence of a template. Its own text and numbers are ours; inserted texts are quoted, unless
 * they come through {@link own}.
 */
export function say(words: TemplateStringsArray, ...values: readonly (Sentence | string | number)[]): Sentence {
  return Sentence.of(own(words[0] ?? ''), ...values.flatMap((value, index) => [value, own(words[index + 1] ?? '')]));
}

/** A text of ours: the id of a check or an operation, the name of a field in the contract, a piece of a sentence. */
export function own(text: string): Sentence {
  return new Sentence([{ text, isOwn: true, longest: Number.POSITIVE_INFINITY }]);
}

/** The beginning of a text that is quoted. */
export function excerpt(text: string, longest: number): Sentence {
  return new Sentence([{ text, isOwn: false, longest }]);
}

/** The beginning of a value that is quoted as JSON. */
export function jsonExcerpt(value: unknown, longest: number): Sentence {
  const text = jsonBeginning(value, longest);
  return text === undefined ? own('absent') : excerpt(text, longest);
}

/** Several sentences with our own text between them. */
export function joined(values: Iterable<Sentence | string | number>, between = ', '): Sentence {
  return Sentence.of(...Array.from(values).flatMap((value, index) => (index === 0 ? [value] : [own(between), value])));
}

/** A value that is quoted as JSON. */
export function asJson(value: unknown): Sentence {
  return jsonExcerpt(value, longestQuote);
}
