/** Says how two values differ; nothing where they are equal. */
export function unlike(what: string, actual: unknown, expected: unknown): string[] {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  return is === should ? [] : [`${what} ${is}, expected ${should}`];
}
