import { yaml } from '../../lib/yaml.ts';
import { loadOpenPoints } from '../points/index.ts';
import { contractFor } from './contract-for.ts';
import { tellOpenPoints } from './described-open-points.ts';
import type { ContractDocument } from './document.ts';
import type { Profile } from './profile.gen.ts';

/**
 * The contract under a profile as a separate document: one success code per operation, the profile's bodies and bounds,
 * its choices in words, and only the components that are used. Client generators read it.
 */
export function profileDocument(profile: Profile, pointsAt?: string): ContractDocument {
  return asDocument(contractFor(profile), profile, pointsAt);
}

/** The contract of a profile as a standalone document. `pointsAt`: see {@link tellOpenPoints}. */
export function asDocument(contract: ContractDocument, profile: Profile, pointsAt?: string): ContractDocument {
  const applied = onlyUsed({ ...contract, info: { ...contract.info, description: aboutProfiles } });
  return tellOpenPoints(applied, profile, loadOpenPoints(), pointsAt);
}

const aboutProfiles = `The HTTP API of a service for an organization that builds and runs agents. Each request acts for the organization
that its API key identifies.

This document is the contract under one profile of the mock: each open point has the profile's choice. So every operation
has one success code, and its error codes and error bodies are known. Where a description says that something is
unspecified, it also names the profile's choice. Generate clients from this document. A server may choose differently
and still keep the contract: \`openapi.yaml\` contains what the specification states, and no more.
`;

/** How a document is written as a file. */
export const documentWriters = {
  json: (document: ContractDocument) => `${JSON.stringify(document, null, 2)}\n`,
  yaml: (document: ContractDocument) => yaml().stringify(document, { lineWidth: 120, blockQuote: 'literal' }),
};

/** A document without unused components: linters complain about them. */
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
