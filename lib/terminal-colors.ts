import { styleText } from 'node:util';

/** The colours on a terminal, by what they mean. Every text says the same without them. */
const colors = { good: 'green', warning: 'yellow', bad: 'red', address: 'cyan' } as const;

const plain = { bold: 'bold', dim: 'dim', underline: 'underline' } as const;

type Style = keyof typeof colors | keyof typeof plain;

/** Puts text in a style, or leaves it unchanged. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** The caller decides about colour: nothing here looks at a stream or the environment. */
export function painter(hasColor: boolean): Paint {
  return (style, text) => {
    if (!hasColor || text === '') return text;
    const formats = [style].flat().map((one) => ({ ...plain, ...colors })[one]);
    return styleText(formats, text, { validateStream: false });
  };
}
