// How names are shown that people, or tests, gave.

/** A name; one that nobody can see in quotes. What would change the order of the letters is shown as its code. */
export function shown(name: string): string {
  const visible = name.replace(/[\u202a-\u202e\u2066-\u2069]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);
  return /[^\p{C}\p{Z}]/u.test(visible) ? visible : JSON.stringify(visible);
}

/** A name within a question, which a long one would drown. */
export function shortened(name: string): string {
  return shown(name).replace(/^(.{40}).+$/su, '$1…');
}
