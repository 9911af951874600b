import { useMemo } from 'preact/hooks';
import { CheckDetail } from './check-detail.tsx';
import { Command, duration, Facts, moment, plural, Verdict } from './facts.tsx';
import { Findings, type Tone } from './findings.tsx';
import type { ConformanceReport } from './formats.ts';
import { outcomeKinds, toFindings } from './outcomes.ts';

/** A conformance report: the verdict, remarks on the run, and all checks. */
export function ConformanceView({ report }: { report: ConformanceReport }) {
  const findings = useMemo(() => toFindings(report.checks), [report]);
  const byId = useMemo(() => new Map(report.checks.map((check) => [check.id, check])), [report]);
  const detailOf = (id: string) => {
    const check = byId.get(id);
    return check && <CheckDetail check={check} />;
  };
  return (
    <>
      <div class="report-head">
        <ConformanceVerdict report={report} />
        <RunFacts report={report} />
        <Remarks report={report} />
      </div>
      <Findings what="checks" kinds={outcomeKinds} findings={findings} detailOf={detailOf} />
    </>
  );
}

const tones: Readonly<Record<ConformanceReport['verdict'], Tone>> = {
  ...{ conformant: 'good', 'non-conformant': 'bad', inconclusive: 'warn' },
};

export function ConformanceVerdict({ report: { verdict, checks } }: { report: ConformanceReport }) {
  const count = (outcome: string) => checks.filter((check) => check.outcome === outcome).length;
  const counts = outcomeKinds.filter(({ kind }) => count(kind) > 0).map(({ kind, words }) => `${count(kind)} ${words}`);
  return (
    <Verdict word={verdict} tone={tones[verdict]}>
      {counts.join(', ')}
      {verdict === 'inconclusive' && '. Nothing failed, but some enabled checks could not be judged.'}
    </Verdict>
  );
}

export function RunFacts({ report: { run } }: { report: ConformanceReport }) {
  const { baseUrl, targetName, startedAt, durationMs, requests, tool, contractVersion } = run;
  return (
    <p class="muted">
      {targetName !== undefined && `${targetName}, `}
      <code>{baseUrl}</code>, {moment(startedAt)}, {plural(requests, 'request')} in {duration(durationMs)}, {tool},
      contract {contractVersion}
    </p>
  );
}

/** What a reader of the verdict must know besides the checks. */
function Remarks({ report }: { report: ConformanceReport }) {
  const { run, serverErrors = [], leftovers, observed } = report;
  const unmet = unmetIn(report);
  return (
    <>
      {run.suiteError !== undefined && <p class="notice error">The run ended early: {run.suiteError}</p>}
      <Remark title={plural(run.crashes?.length ?? 0, 'crash', 'crashes')} tone="bad" lines={crashesIn(report)} />
      <Remark title={plural(unmet.length, 'unmet expectation')} tone="bad" lines={unmet} />
      {serverErrors.length > 0 && (
        <details>
          <summary>{plural(serverErrors.length, 'kind')} of server errors</summary>
          {serverErrors.map(({ method, path, status, count, curl }) => (
            <div key={method + path + status}>
              <p>
                {method} {path}: {status}, {plural(count, 'time')}
              </p>
              <Command text={curl} what="curl" />
            </div>
          ))}
        </details>
      )}
      <Remark
        title={`${plural(leftovers.length, 'item')} left behind`}
        lines={leftovers.map(({ kind, id, name, note }) => `${kind} ${name ?? id}: ${note}`)}
      />
      {Object.keys(observed).length > 0 && (
        <details>
          <summary>Observed at {plural(Object.keys(observed).length, 'open point')}</summary>
          <Facts facts={observedIn(report)} />
        </details>
      )}
    </>
  );
}

function Remark({ title, lines, tone = 'none' }: { title: string; lines: readonly string[]; tone?: Tone }) {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary class={`tone ${tone}`}>{title}</summary>
      <ul class="points">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
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

function observedIn({ observed, samples }: ConformanceReport) {
  return Object.entries(observed).map(([id, value]) => {
    const sample = samples[id];
    return [
      id,
      <>
        <code>{String(value)}</code>
        {sample !== undefined && <span class="muted"> {sample}</span>}
      </>,
    ] as const;
  });
}
