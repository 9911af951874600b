import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Command, Facts, Folded } from '../shared/parts.tsx';
import { type Column, orderOf, Table } from '../shared/table.tsx';
import { linkTo, place } from '../shared/url-state.ts';
import { duration, moment, plural } from '../shared/words.ts';
import { CheckDetail } from './check-detail.tsx';
import type { Check, ConformanceReport } from './formats.ts';
import { countsOf, Outcome, outcomes, ReportBar, rankOf, selected, Verdict } from './report-parts.tsx';

/** What was found, or why not. */
function foundBy({ because, evidence, reason, expectedFailure }: Check): string {
  const found = because === undefined ? evidence?.actual || reason : `because of ${because}`;
  return `${expectedFailure === undefined ? '' : 'as expected; '}${found}`;
}

const columns: readonly Column<Check>[] = [
  { name: 'Check', cell: ({ id }) => <code>{id}</code>, sort: ({ id }) => id },
  {
    name: 'Outcome',
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
    sort: ({ outcome }) => rankOf(outcomes, outcome),
    ...{ width: '120px', isKept: true },
  },
  { name: 'Found', cell: (check) => <span class="muted">{foundBy(check)}</span> },
];

/** The checks in list order: by outcome; first those that explain most other results, then by name. */
export function inOrder(checks: readonly Check[]): Check[] {
  const explained = Map.groupBy(checks, ({ because }) => because);
  const causeRank = ({ id, because }: Check) => (because === undefined ? -(explained.get(id)?.length ?? 0) : 1);
  return checks.toSorted(
    (one, other) =>
      rankOf(outcomes, one.outcome) - rankOf(outcomes, other.outcome) ||
      causeRank(one) - causeRank(other) ||
      (one.id < other.id ? -1 : 1),
  );
}

/** A conformance report: the verdict, remarks on the run, and all checks. */
export function ConformanceView({ report, bar }: { report: ConformanceReport; bar: ComponentChildren }) {
  const ordered = useMemo(() => inOrder(report.checks), [report]);
  const found = selected(ordered, textOf);
  const order = orderOf(columns);
  const shown = order === undefined ? found : found.toSorted(order);
  const check = report.checks.find(({ id }) => id === place.value.selected);
  return (
    <>
      <ReportBar file={bar} what="all checks" items={report.checks} />
      <Head report={report} />
      <div class="panes">
        <div class="list">
          {shown.length === 0 ? (
            <p class="loading">No check matches.</p>
          ) : (
            <Table
              label="Checks"
              columns={columns}
              rows={shown.map((item) => ({ id: item.id, item, href: linkTo('reports', item.id) }))}
              selected={place.value.selected}
            />
          )}
        </div>
        {check !== undefined && <CheckDetail key={check.id} check={check} />}
      </div>
    </>
  );
}

function textOf({ id, reason, evidence, requirements, required = [] }: Check): string {
  const sentences = required.map(({ text }) => text);
  return [id, reason, evidence?.expected, evidence?.actual, ...requirements, ...sentences].join(' ');
}

const tones = { conformant: 'good', 'non-conformant': 'bad', inconclusive: 'warn' } as const;

const isPartial = ({ verdict, checks }: ConformanceReport) =>
  verdict === 'conformant' && checks.some(({ outcome }) => outcome === 'not-enabled');

/** A verdict on some checks must not read like one on all: `in 211 of 614 checks; 327 need --allow-writes: `. */
function scopeOf({ checks }: ConformanceReport): string {
  const judged = checks.filter(({ outcome }) => outcome === 'passed' || outcome === 'warned').length;
  const left = checks.filter(({ outcome }) => outcome === 'not-enabled');
  const bySetting = [...Map.groupBy(left, ({ setting, reason }) => setting ?? /--[\w-]+/.exec(reason)?.[0] ?? 'more')];
  const needs = bySetting
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([setting, { length }]) => `; ${length} ${length === 1 ? 'needs' : 'need'} ${setting}`);
  return `in ${judged} of ${plural(checks.length, 'check')}${needs.join('')}: `;
}

/** The verdict, the run, and what a reader must know besides the checks. */
function Head({ report }: { report: ConformanceReport }) {
  const { verdict, run, serverErrors = [], leftovers, observed, samples } = report;
  const { baseUrl, targetName, startedAt, durationMs, requests, tool, contractVersion } = run;
  const unmet = unmetIn(report);
  return (
    <div class="report-head">
      <Verdict word={verdict} tone={isPartial(report) ? 'warn' : tones[verdict]}>
        {verdict === 'conformant' && scopeOf(report)}
        {countsOf(report.checks)
          .map(([, words]) => words)
          .join(', ')}
        {verdict === 'inconclusive' && '. Nothing failed, but some enabled checks could not be judged.'}
      </Verdict>
      <p class="muted">
        {targetName !== undefined && `${targetName}, `}
        <code>{baseUrl}</code>, {moment(startedAt)}, {plural(requests, 'request')} in {duration(durationMs)}, {tool},
        contract {contractVersion}
      </p>
      {run.suiteError !== undefined && <p class="notice error">The run ended early: {run.suiteError}</p>}
      <Folded title={plural(run.crashes?.length ?? 0, 'crash', 'crashes')} tone="bad" lines={crashesIn(report)} />
      <Folded title={plural(unmet.length, 'unmet expectation')} tone="bad" lines={unmet} />
      {serverErrors.length > 0 && (
        <details>
          <summary>{plural(serverErrors.length, 'kind')} of server errors</summary>
          {serverErrors.map(({ method, path, status, count, curl }) => (
            <div key={method + path + status}>
              {method} {path}: {status}, {plural(count, 'time')}
              <Command text={curl} what="curl" />
            </div>
          ))}
        </details>
      )}
      <Folded
        title={`${plural(leftovers.length, 'item')} left behind`}
        lines={leftovers.map(({ kind, id, name, note }) => `${kind} ${name ?? id}: ${note}`)}
      />
      {Object.keys(observed).length > 0 && (
        <details>
          <summary>Observed at {plural(Object.keys(observed).length, 'open point')}</summary>
          <Facts
            facts={Object.entries(observed).map(([id, value]) => [
              id,
              <>
                <code>{String(value)}</code> <span class="muted">{samples[id]}</span>
              </>,
            ])}
          />
        </details>
      )}
    </div>
  );
}

function crashesIn({ run }: ConformanceReport): string[] {
  return (run.crashes ?? []).map(
    ({ request, check, isRepeated }) =>
      `${request}${check === undefined ? '' : `, sent by ${check}`}: ${isRepeated ? 'crashed it again when repeated' : 'crashed it once'}`,
  );
}

/** Unmet expectations of the run: required choices that were not seen, and expected failures that did not occur. */
function unmetIn({ requiredChoices = [], expectedFailures }: ConformanceReport): string[] {
  const choices = requiredChoices.filter(({ required, seen }) => required !== seen);
  return [
    ...choices.map(({ openPoint, required, seen, reason = '' }) =>
      `${openPoint} = ${required} is required; ${seen === undefined ? `it was not seen. ${reason}` : `${seen} was seen`}`.trim(),
    ),
    ...expectedFailures.stale.map((id) => `${id} was expected to fail, and did not`),
  ];
}
