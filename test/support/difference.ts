/** The first lines in which two texts differ, for a message that can be read; undefined when they are the same. */
export function differenceOf(one: string, other: string): { line: number; one: string; other: string } | undefined {
  if (one === other) return undefined;
  const [lines, others] = [one.split('\n'), other.split('\n')];
  const line = lines.findIndex((text, index) => text !== others[index]);
  const at = line < 0 ? lines.length : line;
  return { line: at, one: lines[at] ?? '<the end>', other: others[at] ?? '<the end>' };
}
