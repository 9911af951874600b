import { contractFor } from './contract-for.ts';
import type { ContractDocument } from './document.ts';
import { loadOpenPoints } from './load.ts';
import type { Profile } from './profile.gen.ts';
import { tellOpenPoints } from './told-open-points.ts';

/**
 * The contract as a profile has it, as a document of its own: one code per success, the bodies and bounds of the
 * profile, its choices in words, and only the components that it uses. What client generators read.
 */
export function profileDocument(profile: Profile, pointsAt?: string): ContractDocument {
  return asDocument(contractFor(profile), profile, pointsAt);
}

/** A used contract as a document of its own. `pointsAt`: see {@link tellOpenPoints}. */
export function asDocument(contract: ContractDocument, profile: Profile, pointsAt?: string): ContractDocument {
  const applied = onlyUsed({ ...contract, info: { ...contract.info, description: aboutProfiles } });
  return tellOpenPoints(applied, profile, loadOpenPoints(), pointsAt);
}

const aboutProfiles = `The HTTP API of a service for an organization that builds and runs agents. Each call acts for the organization that
its API key identifies.

This document is the contract as one profile of the mock has it. Each open point has the choice of that profile, so
every success has one code, and every refusal has its codes and its body. Where a description says that something
is open, the choice named there is that of the profile. Generate clients from it. A server may choose otherwise and still
keep the contract: \`openapi.yaml\` has what the specification states, and no more.
`;

/** A document without the components that nothing refers to: linters complain about them. */
export function onlyUsed(document: ContractDocument): ContractDocument {
  const { securitySchemes, ...groups } = document.components ?? {};
  const used = usedIn({ ...document, components: undefined }, groups as Groups);
  const kept = Object.entries(groups as Groups).flatMap(([group, members]) => {
    const left = Object.entries(members).filter(([name]) => used.has(`#/components/${group}/${name}`));
    return left.length === 0 ? [] : [[group, Object.fromEntries(left)]];
  });
  return { ...document, components: { ...(securitySchemes && { securitySchemes }), ...Object.fromEntries(kept) } };
}

type Groups = Record<string, Record<string, unknown>>;

/** The references to components in a value, and in the components that it refers to. */
function usedIn(value: unknown, groups: Groups, used = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return used;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string' && !used.has($ref)) {
    const [, , group = '', name = ''] = $ref.split('/');
    used.add($ref);
    usedIn(groups[group]?.[name], groups, used);
  }
  for (const child of Object.values(value)) usedIn(child, groups, used);
  return used;
}
