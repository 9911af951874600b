import { describe, expect, it } from 'vitest';
import { mixedRequests, mixedSeed, mixedTrees } from '../../bench/mixed.ts';
import { eachTree } from '../../bench/wrk.ts';
import { createMock } from '../../src/index.ts';
import { runProgram } from '../support/command.ts';

// The figures of the benchmark are no test; that it asks for what it says is one.

describe('the mixed load', () => {
  it('has each request answered as a client would expect, again and again', async () => {
    const mock = await createMock({ seed: mixedSeed() });
    const rounds: number[][] = [];
    for (const tree of [0, 1, mixedTrees - 1]) {
      const statuses: number[] = [];
      for (const { method, path, headers, body = null } of mixedRequests) {
        const answer = await fetch(mock.url + path.replace(eachTree, String(tree)), { method, headers, body });
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
      rounds.push(statuses);
    }
    await mock.close();
    expect(new Set(rounds.map(String)).size).toBe(1);
    expect(new Set(rounds.flat())).toEqual(new Set([200, 201, 401, 404, 422]));
    const deletion = mixedRequests.findIndex(({ method }) => method === 'DELETE');
    expect(rounds[0]?.[deletion]).toBe(200);
  });
});

it('writes a seed that the mock loads', async () => {
  const { code, stdout, stderr } = await runProgram(['bench/write-seed.ts']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const mock = await createMock({ seed: JSON.parse(stdout) });
  expect(mock.engine.store.organizations[0]?.drives.size).toBe(1_000);
  await mock.close();
});
