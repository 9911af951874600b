/** The ways to spell one JSON value. RFC 8259 gives them all the same meaning. */
const spellings: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => `${JSON.stringify(value, null, 2)}\n`,
  (value) =>
    JSON.stringify(value)
      .replaceAll('/', '\\/')
      .replaceAll(/[\u0080-\uffff]/g, escaped),
  (value) => JSON.stringify(reversed(value)),
];

/** A JSON value as text, in one of several spellings in turn. */
export function spellJson(value: unknown, turn: number): string {
  const spell = spellings[turn % spellings.length] ?? JSON.stringify;
  return spell(value);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function reversed(value: unknown): unknown {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPlain ? Object.fromEntries(Object.entries(value).reverse()) : value;
}
