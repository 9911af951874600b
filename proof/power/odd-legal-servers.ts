import { busy } from './odd/busy.ts';
import { fixtures } from './odd/fixtures.ts';
import { identities } from './odd/identities.ts';
import { lagging } from './odd/lagging.ts';
import { leanLists } from './odd/lean-lists.ts';
import { letters } from './odd/letters.ts';
import { lists } from './odd/lists.ts';
import type { Oddity } from './odd/oddity.ts';
import { others } from './odd/others.ts';
import { requestIds } from './odd/request-ids.ts';
import { spellings } from './odd/spellings.ts';
import { strict } from './odd/strict.ts';
import { tools } from './odd/tools.ts';
import { transport } from './odd/transport.ts';
import { values } from './odd/values.ts';
import { type RunningMutant, startMutant } from './start-mutant.ts';

const all: Record<string, Oddity> = {
  ...transport,
  ...requestIds,
  ...busy,
  ...lists,
  ...leanLists,
  ...identities,
  ...spellings,
  ...values,
  ...letters,
  ...lagging,
  ...others,
  ...strict,
  ...tools,
  ...fixtures,
};

/** Legal servers, and unusual fixtures, that no profile of the mock covers. */
export const oddLegalServers = Object.entries(all).map(([id, oddity]) => ({
  ...{ id, mayWarn: [], settleMs: 1_800, ...oddity },
  start: () => startOdd(oddity),
}));

async function startOdd(oddity: Oddity): Promise<RunningMutant> {
  const running = await startMutant(oddity);
  const fixtures = oddity.fixtures?.(running.fixtures, running.mock.engine) ?? running.fixtures;
  return { ...running, fixtures, keys: oddity.keys?.(running.keys) ?? running.keys };
}
