import type { CheckResult, Report } from '../report.ts';
import { anchorOf, badge, section, table } from './html-parts.ts';
import { type Markup, markup } from './markup.ts';
import { duration } from './text.ts';
import { isExpected, readingOrder } from './words.ts';

/** All checks in one table. The form above it needs the script, and is hidden without. */
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
<label>Outcome <select name="outcome"><option value="">any</option>${used.map(option)}</select></label>
<label>Operation <select name="operation"><option value="">any</option>${operations.map(option)}</select></label>
<label>Name or reason <input name="text" type="search" autocomplete="off"></label>
<output id="shown"></output>
</form>`;
}

function option(value: string): Markup {
  return markup`<option>${value}</option>`;
}

function row(check: CheckResult): Markup {
  const { id, outcome, operation, level, reason, durationMs } = check;
  const isTold = (outcome === 'failed' || outcome === 'warned') && !isExpected(check);
  const name = markup`<code>${id}</code>`;
  return markup`<tr data-outcome="${outcome}" data-operation="${operation}">
<td>${badge(outcome)}</td>
<th scope="row">${isTold ? markup`<a href="#${anchorOf(id)}">${name}</a>` : name} <span class="level">${level.toUpperCase()}</span>
${reason !== '' && markup`<p>${reason}</p>`}${isExpected(check) && markup`<p>Expected: ${check.expectedFailure}</p>`}</th>
<td class="wide"><code>${operation}</code></td>
<td class="wide time">${duration(durationMs)}</td>
</tr>
`;
}
