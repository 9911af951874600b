import { runSuite } from '../../conformance/run.ts';
import { exitCodeOf } from '../../conformance/verdict.ts';
import type { Exchange } from '../../openapi/model/exchange.ts';
import { type Finding, lineOf } from '../../openapi/model/findings.ts';
import type { Job } from '../power/jobs.ts';
import { preparations } from '../power/run-job.ts';
import { judgeAll, recordInto } from './record.ts';

/** A finding of the model, in one line. */
export type Told = Pick<Finding, 'rule' | 'level' | 'certainty'> & { line: string };

/** What suite and model say about one server, from the same exchanges. */
export interface Shadow {
  job: Job;
  exitCode: number;
  failed: string[];
  warned: string[];
  findings: Told[];
  exchanges: number;
  /** How long the model took. */
  modelMs: number;
  error?: string;
}

/** Runs the suite over one server, and gives everything that it saw to the model. */
export async function runShadow(job: Job, isVerbose: boolean): Promise<Shadow> {
  const nothing = { job, exitCode: 2, failed: [], warned: [], findings: [], exchanges: 0, modelMs: 0 };
  try {
    const { settings, close } = await preparations[job.kind](job);
    const exchanges: Exchange[] = [];
    const report = await runSuite(settings, { tool: 'shadow', onStart: recordInto(exchanges, settings) }).finally(
      close,
    );
    const endedAs = (wanted: string) => report.checks.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
    const { treePathParameter, foreignResources } = settings;
    const startedMs = performance.now();
    const findings = judgeAll(exchanges, { settleMs: settings.settleMs, treePathParameter, foreignResources });
    const modelMs = performance.now() - startedMs;
    if (isVerbose) for (const one of findings) console.log(describe(one, exchanges));
    return {
      ...{ job, exitCode: exitCodeOf(report, false), failed: endedAs('failed'), warned: endedAs('warned') },
      ...{ findings: findings.map(toTold), exchanges: exchanges.length, modelMs },
    };
  } catch (error) {
    return { ...nothing, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function toTold(finding: Finding): Told {
  const { rule, level, certainty } = finding;
  return { rule, level, certainty, line: lineOf(finding).within(300).plain };
}

/** A finding with the exchanges that show it. */
function describe(finding: Finding, exchanges: readonly Exchange[]): string {
  // Numbered as they began.
  const begun = exchanges.toSorted((one, other) => one.startMs - other.startMs);
  const shown = finding.proof.map((number) => {
    const { organization = 'nobody', operation, target, body = '', answer } = begun[number - 1] as Exchange;
    const text = JSON.stringify(answer?.body.kind === 'json' ? answer.body.value : answer?.body.kind);
    return `    ${number} ${organization} ${operation} ${target} ${body.slice(0, 200)} -> ${answer?.status} ${text?.slice(0, 400)}`;
  });
  return [lineOf(finding).plain, ...shown].join('\n');
}
