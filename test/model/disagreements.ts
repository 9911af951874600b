import type { Profile } from '../../src/index.ts';
import { isDeclaredJson, takesBody } from './body-rules.ts';
import type { Call } from './call.ts';
import { carriesNothing } from './credentials.ts';
import { hasUnknownParameter, inputFault, parametersOf } from './input-rules.ts';
import { codeOf, type Outcome } from './outcome.ts';
import type { PrismOpinion } from './prism-opinion.ts';
import type { Judged } from './sequence.ts';

/** Where Prism and the mock do not agree on an exchange, for a reason that is known. */
export type Disagreement = keyof typeof reasons;

/** What OpenAPI cannot say or Prism does not do, for each kind of disagreement. */
export const reasons = {
  emptyBody: 'an empty body where a body may stand',
  unknownParameter: 'OpenAPI cannot forbid query parameters that it does not name',
  bodyTooLarge: 'OpenAPI cannot bound the bytes of a body',
  dependsOnState: 'OpenAPI cannot say that a path must not be the one of a file',
  nullBody: 'Prism takes the JSON text null for no body at all',
  emptyValue: 'Prism takes an empty query value for an absent one',
  suffixedType: 'Prism takes application/x+json for application/json',
  lenientType: 'a document that took any media type for JSON would tell clients to send any',
  ignoredValue: 'a document that took any text for a number would tell clients to send any',
  repeatedValue: 'OpenAPI cannot say which of two values of a parameter counts',
  caseOfName: 'Prism does not tell the case of query names',
  inheritedName: 'Prism does not see a query parameter with a name that every object inherits',
  caseOfBearer: 'Prism knows the scheme of the bearer token in one spelling only, RFC 9110 in any',
};

/** Each disagreement between Prism and the mock on one exchange: its kind where that is known, in words otherwise. */
export function disagreementsOn(judged: Judged, opinion: PrismOpinion, profile: Profile): (Disagreement | string)[] {
  return [
    ...opinion.response.map((violation) => (judged.answer.text === '' ? 'emptyBody' : `response: ${violation}`)),
    ...onKey(judged, opinion),
    ...onRequest(judged, opinion, profile),
  ];
}

// That a key is wrong Prism cannot know; that there is none, it must see.
function onKey({ call, outcome }: Judged, { missesKey }: PrismOpinion): string[] {
  if (outcome === 'unauthenticated')
    return missesKey !== false || !carriesNothing(call) ? [] : ['Prism does not miss the key'];
  if (!missesKey) return [];
  return [call.headers.authorization?.startsWith('bearer ') ? 'caseOfBearer' : 'Prism misses a key'];
}

/** Whether the mock refused a call for its input. */
export function isInputRefusal(outcome: Outcome): boolean {
  const ofBody = ['body-too-large', 'unsupported-media-type', 'malformed-json', 'invalid-body'];
  return [...ofBody, 'invalid-input', 'invalid-path', 'unknown-parameter'].includes(outcome);
}

function onRequest({ call, outcome }: Judged, { request }: PrismOpinion, profile: Profile): string[] {
  const isRefused = isInputRefusal(outcome);
  if (outcome === 'unauthenticated' || isRefused === request.length > 0) return [];
  // Where the resource is judged first, its refusal says nothing of the input.
  const isResourceFirst = profile.judgedFirst === 'resource' || call.operationId === 'listMcpServerTools';
  if (isResourceFirst && ['not-found', 'forbidden'].includes(codeOf(outcome))) return [];
  if (call.operationId === 'deleteDriveTree' && profile.treePathParameter === 'constructor') return ['inheritedName'];
  if (isRefused)
    return [
      unseen(call, outcome, profile) ?? `${call.operationId}: Prism sees nothing wrong, but the mock: ${outcome}`,
    ];
  return [seenOnly(call, profile) ?? `${call.operationId}: Prism alone sees: ${request.join('; ')}`];
}

function unseen(call: Call, outcome: Outcome, profile: Profile): Disagreement | undefined {
  if (outcome === 'body-too-large') return 'bodyTooLarge';
  if (outcome === 'unsupported-media-type') return isSuffixed(call) ? 'suffixedType' : undefined;
  if (call.body?.trim() === 'null') return 'nullBody';
  if (call.query.some(([, value]) => value === '')) return 'emptyValue';
  if (call.operationId === 'deleteDriveTree' && inputFault(call, profile) === undefined) return 'dependsOnState';
  return profile.unknownQueryParameters === 'refused' && hasUnknownParameter(call, profile)
    ? 'unknownParameter'
    : undefined;
}

function isSuffixed({ headers }: Call): boolean {
  return /^application\/.+\+json$/i.test(headers['content-type'] ?? '');
}

function seenOnly(call: Call, profile: Profile): Disagreement | undefined {
  if (takesBody(call) && profile.mediaTypeRules === 'lenient' && !isDeclaredJson(call)) return 'lenientType';
  if (call.operationId === 'listDrives') {
    if (hasTwice(call.query) && profile.repeatedPaging !== 'refused') return 'repeatedValue';
    if (hasNoInteger(call.query) && profile.malformedPaging === 'ignored') return 'ignoredValue';
  }
  const known = parametersOf(call, profile);
  const isMisspelt = (name: string) => known.some((each) => each !== name && each.toLowerCase() === name.toLowerCase());
  return call.query.some(([name]) => isMisspelt(name)) ? 'caseOfName' : undefined;
}

function hasTwice(query: Call['query']): boolean {
  return new Set(query.map(([name]) => name)).size < query.length;
}

function hasNoInteger(query: Call['query']): boolean {
  return query.some(([name, value]) => ['limit', 'offset'].includes(name) && !/^-?\d+$/.test(value));
}
