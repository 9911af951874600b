import { busy } from './odd/busy.ts';
import { fixtures } from './odd/fixtures.ts';
import { identities } from './odd/identities.ts';
import { lagging } from './odd/lagging.ts';
import { lists } from './odd/lists.ts';
import { type OddLegalServer, toServer } from './odd/oddity.ts';
import { others } from './odd/others.ts';
import { spellings } from './odd/spellings.ts';
import { strict } from './odd/strict.ts';
import { tools } from './odd/tools.ts';
import { transport } from './odd/transport.ts';
import { values } from './odd/values.ts';

export type { OddLegalServer, RunningOddServer } from './odd/oddity.ts';

/** Legal servers, and unusual fixtures, that no profile of the mock covers. */
export const oddLegalServers: readonly OddLegalServer[] = [
  ...transport,
  ...busy,
  ...lists,
  ...identities,
  ...spellings,
  ...values,
  ...lagging,
  ...others,
  ...strict,
  ...tools,
  ...fixtures,
].map(toServer);
