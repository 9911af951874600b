import { describe, expect, it } from 'vitest';
import { mutants } from '../../proof/power/mutants/index.ts';
import type { Startable } from '../../proof/power/start-mutant.ts';
import type { Seed } from '../../src/domain/seed.ts';
import { loadSeed } from '../../src/http/load-settings.ts';
import { depth, drawn } from '../support/depth.ts';
import { judgeServer } from '../support/judged-server.ts';
import { timeLimit } from '../support/time-limit.ts';

/** The demo seed, whose first organization has so many drives more. */
function withDrives(count: number): Seed {
  const [first, ...others] = loadSeed().organizations;
  if (first === undefined) throw new Error('the seed has no organization');
  const more = Array.from({ length: count }, (_, index) => ({
    name: `Archive ${String(index).padStart(6, '0')}`,
    createdAt: new Date(Date.parse('2025-01-05T08:00:00Z') + index * 1_000).toISOString(),
  }));
  return { organizations: [{ ...first, drives: [...(first.drives ?? []), ...more] }, ...others] };
}

/** Judges what concerns lists of drives. */
async function judge(server: Startable, only = ['listDrives.*', 'createDrive.*']) {
  const config = { timeoutMs: timeLimit(5_000), settleMs: 500 };
  const { report, ids } = await judgeServer({ ...server, seed: withDrives(1_500) }, only, { config });
  const [found, unjudged] = [ids('failed', 'warned'), ids('inconclusive', 'not-enabled')];
  return { found, unjudged, requests: report.run.requests };
}

// A fault of another organization, or of the first pages, is the same however long the list is.
const aboutPages = mutants.filter(
  ({ check, tools }) => /^listDrives\.(offset|pages|limit|total)/.test(check) && !tools,
);

describe('a list of many drives', () => {
  it.each([{ listOrder: 'oldestFirst' }, { listOrder: 'newestFirst' }] as const)(
    'is judged from both ends ($listOrder)',
    async (profile) => {
      const { found, unjudged, requests } = await judge({ profile });
      expect({ found, unjudged }).toEqual({ found: [], unjudged: [] });
      const { requests: fewer } = await judge({ profile }, ['createDrive.*']);
      expect(requests - fewer).toBeLessThan(470);
    },
  );

  it('is read in full where new drives are in its middle', async () => {
    const { found, unjudged } = await judge({ profile: { listOrder: 'byName' } }, ['listDrives.created-drive*']);
    expect({ found, unjudged }).toEqual({ found: [], unjudged: [] });
  });

  it.each(drawn(aboutPages, depth(2, 15)))('shows a fault of its pages: $id', async (mutant) => {
    // On a long list another check may be the first to see it.
    const { found } = await judge(mutant);
    expect(found).not.toEqual([]);
  });
});
