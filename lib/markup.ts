import { visible } from './text.ts';

/** Markup: already escaped, or written by us. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: text is escaped, markup is not, and an absent value is omitted. */
export type Fragment = string | number | Markup | undefined | false | readonly Fragment[];

/** A template of HTML or XML that escapes every text put into it. */
export function markup(parts: TemplateStringsArray, ...fragments: Fragment[]): Markup {
  return new Markup(parts.map((part, index) => part + render(fragments[index])).join(''));
}

function render(fragment: Fragment): string {
  if (fragment === undefined || fragment === false) return '';
  if (fragment instanceof Markup) return fragment.text;
  if (typeof fragment === 'object') return fragment.map(render).join('');
  return escapeMarkup(String(fragment));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The text, escaped for content and quoted attributes of HTML and XML. */
export function escapeMarkup(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
