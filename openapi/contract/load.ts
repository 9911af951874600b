import { lazily } from '../../lib/remembering.ts';
import { type ContractDocument, resolvePointer } from './document.ts';
import { operationsOf } from './operations.ts';
import { loadOwnYaml } from './own-files.ts';
import { expandRequirement, type Requirement, type SectionUnits, type WrittenRequirement } from './requirements.ts';

/** Reads something once and returns a copy for each call. */
export function copyOf<T extends {}>(read: () => T): () => T {
  const known = lazily(read);
  return () => structuredClone(known());
}

/** Reads something once, for readers only: whoever changes it gets an error. */
export function sharedOf<T extends {}>(read: () => T): () => T {
  return lazily(() => deepFrozen(read()));
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFrozen);
  }
  return value;
}

/** The hand-written contract. */
export const loadDocument = copyOf(() => loadYaml('openapi.yaml') as ContractDocument);

/** The requirements, without abbreviations. */
export const loadRequirements = sharedOf((): Requirement[] => {
  const stated = loadDocument();
  const operations = operationsOf(stated);
  const written = loadYaml('requirements.yaml') as WrittenRequirement[];
  return written.map((one) => expandRequirement(one, stated, operations));
});

/** The countable units of the specification, section by section. */
export function loadCoverage(): SectionUnits[] {
  return loadYaml('coverage.yaml') as SectionUnits[];
}

/** A YAML file in this folder. */
export function loadYaml(name: string): unknown {
  return loadOwnYaml(`openapi/${name}`);
}

/** The values that a field of a schema may have, in the order of the contract. */
export function allowedValues(schema: string, field: string): readonly string[] {
  const pointer = `#/components/schemas/${schema}/properties/${field}`;
  return (resolvePointer(loadDocument(), pointer) as { enum: readonly string[] }).enum;
}
