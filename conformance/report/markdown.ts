import { block, code, folded, prose, tableOf } from '../../lib/markdown.ts';
import { duration, number, plural } from '../../lib/text.ts';
import { ifMeant } from '../checks/check.ts';
import { endingOf } from '../run/verdict.ts';
import {
  alikeText,
  exchangeLines,
  fold,
  isAdvised,
  leftGroups,
  newsOf,
  observedChoices,
  onlyOptions,
  placesOf,
  requestIdsOf,
  wholeCommand,
} from './failure-text.ts';
import type { CheckResult, Report } from './report.ts';
import {
  crashLines,
  expectedFailureLines,
  findingsTitle,
  headlineOf,
  inWords,
  readingOrder,
  reasonsIn,
  requiredChoiceLines,
  serverErrorLines,
  unexpected,
  unjudgedGroups,
} from './words.ts';

// A job summary may hold 1 MiB.
const limit = 900_000;
const marks = { good: '✅', weak: '⚠️', bad: '❌', open: '❔' } as const;

/** The report for a CI job summary: as much as fits, the most important first. */
export function toMarkdown(report: Report): string {
  return within(limit, [
    ...head(report),
    ...findings(findingsTitle(report, 'failed'), unexpected(report, 'failed')),
    ...findings(findingsTitle(report, 'warned'), unexpected(report, 'warned')),
    ...titled('Inconclusive', unjudged(report, 'inconclusive')),
    ...titled('Not enabled', unjudged(report, 'not-enabled')),
    ...titled(
      'Required choices',
      requiredChoiceLines(report).map(({ choice, text, isMet }) => {
        return `- ${isMet ? '✅' : '❌'} ${code(choice)} ${prose(text)}`;
      }),
    ),
    ...titled(
      'Expected failures',
      expectedFailureLines(report).map(({ id, text }) => `- ${code(id)} ${prose(text)}`),
    ),
    ...titled(
      'Crashes of the target',
      crashLines(report).map((line) => `- ${prose(line)}`),
    ),
    ...titled(
      'Server errors',
      serverErrorLines(report).map(({ text, curl }) => `- ${prose(text)}<br>${code(wholeCommand(curl))}`),
    ),
    ...titled('Left behind on the target', leftovers(report)),
    ...choices(report),
    facts(report),
  ]);
}

/** The blocks that fit, and a note about the others. Blocks are never cut. */
function within(bytes: number, blocks: readonly string[]): string {
  const left = { bytes: bytes - 200, blocks: 0 };
  const fitting = blocks.filter((text) => {
    const size = Buffer.byteLength(text) + 2;
    const fits = size <= left.bytes;
    if (fits) left.bytes -= size;
    else left.blocks += 1;
    return fits;
  });
  const note = `> Truncated: ${number(left.blocks)} of ${plural(blocks.length, 'part')} did not fit here. The other reports of the run are complete.`;
  return `${[...fitting, ...(left.blocks > 0 ? [note] : [])].join('\n\n')}\n`;
}

function head(report: Report): string[] {
  const { summary, run } = report;
  const { word, rest, tone } = headlineOf(report);
  return [
    // The mark of the job: expected failures do not fail it.
    `## ${marks[tone === 'bad' && endingOf(report, false).exitCode === 0 ? 'weak' : tone]} ${word}${prose(rest)}`,
    `${run.targetName === undefined ? '' : `${prose(run.targetName)}, `}${code(run.baseUrl)}, ${plural(run.requests, 'request')} in ${duration(run.durationMs)}`,
    ...(run.suiteError === undefined ? [] : [`**The suite stopped:** ${prose(run.suiteError)}`]),
    tableOf(readingOrder.map(inWords), [readingOrder.map((outcome) => String(summary[outcome]))]),
  ];
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}\n\n${lines.join('\n')}`];
}

function findings(title: string, checks: readonly CheckResult[]): string[] {
  if (checks.length === 0) return [];
  const reported = fold(checks).reported.flatMap((one) => [
    finding(one.check),
    ...(one.alike.length > 0 ? [`${alikeText(one)}: ${one.alike.map(({ id }) => code(id)).join(', ')}`] : []),
  ]);
  return [`### ${title} (${checks.length})`, ...reported];
}

function finding(check: CheckResult): string {
  const { evidence, id, level, reason } = check;
  const what = evidence?.actual ?? reason;
  const exchanges = evidence?.exchanges.map((exchange) => exchangeLines(exchange).join('\n')).join('\n\n') ?? '';
  const ids = requestIdsOf(check);
  const parts = [
    labelled(check),
    ...(exchanges === '' ? [] : [block(exchanges)]),
    ...(evidence?.curl === undefined ? [] : [block(wholeCommand(evidence.curl), 'sh')]),
    ...(ids.length === 0 ? [] : [`Request id: ${ids.map(code).join(', ')}`]),
    `Run only this check: ${code(onlyOptions(check))}`,
  ];
  return folded(`<code>${prose(id)}</code> (${level.toUpperCase()}): ${prose(what)}`, parts.join('\n\n'));
}

function labelled(check: CheckResult): string {
  const { required, evidence, noLongerExpected } = check;
  const rows = [
    ['Found', prose(newsOf(check))],
    ['Known', noLongerExpected === undefined ? '' : prose(`expected ${noLongerExpected}`)],
    ...(required ?? []).map((one) => ['Required', requirement(one)]),
    ['Expected', prose(evidence?.expected ?? '')],
    ['Actual', prose(evidence?.actual ?? '')],
    ['Smallest input', evidence?.smallest === undefined ? '' : code(evidence.smallest)],
    ['Intended?', isAdvised(check) ? prose(ifMeant) : ''],
  ];
  return rows
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `- **${label}:** ${text}`)
    .join('\n');
}

function requirement({ text, sections, pointers }: NonNullable<CheckResult['required']>[number]): string {
  const section = sections.length === 0 ? [] : [`Section ${prose(sections.join(', '))}.`];
  const { shown, more } = placesOf(pointers);
  return [prose(text), ...section, ...shown.map(code), ...more].join(' ');
}

function unjudged(report: Report, outcome: 'inconclusive' | 'not-enabled'): string[] {
  return unjudgedGroups(report, outcome).map((group) => {
    const { lead, setting } = group;
    const title = `- ${prose(lead)}${setting === undefined ? '' : ` ${code(setting)}`}:`;
    const [first = '', ...others] = reasonsIn(group).map(({ reason, checks }) => {
      return `${prose(reason)} ${checks.map(({ id }) => code(id)).join(', ')}`.trimStart();
    });
    return others.length === 0 ? `${title} ${first}` : [title, first, ...others].join('\n  - ');
  });
}

function leftovers({ leftovers: left }: Report): string[] {
  return leftGroups(left).flatMap(({ kind, note, count, shown, more }) => {
    const names = shown.map(({ id, name }) => `${code(id)}${name === undefined ? '' : ` ${prose(`"${name}"`)}`}`);
    if (count === 1) return [`- ${kind} ${names[0]}: ${prose(note)}`];
    return [
      `- ${count} ${kind}s: ${prose(note)}`,
      ...[...names, ...(more === '' ? [] : [more])].map((line) => `  - ${line}`),
    ];
  });
}

function choices(report: Report): string[] {
  const observed = observedChoices(report);
  if (observed.length === 0) return [];
  const rows = observed.map(({ openPoint, open, choice, means, sample }) => [
    `${code(openPoint)}<br>${prose(open)}`,
    code(String(choice)),
    `${prose(means)}${sample === undefined ? '' : `<br>${code(sample)}`}`,
  ]);
  const table = tableOf(['open point', 'this server', 'what it means'], rows);
  return [folded(`Choices of this server where the specification is silent (${observed.length})`, table)];
}

function facts({ run }: Report): string {
  return prose(
    `${run.tool}, contract ${run.contractVersion}, run ${run.id}, random seed ${run.randomSeed}, ${run.startedAt}`,
  );
}
