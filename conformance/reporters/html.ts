// The HTML report, from the headline to the appendix.
import { type Fragment, Markup, markup } from '../../lib/markup.ts';
import { cut, duration, oneLine, plural } from '../../lib/text.ts';
import { loadCoverage, loadRequirements } from '../../openapi/contract/load.ts';
import { parseJson } from '../../openapi/reading/messages.ts';
import { ifMeant } from '../check.ts';
import type { CheckResult, Leftover, Outcome, Report } from '../report.ts';
import type { Exchange } from '../target/reply.ts';
import {
  alikeText,
  bodyText,
  failureLine,
  fold,
  isAdvised,
  leftoverKind,
  newsOf,
  type ObservedChoice,
  observedChoices,
  onlyOptions,
  placesOf,
  type Reported,
  requestIdsOf,
  requestLine,
  statusLine,
  unobserved,
  wholeCommand,
} from './failure-text.ts';
import { anchorOf, badge, bounded, folded, pageCss, pageScript, section, table, term } from './html-style.ts';
import {
  crashLines,
  endingOf,
  expectedFailureLines,
  findingsTitle,
  headlineOf,
  inReadingOrder,
  inWords,
  isExpected,
  readingOrder,
  requiredChoiceLines,
  serverErrorLines,
  type UnjudgedGroup,
  unexpected,
  unjudgedGroups,
} from './words.ts';

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

interface Row {
  title: Fragment;
  checks: readonly CheckResult[];
}

/** The results by operation, and by section of the specification. */
function summary({ checks }: Report): Fragment {
  if (checks.length === 0) return undefined;
  const used = readingOrder.filter((outcome) => checks.some((check) => check.outcome === outcome));
  const byOperation = [...Map.groupBy(checks, ({ operation }) => operation)];
  const operations = byOperation.map(([operation, ofIt]) => ({
    title: markup`<code>${operation}</code>`,
    checks: ofIt,
  }));
  return section('summary', 'Summary', undefined, [
    markup`<div class="tables">
${countsTable('Checks by operation', 'Operation', operations, used)}
${countsTable('Checks by section of the specification', 'Section', sectionRows(checks), used)}
</div>`,
  ]);
}

function countsTable(caption: string, first: string, rows: readonly Row[], used: readonly Outcome[]): Markup {
  const row = ({ title, checks }: Row) => markup`<tr>
<th scope="row">${title}</th>${used.map((outcome) => cell(outcome, checks))}
</tr>
`;
  // After a run of a few selected checks, rows without any of them would hide the others.
  const ran = rows.filter(({ checks }) => checks.some(({ outcome }) => outcome !== 'skipped'));
  return table(caption, [first, ...used.map(inWords)], (ran.length > 0 ? ran : rows).map(row));
}

function cell(outcome: Outcome, checks: readonly CheckResult[]): Markup {
  const count = checks.filter((check) => check.outcome === outcome).length;
  return markup`<td class="${count === 0 ? 'none' : outcome}">${count}</td>`;
}

/** The checks of each section by the requirements that they judge; one check may belong to several. */
function sectionRows(checks: readonly CheckResult[]): Row[] {
  const sources = new Map(loadRequirements().map((requirement) => [requirement.id, requirement.sources]));
  const sectionOf = (source: string) => source.split(/[./]/)[0];
  const rows = loadCoverage().filter(({ section: number }) => !number.includes('.'));
  return rows.flatMap(({ section: number, title }) => {
    const ofIt = checks.filter(({ requirements }) =>
      requirements.some((id) => sources.get(id)?.some((source) => sectionOf(source) === number)),
    );
    return ofIt.length === 0 ? [] : [{ title: markup`<span class="number">${number}</span> ${title}`, checks: ofIt }];
  });
}

const shortBody = 80;
const fewFindings = 10;
const shownBrief = 160;
const shownUrl = 300;
const shownText = 10_000;

interface Message {
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** The failures or the warnings, each in full. Findings with the same cause are listed below the first. */
function findings(id: string, title: string, checks: readonly CheckResult[]): Fragment {
  if (checks.length === 0) return undefined;
  const { reported } = fold(checks);
  const isOpen = reported.length <= fewFindings;
  const note = markup`<p class="muted">Keys are removed from the requests; the commands below Reproduce take them from <code>$AGENT_PLATFORM_API_KEY</code>. Long JSON is indented. The JSON report contains more of a truncated body.</p>
`;
  return section(id, title, checks.length, [
    note,
    reported.map((one, index) => (index < fewFindings ? shown(one, isOpen || index === 0) : foldedFinding(one))),
  ]);
}

function shown(reported: Reported, isOpen: boolean): Fragment {
  const { check, alike } = reported;
  return [
    finding(check, isOpen),
    alike.length > 0 &&
      markup`<details>
<summary>${alikeText(reported)}</summary>
${alike.map((one) => finding(one, false))}</details>
`,
  ];
}

/** Beyond the first few, a finding is one line until a reader opens it. */
function foldedFinding(one: Reported): Fragment {
  const { id, evidence, reason } = one.check;
  return markup`<details class="more">
<summary><code>${id}</code> ${cut(oneLine(evidence?.actual ?? reason), shownBrief)}</summary>
${shown(one, false)}</details>
`;
}

function finding(check: CheckResult, isOpen: boolean): Markup {
  const { evidence, noLongerExpected } = check;
  const ids = requestIdsOf(check);
  const news = newsOf(check);
  return markup`<article class="${check.outcome}" id="${anchorOf(check.id)}">
<h3>${badge(check.outcome)} <code>${check.id}</code> <span class="level">${check.level.toUpperCase()}</span></h3>
${news !== '' && markup`<p>${cut(news, shownText)}</p>`}${noLongerExpected !== undefined && markup`<p>Expected ${noLongerExpected}</p>`}
<dl>
${(check.required ?? []).map((required) => term('Required', requirement(required)))}${
  evidence !== undefined && [
    term('Expected', cut(evidence.expected, shownText)),
    term('Actual', markup`<strong>${cut(evidence.actual, shownText)}</strong>`),
    evidence.smallest !== undefined &&
      term('Smallest input', markup`<code>${cut(evidence.smallest, shownText)}</code>`),
    isAdvised(check) && term('If meant', ifMeant),
  ]
}</dl>
${evidence?.exchanges.map((one, index) => exchange(one, index, evidence.exchanges.length, isOpen))}
${
  evidence?.curl !== undefined &&
  markup`<h4>Reproduce</h4><pre class="line">
${wholeCommand(evidence.curl)}</pre>`
}
${
  ids.length > 0 &&
  markup`<p class="rerun">Request id: ${ids.map((id) => markup`<code>${id}</code> `)}</p>
`
}<p class="rerun">Run only this check: <code>${onlyOptions(check)}</code></p>
</article>
`;
}

function requirement({ text, sections, pointers }: NonNullable<CheckResult['required']>[number]): Markup {
  const { shown, more } = placesOf(pointers);
  return markup`${text} <span class="places">${
    sections.length > 0 && `Section ${sections.join(', ')}. `
  }${shown.map((place) => markup`<code>${place}</code> `)}${more}</span>`;
}

/** The last exchange is decisive, so it is unfolded if there are few findings. */
function exchange(
  { requestId, request, response, failure, durationMs }: Exchange,
  index: number,
  count: number,
  isOpen: boolean,
): Markup {
  const came = failure === undefined ? statusLine(response?.status ?? 0) : failureLine(failure);
  const path = cut(request.url.replace(/^\w+:\/\/[^/]+/, ''), shownUrl);
  const place = count === 1 ? '' : `${index + 1} of ${count}: `;
  return markup`<details${isOpen && index === count - 1 && markup` open`}>
<summary>${place}<code>${request.method} ${path}</code> <span class="arrow">→</span> <code>${came}</code></summary>
${message('Request', requestLine(request), request)}
${
  requestId !== undefined &&
  markup`<p class="rerun">Request id <code>${requestId}</code></p>
`
}${response !== undefined && message(`Response after ${duration(durationMs)}`, statusLine(response.status), response)}
</details>
`;
}

// The parser drops one line break after <pre>, so a line break at the beginning of the text survives.
function message(title: string, line: string, { headers, body }: Message): Markup {
  const head = [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
  return markup`<h4>${title}</h4>
<pre>
${cut(head, shownText)}</pre>
${
  body !== undefined &&
  body !== '' &&
  markup`<pre>
${indented(bodyText(body))}</pre>`
}`;
}

// A short body is easier to read on one line, and a truncated one is not JSON any more.
function indented(body: string): string {
  return (body.length > shortBody && indentJson(body)) || body;
}

/** The checks that were enabled and could not be judged, by what prevented them. */
function inconclusive(report: Report): Fragment {
  return unjudged(report, 'inconclusive', 'Inconclusive', 'These checks were enabled but could not be judged.');
}

/** The checks that were not enabled, by the setting that they need. */
function notEnabled(report: Report): Fragment {
  const why = 'These checks need a setting or data that was not given. They say nothing about the target.';
  return unjudged(report, 'not-enabled', 'Not enabled', why);
}

function unjudged(report: Report, outcome: 'inconclusive' | 'not-enabled', title: string, why: string): Fragment {
  const groups = unjudgedGroups(report, outcome);
  if (groups.length === 0) return undefined;
  return folded(outcome, title, report.summary[outcome], [
    markup`<p>${why}</p>
`,
    groups.map(unjudgedGroup),
  ]);
}

function unjudgedGroup({ lead, setting, checks }: UnjudgedGroup): Markup {
  const reasons = setting === undefined ? [] : [...new Set(checks.map(({ reason }) => reason))];
  return markup`<details>
<summary>${bounded(lead)}${setting !== undefined && markup` <code>${setting}</code>`}</summary>
${reasons.map((reason) => markup`<p>${bounded(reason)}</p>`)}
<ul class="names">${checks.map(({ id }) => markup`<li><code>${id}</code></li>`)}</ul>
</details>
`;
}

/** The results of the required choices. */
function requiredChoices(report: Report): Fragment {
  const lines = requiredChoiceLines(report);
  if (lines.length === 0) return undefined;
  const items = lines.map(
    ({ choice, text, isMet }) => markup`<li>${badge(isMet ? 'passed' : 'failed')} <code>${choice}</code> ${text}</li>
`,
  );
  return section(
    'required',
    'Required choices',
    lines.length,
    markup`<ul>
${items}</ul>
`,
  );
}

/** The results of the expected failures. */
function expectedFailures(report: Report): Fragment {
  const lines = expectedFailureLines(report);
  if (lines.length === 0) return undefined;
  const items = lines.map(
    ({ id, text }) => markup`<li><code>${id}</code> ${text}</li>
`,
  );
  return folded(
    'expected',
    'Expected failures',
    lines.length,
    markup`<ul>
${items}</ul>`,
  );
}

/** The requests during which the target crashed, and the responses in which it reported a failure. */
function troubles(report: Report): Fragment {
  const crashes = crashLines(report).map((text) => ({ text, curl: undefined }));
  const all = [...crashes, ...serverErrorLines(report)];
  if (all.length === 0) return undefined;
  const items = all.map(
    ({ text, curl }) => markup`<li>${text}${
      curl !== undefined &&
      markup`<pre>
${wholeCommand(curl)}</pre>`
    }</li>
`,
  );
  return folded(
    'server-errors',
    'Crashes and server errors',
    all.length,
    markup`<ul>
${items}</ul>`,
  );
}

/** The choices of the target at open points. */
function choices(report: Report): Fragment {
  const observed = observedChoices(report);
  if (observed.length === 0) return undefined;
  const unseen = unobserved(report);
  return folded('choices', 'Observed choices', observed.length, [
    markup`<p>Where the specification is silent, every legal choice conforms. A client that relies on one of these choices may not work with a server that chooses differently.</p>
`,
    table('The choices of this server at open points', ['Open point', 'This server'], observed.map(choiceRow)),
    unseen.length > 0 &&
      markup`<details>
<summary>${plural(unseen.length, 'open point')} not observed in this run</summary>
<ul class="names">${unseen.map((id) => markup`<li><code>${id}</code></li>`)}</ul>
</details>`,
  ]);
}

function choiceRow({ openPoint, open, choice, means, isVisible, sample }: ObservedChoice): Markup {
  return markup`<tr>
<th scope="row"><code>${openPoint}</code>
<p>${open}${!isVisible && ' A correct client does not notice.'}</p></th>
<td><code>${choice}</code>
<p>${means}</p>${
    sample !== undefined &&
    markup`<pre>
${bounded(sample)}</pre>`
  }</td>
</tr>
`;
}

/** What the run created or moved but could not undo. */
function leftovers({ leftovers: left }: Report): Fragment {
  if (left.length === 0) return undefined;
  return folded('leftovers', 'Left behind on the target', left.length, [
    table('What the run could not undo', ['Resource', 'Why it is left'], left.map(leftoverRow)),
  ]);
}

function leftoverRow({ kind, id, name, driveId, note }: Leftover): Markup {
  return markup`<tr>
<th scope="row">${leftoverKind(kind)}${name !== undefined && markup` <q>${bounded(name)}</q>`}
<p><code>${bounded(id)}</code></p>${driveId !== undefined && markup`<p>in drive <code>${bounded(driveId)}</code></p>`}</th>
<td>${bounded(note)}</td>
</tr>
`;
}

/** The circumstances of the run. */
function runFacts({ run, digest }: Report): Markup {
  const facts = {
    'Base URL': markup`<code>${run.baseUrl}</code>`,
    Started: run.startedAt,
    Took: duration(run.durationMs),
    Requests: run.requests,
    'Random seed': markup`<code>${run.randomSeed}</code>`,
    'Run id': markup`<code>${run.id}</code>`,
    Writes: run.allowWrites ? 'allowed' : 'not allowed',
    Deletions: run.allowDestructive ? 'allowed' : 'not allowed',
    Tool: run.tool,
    Contract: run.contractVersion,
    ...(digest === undefined
      ? {}
      : {
          'Contract digest': markup`<code>${digest.contract}</code>`,
          'Results digest': markup`<code>${digest.results}</code>`,
        }),
  };
  return folded(
    'run',
    'The run',
    undefined,
    markup`<dl>
${Object.entries(facts).map(([name, fact]) => term(name, fact))}</dl>`,
  );
}

/**
 * JSON with line breaks and indentation between its tokens; undefined for text that is not a JSON object or array, or
 * has too many levels to indent. Tokens stay unchanged: numbers keep their digits, and duplicate keys stay.
 */
function indentJson(text: string): string | undefined {
  const value = parseJson(text)?.value;
  if (typeof value !== 'object' || value === null) return undefined;
  let depth = 0;
  const all = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  if (deepestOf(all) > mostLevels) return undefined;
  return all.reduce((written, token, index, tokens) => {
    const next = tokens[index + 1] ?? '';
    if (closes(token)) depth -= 1;
    if (opens(token)) depth += 1;
    if (token === ':') return `${written}: `;
    const endsLine = token === ',' || (opens(token) && !closes(next)) || (closes(next) && !opens(token));
    if (!endsLine) return written + token;
    return `${written}${token}\n${'  '.repeat(closes(next) ? depth - 1 : depth)}`;
  }, '');
}

function opens(token: string): boolean {
  return token === '{' || token === '[';
}

function closes(token: string): boolean {
  return token === '}' || token === ']';
}

const mostLevels = 30;

function deepestOf(tokens: readonly string[]): number {
  let depth = 0;
  return Math.max(0, ...tokens.map((token) => (depth += Number(opens(token)) - Number(closes(token)))));
}
