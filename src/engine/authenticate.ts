import type { Profile } from '../../openapi/contract/profile.ts';
import { type AuthHeader, howToSendKey, keyHeaders, keyIn } from '../../openapi/contract/security.ts';
import type { Organization } from '../domain/organizations.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Store } from '../domain/store.ts';
import type { RequestHeaders } from './call.ts';
import type { Sandboxes } from './sandboxes.ts';

/** The organization of the effective key, or the error response (section 5). */
export function authenticate(store: Store, sandboxes: Sandboxes, key: string | Refusal): Organization | Refusal {
  if (typeof key !== 'string') return key;
  const organization = store.organizationOf(key) ?? sandboxes.openFor(key);
  return (
    organization ??
    refuse(
      'unauthenticated',
      `${sandboxes.whyUnknown(key) ?? 'The API key is unknown; without --seed, demo-key is valid.'} ${howTo}`,
    )
  );
}

const howTo = `Send a valid API key, ${howToSendKey}.`;

/** The effective key, or the error response if there is none or if several differ. */
export function chosenKey(
  authHeaders: readonly AuthHeader[],
  { bothAuthHeaders: rule, bearerSpelling }: Profile,
  headers: RequestHeaders,
): string | Refusal {
  const sent: { authHeader: AuthHeader; key: string }[] = [];
  // This runs for every call: a loop is several times as fast as `flatMap`.
  for (const authHeader of authHeaders) {
    const key = keyIn(authHeader, headers, bearerSpelling);
    if (key !== undefined) sent.push({ authHeader, key });
  }
  const [first] = sent;
  if (first === undefined) return refuse('unauthenticated', `The request has no API key in a supported form. ${howTo}`);
  if (sent.every(({ key }) => key === first.key)) return first.key;
  if (rule === 'refused')
    return refuse('unauthenticated', `${keyHeaders.join(' and ')} carry different keys. Send one.`);
  const winner = sent.find(({ authHeader }) => authHeader.scheme === (rule === 'apiKeyWins' ? 'plain' : 'bearer'));
  return (winner ?? first).key;
}
