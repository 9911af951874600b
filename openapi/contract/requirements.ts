import type { OperationId } from './operations.ts';

/** Why a stated fact is not judged over HTTP. */
export type Exclusion = 'not visible over HTTP' | 'no operation' | 'background';

/** A stated fact, as `requirements.yaml` holds it. It is either judged by checks or excluded with a reason. */
export interface Requirement {
  id: string;
  /** The units of the specification it rests on, for instance `4.4/row:limit`. */
  sources: string[];
  level: 'must' | 'should';
  requirement: string;
  /** JSON pointers into the contract, as URI fragments. */
  pointer: string | string[];
  operations: OperationId[];
  checks?: string[];
  excluded?: Exclusion;
  because?: string;
}

/** The countable units of one section of the specification, as `coverage.yaml` holds them. */
export interface SectionUnits {
  section: string;
  title: string;
  sentences: number;
  rows: string[];
  gaps: number;
}

/** Every unit of a section, in the form in which the registers cite it. */
export function unitsOf(section: SectionUnits): string[] {
  const numbered = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${section.section}/${kind}:${index + 1}`);
  const rows = section.rows.map((row) => `${section.section}/row:${row}`);
  return [...numbered('sentence', section.sentences), ...rows, ...numbered('gap', section.gaps)];
}
