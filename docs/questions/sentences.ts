import type { Choice, OpenPoint } from '../../openapi/contract/open-points.ts';
import type { Cost } from './questions.ts';

/** Writes the sentence of a choice, with the default of each other open point that it names. */
export function sentenceWriter(points: readonly OpenPoint[], costs: Readonly<Record<string, Cost>>) {
  const known = new Map(points.map((point) => [point.id, point]));

  /** The value that holds by default; a default that names another open point has the one of that point. */
  function heldBy(id: string): Choice {
    const own = known.get(id)?.default ?? '';
    return known.has(String(own)) ? heldBy(String(own)) : own;
  }

  /** Undefined if nobody wrote one. */
  return (id: string, choice: Choice): string | undefined => {
    const value = known.has(String(choice)) ? heldBy(String(choice)) : choice;
    return templateOf(costs[id], value)?.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'value' ? String(value) : String(heldBy(name)),
    );
  };
}

/** What is written for a value: `{value}` and the ids of other open points in braces are still in it. */
export function templateOf(cost: Cost | undefined, value: Choice): string | undefined {
  return cost?.says[String(value)] ?? cost?.says['*'];
}
