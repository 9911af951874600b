import { isObject, isSuccess, member } from '../judge/views.ts';
import type { Sighting } from './learned.ts';
import type { Observer, SeenExchange } from './observer.ts';

/** What the headers of answers show, and the bodies of refusals. */
export const headerObservers: readonly Observer[] = [
  { openPoint: 'answerMediaType', see: seeMediaType },
  { openPoint: 'rateLimits', see: seeRateLimits },
  { openPoint: 'wwwAuthenticate', see: seeChallenge },
  { openPoint: 'errorBody', see: seeErrorBody },
];

const mediaTypes = ['application/json', 'application/json; charset=utf-8'];

// Case and blanks mean nothing in a media type.
function seeMediaType({ answer }: SeenExchange): Sighting | undefined {
  if (!isSuccess(answer) || answer.body.kind !== 'json') return undefined;
  const sent = answer.headers['content-type'] ?? 'no Content-Type';
  const plain = sent
    .toLowerCase()
    .replaceAll(/["\s]/g, '')
    .replace(/;$/, '')
    .replace(/;(?=.)/, '; ');
  return mediaTypes.find((known) => known === plain) ?? { other: sent };
}

const announced = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

function seeRateLimits({ answer }: SeenExchange): Sighting | undefined {
  if (!isSuccess(answer)) return undefined;
  const names = Object.keys(answer.headers).filter((name) => /rate-?limit/.test(name));
  if (names.length === 0) return 'none';
  return announced.every((name) => names.includes(name)) ? 'announced' : { other: names.join(', ') };
}

function seeChallenge({ answer: { status, headers } }: SeenExchange): Sighting | undefined {
  if (status !== 401) return undefined;
  const challenge = headers['www-authenticate'];
  if (challenge === undefined) return 'absent';
  return /^bearer\b/i.test(challenge) ? 'sent' : { other: challenge };
}

function seeErrorBody({ answer: { status, headers, body } }: SeenExchange): Sighting | undefined {
  if (status < 400 || status > 499 || body.kind === 'unread') return undefined;
  if (body.kind === 'none') return 'empty';
  if (body.kind === 'text') return { other: body.why };
  return shapeOf(body.value, headers['content-type'] ?? '') ?? { other: keysOf(body.value) };
}

function shapeOf(json: unknown, mediaType: string): string | undefined {
  if (/^application\/problem\+json/i.test(mediaType)) return 'problem';
  const errors = member(json, 'errors');
  if (isOnly(json, 'errors') && Array.isArray(errors) && isMessage(errors[0], ['code', 'message'])) return 'list';
  if (isOnly(json, 'error') && isMessage(member(json, 'error'), ['code', 'message'])) return 'nested';
  return isOnly(json, 'message') && isMessage(json, ['message']) ? 'message' : undefined;
}

function isOnly(value: unknown, name: string): boolean {
  return isObject(value) && Object.keys(value).join() === name;
}

function isMessage(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof member(value, name) === 'string');
}

function keysOf(json: unknown): string {
  return isObject(json) ? `an object with ${Object.keys(json).slice(0, 10).join(', ')}` : 'JSON that is no object';
}
