import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ContractDocument } from './document.ts';
import type { OpenPoint } from './open-points.ts';
import type { Requirement, SectionUnits } from './requirements.ts';

let document: ContractDocument | undefined;

/** The hand-written contract: read once, a fresh copy at each call. */
export function loadDocument(): ContractDocument {
  document ??= loadYaml('openapi.yaml') as ContractDocument;
  return structuredClone(document);
}

/** The register of what the specification leaves open. */
export function loadOpenPoints(): OpenPoint[] {
  return loadYaml('open-points.yaml') as OpenPoint[];
}

/** The register of what the specification states. */
export function loadRequirements(): Requirement[] {
  return loadYaml('requirements.yaml') as Requirement[];
}

/** The countable units of the specification, section by section. */
export function loadCoverage(): SectionUnits[] {
  return loadYaml('coverage.yaml') as SectionUnits[];
}

/** One of the contract's own files, as it is on disk. */
export function readContractFile(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
}

function loadYaml(name: string): unknown {
  return parse(readContractFile(name));
}
