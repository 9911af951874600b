/**
 * A hint to append to an unknown word: ` (did you mean drives?)`. If no candidate is similar, `otherwise` in
 * parentheses, or nothing.
 */
export function didYouMean(word: string, candidates: readonly string[], otherwise = ''): string {
  const meant = nearest(word, candidates);
  const hint = meant === undefined ? otherwise : `did you mean ${meant}?`;
  return hint === '' ? '' : ` (${hint})`;
}

/** The candidate closest to a misspelt word, or the only one that begins with it; undefined if there is none. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const farthest = word.length < 4 ? 1 : Math.max(2, word.length / 3);
  const ranked = candidates
    // Each extra or missing letter counts as a difference, so very long words are compared with no candidate.
    .filter(({ length }) => Math.abs(length - word.length) <= farthest)
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best !== undefined && best.distance <= farthest) return best.candidate;
  const longer = candidates.filter((one) => one.toLowerCase().startsWith(word.toLowerCase()));
  return word.length > 2 && longer.length === 1 ? longer[0] : undefined;
}

/** The number of letters to change, add or remove to turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
