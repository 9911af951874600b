import { keyIn } from '../../../../openapi/contract/security.ts';
import { jsonOf, member, pathParameter, type RequestView, valuesOf } from '../../../../openapi/reading/messages.ts';
import { keepsPathRule } from '../../../../openapi/reading/path-rule.ts';
import { decodeText } from '../../../../openapi/reading/query.ts';
import { own, say } from '../../../../openapi/reading/sentence.ts';
import type { FoundViolation } from '../exchange.ts';
import type { Prism, PrismRequest } from './prism.ts';
import { pathRule, type ReadQuery, readQuery } from './query-rules.ts';
import { type ReadBody, readRequestBody } from './request-body-rules.ts';
import type { Rules } from './rules.ts';

/** What a request breaks: what Prism finds, but where it is known to be wrong, and what it cannot see. */
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
    .map(({ name }) => ({
      location: ['request', 'path', name],
      severity: 'Error',
      code: 'encoding',
      message: say`Path parameter ${own(name)} is not percent-encoded UTF-8`,
    }));
}

/** A request in the form in which Prism judges it rightly. */
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

// Prism throws for a path that it cannot decode. An id in its place breaks nothing.
function decodable(path: string): string {
  const segments = path.split('/').map((segment) => (decodeText(segment) === undefined ? 'id' : segment));
  return segments.join('/');
}

// Prism knows the scheme of a bearer token in one spelling only.
function keyHeaders(headers: RequestView['headers'], { carriers }: Rules): Record<string, string> {
  const sent = carriers.flatMap((carrier) => {
    const key = keyIn(carrier, headers);
    return key === undefined ? [] : [[carrier.header, carrier.scheme === 'plain' ? key : `Bearer ${key}`] as const];
  });
  return Object.fromEntries(sent);
}

// Prism writes the names of parameters in lower case, and knows the path of a tree by one name only.
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

const noKey = say`An API key must come in X-API-Key, or as Bearer token in Authorization`;

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

/** Without a violation that says the same of the same place. */
function onePerPlace(violations: readonly FoundViolation[]): FoundViolation[] {
  const places = new Map(violations.map((each) => [JSON.stringify([each.location, each.message.plain]), each]));
  return [...places.values()];
}

// Only a guess of the document as it is written: the text leaves these open.
function withoutGuess(violation: FoundViolation, view: RequestView): FoundViolation {
  const openPoint = openPointOf(violation, view);
  if (openPoint === undefined) return violation;
  const message = say`${violation.message}; whether it is asked for is open (${own(openPoint)})`;
  return { ...violation, severity: 'Information', message };
}

function openPointOf({ location: [, part, name = ''], code }: FoundViolation, view: RequestView): string | undefined {
  if (code === 'required') return part === 'body' ? 'requiredBodyFields' : 'missingTreePath';
  if (code !== 'pattern' && code !== 'not') return undefined;
  const sent = part === 'body' ? member(jsonOf(view), name) : valuesOf(view, name)[0];
  return typeof sent === 'string' && keepsPathRule(sent) ? 'pathLineBreaks' : undefined;
}
