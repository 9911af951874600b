import { parseJson } from '../../openapi/reading/messages.ts';

/** The text of a body, and its value. */
export interface ReceivedBody {
  readonly text: string;
  readonly isJson: boolean;
  /** The value of a JSON body. Parsed again if it was not needed for a while. */
  readonly json: unknown;
}

/** How many characters of bodies are kept. They are needed until the end of the run, as checks compare responses. */
const mostCharacters = 200_000_000;
// A value may take twenty times as much memory as its text.
const usualParsed = 8_000_000;

export const tooMuch = 'the responses of the run are larger than 200 MB in all';

/** The bodies of a run's responses, within bounds: equal ones are kept once, and only the latest parsed. */
export class Bodies {
  readonly #known = new Map<string, ReceivedBody>();
  readonly #values: LatestValues;
  readonly #most: number;
  #characters = 0;

  /** `most`: how many characters of text are kept; `mostParsed`: the total length of texts whose values are kept. */
  constructor(most: number = mostCharacters, mostParsed: number = usualParsed) {
    this.#most = most;
    this.#values = new LatestValues(mostParsed);
  }

  /** The body with a text; undefined if the run has received too much, unless `isNeeded`. */
  take(text: string, isNeeded: boolean): ReceivedBody | undefined {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const isTooMuch = this.#characters + text.length > this.#most;
    if (isTooMuch && !isNeeded) return undefined;
    const body = this.#toBody(text);
    if (isTooMuch) return body;
    this.#characters += text.length;
    this.#known.set(text, body);
    return body;
  }

  #toBody(text: string): ReceivedBody {
    const values = this.#values;
    const key = { text };
    return {
      text,
      isJson: values.of(key) !== undefined,
      get json() {
        return values.of(key)?.value;
      },
    };
  }
}

type Parsed = ReturnType<typeof parseJson>;

/** The values of the most recently used texts. */
class LatestValues {
  /** Most recent last. */
  readonly #values = new Map<{ text: string }, Parsed>();
  readonly #most: number;
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  of(key: { text: string }): Parsed {
    const isKnown = this.#values.has(key);
    const parsed = isKnown ? this.#values.get(key) : parseJson(key.text);
    this.#values.delete(key);
    this.#values.set(key, parsed);
    if (!isKnown) this.#makeRoom(key.text.length);
    return parsed;
  }

  #makeRoom(added: number): void {
    this.#characters += added;
    for (const key of this.#values.keys()) {
      if (this.#characters <= this.#most || this.#values.size === 1) break;
      this.#values.delete(key);
      this.#characters -= key.text.length;
    }
  }
}
