import { type Fragment, type Markup, markup } from '../../lib/markup.ts';
import { cut, duration, oneLine } from '../../lib/text.ts';
import { ifMeant } from '../check.ts';
import type { CheckResult } from '../report.ts';
import type { Exchange } from '../target/exchange.ts';
import { bodyText, failureLine, requestLine, statusLine } from './exchange-text.ts';
import { isAdvised, newsOf, onlyOptions, placesOf, requestIdsOf, wholeCommand } from './failure-text.ts';
import { alikeText, fold, type Reported } from './fold.ts';
import { anchorOf, badge, section, term } from './html-parts.ts';
import { indentJson } from './indent-json.ts';

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
export function findings(id: string, title: string, checks: readonly CheckResult[]): Fragment {
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
