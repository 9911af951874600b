/** A query parameter, decoded. */
export interface Pair {
  name: string;
  /** Absent if it is not valid percent-encoded UTF-8. */
  value: string | undefined;
}

/** The parameters of a query string in order, decoded. */
export function decodeQuery(query: string): Pair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const end = pair.indexOf('=');
      const [name, value] = end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
      return { name: decodeText(name) ?? name, value: decodeText(value) };
    });
}

function decodeText(text: string): string | undefined {
  return decodePart(text.replaceAll('+', ' '));
}

/** The path and the query of a request target. */
export function splitTarget(target: string): [path: string, query: string] {
  const end = target.indexOf('?');
  return end < 0 ? [target, ''] : [target.slice(0, end), target.slice(end + 1)];
}

/** A part of a URL, decoded; undefined if it is not percent-encoded UTF-8. A plus stays: only in a query it is a blank. */
export function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The path parameters in the segments of a path, decoded; undefined where one is not percent-encoded UTF-8. */
export function pathParametersIn(
  { segments }: { segments: readonly ({ literal: string } | { parameter: string })[] },
  parts: readonly string[],
): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = {};
  for (const [index, segment] of segments.entries())
    if ('parameter' in segment) found[segment.parameter] = decodePart(parts[index] ?? '');
  return found;
}
