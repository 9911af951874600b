import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { carriersOf, keyIn } from '../../../openapi/contract/security.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { ControlRequest } from './control.ts';

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * Refuses requests from pages of other origins, which may send a simple POST without asking first. Without a token,
 * refuses other machines too, and requests to another host than this machine: a page may let a name of its own point
 * here (DNS rebinding).
 */
export function refuseStranger(
  { headers, origin, isLocal }: ControlRequest,
  document: ContractDocument,
  token: string | undefined,
): Refusal | undefined {
  const page = headers.origin;
  if (page !== undefined && String(page).toLowerCase() !== origin.toLowerCase())
    return refuse('forbidden', 'The control plane takes no requests from pages of other origins.');
  if (token !== undefined) {
    const isKnown = carriersOf(document).some((carrier) => isSame(keyIn(carrier, headers) ?? '', token));
    const detail = 'Send the token of --admin-token as Authorization: Bearer <token>.';
    return isKnown ? undefined : refuse('unauthenticated', detail);
  }
  if (isLocal && isLoopback(String(headers.host ?? '').replace(/:\d+$/, ''))) return undefined;
  return refuse(
    'forbidden',
    'Without a token, the control plane only accepts requests from this machine, to a name such as localhost.',
  );
}

// Reads every character that was sent, so that the time reveals nothing about the token.
function isSame(sent: string, token: string): boolean {
  let difference = sent.length ^ token.length;
  for (let index = 0; index < sent.length; index++)
    difference |= sent.charCodeAt(index) ^ token.charCodeAt(index % token.length);
  return difference === 0;
}
