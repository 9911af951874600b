import { type Fragment, type Markup, markup } from '../../lib/markup.ts';
import { cut } from '../../lib/text.ts';
import type { Outcome } from '../report.ts';
import { inWords } from './words.ts';

const shownWords = 2000;

/** A text that may come from a target, cut to a length suitable for a page. */
export function bounded(text: string): string {
  return cut(text, shownWords);
}

/** A part of the page with a heading. */
export function section(id: string, title: string, count: number | undefined, content: Fragment): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}${count !== undefined && markup` <span class="count">${count}</span>`}</h2>
${content}
</section>
`;
}

/** A collapsed part of the page. A link to something in it opens it. */
export function folded(id: string, title: string, count: number | undefined, content: Fragment): Markup {
  return markup`<details class="part">
<summary><h2>${title}${count !== undefined && markup` <span class="count">${count}</span>`}</h2></summary>
<section id="${id}" aria-label="${title}">
${content}
</section>
</details>
`;
}

/** A table that scrolls by itself if it is too wide. */
export function table(caption: string, columns: readonly string[], rows: Fragment, id?: string): Markup {
  return markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${id !== undefined && markup` id="${id}"`}>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

/** A word in the colour of an outcome. The word itself names the outcome too. */
export function badge(outcome: Outcome): Markup {
  return markup`<span class="badge ${outcome}">${inWords(outcome)}</span>`;
}

/** A term with its description. */
export function term(name: string, content: Fragment): Markup {
  return markup`<div><dt>${name}</dt><dd>${content}</dd></div>
`;
}

/** The anchor of a check that is shown in full. */
export function anchorOf(id: string): string {
  return `check-${id}`;
}
