import { describe, expect, it } from 'vitest';
import { parseReport } from '../../conformance/report/parse-report.ts';
import type { Report } from '../../conformance/report/report.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { startFront } from '../../proof/power/front.ts';
import { createMock } from '../../src/index.ts';
import { depth, isFull, randomSeed } from '../support/depth.ts';
import { strangeAnswers } from '../support/strange-answers.ts';
import { wholeConfig } from '../support/whole-settings.ts';

/** The report on a mock of whose answers about one in `every` is strange. */
async function judgeStrange(seed: number, every: number): Promise<Report> {
  const mock = await createMock();
  const front = await startFront(mock.url, strangeAnswers(seed, every));
  try {
    const limits = { settleMs: 20, timeoutMs: 10_000, maxRequests: 4_000 };
    const settings = toSettings({ ...wholeConfig(mock), ...limits, baseUrl: front.baseUrl });
    return await runSuite(settings, {
      tool: 'test',
      only: isFull ? [] : ['listDrives.*', 'getDriveFile.*', 'createDrive.*'],
    });
  } finally {
    await front.close();
    await mock.close();
  }
}

describe('a run over a target with strange answers', () => {
  const cases = Array.from({ length: depth(1, 40) }, (_, index) => [randomSeed + index, [3, 10, 40][index % 3] ?? 3]);

  it.each(cases)('ends with a report that can be read: seed %i, one in %i', async (seed, every) => {
    const report = await judgeStrange(seed, every);
    expect(report.run.suiteError).toBeUndefined();
    expect(parseReport(JSON.stringify(report), 'the report')).toEqual(report);
  });
});
