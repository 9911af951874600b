import { existsSync, readFileSync } from 'node:fs';
import type { ContractDocument } from './document.ts';
import type { OpenPoint } from './open-points.ts';
import type { Requirement, SectionUnits } from './requirements.ts';
import { yaml } from './yaml.ts';

let document: ContractDocument | undefined;
let openPoints: OpenPoint[] | undefined;
let requirements: Requirement[] | undefined;

/** The hand-written contract: read once, a fresh copy at each call. */
export function loadDocument(): ContractDocument {
  document ??= loadYaml('openapi.yaml') as ContractDocument;
  return structuredClone(document);
}

/** The register of what the specification leaves open: read once, a fresh copy at each call. */
export function loadOpenPoints(): OpenPoint[] {
  openPoints ??= loadYaml('open-points.yaml') as OpenPoint[];
  return structuredClone(openPoints);
}

/** The register of what the specification states: read once, a fresh copy at each call. */
export function loadRequirements(): Requirement[] {
  requirements ??= loadYaml('requirements.yaml') as Requirement[];
  return structuredClone(requirements);
}

/** The countable units of the specification, section by section. */
export function loadCoverage(): SectionUnits[] {
  return loadYaml('coverage.yaml') as SectionUnits[];
}

/** A YAML file of the project. The compiled package holds a twin of it in JSON, which is read much faster. */
export function loadOwnYaml(file: URL): unknown {
  const twin = new URL(`${file}.json`);
  if (existsSync(twin)) return JSON.parse(readFileSync(twin, 'utf8'));
  return yaml().parse(readFileSync(file, 'utf8'));
}

function loadYaml(name: string): unknown {
  return loadOwnYaml(new URL(`../${name}`, import.meta.url));
}
