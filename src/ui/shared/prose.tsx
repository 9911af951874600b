/** A sentence of the contract: text between backticks is code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((piece, index) => (index % 2 === 0 ? piece : <code key={index}>{piece}</code>))}</>;
}

/** The first two sentences of a text. */
export function firstSentences(text: string): string {
  return text
    .split(/(?<=[.?!])\s+(?=[A-Z])/)
    .slice(0, 2)
    .join(' ');
}
