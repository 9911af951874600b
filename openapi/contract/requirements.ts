import { type ContractDocument, resolvePointer } from './document.ts';
import { type Operation, type OperationId, operationSet } from './operations.ts';

/** Why no check over HTTP judges a stated fact. */
type Exclusion = 'not visible over HTTP' | 'no operation' | 'background';

/** A stated fact. Checks judge it, or it is excluded with a reason. */
export interface Requirement {
  id: string;
  /** The units of the specification that it is based on, for example `4.4/row:limit`. */
  sources: string[];
  level: 'must' | 'should';
  requirement: string;
  /** For a should: what the verdict must mention if it is broken, by operation. */
  headline?: Partial<Record<OperationId, string>>;
  /** JSON pointers into the contract, as URI fragments. */
  pointer: string[];
  operations: OperationId[];
  checks?: string[];
  excluded?: Exclusion;
  because?: string;
}

/** A requirement as `requirements.yaml` abbreviates it; the head of that file explains how. */
export interface WrittenRequirement extends Omit<Requirement, 'pointer' | 'operations'> {
  pointer?: string | string[];
  operations?: string | string[];
}

/** The countable units of one section of the specification, in our words, as in `coverage.yaml`. */
export interface SectionUnits {
  section: string;
  title: string;
  sentences: string[];
  rows: Record<string, string>;
  gaps: string[];
}

/** A unit of the specification. */
export interface Unit {
  /** The id under which the registers cite it. */
  id: string;
  kind: 'sentence' | 'row' | 'gap';
  /** The name of a row; the number of a sentence or a gap. */
  name: string;
  /** What it says, in our words. */
  says: string;
}

export function unitsOf({ section, sentences, rows, gaps }: SectionUnits): Unit[] {
  const units = (kind: Unit['kind'], texts: readonly (readonly [string, string])[]) =>
    texts.map(([name, says]) => ({ id: `${section}/${kind}:${name}`, kind, name, says }));
  const numbered = (texts: readonly string[]) => texts.map((text, index) => [String(index + 1), text] as const);
  return [
    ...units('sentence', numbered(sentences)),
    ...units('row', Object.entries(rows)),
    ...units('gap', numbered(gaps)),
  ];
}

/**
 * The requirement without the abbreviations that the head of `requirements.yaml` explains. Throws if one matches
 * nothing.
 */
export function expandRequirement(
  written: WrittenRequirement,
  document: ContractDocument,
  operations: readonly Operation[],
): Requirement {
  const { id, checks } = written;
  const named = written.operations ?? (checks ?? []).map((check) => check.slice(0, check.indexOf('.')));
  const touched = operationSet(operations, named);
  const pointer = [written.pointer ?? '#/operations/*'].flat().flatMap((pattern) => {
    const pointers = expandPointer(pattern, touched, document);
    if (pointers.length === 0) throw new Error(`${id}: ${pattern} points at nothing`);
    return pointers;
  });
  const expanded: Requirement = { ...written, operations: touched.map(({ operationId }) => operationId), pointer };
  if (checks === undefined) return expanded;
  const ofEach = (check: string) => expanded.operations.map((operation) => operation + check.slice(1));
  return { ...expanded, checks: checks.flatMap((check) => (check.startsWith('*.') ? ofEach(check) : [check])) };
}

// `#/operations/<operationId>` is an operation's place below `#/paths`; the step `*` stands for every existing step.
function expandPointer(pattern: string, touched: readonly Operation[], document: ContractDocument): string[] {
  const [, wanted, rest = ''] = /^#\/operations\/([^/]+)(\/.*)?$/.exec(pattern) ?? [];
  if (wanted === undefined) return expandSteps(pattern, document);
  return touched
    .filter(({ operationId }) => wanted === '*' || wanted === operationId)
    .map(({ path, method }) => `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}${rest}`)
    .flatMap((pointer) => expandSteps(pointer, document));
}

function expandSteps(pattern: string, document: ContractDocument): string[] {
  const star = pattern.indexOf('/*');
  const base = star < 0 ? pattern : pattern.slice(0, star);
  const value = resolvePointer(document, encodeURI(base));
  if (star < 0) return value === undefined ? [] : [pattern];
  const rest = pattern.slice(star + 2);
  return Object.keys(value ?? {}).flatMap((name) =>
    expandSteps(`${base}/${name.replaceAll('/', '~1')}${rest}`, document),
  );
}
