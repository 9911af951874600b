import { allChecks, type RegisteredCheck } from '../../../conformance/checks/index.ts';
import type { CheckResult } from '../../../conformance/report/report.ts';
import { runSuite } from '../../../conformance/run/run.ts';
import { Violated } from '../../../conformance/run/signals.ts';
import { limitsOf, settingsForMock } from '../fixtures.ts';
import type { Mutant } from '../mutant.ts';
import { startMutant } from '../start-mutant.ts';
import { companyOf } from './company.ts';

// Runs wait now and then, for a list to settle or for a mutant that does not answer. Tests run beside each other as well.
const atATime = 3;

/** The mutants that their checks do not find, each with how its check ended. `checks`: those of the suite. */
export async function missedOf(
  mutants: readonly Mutant[],
  checks: readonly RegisteredCheck[] = allChecks(),
): Promise<string[]> {
  const missed: string[] = [];
  const queue = [...mutants];
  const lane = async () => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const ended = await judge(mutant, checks);
      if (!isFinding(ended)) missed.push(`${mutant.id}: ${mutant.check} ended as ${ended?.outcome} ${ended?.reason}`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  return missed.sort();
}

/** How the check of a mutant ends, when only that check runs, and what it needs. */
async function judge(mutant: Mutant, checks: readonly RegisteredCheck[]): Promise<CheckResult | undefined> {
  const { check, profile, tools } = mutant;
  const { mock, baseUrl, fixtures, close } = await startMutant(mutant);
  try {
    const settleMs = profile === undefined ? 500 : 1_500;
    const given = { fixtures, settleMs, ...limitsOf(mutant), hostMcpServer: tools !== undefined };
    const only = [check, ...companyOf(check)];
    const settings = settingsForMock(mock, baseUrl, 'write', given);
    const report = await runSuite(settings, { tool: 'guard', checks, only, observe: false });
    return report.checks.find(({ id }) => id === check);
  } finally {
    await close();
  }
}

function isFinding(check: CheckResult | undefined): boolean {
  return check?.outcome === 'failed' || check?.outcome === 'warned';
}

/** A check that sends what it sent, and finds nothing wrong any more. What the model finds is not reported by it either. */
export function withoutJudgement(check: RegisteredCheck): RegisteredCheck {
  const run: RegisteredCheck['run'] = async (session) => {
    try {
      return await check.run(session);
    } catch (error) {
      if (error instanceof Violated) return undefined;
      throw error;
    }
  };
  const requirements = check.requirements.map((requirement) => ({
    ...requirement,
    id: `${requirement.id} (not judged)`,
  }));
  return { ...check, run, requirements };
}
