import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { member } from '../target/expectations.ts';
import type { Created } from './recorded.ts';

/** Whether two URLs are the same. A canonical spelling is legal: open point `mcpUrlRules`. */
export function isSameUrl(value: unknown, sent = ''): boolean {
  if (typeof value !== 'string' || !URL.canParse(value) || !URL.canParse(sent)) return value === sent;
  return new URL(value).href === new URL(sent).href;
}

/** A field that shows a different value from the one sent. */
export interface Difference {
  expected: Sentence;
  actual: Sentence;
}

/** How a created resource, as shown, differs from what was sent; undefined if it does not. */
export function differenceFrom(sent: Created['sent'], shown: unknown): Difference | undefined {
  for (const name of ['name', 'url'] as const) {
    const [asked, value] = [sent[name], member(shown, name)];
    if (typeof asked !== 'string' || value === undefined || isKept(name, asked, value)) continue;
    return { expected: say`${own(name)}: ${asJson(asked)}`, actual: asJson(value) };
  }
  return undefined;
}

function isKept(name: 'name' | 'url', asked: string, value: unknown): boolean {
  return name === 'url' ? isSameUrl(value, asked) : value === asked || !isPlain(asked);
}

// Outer blanks may be removed (open point `nameRules`); separate checks judge accents and emoji.
function isPlain(name: string): boolean {
  return name === name.trim() && name.normalize('NFD') === name && !/\p{Extended_Pictographic}/u.test(name);
}
