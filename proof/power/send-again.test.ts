import { describe, expect, it } from 'vitest';
import { depth, drawn } from '../../test/support/depth.ts';
import { mutants } from './mutants/index.ts';
import { findWithTwin } from './twin.ts';

// What these compare has no guilty side: two lists of which either may be wrong, and the base URL of the run.
const withoutGuilty = ['listDrives.same-items-by-either-auth-header', 'listAgents.base-ends-with-version'];

const candidates = mutants.filter(({ tools, check }) => tools === undefined && !withoutGuilty.includes(check));

describe('the request to send again', () => {
  const paging = candidates.filter(({ check }) => check === 'listDrives.offset-skips');
  const sample = new Set([...paging, ...drawn(candidates, depth(4, 60))]);

  it.each([...sample].map((mutant) => [mutant.id, mutant] as const))(
    'is one that a sound server answers differently: %s',
    async (_, mutant) => {
      const found = await findWithTwin(mutant);
      if (found === undefined) throw new Error(`${mutant.check} does not find ${mutant.id}.`);
      expect(found.differs.at(-1), found.check.evidence?.actual).toBe(true);
      const { curl = '', exchanges = [] } = found.check.evidence ?? {};
      expect(curl).toContain(` '${exchanges.at(-1)?.request.url}'`);
    },
  );
});
