import type { Call } from '../../../src/engine/call.ts';
import type { Engine } from '../mutant.ts';

/** The values of the two headers that carry keys, to the letter. */
interface SentKeys {
  header: string | undefined;
  authorization: string | undefined;
}

export function sentKeys({ headers }: Call): SentKeys {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { header: text(headers['x-api-key']), authorization: text(headers.authorization) };
}

/** Whether neither of the two headers came. */
export function isKeyless(call: Call): boolean {
  const { header, authorization } = sentKeys(call);
  return header === undefined && authorization === undefined;
}

/** Whether one of the headers came and holds nothing. */
export function isEmptyKey(call: Call): boolean {
  const { header, authorization } = sentKeys(call);
  return header?.trim() === '' || authorization?.trim() === '' || /^bearer\s*$/i.test(authorization ?? '');
}

/** The key in X-API-Key, if any. */
export function headerKey(call: Call): string | undefined {
  return sentKeys(call).header?.trim() || undefined;
}

/** The bearer token, if any. */
export function bearerKey(call: Call): string | undefined {
  return /^bearer +(\S+)/i.exec(sentKeys(call).authorization ?? '')?.[1];
}

/** What follows another scheme than Bearer, if any. */
export function keyOfOtherScheme(call: Call): string | undefined {
  return /^(?!bearer )\S+ +(\S+)/i.exec(sentKeys(call).authorization ?? '')?.[1];
}

/** The valid key that a sent one is near to: of two, the nearest. */
export function nearKey(
  engine: Engine,
  call: Call,
  isNear: (sent: string, key: string) => boolean,
): string | undefined {
  const sent = headerKey(call) ?? bearerKey(call);
  if (sent === undefined) return undefined;
  return engine.store.keys.find((key) => isNear(sent, key));
}
