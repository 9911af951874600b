// The parts of the text reports: findings with their exchanges, folded lists, leftovers and choices.
import { STATUS_CODES } from 'node:http';
import { cut, cutAgain, duration, number, plural, visible, wrap } from '../../lib/text.ts';
import { keyHeaders } from '../../openapi/contract/security.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import { adviceIfMeant, ifMeant } from '../checks/check.ts';
import type { Exchange } from '../target/reply.ts';
import type { CheckResult, Leftover, Report } from './report.ts';

const shownBody = 300;
const shownLine = 500;
const shownUrl = 2000;

// Headers that help to understand an exchange or to find it in a server's log.
const tellingHeaders =
  /^(allow|location|retry-after|via|www-authenticate|content-(type|length|encoding)|transfer-encoding|access-control-.*|x-request-id|x-correlation-id|traceparent)$/i;

/** Method and URL. */
export function requestLine({ method, url }: Exchange['request'], limit = shownUrl): string {
  return `${method} ${cut(url, limit)}`;
}

/** A status code with its reason phrase. */
export function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** Why there was no response. */
export function failureLine(failure: NonNullable<Exchange['failure']>): string {
  return `no response (${failure.kind}): ${failure.message}`;
}

/** A compact form of an exchange, marked as in curl: `>` sent, `<` received, `!` an error. */
export function exchangeLines({ request, response, failure, durationMs }: Exchange): string[] {
  const sent = [requestLine(request), ...headerLines(request.headers), ...bodyLines(request.body)];
  const came =
    response === undefined
      ? []
      : [
          `${statusLine(response.status)} (${duration(durationMs)})`,
          ...headerLines(response.headers),
          ...bodyLines(response.excerpt ?? response.body, response.excerpt?.length),
        ];
  const wrong = failure === undefined ? [] : [`${failureLine(failure)} (after ${duration(durationMs)})`];
  return [...marked('>', sent), ...marked('<', came), ...marked('!', wrong)];
}

function marked(mark: string, texts: readonly string[]): string[] {
  return texts.flatMap((text) => visible(text).split('\n')).map((line) => (line === '' ? mark : `${mark} ${line}`));
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => tellingHeaders.test(name) || keyHeaders.some((one) => one.toLowerCase() === name.toLowerCase()))
    .map(([name, value]) => cut(`${name}: ${value}`, shownLine));
}

function bodyLines(body: string | undefined, limit?: number): string[] {
  return body === undefined || body === '' ? [] : ['', bodyText(body, limit)];
}

/** The beginning of a body, or all of it if little would be cut. The JSON report has more of it. */
export function bodyText(body: string, limit = shownBody): string {
  return body.length <= limit * 1.5 ? body : cutAgain(body, limit);
}

/** One labelled part of the text about a check. */
interface Row {
  label: string;
  lines: string[];
}

const proseWidth = 86;
const shownText = 4000;
const longestCommand = 8000;
const shownPlaces = 3;

/** What was found, required, expected and received; without the exchanges. */
export function findingRows(check: CheckResult): Row[] {
  const { evidence, noLongerExpected } = check;
  const known = noLongerExpected === undefined ? [] : [prose('Known', `expected ${noLongerExpected}`)];
  const required = (check.required ?? []).flatMap(requiredRows);
  const news = newsOf(check);
  const found = [...(news === '' ? [] : [prose('Found', news)]), ...known];
  if (evidence === undefined) return [...found, ...required];
  const smallest = evidence.smallest === undefined ? [] : [verbatim('Smallest', evidence.smallest)];
  return [...found, ...required, prose('Expected', evidence.expected), prose('Actual', evidence.actual), ...smallest];
}

/** Whether a failure comes with what to declare if it is meant. */
export function isAdvised({ reason }: CheckResult): boolean {
  return reason.includes(adviceIfMeant);
}

/** The part of the reason that the evidence does not repeat, without advice. */
export function newsOf({ reason: whole, evidence }: CheckResult): string {
  if (evidence === undefined) return whole;
  const reason = whole.replace(adviceIfMeant, '').trim();
  const { actual } = evidence;
  const repeated = `; got ${actual}.`;
  const end = reason.indexOf(repeated);
  if (end >= 0) return reason.slice(end + repeated.length).trim();
  return reason.includes(actual) ? '' : reason;
}

/** The exchanges in their compact form, with blank lines between them. */
export function exchangeRow(check: CheckResult): Row[] {
  const exchanges = check.evidence?.exchanges ?? [];
  const lines = exchanges.flatMap((exchange) => [...exchangeLines(exchange), '']);
  return lines.length === 0 ? [] : [{ label: 'Exchange', lines }];
}

/** The options that run only this check, with the checks whose requests show what it found. */
export function onlyOptions({ id, evidence }: CheckResult): string {
  const senders = (evidence?.sentBy ?? []).filter((sender) => sender !== id);
  return [id, ...senders].map((one) => `--only ${one}`).join(' ');
}

/** How to find the requests in the target's log, how to reproduce them, how to rerun the check, and last what to do if it is meant. */
export function againRows(check: CheckResult, rerun: string): Row[] {
  const advice = isAdvised(check) ? [prose('Intended?', ifMeant)] : [];
  return [...requestIdRow(check), ...sendAgainRow(check), { label: 'Run only this check', lines: [rerun] }, ...advice];
}

const shownIds = 5;

/** The ids of the last requests that show a finding, the decisive one last. */
export function requestIdsOf({ evidence }: CheckResult): string[] {
  const ids = evidence?.exchanges.flatMap(({ requestId }) => requestId ?? []) ?? [];
  return ids.slice(-shownIds);
}

function requestIdRow(check: CheckResult): Row[] {
  const ids = requestIdsOf(check);
  return ids.length === 0 ? [] : [{ label: 'Request id', lines: ids.map((id) => visible(cut(id, shownText))) }];
}

/** The commands that reproduce the exchanges. */
function sendAgainRow({ evidence }: CheckResult): Row[] {
  const { curl } = evidence ?? {};
  return curl === undefined ? [] : [{ label: 'Reproduce', lines: visible(wholeCommand(curl)).split('\n') }];
}

/** A command, if it is short enough to show: a truncated one would send something else. */
export function wholeCommand(curl: string): string {
  if (curl.length <= longestCommand) return curl;
  return `# ${number(curl.length)} characters, too long to show: the JSON report has it`;
}

/** The first places in the contract, and how many more there are. */
export function placesOf(pointers: readonly string[]): { shown: string[]; more: string[] } {
  const left = pointers.length - shownPlaces;
  return {
    shown: pointers.slice(0, shownPlaces).map((pointer) => `openapi.yaml${pointer}`),
    more: left > 0 ? [`${left} more`] : [],
  };
}

/** A rule, and below it, without a label, its sources. */
function requiredRows({ text, sections, pointers }: NonNullable<CheckResult['required']>[number]): Row[] {
  const { shown, more } = placesOf(pointers);
  const places = [...(sections.length === 0 ? [] : [`section ${sections.join(', ')}`]), ...shown, ...more];
  return [prose('Required', text), ...(places.length === 0 ? [] : [prose('', places.join('; '))])];
}

function prose(label: string, text: string): Row {
  return { label, lines: wrap(visible(cut(text, shownText)), proseWidth) };
}

function verbatim(label: string, text: string): Row {
  return { label, lines: visible(cut(text, shownText)).split('\n') };
}

const labelWidth = 12;

/** The rows in two columns. */
export function layOut(rows: readonly Row[], style = (_row: Row, line: string) => line): string[] {
  return rows.flatMap((row) =>
    row.lines.map((text, index) => {
      const label = index === 0 ? row.label : '';
      const line = style(row, text);
      // Trailing spaces may matter, so nothing is trimmed.
      const column = label.length < labelWidth ? label.padEnd(labelWidth) : `${label}  `;
      return line === '' ? label : column + line;
    }),
  );
}

/** A finding to show in full, and similar ones that only need a line. */
export interface Reported {
  check: CheckResult;
  alike: CheckResult[];
}

const fewAlike = 3;

/**
 * Groups findings by cause: those that follow from one failure; those with the same words and the same stated fact,
 * rule or response; and many cases of one rule. A group of more than three, or one that follows from its first finding, is
 * represented by that one. Beyond `limit` groups, all findings are in `rest`.
 */
export function fold(
  findings: readonly CheckResult[],
  limit = Number.POSITIVE_INFINITY,
): { reported: Reported[]; rest: CheckResult[] } {
  const reported = [...groupedByCause(findings).values()].flatMap(([check, ...alike]) => {
    if (check === undefined) return [];
    const isExplained = alike.every(({ because }) => because === check.id);
    return alike.length < fewAlike && !isExplained
      ? [check, ...alike].map((one) => ({ check: one, alike: [] }))
      : [{ check, alike }];
  });
  return {
    reported: reported.slice(0, limit),
    rest: reported.slice(limit).flatMap(({ check, alike }) => [check, ...alike]),
  };
}

function groupedByCause(findings: readonly CheckResult[]): Map<string, CheckResult[]> {
  const ids = new Set(findings.map(({ id }) => id));
  const causes = new Set(findings.map(({ because }) => because));
  const byFact = Map.groupBy(findings, brokenFact);
  const byRule = Map.groupBy(findings, ruleOf);
  const byFamily = Map.groupBy(findings, ({ id }) => familyOf(id));
  return Map.groupBy(findings, (check) => {
    const { id, because, evidence } = check;
    if (because !== undefined && ids.has(because)) return because;
    if (evidence === undefined || causes.has(id)) return id;
    const [fact, rule, family] = [brokenFact(check), ruleOf(check), familyOf(id)];
    const sameFact = byFact.get(fact) ?? [];
    const isOnMany = new Set(sameFact.map(({ operation }) => operation)).size > 1;
    if (isOnMany && sameFact.length > fewAlike) return fact;
    if ((byRule.get(rule) ?? []).length > fewAlike) return rule;
    if (isCase(id) && (byFamily.get(family) ?? []).length > fewAlike) return family;
    const { response, failure } = evidence.exchanges.at(-1) ?? {};
    return JSON.stringify([evidence.actual, response?.status, response?.body, failure?.kind]);
  });
}

/** The stated facts that a check found broken, with the words for how: one cause breaks a fact on many operations. */
function brokenFact({ requirements, evidence }: CheckResult): string {
  return JSON.stringify([requirements, inKind(evidence?.actual)]);
}

/** The rule that a check judges, without the operation, with the words for how it is broken. */
function ruleOf({ id, evidence }: CheckResult): string {
  return JSON.stringify([id.slice(id.indexOf('.')), inKind(evidence?.actual)]);
}

/** The words for how a rule is broken. One fault shows as status 200 here and as 201 there. */
function inKind(actual = ''): string {
  return actual.replace(/\d+/g, '#');
}

/** The part of an id that all cases of a rule share: `createDrive.name-kept` of `createDrive.name-kept.long`. */
function familyOf(id: string): string {
  return id.split('.').slice(0, 2).join('.');
}

function isCase(id: string): boolean {
  return id !== familyOf(id);
}

/** `9 more checks failed the same way`; `5 more checks of this rule failed` if they differ in what they found. */
export function alikeText({ check, alike }: Reported): string {
  const isSame = alike.every((one) => !differs(one, check));
  const words = isSame ? ['', ' the same way'] : [' of this rule', ''];
  return `${plural(alike.length, 'more check')}${words[0]} ${alike[0]?.outcome ?? 'failed'}${words[1]}`;
}

/** Whether a finding differs in cause or words from the one that represents it. */
export function differs({ because, evidence }: CheckResult, first: CheckResult): boolean {
  return because !== first.id && evidence?.actual !== first.evidence?.actual;
}

/** Things of one kind that are left behind for the same reason. */
export interface LeftGroup {
  kind: string;
  note: string;
  count: number;
  shown: Leftover[];
  /** How many are not shown, in words; empty if all are. */
  more: string;
}

const few = 3;

/** What a run left behind, by kind and reason. Only the first few of each, except files, which must be moved back. */
export function leftGroups(left: readonly Leftover[], most = few): LeftGroup[] {
  const groups = Map.groupBy(left, ({ kind, note }) => JSON.stringify([kind, note]));
  return [...groups.values()].map((alike) => {
    const [{ kind, note }] = alike as [Leftover];
    const shown = kind === 'file' ? alike : alike.slice(0, most);
    const hidden = alike.length - shown.length;
    const more = hidden === 0 ? '' : `and ${plural(hidden, 'other')}: --report json lists all`;
    return { kind: leftoverKind(kind), note, count: alike.length, shown, more };
  });
}

/** The kind of a leftover, in words. */
export function leftoverKind(kind: Leftover['kind']): string {
  if (kind === 'mcpServer') return 'MCP server';
  return kind === 'deletedFile' ? 'deleted file' : kind;
}

/** The choice of a target at one open point, in words. */
export interface ObservedChoice {
  openPoint: string;
  /** What exactly is unspecified. */
  open: string;
  choice: Choice;
  /** What the choice means. */
  means: string;
  /** Whether a client may notice. */
  isVisible: boolean;
  /** An example, if the choice is not one of the listed ones. */
  sample?: string;
}

/** The observed choices, in the order of the register. */
export function observedChoices({ observed, samples }: Report): ObservedChoice[] {
  const points = new Map(loadOpenPoints().map((point) => [point.id, point]));
  const rank = (id: string) => [...points.keys()].indexOf(id);
  const choices = Object.entries(observed).map(([openPoint, choice]) => {
    const point = points.get(openPoint);
    const listed = point?.choices.find(({ value }) => value === choice);
    const sample = Object.hasOwn(samples, openPoint) ? samples[openPoint] : undefined;
    return {
      openPoint,
      open: point?.open ?? 'This version of the contract has no such open point.',
      choice,
      means:
        listed?.means ?? (choice === 'other' ? 'none of the listed choices' : 'a legal value besides the listed ones'),
      isVisible: point?.impact !== 'hidden',
      ...(sample === undefined ? {} : { sample }),
    };
  });
  return choices.sort((a, b) => rank(a.openPoint) - rank(b.openPoint));
}

/** The open points that the run did not observe. */
export function unobserved(report: Report): string[] {
  return loadOpenPoints()
    .map(({ id }) => id)
    .filter((id) => !Object.hasOwn(report.observed, id));
}
