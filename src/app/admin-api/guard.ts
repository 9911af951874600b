// The options for access: `src/http/create-mock.ts`; CORS: `src/http/control-edge.ts`.
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { authHeadersOf, keyIn } from '../../../openapi/contract/security.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { RequestHeaders } from '../../engine/call.ts';
import type { ControlRequest } from './control.ts';

/** Who may use an admin API. */
export interface Access {
  /** If set, every request must carry it. */
  token?: string | undefined;
  /** The origins of other pages that may use it, in lower case. */
  origins?: readonly string[] | undefined;
  /** Why nobody may use it, except the operations that are open to everyone. */
  closed?: string | undefined;
}

/** Whether a page of a different origin may use the admin API. */
export function isAllowedPage({ origin = '' }: RequestHeaders, { origins = [], closed }: Access): boolean {
  return closed === undefined && origins.includes(String(origin).toLowerCase());
}

/** Whether this is an allowed preflight, which browsers send without a token. */
export function isAllowedPreflight({ method, headers }: ControlRequest, access: Access): boolean {
  return method === 'OPTIONS' && 'access-control-request-method' in headers && isAllowedPage(headers, access);
}

/** Whether an address can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * Refuses requests from pages of origins that are not allowed, which may send a simple POST without a preflight.
 * Without a token, also refuses other machines, and requests to a host name other than this machine's: a page may point
 * its own name here (DNS rebinding).
 */
export function refuseStranger(
  request: ControlRequest,
  document: ContractDocument,
  access: Access,
): Refusal | undefined {
  const { headers, origin, isLocal } = request;
  const { token, closed } = access;
  if (closed !== undefined) return refuse('forbidden', closed);
  const page = headers.origin;
  const isOther = page !== undefined && String(page).toLowerCase() !== origin.toLowerCase();
  if ((isOther && !isAllowedPage(headers, access)) || isFetchedElsewhere(headers)) {
    const remedy = `--admin-origin ${page ?? '<origin of the page>'}`;
    return refuse(
      'forbidden',
      `The admin API does not accept requests from pages on other origins. To allow this page, use ${remedy}.`,
    );
  }
  if (token !== undefined) {
    if (isAllowedPreflight(request, access)) return undefined;
    const isKnown = authHeadersOf(document).some((authHeader) => isSame(keyIn(authHeader, headers) ?? '', token));
    const detail = 'Send the token of --admin-token as Authorization: Bearer <token>.';
    return isKnown ? undefined : refuse('unauthenticated', detail);
  }
  if (isLocal && isLoopback(String(headers.host ?? '').replace(/:\d+$/, ''))) return undefined;
  return refuse(
    'forbidden',
    'Without a token, the admin API only accepts requests from this machine, to a name such as localhost.',
  );
}

/**
 * Whether a page of a different origin fetches this without sending its origin: as an image, a script or `no-cors`.
 * Following a link is allowed: the user sees the response, but no page can read it.
 */
function isFetchedElsewhere(headers: RequestHeaders): boolean {
  const isElsewhere = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
  const isFollowed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return headers.origin === undefined && isElsewhere && !isFollowed;
}

// Compares every character sent, so that the time reveals nothing about the token.
function isSame(sent: string, token: string): boolean {
  let difference = sent.length ^ token.length;
  for (let index = 0; index < sent.length; index++)
    difference |= sent.charCodeAt(index) ^ token.charCodeAt(index % token.length);
  return difference === 0;
}
