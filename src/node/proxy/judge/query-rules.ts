import type { ParameterObject, SchemaObject } from '../../../../openapi/contract/document.ts';
import { type RequestView, valuesOf } from '../../../../openapi/reading/messages.ts';
import { type Sentence, say } from '../../../../openapi/reading/sentence.ts';
import type { FoundViolation } from '../exchange.ts';
import { type Rules, treeParameter, treeParameterOf } from './rules.ts';

/** A query as Prism can judge it, and what it cannot. */
export interface ReadQuery {
  /** By the names of the contract. Other names are left out: Prism ignores case. */
  values: Record<string, string>;
  violations: FoundViolation[];
  /** What a parameter of the contract is called on the wire; undefined if unknown. */
  names: ReadonlyMap<string, string | undefined>;
}

/** Reads the query of a request by the parameters of its operation. */
export function readQuery(view: RequestView, rules: Rules): ReadQuery {
  const { parameters } = rules.operations.get(view.operation.operationId) ?? view.operation;
  const own = parameters.filter((parameter) => parameter.in === 'query');
  const names = new Map(own.map(({ name }) => [name, name === treeParameter ? treeParameterOf(view, rules) : name]));
  const values: Record<string, string> = {};
  const violations = own.flatMap((parameter) => readParameter(parameter, names.get(parameter.name), view, values));
  return { values, violations: [...violations, ...unknownParameters(view, names, rules)], names };
}

function readParameter(
  parameter: ParameterObject,
  name: string | undefined,
  view: RequestView,
  values: Record<string, string>,
): FoundViolation[] {
  const [value, ...more] = name === undefined ? [] : valuesOf(view, name);
  if (name === undefined || valuesOf(view, name).length === 0) return [];
  if (more.length > 0) return [violation(name, 'once', say`must be sent once`)];
  if (value === undefined) return [violation(name, 'encoding', say`is not percent-encoded UTF-8`)];
  const isInteger = (parameter.schema as SchemaObject | undefined)?.type === 'integer';
  // Prism takes an empty value for none at all, and 1e1 for a number.
  if (isInteger && !/^-?\d+$/.test(value)) return [violation(name, 'type', say`must be an integer`)];
  if (value === '') return [violation(name, 'pattern', pathRule)];
  values[parameter.name] = value;
  return [];
}

/** What the rule for paths asks for. */
export const pathRule = say`needs a leading / and no .. segment`;

// OpenAPI cannot forbid what it does not name.
function unknownParameters(view: RequestView, names: ReadQuery['names'], { profile }: Rules): FoundViolation[] {
  if (profile?.unknownQueryParameters !== 'refused') return [];
  const known = new Set(names.values());
  const unknown = new Set(view.query.map(({ name }) => name).filter((name) => !known.has(name)));
  return [...unknown].map((name) => violation(name, 'unknownParameter', say`is not a parameter of this operation`));
}

function violation(name: string, code: string, message: Sentence): FoundViolation {
  return {
    location: ['request', 'query', name],
    severity: 'Error',
    code,
    message: say`Query parameter ${name} ${message}`,
  };
}
