import { describe, expect, it } from 'vitest';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { depth, isFull, randomSeed } from '../support/depth.ts';
import { judgeServer } from '../support/judged-server.ts';
import { strangeAnswers } from '../support/strange-answers.ts';

describe('a run over a target with strange answers', () => {
  const cases = Array.from({ length: depth(1, 40) }, (_, index) => [randomSeed + index, [3, 10, 40][index % 3] ?? 3]);
  const only = isFull ? [] : ['listDrives.*', 'getDriveFile.*', 'createDrive.*'];

  it.each(cases)('ends with a report that can be read: seed %i, one in %i', async (seed, every) => {
    const config = { settleMs: 20, timeoutMs: 10_000, maxRequests: 4_000 };
    const { report } = await judgeServer({ wire: () => strangeAnswers(seed, every) }, only, { config });
    expect(report.run.suiteError).toBeUndefined();
    expect(parseReport(JSON.stringify(report), 'the report')).toEqual(report);
  });
});
