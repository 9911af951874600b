import { styleText } from 'node:util';

/** The colours on a terminal, by what they mean. Every text says the same without them. */
const colors = { good: 'green', warning: 'yellow', bad: 'red', address: 'cyan' } as const;

type Style = keyof typeof colors | 'bold' | 'dim' | 'underline';

/** Puts text in a style, or leaves it unchanged. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** The caller decides about colour: nothing here looks at a stream or the environment. */
export function painter(hasColor: boolean): Paint {
  return (style, text) =>
    hasColor && text !== '' ? styleText(formatOf(style), text, { validateStream: false }) : text;
}

function formatOf(style: Style | readonly Style[]) {
  return [style]
    .flat()
    .map((one) => (one in colors ? colors[one as keyof typeof colors] : (one as Exclude<Style, keyof typeof colors>)));
}
