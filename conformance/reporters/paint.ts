import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Puts text in a style, or leaves it as it is. */
export type Paint = (format: Format, text: string) => string;

/** Whether there is colour is for the caller to say: nothing here looks at a stream or the environment. */
export function painter(color: boolean): Paint {
  return (format, text) => (color && text !== '' ? styleText(format, text, { validateStream: false }) : text);
}
