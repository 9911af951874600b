import type { Choice } from '../points/open-point.ts';

/** A choice that one server makes once, as far as its responses leave it open. */
interface Remaining {
  choices: ReadonlySet<Choice>;
  /** The exchange that narrowed it last. */
  number: number;
}

/** Open points as sets of choices: all of them at first; each response leaves those that explain it. */
export class Choices {
  readonly #remaining = new Map<string, Remaining>();

  /**
   * Leaves the choices that explain an exchange. If none is left, the server contradicts an earlier response, whose number is
   * returned, and the newer one counts from here on.
   */
  narrow(point: string, possible: readonly Choice[], number: number): number | undefined {
    const known = this.#remaining.get(point);
    const left = new Set(possible.filter((choice) => known === undefined || known.choices.has(choice)));
    const isClash = known !== undefined && left.size === 0;
    if (known === undefined || left.size < known.choices.size)
      this.#remaining.set(point, { choices: isClash ? new Set(possible) : left, number });
    return isClash ? known.number : undefined;
  }

  /** Whether only this choice is left. */
  is(point: string, choice: Choice): boolean {
    return this.only(point) === choice;
  }

  /** The only choice left; undefined while there are several. */
  only(point: string): Choice | undefined {
    const { choices = new Set<Choice>() } = this.#remaining.get(point) ?? {};
    const [first, ...others] = choices;
    return others.length === 0 ? first : undefined;
  }
}
