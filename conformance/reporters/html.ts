import { type Fragment, Markup, markup } from '../../lib/markup.ts';
import { duration, plural } from '../../lib/text.ts';
import type { CheckResult, Outcome, Report } from '../report.ts';
import { endingOf, headlineOf } from './headline.ts';
import {
  choices,
  expectedFailures,
  inconclusive,
  leftovers,
  notEnabled,
  requiredChoices,
  runFacts,
  troubles,
} from './html-appendix.ts';
import { findings } from './html-findings.ts';
import { anchorOf, badge, bounded, folded, table } from './html-parts.ts';
import { summary } from './html-summary.ts';
import { inReadingOrder, unexpected } from './order.ts';
import { pageCss } from './page-css.ts';
import { pageScript } from './page-script.ts';
import { findingsTitle, inWords, isExpected, readingOrder } from './words.ts';

// The page fetches nothing, no matter what a target wrote into a response.
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A self-contained page to read in a browser, print or send. */
export function toHtml(report: Report): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${headlineOf(report).word}: ${report.run.targetName ?? report.run.baseUrl}</title>
<style>${new Markup(pageCss)}</style>
</head>
<body>
<a class="skip" href="#main">To the findings</a>
${banner(report)}
<main id="main">
${sections(report)}
</main>
<footer>${report.run.tool}, run ${report.run.id}</footer>
<script>${new Markup(pageScript)}</script>
</body>
</html>
`;
  return page.text;
}

function banner(report: Report): Markup {
  const { run } = report;
  const { word, rest, tone } = headlineOf(report);
  return markup`<header class="${tone}">
<p class="kind">Conformance report</p>
<h1>${word}</h1>
<p class="reason">${capitalized(rest.replace(/^[,:]? /, ''))}</p>
<p class="facts">${
    run.targetName !== undefined &&
    markup`<b>${run.targetName}</b><br>
`
  }<code>${run.baseUrl}</code><br>
${time(run.startedAt)}; ${plural(run.requests, 'request')} in ${duration(run.durationMs)}; contract ${run.contractVersion}</p>
${run.suiteError !== undefined && markup`<p class="broke-off" role="alert">${capitalized(endingOf(run))}, so this report is incomplete: ${run.suiteError}</p>`}
${counts(report)}
${otherParts(report)}
</header>`;
}

// Check ids are not capitalized.
function capitalized(text: string): string {
  return text.replace(/^[a-z](?![\w-]*\.)/, (letter) => letter.toUpperCase());
}

function counts(report: Report): Markup {
  return markup`<nav aria-label="Outcomes"><ul class="counts">${readingOrder.map(
    (outcome) =>
      markup`<li><a class="${outcome}" href="#${targetOf(report, outcome)}" data-outcome="${outcome}"><b>${report.summary[outcome]}</b> ${inWords(outcome)}</a></li>`,
  )}</ul></nav>`;
}

/** The part of the page for an outcome: a separate section, or the table of all checks. */
function targetOf(report: Report, outcome: Outcome): string {
  if (outcome === 'failed' && unexpected(report, outcome).length > 0) return 'failures';
  if (outcome === 'warned' && unexpected(report, outcome).length > 0) return 'warnings';
  const isUnjudged = outcome === 'inconclusive' || outcome === 'not-enabled';
  return isUnjudged && report.summary[outcome] > 0 ? outcome : 'checks';
}

function otherParts(report: Report): Markup {
  const { leftovers: left, observed } = report;
  const choicesMade = Object.keys(observed).length;
  return markup`<nav class="others" aria-label="Other parts">
${left.length > 0 && markup`<a href="#leftovers">Left behind on the target (${left.length})</a>`}
${choicesMade > 0 && markup`<a href="#choices">Observed choices (${choicesMade})</a>`}
<a href="#checks">All checks</a>
<a href="#run">The run</a>
</nav>`;
}

function time(iso: string): Markup {
  return markup`<time datetime="${iso}">${iso.replace('T', ' ').replace(/(:\d\d)\.\d+Z$|Z$/, '$1 UTC')}</time>`;
}

function sections(report: Report): Fragment {
  return [
    summary(report),
    requiredChoices(report),
    findings('failures', findingsTitle(report, 'failed'), unexpected(report, 'failed')),
    findings('warnings', findingsTitle(report, 'warned'), unexpected(report, 'warned')),
    inconclusive(report),
    notEnabled(report),
    troubles(report),
    expectedFailures(report),
    leftovers(report),
    choices(report),
    checksTable(report),
    runFacts(report),
  ];
}

/** All checks in one table. The form above it needs the script, and is hidden without it. */
function checksTable(report: Report): Markup {
  const checks = inReadingOrder(report);
  return folded('checks', 'All checks', checks.length, [
    filterForm(report),
    table(
      'Every check and how it ended',
      ['Outcome', 'Check', 'Operation', 'Time'],
      checks.map(checkRow),
      'all-checks',
    ),
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
    (value) => markup`<option value="${value}">${value.replace('-', ' ')}</option>`,
  )}</select></div>`;
}

function checkRow(check: CheckResult): Markup {
  const { id, outcome, operation, level, reason, durationMs } = check;
  const isDetailed = (outcome === 'failed' || outcome === 'warned') && !isExpected(check);
  const name = markup`<code>${id}</code>`;
  return markup`<tr data-outcome="${outcome}" data-operation="${operation}">
<td>${badge(outcome)}</td>
<th scope="row">${isDetailed ? markup`<a href="#${anchorOf(id)}">${name}</a>` : name} <span class="level">${level.toUpperCase()}</span>
${reason !== '' && markup`<p>${bounded(reason)}</p>`}${isExpected(check) && markup`<p>Expected: ${check.expectedFailure}</p>`}</th>
<td class="wide"><code>${operation}</code></td>
<td class="wide time">${duration(durationMs)}</td>
</tr>
`;
}
