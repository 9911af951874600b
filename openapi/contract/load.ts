import { existsSync, readFileSync } from 'node:fs';
import type { ContractDocument } from './document.ts';
import type { OpenPoint, WrittenOpenPoint } from './open-points.ts';
import { operationSet, operationsOf } from './operations.ts';
import { expandRequirement, type Requirement, type SectionUnits, type WrittenRequirement } from './requirements.ts';
import { yaml } from './yaml.ts';

let document: ContractDocument | undefined;
let openPoints: OpenPoint[] | undefined;
let requirements: Requirement[] | undefined;

/** The hand-written contract: read once, copied at each call. */
export function loadDocument(): ContractDocument {
  document ??= loadYaml('openapi.yaml') as ContractDocument;
  return structuredClone(document);
}

/** The open points, without abbreviations: read once, copied at each call. */
export function loadOpenPoints(): OpenPoint[] {
  openPoints ??= readOpenPoints();
  return structuredClone(openPoints);
}

/** The requirements, without abbreviations: read once, copied at each call. */
export function loadRequirements(): Requirement[] {
  requirements ??= readRequirements();
  return structuredClone(requirements);
}

function readOpenPoints(): OpenPoint[] {
  const operations = operationsOf(loadDocument());
  return (loadYaml('open-points.yaml') as WrittenOpenPoint[]).map((point) => ({
    ...point,
    operations: operationSet(operations, point.operations).map(({ operationId }) => operationId),
  }));
}

function readRequirements(): Requirement[] {
  const stated = loadDocument();
  const operations = operationsOf(stated);
  return (loadYaml('requirements.yaml') as WrittenRequirement[]).map((one) =>
    expandRequirement(one, stated, operations),
  );
}

/** The countable units of the specification, section by section. */
export function loadCoverage(): SectionUnits[] {
  return loadYaml('coverage.yaml') as SectionUnits[];
}

/** Loads a YAML file of the project. The compiled package has the same file as JSON, which loads much faster. */
export function loadOwnYaml(file: URL): unknown {
  const twin = new URL(`${file}.json`);
  if (existsSync(twin)) return JSON.parse(readFileSync(twin, 'utf8'));
  return yaml().parse(readFileSync(file, 'utf8'));
}

function loadYaml(name: string): unknown {
  return loadOwnYaml(new URL(`../${name}`, import.meta.url));
}
