import type { Settings } from '../config/settings.ts';
import { type NeedName, needs } from '../plan/needs.ts';
import type { Discovered } from './diagnosis.ts';

/** What the lists of one organization show. */
export interface Lists {
  agents: readonly Discovered[];
  drives: readonly Discovered[];
  mcpServers: readonly Discovered[];
}

/**
 * The data that checks need and that the target lacks. What a run with these settings creates before such a check is
 * not lacking. `other`: the lists of the second organization, if there is one.
 */
export function absentData({ allowWrites, fixtures }: Settings, own: Lists, other: Lists | undefined): NeedName[] {
  const agents = own.agents.filter(({ id }) => id !== fixtures.agent?.id);
  const isAbsent: Partial<Record<NeedName, boolean>> = { secondAgent: agents.length === 0 };
  if (other !== undefined) {
    const isEmpty = other.drives.length + other.mcpServers.length === 0;
    const lacks = (list: keyof Lists) => other[list].length === 0 || (own[list].length === 0 && !allowWrites);
    isAbsent.agentsOfBoth = own.agents.length === 0 || other.agents.length === 0;
    isAbsent.drivesOfBoth = lacks('drives') && !(isEmpty && allowWrites);
    isAbsent.mcpServersOfBoth = lacks('mcpServers');
    isAbsent.otherMcpServer = other.mcpServers.length === 0 && !allowWrites;
  }
  return (Object.keys(needs) as NeedName[]).filter((name) => isAbsent[name]);
}
