/** Where two texts begin to differ, for a message that can be read. */
export interface Difference {
  line: number;
  one: string;
  other: string;
}

/** The first difference of two texts; undefined when they are the same. */
export function differenceOf(one: string, other: string): Difference | undefined {
  if (one === other) return undefined;
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 200);
  return { line: one.slice(0, at).split('\n').length, one: around(one), other: around(other) };
}
