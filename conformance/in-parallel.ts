/**
 * Does some work for all items in parallel; the target bounds how many requests are in progress. Resolves to the results in the
 * order of the items. If some fail, rejects with the error of the first such item, after all have ended.
 */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const settled = await Promise.allSettled(Array.from(items, work));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
