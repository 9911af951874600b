import type { Redact } from './secrets.ts';

interface Part {
  text: string;
  isOwn: boolean;
  /** Longer text is cut, but only after redaction: half a secret would not be found. */
  longest: number;
}

/**
 * One of our own sentences that quotes text from the wire or from the user. Only quoted text is redacted: a key may be
 * any word, even `failed`.
 */
export class Sentence {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** The sentence without the secrets in its quoted text. */
  shown(redact: Redact): string {
    return this.#parts.map(({ text, isOwn, longest }) => cut(text, longest, isOwn ? asItIs : redact)).join('');
  }

  /** The sentence with each part cut to this many characters. */
  within(longest: number): Sentence {
    return this.#cutWhere(() => true, longest);
  }

  /** The same for quoted text only. */
  quotingAtMost(longest: number): Sentence {
    return this.#cutWhere(({ isOwn }) => !isOwn, longest);
  }

  #cutWhere(isCut: (part: Part) => boolean, longest: number): Sentence {
    const toPart = (part: Part) => (isCut(part) ? { ...part, longest: Math.min(part.longest, longest) } : part);
    return new Sentence(this.#parts.map(toPart));
  }

  /** The whole sentence, including any secrets that it quotes. */
  get plain(): string {
    return this.shown((text) => text);
  }

  /** The sentence without its quoted text. */
  toString(): string {
    return this.shown(() => '…');
  }

  /** The parts of several sentences in a row. */
  static of(...values: readonly (Sentence | string | number)[]): Sentence {
    return new Sentence(values.flatMap((value) => (value instanceof Sentence ? value.#parts : [quoted(value)])));
  }
}

// Quoted text may be a whole file, or a path of up to 4,096 characters.
export const longestQuote = 5_000;

/** An error with a code. Quoted text in its message may contain a secret; a message that is a string quotes nothing. */
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
 * Creates a sentence from a template. The template's text and numbers are ours; inserted texts are quoted unless
 * wrapped in {@link own}.
 */
export function say(words: TemplateStringsArray, ...values: readonly (Sentence | string | number)[]): Sentence {
  return Sentence.of(own(words[0] ?? ''), ...values.flatMap((value, index) => [value, own(words[index + 1] ?? '')]));
}

/** Our own text: the id of a check or an operation, the name of a contract field, part of a sentence. */
export function own(text: string): Sentence {
  return new Sentence([{ text, isOwn: true, longest: Number.POSITIVE_INFINITY }]);
}

/** The beginning of a quoted text. */
export function excerpt(text: string, longest: number): Sentence {
  return new Sentence([{ text, isOwn: false, longest }]);
}

/** The beginning of a value quoted as JSON, or in words where it is not JSON. */
export function jsonExcerpt(value: unknown, longest: number): Sentence {
  const words = inWords(value);
  return words === undefined ? excerpt(jsonBeginning(value, longest) ?? '', longest) : own(words);
}

/** A value from code, as a message shows it. */
export function shownValue(value: unknown): string {
  return jsonExcerpt(value, longestQuote).plain;
}

/** What a value is that JSON cannot hold. */
function inWords(value: unknown): string | undefined {
  if (value === undefined) return 'absent';
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  // Not of the value itself: data may have a field with this name.
  const made =
    typeof value === 'object' && value !== null ? Object.getPrototypeOf(value)?.constructor?.name : undefined;
  if (typeof made !== 'string' || made === 'Object' || made === 'Array') return undefined;
  return `${/^[AEIO]/.test(made) ? 'an' : 'a'} ${made}`;
}

/** Several sentences with our own text between them. */
export function joined(values: Iterable<Sentence | string | number>, between = ', '): Sentence {
  return Sentence.of(...Array.from(values).flatMap((value, index) => (index === 0 ? [value] : [own(between), value])));
}

export function asJson(value: unknown): Sentence {
  return jsonExcerpt(value, longestQuote);
}

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
  const around: unknown[] = [];
  const pruned = (part: unknown): unknown => {
    left -= 4;
    if (typeof part === 'string') {
      const kept = part.length > left ? part.slice(0, Math.max(0, left)) : part;
      left -= part.length;
      return kept;
    }
    if (typeof part === 'bigint') return `${part}n`;
    if (typeof part !== 'object' || part === null) return part;
    if (around.includes(part)) return '[circular]';
    around.push(part);
    const whole = Array.isArray(part) ? prunedList(part) : prunedFields(part);
    around.pop();
    return whole;
  };
  const prunedFields = (part: object) => {
    const kept: [string, unknown][] = [];
    for (const name in part) {
      if (left <= 0) break;
      // What a URL inherits, such as its toJSON, works on a URL only.
      if (!Object.hasOwn(part, name)) continue;
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
