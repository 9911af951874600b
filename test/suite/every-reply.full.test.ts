import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSuite } from '../../conformance/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { startFront } from '../../proof/power/front.ts';
import type { WireAnswer } from '../../proof/power/mutant.ts';
import { isSuccess, withBody, write } from '../../proof/power/mutants/wire-faults.ts';
import { createMock } from '../../src/index.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { timeLimit } from '../support/time-limit.ts';

/** An answer that no service may give: its ids and names are numbers; if it has none, it is a server error. */
function broken(answer: WireAnswer): WireAnswer {
  const changed = answer.body.replaceAll(/"(id|jobId|name)":"[^"]*"/g, '"$1":7');
  const isHidden = !isSuccess(answer.status) || changed === answer.body;
  return isHidden ? { ...answer, status: 500 } : withBody(answer, changed);
}

/** Runs the suite over a mock behind a front that breaks the answer with this number. */
async function runWithBroken(number: number) {
  const mock = await createMock();
  // What the tools of a new server are answered with is open, and may be a 500.
  const seeded = JSON.stringify(mock.snapshot());
  const isOpen = (path: string) => path.endsWith('/tools') && !seeded.includes(path.split('/').at(-2) ?? '');
  let count = 0;
  let brokenRequest = '';
  const front = await startFront(mock.url, async (request, response, forward) => {
    const answer = await forward();
    const path = request.url ?? '';
    const isMeant = !isOpen(path) && ++count === number;
    if (isMeant) brokenRequest = `${request.method} ${path}`;
    write(response, isMeant ? broken(answer) : answer);
  });
  try {
    const settings = settingsForMock(mock, front.baseUrl, 'write', { timeoutMs: timeLimit(5_000), settleMs: 200 });
    const { checks } = await runSuite(settings, { tool: 'test' });
    const found = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned').map(({ id }) => id);
    return { brokenRequest, count, found };
  } finally {
    await front.close();
    await mock.close();
  }
}

// A run over a correct mock sends at least so many requests, whose answers are not open.
const fewest = 1_200;
const numbers = fc.sample(fc.integer({ min: 1, max: fewest }), { numRuns: depth(1, 80), seed: randomSeed });

describe('a run', () => {
  it(`has more than ${fewest} responses, and finds nothing where all are right`, async () => {
    const { count, found } = await runWithBroken(0);
    expect(count).toBeGreaterThan(fewest);
    expect(found).toEqual([]);
  });

  it.each([...new Set(numbers)])('judges every response: number %i', async (number) => {
    const { brokenRequest, found } = await runWithBroken(number);
    expect(found, brokenRequest).not.toEqual([]);
  });
});
