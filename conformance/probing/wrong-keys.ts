import type { OperationId } from '../../openapi/contract/operations.ts';
import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { type AuthHeaderName, type Credentials, foreignScheme, headerOf, invalidKey } from '../target/credentials.ts';
import { items, member } from '../target/expectations.ts';
import {
  extended,
  inOtherCase,
  keysNear,
  mixed,
  shortened,
  type WrongKey,
  withOtherStart,
} from '../target/near-keys.ts';

/** A key in each header in turn. */
export function inEachHeader(key: string, kind?: string): Credentials[] {
  return [invalidKey(key, 'header', kind), invalidKey(key, 'bearer', kind)];
}

/** A key that nobody has, about as long as the configured key. */
export function unknownKey({ runId, settings: { apiKey } }: Session): string {
  return `${runId}${'z'.repeat(apiKey.length)}`.slice(0, Math.max(12, apiKey.length));
}

const longLength = 160;

/** Unknown keys that a server may refuse for their form or scheme; all of them where the error status is stated. */
export function unknownKeys(session: Session, operation: OperationId): Credentials[] {
  const long = session.runId.padEnd(longLength, 'z');
  const looks = [invalidKey('q7', 'header'), invalidKey(long, 'bearer'), invalidKey('q7', 'bearer')];
  const all = [...looks, foreignScheme(unknownKey(session))];
  const some = operation === 'listMcpServerTools' ? all : [all[turnOf(session, operation) % all.length] as Credentials];
  return [...inEachHeader(unknownKey(session)), ...some];
}

/** An unknown bearer token; for some operations also an unknown key in both headers at the same time. */
export function unknownTokens(session: Session, operation: OperationId): Credentials[] {
  const token = invalidKey(unknownKey(session), 'bearer');
  const both = { ...token, headers: { ...token.headers, ...invalidKey(unknownKey(session), 'header').headers } };
  return turnOf(session, operation) % 3 === 0 ? [token, both] : [token];
}

const schemes = ['Basic', 'Token', 'ApiKey', 'Key'];

/** The valid key under a different scheme, and with a missing or misplaced scheme. */
export function otherSchemes(session: Session, operation: OperationId): Credentials[] {
  const { apiKey } = session.settings;
  const turn = turnOf(session, operation);
  const [authHeader, value]: [AuthHeaderName, string] =
    turn % 2 === 0 ? ['bearer', apiKey] : ['header', `Bearer ${apiKey}`];
  const kind = authHeader === 'bearer' ? 'the key without a scheme' : 'the key under the scheme Bearer, in X-API-Key';
  const misplaced = { headers: { [headerOf[authHeader]]: value }, isValid: false, kind };
  return [foreignScheme(apiKey, schemes[turn % schemes.length]), misplaced];
}

/** The key without its last character, in each header. */
export function shortenedKeys(session: Session): Credentials[] {
  return inBothHeaders(session, shortened, 'the key without its last character');
}

/** The key with one more character, in each header. */
export function extendedKeys(session: Session): Credentials[] {
  return inBothHeaders(session, extended, 'the key with one more character');
}

function inBothHeaders(session: Session, change: (key: string) => string, kind: string): Credentials[] {
  const wrong = nobodys(session, [{ value: change(session.settings.apiKey), kind }]);
  return wrong.flatMap(({ value }) => inEachHeader(value, kind));
}

/** The near keys that careless servers accept most often, in alternating headers. */
export function usualNearKeys(session: Session, operation: OperationId): Credentials[] {
  const { apiKey } = session.settings;
  const usual = nobodys(session, [
    { value: inOtherCase(apiKey), kind: 'the key in a different letter case' },
    { value: withOtherStart(apiKey), kind: 'the key with a different first character' },
    { value: '%', kind: '% as the key' },
  ]);
  return inTurns(usual, turnOf(session, operation));
}

const drawnAtOnce = 4;

/** Some near keys, starting at a place that the random seed sets; over all operations, each of them. */
export async function drawnNearKeys(session: Session, operation: OperationId): Promise<Credentials[]> {
  const { apiKey, otherApiKey = '', randomSeed } = session.settings;
  const owner = await ownerOfOwn(session);
  const halves = mixed(apiKey, otherApiKey).map((value) => ({ value, kind: 'one half of each of the two keys' }));
  const owners = owner === '' ? [] : [{ value: owner, kind: 'the organizationId as the key' }];
  const near = keysNear(apiKey);
  // Every few neighbours include each kind, in spite of the other keys inserted between them.
  const keys = nobodys(session, [...near.slice(0, 3), ...halves, ...near.slice(3, 6), ...owners, ...near.slice(6)]);
  const place = (randomSeed % keys.length) + turnOf(session, operation) * drawnAtOnce;
  const drawn = Array.from({ length: drawnAtOnce }, (_, index) => keys[(place + index) % keys.length] as WrongKey);
  return inTurns(drawn, place);
}

const ownerOfOwn = oncePerRun(async (session: Session): Promise<string> => {
  const reply = await session.call('listDrives', { query: { limit: 1, offset: 0 } }).catch(() => undefined);
  const [drive] = items(member(reply?.json, 'data'));
  return String(member(drive, 'organizationId') ?? '');
});

// A changed key may happen to be the other organization's key.
function nobodys({ settings: { apiKey, otherApiKey } }: Session, keys: readonly WrongKey[]): WrongKey[] {
  return keys.filter(({ value }) => value !== apiKey && value !== otherApiKey);
}

function inTurns(keys: readonly WrongKey[], start: number): Credentials[] {
  return keys.map(({ value, kind }, index) => {
    return invalidKey(value, (start + index) % 2 === 0 ? 'header' : 'bearer', kind);
  });
}

// The place of the operation in the contract.
function turnOf({ operations }: Session, operation: OperationId): number {
  return [...operations.keys()].indexOf(operation);
}
