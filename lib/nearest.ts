/**
 * A hint to append to an unknown word: ` (did you mean drives?)`. If no candidate is similar, `otherwise` in
 * parentheses, or nothing.
 */
export function didYouMean(word: string, candidates: readonly string[], otherwise = ''): string {
  const meant = nearest(word, candidates);
  const hint = meant === undefined ? otherwise : `did you mean ${meant}?`;
  return hint === '' ? '' : ` (${hint})`;
}

/** The candidate closest to a misspelt word; undefined if none is close. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const farthest = Math.max(2, word.length / 3);
  const ranked = candidates
    // Each extra or missing letter counts as a difference, so very long words are compared with no candidate.
    .filter(({ length }) => Math.abs(length - word.length) <= farthest)
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= farthest ? best.candidate : undefined;
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
