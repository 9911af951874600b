import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireAnswer } from '../../proof/power/mutant.ts';
import { isSuccess, withBody, write } from '../../proof/power/mutants/wire-faults.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { judgeServer } from '../support/judged-server.ts';
import { timeLimit } from '../support/time-limit.ts';

/** An answer that no service may give: its ids and names are numbers; if it has none, it is a server error. */
function broken(answer: WireAnswer): WireAnswer {
  const changed = answer.body.replaceAll(/"(id|jobId|name)":"[^"]*"/g, '"$1":7');
  const isHidden = !isSuccess(answer.status) || changed === answer.body;
  return isHidden ? { ...answer, status: 500 } : withBody(answer, changed);
}

/** Runs the suite over a mock behind a front that breaks the answer with this number. */
async function runWithBroken(number: number) {
  let count = 0;
  let brokenRequest = '';
  const { ids } = await judgeServer(
    {
      wire: ({ store }) => {
        // What the tools of a new server are answered with is open, and may be a 500.
        const seeded = new Set(store.organizations.flatMap(({ mcpServersById }) => [...mcpServersById.keys()]));
        const isOpen = (path: string) => path.endsWith('/tools') && !seeded.has(path.split('/').at(-2) ?? '');
        return async ({ method, url = '' }, response, forward) => {
          const answer = await forward();
          const isMeant = !isOpen(url) && ++count === number;
          if (isMeant) brokenRequest = `${method} ${url}`;
          write(response, isMeant ? broken(answer) : answer);
        };
      },
    },
    [],
    { config: { timeoutMs: timeLimit(5_000), settleMs: 200 } },
  );
  return { brokenRequest, count, found: ids('failed', 'warned') };
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
