/** Where two texts start to differ, for a readable message. */
export interface Difference {
  line: number;
  one: string;
  other: string;
}

/** The first difference of two texts; undefined if they are the same. */
export function differenceOf(one: string, other: string): Difference | undefined {
  if (one === other) return undefined;
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 200);
  return { line: one.slice(0, at).split('\n').length, one: around(one), other: around(other) };
}
