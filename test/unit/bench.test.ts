import { describe, expect, it } from 'vitest';
import { tableOf } from '../../bench/document.ts';
import { eachTree, mixedRequests, mixedSeed, mixedTrees } from '../../bench/mixed.ts';
import { type Report, render } from '../../bench/report.ts';
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

describe('a report', () => {
  const aim = { kind: 'at most', value: 2 } as const;
  const report: Report = {
    rows: [
      { what: 'start', unit: 'ms', mock: [30, 10, 20], peer: { name: 'Peer', samples: [40] }, aim, before: '0.9' },
      { what: 'loading', unit: 's', mock: [3], aim },
      { what: 'saving', unit: 's', mock: [1] },
    ],
    notes: [],
    warnings: ['DISTURBED'],
  };

  it('has a ratio to the peer, or the figure itself, and says which aims are missed', () => {
    const text = render(report);
    expect(text).toMatch(/start +0\.500 +at most 2 +met +20\.0 ms +40\.0 ms \(Peer\)/);
    expect(text).toMatch(/loading +3\.00 s +at most 2 s +missed +3\.00 s/);
    expect(text).toMatch(/saving +1\.00 s +1\.00 s\n/);
    expect(text).toContain('DISTURBED');
  });

  it('is one column for each run in the document', () => {
    const table = tableOf([report, report]);
    expect(table).toContain('| start, against Peer | 0.9 | 0.500 | 0.500 | at most 2 | yes |');
    expect(table).toContain('| loading |  | 3.00 s | 3.00 s | at most 2 s | no |');
    expect(table).toContain('| saving |  | 1.00 s | 1.00 s |  |  |');
    expect(table).toContain('DISTURBED');
  });
});
