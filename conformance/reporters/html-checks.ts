import { type Markup, markup } from '../../reporting/markup.ts';
import { duration } from '../../reporting/text.ts';
import type { CheckResult, Report } from '../report.ts';
import { anchorOf, badge, section, table } from './html-parts.ts';
import { isExpected, readingOrder } from './words.ts';

/** All checks in one table. The form above it needs the script, and is hidden without it. */
export function checksTable(report: Report): Markup {
  const checks = readingOrder.flatMap((outcome) => report.checks.filter((check) => check.outcome === outcome));
  return section('checks', 'All checks', checks.length, [
    filterForm(report),
    table('Every check and how it ended', ['Outcome', 'Check', 'Operation', 'Time'], checks.map(row), 'all-checks'),
  ]);
}

function filterForm(report: Report): Markup {
  const operations = [...new Set(report.checks.map(({ operation }) => operation))];
  const used = readingOrder.filter((outcome) => report.summary[outcome] > 0);
  return markup`<form id="filter" hidden>
${choiceField('outcome', 'Outcome', used)}
${choiceField('operation', 'Operation', operations)}
<div><label for="filter-text">Name or reason</label><input id="filter-text" name="text" type="search" autocomplete="off"></div>
<output id="shown"></output>
</form>`;
}

function choiceField(name: string, label: string, values: readonly string[]): Markup {
  return markup`<div><label for="filter-${name}">${label}</label><select id="filter-${name}" name="${name}"><option value="">any</option>${values.map(
    (value) => markup`<option>${value}</option>`,
  )}</select></div>`;
}

function row(check: CheckResult): Markup {
  const { id, outcome, operation, level, reason, durationMs } = check;
  const isDetailed = (outcome === 'failed' || outcome === 'warned') && !isExpected(check);
  const name = markup`<code>${id}</code>`;
  return markup`<tr data-outcome="${outcome}" data-operation="${operation}">
<td>${badge(outcome)}</td>
<th scope="row">${isDetailed ? markup`<a href="#${anchorOf(id)}">${name}</a>` : name} <span class="level">${level.toUpperCase()}</span>
${reason !== '' && markup`<p>${reason}</p>`}${isExpected(check) && markup`<p>Expected: ${check.expectedFailure}</p>`}</th>
<td class="wide"><code>${operation}</code></td>
<td class="wide time">${duration(durationMs)}</td>
</tr>
`;
}
