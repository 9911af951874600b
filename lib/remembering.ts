const mostRemembered = 100;
const longestRemembered = 512;

/**
 * Caches the results for the latest short texts: clients send the same few again and again. Callers must not change the
 * results.
 */
export function remembering<Result extends {}>(make: (text: string) => Result): (text: string) => Result {
  return rememberingBy((text) => text, make, longestRemembered);
}

/** The same for items identified by a text: the result must depend on that text alone. */
export function rememberingBy<Item, Result extends {}>(
  textOf: (item: Item) => string,
  make: (item: Item) => Result,
  longest: number,
): (item: Item) => Result {
  const made = new Map<string, Result>();
  return (item) => {
    const text = textOf(item);
    if (text.length > longest) return make(item);
    const known = made.get(text);
    if (known !== undefined) return known;
    if (made.size >= mostRemembered) made.clear();
    const result = make(item);
    made.set(text, result);
    return result;
  };
}

/** Makes something on first use, once. */
export function lazily<Result extends {}>(make: () => Result): () => Result {
  let made: Result | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Caches the result for the latest object. Neither the object nor the result may change. */
export function rememberingLatest<Item extends object, Result>(make: (item: Item) => Result): (item: Item) => Result {
  let latest: { item: Item; result: Result } | undefined;
  return (item) => {
    if (latest?.item !== item) latest = { item, result: make(item) };
    return latest.result;
  };
}
