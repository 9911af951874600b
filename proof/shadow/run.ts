import type { Broken } from '../../conformance/rules/judge.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { exitCodeOf } from '../../conformance/run/verdict.ts';
import type { Reply } from '../../conformance/target/reply.ts';
import type { Session } from '../../conformance/target/session.ts';
import { type Finding, lineOf } from '../../openapi/model/findings.ts';
import type { Job } from '../power/jobs.ts';
import { preparations } from '../power/run-job.ts';

/** A finding of the model, in one line. */
export type Told = Pick<Finding, 'rule' | 'level' | 'certainty'> & { line: string };

/** What the directed checks and the model say about one server, from the same exchanges. */
export interface Shadow {
  job: Job;
  exitCode: number;
  /** The checks that failed, those that warned, and those among both that report what the model found. */
  failed: string[];
  warned: string[];
  fromModel: string[];
  findings: Told[];
  exchanges: number;
  /** How long the model took. */
  modelMs: number;
  error?: string;
}

/** Runs the suite over one server. */
export async function runShadow(job: Job, isVerbose: boolean): Promise<Shadow> {
  const nothing = { exitCode: 2, failed: [], warned: [], fromModel: [], findings: [], exchanges: 0, modelMs: 0 };
  try {
    const { settings, close } = await preparations[job.kind](job);
    const watch = { session: undefined as Session | undefined, modelMs: 0 };
    const onStart = (session: Session) => {
      watch.session = session;
      takeTime(session, watch);
    };
    const report = await runSuite(settings, { tool: 'shadow', onStart }).finally(close);
    const endedAs = (wanted: string) => report.checks.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
    const { broken = [], reporters = [] } = watch.session?.judge ?? {};
    if (isVerbose) for (const one of broken) console.log(describe(one));
    return {
      ...{ job, exitCode: exitCodeOf(report, false), failed: endedAs('failed'), warned: endedAs('warned') },
      ...{ fromModel: [...reporters], findings: broken.map(toTold) },
      ...{ exchanges: report.run.requests, modelMs: watch.modelMs },
    };
  } catch (error) {
    return { job, ...nothing, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function takeTime({ target, judge }: Session, watch: { modelMs: number }): void {
  const timed = <T>(work: () => T): T => {
    const startedMs = performance.now();
    const result = work();
    watch.modelMs += performance.now() - startedMs;
    return result;
  };
  target.onSend = (request, sentAtMs) => {
    const end = timed(() => judge.begin(request, sentAtMs));
    return (reply) => timed(() => end(reply));
  };
}

function toTold(finding: Finding): Told {
  const { rule, level, certainty } = finding;
  return { rule, level, certainty, line: lineOf(finding).within(300).plain };
}

/** A finding with the exchanges that show it. */
function describe(broken: Broken): string {
  const shown = broken.replies.map(({ request, status, text = '', sentAtMs, receivedAtMs, sentBy }: Reply) => {
    const { path, body = '', operation, headers } = request;
    const who = `${JSON.stringify(headers)} ${Math.round(sentAtMs)}-${Math.round(receivedAtMs)} ${sentBy ?? ''}`;
    return `    ${who} ${operation} ${path} ${body.slice(0, 200)} -> ${status} ${text.slice(0, 400)}`;
  });
  return [lineOf(broken).plain, ...shown].join('\n');
}
