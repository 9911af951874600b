/*
 * What a report says in sentences, for readers of its JSON: the page and `--report html` only lay it out. The sentences are
 * those of the terminal. To add a part, add a line to `parts`.
 */
import type { FindingWords, ReportCounts, ReportItem, ReportPart, ReportWords } from '../../lib/report-words.ts';
import { plural } from '../../lib/text.ts';
import { loadCoverage, loadRequirements } from '../../openapi/contract/load.ts';
import { ifMeant } from '../checks/check.ts';
import { summarize } from '../run/verdict.ts';
import {
  alikeText,
  fold,
  isAdvised,
  leftGroups,
  newsOf,
  observedChoices,
  type Reported,
  unobserved,
  wholeCommand,
} from './failure-text.ts';
import type { CheckResult, Report } from './report.ts';
import {
  crashLines,
  expectedFailureLines,
  headlineOf,
  reasonsIn,
  requiredChoiceLines,
  serverErrorLines,
  unexpected,
  unjudgedGroups,
} from './words.ts';

/** The report with its words, as they follow from the rest of it now. */
export function withWords(report: Report): Report {
  const { word, tone, rest } = headlineOf(report);
  const findings = (['failed', 'warned'] as const).flatMap((outcome) => fold(unexpected(report, outcome)).reported);
  const words: ReportWords = {
    headline: { word, tone, rest: rest.replace(/^[,:]? /, '') },
    findings: findings.flatMap(findingWords),
    counts: report.checks.length === 0 ? [] : [byOperation(report), bySection(report)],
    parts: parts(report).filter(({ items }) => items.length > 0),
  };
  return { ...report, words };
}

function findingWords(reported: Reported): FindingWords[] {
  const { check, alike } = reported;
  return [
    { ...aboutFinding(check), ...(alike.length === 0 ? {} : { alike: alikeText(reported) }) },
    ...alike.map((one) => ({ ...aboutFinding(one), like: check.id })),
  ];
}

function aboutFinding(check: CheckResult): FindingWords {
  const found = newsOf(check);
  return {
    check: check.id,
    ...(found === '' ? {} : { found }),
    ...(isAdvised(check) ? { ifMeant } : {}),
  };
}

function byOperation({ checks }: Report): ReportCounts {
  const groups = Map.groupBy(checks, ({ operation }) => operation);
  return { by: 'operation', rows: ranRows([...groups]) };
}

/** By the requirements that the checks judge; a check may belong to several sections. */
function bySection({ checks }: Report): ReportCounts {
  const sources = new Map(loadRequirements().map((requirement) => [requirement.id, requirement.sources]));
  const isOf = (section: string) => (source: string) => source.split(/[./]/)[0] === section;
  const rows = loadCoverage().flatMap(({ section, title }): [string, CheckResult[]][] => {
    if (section.includes('.')) return [];
    const ofIt = checks.filter(({ requirements }) => requirements.some((id) => sources.get(id)?.some(isOf(section))));
    return ofIt.length === 0 ? [] : [[`${section} ${title}`, ofIt]];
  });
  return { by: 'section', rows: ranRows(rows) };
}

/** After a run of a few selected checks, rows without any of them would hide the others. */
function ranRows(rows: readonly [string, CheckResult[]][]): ReportCounts['rows'] {
  const ran = rows.filter(([, checks]) => checks.some(({ outcome }) => outcome !== 'skipped'));
  return (ran.length > 0 ? ran : rows).map(([name, checks]) => ({ name, summary: summarize(checks) }));
}

function parts(report: Report): ReportPart[] {
  const { summary, leftovers, observed } = report;
  return [
    {
      ...{ title: 'Inconclusive', count: summary.inconclusive, items: unjudged(report, 'inconclusive') },
      about: 'These checks were enabled but could not be judged.',
    },
    {
      ...{ title: 'Not enabled', count: summary['not-enabled'], items: unjudged(report, 'not-enabled') },
      about: 'These checks need a setting or data that was not given. They say nothing about the target.',
    },
    listed(
      'Required choices',
      requiredChoiceLines(report).map(({ choice, text, isMet }) => ({ name: choice, text, isWrong: !isMet })),
    ),
    listed('Crashes and server errors', [
      ...crashLines(report).map((text) => ({ text })),
      ...serverErrorLines(report).map(({ text, curl }) => ({ text, command: wholeCommand(curl) })),
    ]),
    listed(
      'Expected failures',
      expectedFailureLines(report).map(({ id, text, isStale }) => ({ name: id, text, isWrong: isStale })),
    ),
    { title: 'Left behind', count: leftovers.length, items: left(report) },
    {
      ...{ title: 'Observed choices', count: Object.keys(observed).length, items: choices(report) },
      about:
        'Where the specification is silent, every legal choice conforms. A client that relies on one of these choices may not work with a server that chooses differently.',
    },
    { title: 'The run', items: circumstances(report) },
  ];
}

function listed(title: string, items: ReportItem[]): ReportPart {
  return { title, count: items.length, items };
}

function unjudged(report: Report, outcome: 'inconclusive' | 'not-enabled'): ReportItem[] {
  return unjudgedGroups(report, outcome).map((group) => {
    const { lead, setting, checks } = group;
    const reasons = reasonsIn(group).flatMap(({ reason }) => (reason === '' ? [] : [reason]));
    return {
      ...{ text: lead, checks: checks.map(({ id }) => id) },
      ...(setting === undefined ? {} : { value: setting }),
      ...(reasons.length === 0 ? {} : { more: reasons }),
    };
  });
}

function left({ leftovers }: Report): ReportItem[] {
  return leftGroups(leftovers, leftovers.length).map(({ kind, note, count, shown }) => ({
    text: `${plural(count, kind)}: ${note}`,
    values: shown.map(({ id, name, driveId }) => {
      return `${id}${name === undefined ? '' : ` "${name}"`}${driveId === undefined ? '' : ` in drive ${driveId}`}`;
    }),
  }));
}

function choices(report: Report): ReportItem[] {
  const observed = observedChoices(report);
  const unseen = unobserved(report);
  const items = observed.map(({ openPoint, open, choice, means, isVisible, sample }) => ({
    ...{ name: `${openPoint} = ${choice}`, text: means },
    more: [`${open}${isVisible ? '' : ' A correct client does not notice.'}`],
    ...(sample === undefined ? {} : { values: [sample] }),
  }));
  if (observed.length === 0 || unseen.length === 0) return items;
  return [...items, { text: `${plural(unseen.length, 'open point')} not observed in this run`, values: unseen }];
}

function circumstances({ run, digest }: Report): ReportItem[] {
  const facts = {
    'Run id': run.id,
    'Random seed': String(run.randomSeed),
    Writes: run.allowWrites ? 'allowed' : 'not allowed',
    Deletions: run.allowDestructive ? 'allowed' : 'not allowed',
    ...(digest === undefined ? {} : { 'Contract digest': digest.contract, 'Results digest': digest.results }),
  };
  return Object.entries(facts).map(([text, value]) => ({ text, value }));
}
