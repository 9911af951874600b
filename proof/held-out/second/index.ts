import { agentFaults } from './faults-agents.ts';
import { authFaults } from './faults-auth.ts';
import { createDriveFaults } from './faults-create-drive.ts';
import { fieldFaults } from './faults-fields.ts';
import { fileFaults } from './faults-files.ts';
import { listDriveFaults } from './faults-list-drives.ts';
import { serverFaults } from './faults-servers.ts';
import { softFaults } from './faults-soft.ts';
import { softMoreFaults } from './faults-soft-more.ts';
import { stepFaults } from './faults-steps.ts';
import { treeFaults } from './faults-tree.ts';
import { legalAnswers } from './legal-answers.ts';
import { legalRules } from './legal-rules.ts';
import { legalTeams } from './legal-teams.ts';
import type { Facts } from './model.ts';
import { startMachine } from './server.ts';
import type { Entry, Variant } from './variant.ts';

export type { Facts, OrganizationFacts } from './model.ts';
export type { Entry } from './variant.ts';

export const variants: readonly Variant[] = [
  ...authFaults,
  ...agentFaults,
  ...fieldFaults,
  ...createDriveFaults,
  ...listDriveFaults,
  ...fileFaults,
  ...treeFaults,
  ...serverFaults,
  ...stepFaults,
  ...softFaults,
  ...softMoreFaults,
  ...legalAnswers,
  ...legalRules,
  ...legalTeams,
];

export const entries: readonly Entry[] = variants.map(({ name, kind, section, what }) => ({
  name,
  kind,
  section,
  what,
}));

export function start(names: readonly string[]): Promise<{ baseUrl: string; facts: Facts; stop(): Promise<void> }> {
  const changes = names.map((name) => {
    const found = variants.find((variant) => variant.name === name);
    if (!found) throw new Error(`There is no variant ${name}`);
    return (m: Parameters<Variant['change']>[0]) => found.change(m);
  });
  return startMachine(changes);
}
