import type { ParameterObject, SchemaObject } from '../../../../openapi/contract/document.ts';
import { howToSendKey, keyIn } from '../../../../openapi/contract/security.ts';
import {
  isObject,
  jsonOf,
  mediaTypeOf,
  member,
  pathParameter,
  type RequestView,
  valuesOf,
} from '../../../../openapi/reading/messages.ts';
import { keepsPathRule } from '../../../../openapi/reading/path-rule.ts';
import { decodeText } from '../../../../openapi/reading/query.ts';
import { own, type Sentence, say } from '../../../../openapi/reading/sentence.ts';
import type { FoundViolation } from '../exchange.ts';
import type { Prism, PrismRequest } from './prism.ts';
import { type Rules, treeParameter, treeParameterOf } from './rules.ts';

/** The violations of a request: what Prism finds, except where it is known to be wrong, and what it misses. */
export async function judgeRequest(view: RequestView, rules: Rules, prism: Prism): Promise<FoundViolation[]> {
  const query = readQuery(view, rules);
  const body = readRequestBody(view, rules);
  const own = [...pathViolations(view), ...query.violations, ...body.violations];
  const found = await prism.judgeRequest(toPrismRequest(view, rules, query.values, body.value));
  const kept = found.map((each) => named(each, view, query)).filter((each) => isForPrism(each, own, query, body));
  const all = onePerPlace([...own, ...kept].map((each) => inOurWords(each)));
  return rules.profile === undefined ? all.map((each) => withoutGuess(each, view)) : all;
}

function pathViolations(view: RequestView): FoundViolation[] {
  return view.operation.parameters
    .filter((parameter) => parameter.in === 'path' && pathParameter(view, parameter.name) === undefined)
    .map(({ name }) =>
      violation('encoding', say`Path parameter ${own(name)} is not percent-encoded UTF-8`, ['path', name]),
    );
}

/** A request in a form that Prism judges correctly. */
export function toPrismRequest(
  { operation, path, headers }: RequestView,
  rules: Rules,
  query: Readonly<Record<string, string>> = {},
  body: unknown = undefined,
): PrismRequest {
  const declared = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': '2' };
  const { operationId, method } = operation;
  const sent = { ...keyHeaders(headers, rules), ...declared };
  return { operationId, method, path: decodable(path), query, headers: sent, body };
}

// Prism throws for a path that it cannot decode. Such an id is replaced by a valid one.
function decodable(path: string): string {
  const segments = path.split('/').map((segment) => (decodeText(segment) === undefined ? 'id' : segment));
  return segments.join('/');
}

// Prism knows only one spelling of the bearer scheme.
function keyHeaders(headers: RequestView['headers'], { authHeaders }: Rules): Record<string, string> {
  const sent = authHeaders.flatMap((authHeader) => {
    const key = keyIn(authHeader, headers);
    return key === undefined
      ? []
      : [[authHeader.header, authHeader.scheme === 'plain' ? key : `Bearer ${key}`] as const];
  });
  return Object.fromEntries(sent);
}

// Prism writes parameter names in lower case, and knows only one name for the tree path.
function named(violation: FoundViolation, { operation }: RequestView, { names }: ReadQuery): FoundViolation {
  const [side = '', part = '', name = '', ...rest] = violation.location;
  if (violation.code === '401') return { ...violation, location: ['request', 'header'], code: 'unauthenticated' };
  if (part === '') return { ...violation, location: ['request', 'body'] };
  if (name === '' || !['query', 'path'].includes(part)) return violation;
  const known = operation.parameters.find((each) => each.in === part && each.name.toLowerCase() === name)?.name ?? name;
  return { ...violation, location: [side, part, names.get(known) ?? known, ...rest] };
}

function isForPrism(
  { location: [, part = '', name = ''] }: FoundViolation,
  own: readonly FoundViolation[],
  { names }: ReadQuery,
  { isJudged }: ReadBody,
): boolean {
  if (part === 'body') return isJudged;
  if (part !== 'query') return true;
  const isUntold = [...names].some(([known, sent]) => sent === undefined && known === name);
  return !isUntold && !own.some(({ location }) => location[1] === part && location[2] === name);
}

const noKey = say`An API key must be sent, ${own(howToSendKey)}`;

function inOurWords(violation: FoundViolation): FoundViolation {
  const { location, code } = violation;
  if (code === 'unauthenticated') return { ...violation, message: noKey };
  const [, part, name] = location;
  const isPath = part === 'query' || (part === 'body' && name === 'path');
  if (!isPath || (code !== 'pattern' && code !== 'not')) return violation;
  return {
    ...violation,
    message: say`${part === 'query' ? say`Query parameter ${name ?? ''}` : own('body.path')} ${pathRule}`,
  };
}

/** Drops violations that repeat another one at the same place. */
function onePerPlace(violations: readonly FoundViolation[]): FoundViolation[] {
  const places = new Map(violations.map((each) => [JSON.stringify([each.location, each.message.plain]), each]));
  return [...places.values()];
}

// Here the document only guesses: the specification leaves these open.
function withoutGuess(violation: FoundViolation, view: RequestView): FoundViolation {
  const openPoint = openPointOf(violation, view);
  if (openPoint === undefined) return violation;
  const message = say`${violation.message}; whether it is required is open (${own(openPoint)})`;
  return { ...violation, severity: 'Information', message };
}

function openPointOf({ location: [, part, name = ''], code }: FoundViolation, view: RequestView): string | undefined {
  if (code === 'required') return part === 'body' ? 'requiredBodyFields' : 'missingTreePath';
  if (code !== 'pattern' && code !== 'not') return undefined;
  const sent = part === 'body' ? member(jsonOf(view), name) : valuesOf(view, name)[0];
  return typeof sent === 'string' && keepsPathRule(sent) ? 'pathLineBreaks' : undefined;
}

/** A body as Prism can judge it, and the violations that it cannot find. */
interface ReadBody {
  /** The body for Prism; an empty object if Prism must not judge it. */
  value: unknown;
  isJudged: boolean;
  violations: FoundViolation[];
}

const notJudged = { value: {}, isJudged: false };

/** Reads the body of a request. Checks its size, media type and JSON, and that it is an object. */
function readRequestBody(view: RequestView, rules: Rules): ReadBody {
  const { body, operation } = view;
  const tooLarge = sizeViolations(view, rules);
  if (!operation.takesBody || tooLarge.length > 0) return { ...notJudged, violations: tooLarge };
  if (body.kind === 'none') return { value: undefined, isJudged: true, violations: [] };
  // Prism also accepts application/x+json as application/json.
  if (mediaTypeOf(view.headers) !== 'application/json') {
    const message = say`The body must be declared as application/json`;
    return { ...notJudged, violations: [violation('unsupportedMediaType', message, ['header', 'content-type'])] };
  }
  if (body.kind === 'unread') return { ...notJudged, violations: [] };
  if (body.kind === 'text')
    return { ...notJudged, violations: [violation('malformedJson', say`The request cannot be read: ${body.why}`)] };
  // Prism treats null as no body.
  if (!isObject(body.value)) return { ...notJudged, violations: [violation('type', say`The body must be an object`)] };
  return { value: body.value, isJudged: true, violations: [] };
}

// OpenAPI cannot limit the bytes of a body.
function sizeViolations({ body, operation }: RequestView, { profile }: Rules): FoundViolation[] {
  if (profile === undefined || !operation.takesBody || body.kind === 'none') return [];
  if (body.lengthBytes <= profile.bodySizeLimit) return [];
  return [violation('bodyTooLarge', say`The body must not be larger than ${profile.bodySizeLimit} bytes`)];
}

/** A query as Prism can judge it, and the violations that it cannot find. */
interface ReadQuery {
  /** By the contract's names. Other names are left out: Prism ignores case. */
  values: Record<string, string>;
  violations: FoundViolation[];
  /** The names on the wire of the contract's parameters; undefined if unknown. */
  names: ReadonlyMap<string, string | undefined>;
}

/** Reads the query of a request by the parameters of its operation. */
function readQuery(view: RequestView, rules: Rules): ReadQuery {
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
  if (more.length > 0) return [inQuery(name, 'once', say`must be sent once`)];
  if (value === undefined) return [inQuery(name, 'encoding', say`is not percent-encoded UTF-8`)];
  const isInteger = (parameter.schema as SchemaObject | undefined)?.type === 'integer';
  // Prism treats an empty value as missing, and 1e1 as a number.
  if (isInteger && !/^-?\d+$/.test(value)) return [inQuery(name, 'type', say`must be an integer`)];
  if (value === '') return [inQuery(name, 'pattern', pathRule)];
  values[parameter.name] = value;
  return [];
}

/** The path rule in words. */
const pathRule = say`must start with / and must not contain a .. segment`;

// OpenAPI cannot forbid what it does not name.
function unknownParameters(view: RequestView, names: ReadQuery['names'], { profile }: Rules): FoundViolation[] {
  if (profile?.unknownQueryParameters !== 'refused') return [];
  const known = new Set(names.values());
  const unknown = new Set(view.query.map(({ name }) => name).filter((name) => !known.has(name)));
  return [...unknown].map((name) => inQuery(name, 'unknownParameter', say`is not a parameter of this operation`));
}

function inQuery(name: string, code: string, message: Sentence): FoundViolation {
  return violation(code, say`Query parameter ${name} ${message}`, ['query', name]);
}

function violation(code: string, message: Sentence, place: readonly string[] = ['body']): FoundViolation {
  return { location: ['request', ...place], severity: 'Error', code, message };
}
