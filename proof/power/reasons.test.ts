import { describe, expect, it } from 'vitest';
import type { CheckResult, Report } from '../../conformance/report/report.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { wordsOf } from '../../conformance/run/signals.ts';
import { depth, drawn, sampleOf } from '../../test/support/depth.ts';
import { type Job, jobsOf } from './jobs.ts';
import { preparations } from './run-job.ts';

async function reportOn(job: Job): Promise<Report> {
  const { settings, close } = await preparations[job.kind](job);
  try {
    return await runSuite({ ...settings, settleMs: 200 }, { tool: 'power', observe: false });
  } finally {
    await close();
  }
}

/** What is wrong with the reason of a check that could not be judged. */
function complaints({ checks }: Report): string[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const isFinding = (check?: CheckResult) => check?.outcome === 'failed' || check?.outcome === 'warned';
  return checks.flatMap(({ id, outcome, reason, obstacle, because }) => {
    const named = [...reason.matchAll(/\bSee (\S+),/g)].map(([, name = '']) => byId.get(name));
    const needsOthers = outcome === 'inconclusive' && obstacle === wordsOf('PREREQUISITE');
    return [
      ...(named.some((check) => check?.outcome === 'passed') ? [`${id} points to a check that passed: ${reason}`] : []),
      ...(because !== undefined && !isFinding(byId.get(because)) ? [`${id}: ${because} did not fail`] : []),
      ...(needsOthers && because === undefined ? [`${id} names no failure: ${reason}`] : []),
    ];
  });
}

const jobs = jobsOf().filter(({ kind, mode }) => kind === 'mutant' && mode === 'write');
// Behind each of these much cannot be judged.
const hiding = [
  'drives-cannot-be-listed',
  'move-not-implemented',
  'deletion-reads-no-query',
  'drives-cannot-be-created',
];
const echo = jobsOf().filter(({ id }) => id === 'echo');
const hidden = jobs.filter(({ id }) => hiding.includes(id));
const sample = new Set([...echo, ...sampleOf(hidden, 1), ...drawn(jobs, depth(1, 30))]);

describe('an inconclusive check', () => {
  it.each([...sample].map((job) => [job.id, job] as const))(
    'names the failure that prevents it, never a check that passed: %s',
    async (_, job) => {
      expect(complaints(await reportOn(job))).toEqual([]);
    },
  );
});
