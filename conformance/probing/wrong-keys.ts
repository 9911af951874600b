import type { OperationId } from '../../openapi/contract/operations.ts';
import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { type CarrierName, type Credentials, foreignScheme, headerOf, invalidKey } from '../target/credentials.ts';
import { items, member } from '../target/expectations.ts';
import { extended, inOtherCase, keysNear, mixed, shortened, withOtherStart } from '../target/near-keys.ts';

/** A key in both headers, one after the other. */
export function inEachHeader(key: string): Credentials[] {
  return [invalidKey(key, 'header'), invalidKey(key, 'bearer')];
}

/** A key that nobody has, about as long as the own key. */
export function unknownKey({ runId, settings: { apiKey } }: Session): string {
  return `${runId}${'z'.repeat(apiKey.length)}`.slice(0, Math.max(12, apiKey.length));
}

const longLength = 160;

/** Unknown keys that a server may refuse for their looks; all of them on the operation whose refusal is stated. */
export function unknownKeys(session: Session, operation: OperationId): Credentials[] {
  const long = session.runId.padEnd(longLength, 'z');
  const looks = [invalidKey('q7', 'header'), invalidKey(long, 'bearer'), invalidKey('q7', 'bearer')];
  const some = operation === 'listMcpServerTools' ? looks : [looks[turnOf(session, operation) % 2] as Credentials];
  return [...inEachHeader(unknownKey(session)), ...some];
}

/** An unknown bearer token; on some operations also an unknown key in both headers at once. */
export function unknownTokens(session: Session, operation: OperationId): Credentials[] {
  const token = invalidKey(unknownKey(session), 'bearer');
  const both = { ...token, headers: { ...token.headers, ...invalidKey(unknownKey(session), 'header').headers } };
  return turnOf(session, operation) % 3 === 0 ? [token, both] : [token];
}

const schemes = ['Basic', 'Token', 'ApiKey', 'Key'];

/** The valid key under another scheme, and where a scheme is missing or does not belong. */
export function otherSchemes(session: Session, operation: OperationId): Credentials[] {
  const { apiKey } = session.settings;
  const turn = turnOf(session, operation);
  const [carrier, value]: [CarrierName, string] = turn % 2 === 0 ? ['bearer', apiKey] : ['header', `Bearer ${apiKey}`];
  const misplaced = { headers: { [headerOf[carrier]]: value }, isValid: false };
  return [foreignScheme(apiKey, schemes[turn % schemes.length]), misplaced];
}

/** The key without its last character, in each header. */
export function shortenedKeys(session: Session): Credentials[] {
  return nobodys(session, [shortened(session.settings.apiKey)]).flatMap(inEachHeader);
}

/** The key with one more character, in each header. */
export function extendedKeys(session: Session): Credentials[] {
  return nobodys(session, [extended(session.settings.apiKey)]).flatMap(inEachHeader);
}

/** The near keys that careless servers take most often, by turns in either header. */
export function usualNearKeys(session: Session, operation: OperationId): Credentials[] {
  const { apiKey } = session.settings;
  const usual = nobodys(session, [inOtherCase(apiKey), withOtherStart(apiKey), '%']);
  return inTurns(usual, turnOf(session, operation));
}

const drawnAtOnce = 4;

/** Some of all near keys: over all operations each of them, from where the random seed begins. */
export async function drawnNearKeys(session: Session, operation: OperationId): Promise<Credentials[]> {
  const { apiKey, otherApiKey, randomSeed } = session.settings;
  const owner = await ownerOfOwn(session);
  const others = [...(otherApiKey === undefined ? [] : mixed(apiKey, otherApiKey)), ...(owner === '' ? [] : [owner])];
  const keys = nobodys(session, [...keysNear(apiKey), ...others]);
  const place = (randomSeed % keys.length) + turnOf(session, operation) * drawnAtOnce;
  const drawn = Array.from({ length: drawnAtOnce }, (_, index) => keys[(place + index) % keys.length] ?? '');
  return inTurns(drawn, place);
}

const ownerOfOwn = oncePerRun(async (session: Session): Promise<string> => {
  const reply = await session.call('listDrives', { query: { limit: 1, offset: 0 } }).catch(() => undefined);
  const [drive] = items(member(reply?.json, 'data'));
  return String(member(drive, 'organizationId') ?? '');
});

// What differs from the own key may be the key of the other organization.
function nobodys({ settings: { apiKey, otherApiKey } }: Session, keys: readonly string[]): string[] {
  return keys.filter((key) => key !== apiKey && key !== otherApiKey);
}

function inTurns(keys: readonly string[], start: number): Credentials[] {
  return keys.map((key, index) => invalidKey(key, (start + index) % 2 === 0 ? 'header' : 'bearer'));
}

// The place of the operation in the contract.
function turnOf({ operations }: Session, operation: OperationId): number {
  return [...operations.keys()].indexOf(operation);
}
