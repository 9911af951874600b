// What the HTML report looks like: its style, its script, and the pieces of which `html.ts` makes it.
import { type Fragment, type Markup, markup } from '../../lib/markup.ts';
import { cut } from '../../lib/text.ts';
import type { Outcome } from '../report.ts';
import { inWords } from './words.ts';

/** The style of the page: light and dark, narrow and wide, on paper. Every colour is accompanied by a word. */
export const pageCss = `
:root {
  --ground: #ffffff; --raised: #f5f6f8; --line: #d5dae1; --text: #1a1f26; --muted: #566170; --link: #0b57b8;
  --failed: #b3261e; --warned: #8a5200; --inconclusive: #5a45b0; --not-enabled: #566170; --passed: #17693a; --skipped: #566170;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101317; --raised: #191e24; --line: #313943; --text: #e4e8ed; --muted: #a0abb8; --link: #8ab8ff;
    --failed: #ff8f85; --warned: #eeb45e; --inconclusive: #b9abff; --not-enabled: #a0abb8; --passed: #74d29c; --skipped: #a0abb8;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 0 1.25rem 3rem; max-width: 68rem; background: var(--ground); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--ground); }
h1, h2, h3, h4, p, dl, dd, ul { margin: 0; }
h2 { margin: 3rem 0 1rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); font-size: 1.35rem; }
h3 { font-size: 1rem; line-height: 1.8; }
h4 { margin: .9rem 0 .3rem; color: var(--muted); font-size: .8rem; font-weight: 600; }
code, pre { font-family: var(--mono); font-size: .86em; unicode-bidi: isolate; }
pre { margin: 0; padding: .6rem .8rem; border-radius: 6px; background: var(--raised); white-space: pre-wrap; unicode-bidi: plaintext; }
pre + pre { margin-top: 2px; }
pre.line { user-select: all; }
.muted, .places, .rerun, footer { color: var(--muted); font-size: .875rem; }

header { margin-top: 1.25rem; padding: 1.5rem 1.75rem; border-radius: 8px; color: #fff; background: var(--tone); }
header.good { --tone: #14633a; }
header.weak { --tone: #7d4a00; }
header.bad { --tone: #9e1f18; }
header.open { --tone: #46388c; }
h1 { font-size: clamp(2rem, 7vw, 3.25rem); line-height: 1.15; letter-spacing: -.02em; }
h1::first-letter { text-transform: uppercase; }
.reason { margin: .35rem 0 .9rem; font-size: 1.2rem; font-weight: 600; }
.kind, .facts { font-size: .9rem; }
.broke-off { margin-top: .75rem; padding: .6rem .8rem; border: 2px solid; border-radius: 6px; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.25rem; padding: 0; list-style: none; }
.counts a { display: block; padding: .4rem .9rem; border-radius: 6px; background: var(--ground); color: var(--text);
  text-decoration: none; }
.counts a:hover { text-decoration: underline; }
.counts a:focus-visible { outline-color: #fff; }
.counts b { margin-right: .15rem; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.counts .failed b, .badge.failed { color: var(--failed); }
.counts .warned b, .badge.warned { color: var(--warned); }
.counts .inconclusive b, .badge.inconclusive { color: var(--inconclusive); }
.counts .not-enabled b, .badge.not-enabled { color: var(--not-enabled); }
.counts .passed b, .badge.passed { color: var(--passed); }
.counts .skipped b, .badge.skipped { color: var(--skipped); }
.others { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: 1rem; font-size: .9rem; }
.others a { color: #fff; }
.others a:focus-visible { outline-color: #fff; }
.count { color: var(--muted); font-weight: 400; }

.badge { padding: 0 .5em; border: 1px solid currentcolor; border-radius: 4px; font-size: .8rem; font-weight: 600; white-space: nowrap; }
.level { color: var(--muted); font-size: .75rem; font-weight: 600; letter-spacing: .04em; }
article { margin: 1rem 0; padding: 1rem 1.25rem 1.25rem; border: 1px solid var(--line); border-radius: 8px; }
article:target { outline: 3px solid var(--link); }
article h3 code { font-size: 1.05rem; }
dl { margin: .9rem 0; }
dl > div { display: grid; grid-template-columns: 8.5rem 1fr; gap: 0 1rem; padding: .3rem 0; }
dt { color: var(--muted); }
dd { white-space: pre-wrap; min-width: 0; }
.places { display: block; white-space: normal; }
.rerun { margin-top: .9rem; }
.rerun + .rerun { margin-top: .2rem; }
details { margin-top: .6rem; padding: .45rem .8rem; border: 1px solid var(--line); border-radius: 6px; }
details[open] { padding-bottom: .8rem; }
summary { cursor: pointer; }
details > p { margin-top: .5rem; }
.arrow { color: var(--muted); }
.names { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; margin-top: .5rem; padding: 0; list-style: none; }
#expected ul, #required ul { padding-left: 1.25rem; }
#choices > p { margin-bottom: 1rem; }

details.part { margin-top: 1rem; padding: .75rem 1rem; }
details.part + details.part { margin-top: .6rem; }
details.part > summary h2 { display: inline; margin: 0; padding: 0; border: 0; font-size: 1.1rem; }
details.part > section { margin-top: 1rem; }
section + details.part { margin-top: 3rem; }
#summary h2 { margin-top: 1.5rem; margin-bottom: .5rem; border: 0; padding: 0; }
.tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem 2.5rem; align-items: start; }
#summary table { table-layout: auto; font-size: .9rem; }
#summary th, #summary td { padding: .2rem .5rem .2rem 0; }
#summary td, #summary thead th + th { text-align: right; font-variant-numeric: tabular-nums; }
#summary thead th { white-space: nowrap; overflow-wrap: normal; }
#summary td { font-weight: 600; }
#summary th code { white-space: nowrap; overflow-wrap: normal; }
#summary td.none { color: var(--muted); font-weight: 400; }
td.failed { color: var(--failed); } td.warned { color: var(--warned); } td.inconclusive { color: var(--inconclusive); }
td.not-enabled { color: var(--not-enabled); }
td.passed { color: var(--passed); } td.skipped { color: var(--skipped); }
.number { color: var(--muted); }
details.more > summary { overflow-wrap: anywhere; }

.scroll { position: relative; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
#all-checks th:first-child { width: 7rem; }
#all-checks th:nth-child(3) { width: 12.5rem; }
#all-checks th:nth-child(4) { width: 5rem; }
caption { position: absolute; left: -999rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { color: var(--muted); font-size: .8rem; font-weight: 600; }
th p { color: var(--muted); font-size: .875rem; }
td p { font-size: .9rem; }
td pre { margin-top: .35rem; }
.scroll + details { margin-top: 1rem; }
.time { white-space: nowrap; font-variant-numeric: tabular-nums; }
form { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: end; margin-bottom: 1rem; }
form[hidden], tr[hidden] { display: none; }
form > div { display: grid; gap: .2rem; }
label { color: var(--muted); font-size: .8rem; }
select, input { padding: .4rem .6rem; border: 1px solid var(--muted); border-radius: 6px; background: var(--ground); color: var(--text); font: inherit; font-size: .95rem; height: 2.4rem; max-width: 100%; }
output { padding-bottom: .5rem; color: var(--muted); font-size: .875rem; }
footer { margin-top: 3rem; }

@media (max-width: 40rem) {
  body { padding: 0 .75rem 2rem; }
  header { padding: 1.1rem 1rem; }
  article { padding: .8rem .9rem 1rem; }
  dl > div { grid-template-columns: 1fr; }
  #summary table { font-size: .75rem; }
  #summary code { font-size: .68rem; }
  #summary thead th { font-size: .75rem; vertical-align: bottom; }
  #summary thead th + th { writing-mode: vertical-rl; text-align: right; }
  #summary th, #summary td { padding-right: .2rem; }
  #summary tr > :last-child { padding-right: 0; }
  .wide, #all-checks thead th:nth-child(n+3) { display: none; }
  form > div, select, input { width: 100%; }
}
@media print {
  :root { --ground: #fff; --raised: #f5f6f8; --line: #c3c9d1; --text: #000; --muted: #444; --link: #000;
    --failed: #8f1a13; --warned: #6b4000; --inconclusive: #43328f; --not-enabled: #444; --passed: #0f5029; --skipped: #444; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  form, .skip { display: none; }
  header { color: #000; background: none; border: 3px solid var(--tone); }
  .others { display: none; }
  .counts a { border: 1px solid var(--line); }
  article, tr, details { break-inside: avoid-page; }
  h2, h3 { break-after: avoid; }
  details::details-content { content-visibility: visible; display: block; }
  thead { display: table-header-group; }
}
`;

/** The script of the page: filters the table of all checks, and unfolds everything before printing. */
export const pageScript = `
const form = document.getElementById('filter');
const rows = [...document.querySelectorAll('#all-checks tbody tr')];

function filter() {
  const { outcome, operation, text } = Object.fromEntries(new FormData(form));
  const words = text.toLowerCase().split(/\\s+/);
  let count = 0;
  for (const row of rows) {
    const fits =
      (outcome === '' || row.dataset.outcome === outcome) &&
      (operation === '' || row.dataset.operation === operation) &&
      words.every((word) => row.textContent.toLowerCase().includes(word));
    row.hidden = !fits;
    if (fits) count += 1;
  }
  document.getElementById('shown').value = count + ' of ' + rows.length + ' shown';
}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
filter();

for (const link of document.querySelectorAll('a[href="#checks"][data-outcome]')) {
  link.addEventListener('click', () => {
    form.reset();
    if (rows.some((row) => row.dataset.outcome === link.dataset.outcome)) form.outcome.value = link.dataset.outcome;
    filter();
  });
}

addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});
`;

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
