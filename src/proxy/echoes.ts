import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { Operation } from '../../openapi/contract/operations.ts';
import { asksForTaken, isSameUrl } from '../../openapi/model/values.ts';
import {
  type AnswerView,
  isObject,
  jsonOf,
  member,
  pathParameter,
  type RequestView,
  valuesOf,
} from '../../openapi/reading/messages.ts';
import { largestPage, pagingBounds } from '../../openapi/reading/pages.ts';
import type { FoundViolation, Severity } from './exchange.ts';

/** The violations of a success that must repeat values from the request or stay within its limits. */
export function echoViolations(request: RequestView, answer: AnswerView): FoundViolation[] {
  const [sent, shown] = [jsonOf(request), jsonOf(answer)];
  const found = rulesOf(request.operation).flatMap((rule) => rule(request, shown) ?? []);
  if (!isObject(sent) || !isObject(shown) || !asksForTaken(sent, shown)) return found;
  // What to do about a name or a URL that is taken is open, also to return the earlier resource.
  return found.map((one) => ({
    ...one,
    severity: 'Hint',
    message: say`${one.message}, unless this is an earlier one`,
  }));
}

type Rule = (request: RequestView, shown: unknown) => FoundViolation | undefined;

const bodyRules: Readonly<Record<string, Rule>> = {
  name: repeats('name', plainName),
  path: repeats('path', plainPath),
  url: repeatsUrl,
};

const queryRules: Readonly<Record<string, readonly Rule[]>> = {
  limit: [repeatsNumber('limit', ...pagingBounds.limit), keepsToLimit],
  offset: [repeatsNumber('offset', 0, 1_000_000)],
};

// Only a resource, or a page of them, repeats values from the request.
function rulesOf({ resource, list, segments, parameters, bodyFields }: Operation): Rule[] {
  if (resource === undefined) return [];
  if (list !== undefined) return parameters.flatMap(({ name }) => queryRules[name] ?? []);
  const last = segments.at(-1);
  const identity = last !== undefined && 'parameter' in last ? [hasIdOf(last.parameter)] : [];
  return [...identity, ...bodyFields.flatMap((field) => bodyRules[field] ?? [])];
}

// The handling of unusual names and paths is open.
function plainName(text: string): boolean {
  return /^[A-Za-z0-9]+(?:[ _-][A-Za-z0-9]+)*$/.test(text) && text.length <= 64;
}

function plainPath(text: string): boolean {
  return /^(?:\/[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*)+$/.test(text) && text.length <= 200;
}

function repeats(name: string, isPlain: (text: string) => boolean): Rule {
  return (request, shown) => {
    const sent = member(jsonOf(request), name);
    const is = member(shown, name);
    if (typeof sent !== 'string' || typeof is !== 'string' || !isPlain(sent) || is === sent) return undefined;
    return violation(name, say`must be the value that was sent`);
  };
}

// The server may spell it canonically, which is open.
function repeatsUrl(request: RequestView, shown: unknown): FoundViolation | undefined {
  const sent = member(jsonOf(request), 'url');
  const is = member(shown, 'url');
  if (typeof sent !== 'string' || typeof is !== 'string' || !URL.canParse(sent) || isSameUrl(is, sent))
    return undefined;
  return violation('url', say`must be the value that was sent`);
}

function hasIdOf(parameter: string): Rule {
  return (request, shown) => {
    const requested = pathParameter(request, parameter);
    const id = member(shown, 'id');
    if (typeof id !== 'string' || requested === undefined || id === requested) return undefined;
    return violation('id', say`must be the id in the path`);
  };
}

function repeatsNumber(name: 'limit' | 'offset', least: number, most: number): Rule {
  return (request, shown) => {
    const sent = sentNumber(request, name);
    const is = member(member(shown, 'pagination'), name);
    if (sent === undefined || sent < least || sent > most || typeof is !== 'number' || is === sent) return undefined;
    return violation(`pagination.${name}`, say`should be the ${own(name)} that was sent`, 'Warning');
  };
}

// Without a limit, a page may have any length.
function keepsToLimit(request: RequestView, shown: unknown): FoundViolation | undefined {
  const limit = sentNumber(request, 'limit');
  const data = member(shown, 'data');
  if (limit === undefined || !Array.isArray(data)) return undefined;
  const most = limit >= 1 ? Math.min(limit, largestPage) : largestPage;
  return data.length <= most ? undefined : violation('data', say`must not hold more than ${most} items`);
}

function sentNumber(request: RequestView, name: string): number | undefined {
  const [text, ...more] = valuesOf(request, name);
  return text !== undefined && more.length === 0 && /^-?\d+$/.test(text) ? Number(text) : undefined;
}

function violation(place: string, message: Sentence, severity: Severity = 'Error'): FoundViolation {
  const location = ['response', 'body', ...place.split('.')];
  return { location, severity, code: 'echo', message: say`Response body: ${own(place)} ${message}` };
}
