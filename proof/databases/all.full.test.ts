import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleOf } from '../../test/support/depth.ts';
import { judge } from './judge.ts';
import { type Candidate, onExpress, onPostgres, onSqlite } from './mistakes.ts';
import { type Cluster, findPostgres, howToInstall, startCluster } from './postgres/cluster.ts';
import { postgresMistakes } from './postgres/mistakes.ts';

const bin = findPostgres();
if (bin === undefined) console.warn(`\n${howToInstall}\n`);

describe.each([
  ['on SQLite', onSqlite()],
  ['on Express', onExpress()],
])('%s', (_, candidates) => {
  it.each(sampleOf(candidates, 1).map((candidate) => [candidate.name, candidate] as const))('%s', (__, candidate) =>
    expectJudgement(candidate),
  );
});

// Skipped only without PostgreSQL on the machine, which the warning above says: SQLite shows the rest of the mistakes.
describe.skipIf(bin === undefined)('on PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(bin ?? '');
  });
  afterAll(() => cluster.stop());

  it.each(['correct', ...sampleOf(postgresMistakes, 1).map(({ name }) => name)])('%s', async (name) => {
    const candidate = onPostgres(cluster).find((one) => one.name === name);
    if (candidate === undefined) throw new Error(`there is no ${name}`);
    await expectJudgement(candidate);
  });
});

const attempts = 3;

// What the suite does not find yet, it may find one day. What goes wrong between two requests at the same time does not
// always do so.
async function expectJudgement({ start, isCorrect, isFound }: Candidate): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { findings, report } = await judge(await start());
    expect(report.run.suiteError).toBeUndefined();
    if (isCorrect) return expect(findings).toEqual([]);
    if (!isFound || findings.length > 0) return;
    expect(attempt, 'found in none of the attempts').toBeLessThan(attempts);
  }
}
