/*
 * The HTML report: one file with the view that the page has under Reports (`src/ui/report.tsx`, built by `npm run generate`
 * into `report.gen.html`), the report as data, and the text of the terminal for readers without scripts.
 */
import { readFileSync } from 'node:fs';
import { escapeMarkup } from '../../lib/markup.ts';
import { cutAgain, inQuotes, visible } from '../../lib/text.ts';
import { wholeCommand } from './failure-text.ts';
import type { Report } from './report.ts';
import { withWords } from './report-words.ts';
import { toTerminal } from './terminal.ts';
import { headlineOf, headlineText } from './words.ts';

const template = new URL('./report.gen.html', import.meta.url);
let parts: string[] | undefined;

/** A self-contained page to read in a browser, print or send. */
export function toHtml(report: Report): string {
  parts ??= readFileSync(template, 'utf8').split(/\{\{(?:title|text)\}\}|"\{\{report\}\}"/);
  const { baseUrl, targetName } = report.run;
  const title = `${headlineOf(report).word}: ${targetName ?? baseUrl}`;
  const command = `agent-platform-contract conformance --base-url ${inQuotes(baseUrl)}`;
  // On a page, the verdict comes first.
  const text = `${headlineText(report)}\n\n${toTerminal(report, { color: false, command })}`;
  const filled = [escapeMarkup(title), escapeMarkup(text), toData(withWords(report))];
  return parts.map((part, index) => part + (filled[index] ?? '')).join('');
}

const shownText = 2_500;

/** The report as JSON that ends no script element. Texts are as long as a reader wants them, and hide nothing. */
function toData(report: Report): string {
  const json = JSON.stringify(report, (name, value) => {
    if (typeof value !== 'string') return value;
    return visible(name === 'curl' || name === 'command' ? wholeCommand(value) : cutAgain(value, shownText));
  });
  return json.replaceAll('<', '\\u003c');
}
