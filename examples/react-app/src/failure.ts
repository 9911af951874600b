/**
 * Why a call did not succeed, as far as the contract tells it:
 *
 * - `signedOut`: 401. Nothing was done.
 * - `refused`: another 4xx. Nothing was done. Which code means what is open, so no code but 401 is looked at.
 * - `lost`: no response, half a response, or a 5xx. A write may have been done or not.
 */
export class Failure extends Error {
  readonly kind: 'signedOut' | 'refused' | 'lost';
  readonly status: number | undefined;
  /** The server's own words, where its response has any. */
  readonly reason: string | undefined;

  constructor(status?: number, body?: unknown) {
    super(status === undefined ? 'No response' : `Response ${status}`);
    this.kind = kindOf(status);
    this.status = status;
    this.reason = reasonIn(body);
  }
}

function kindOf(status = 0): Failure['kind'] {
  if (status === 401) return 'signedOut';
  return status >= 400 && status < 500 ? 'refused' : 'lost';
}

const usualFields = ['detail', 'message', 'error', 'errors', 'title'];

/** A sentence in the body of a refusal. Its shape is open, so all usual ones are tried, and there may be none. */
export function reasonIn(body: unknown, depth = 3): string | undefined {
  if (typeof body === 'string') return body.trim().slice(0, 300) || undefined;
  if (typeof body !== 'object' || body === null || depth === 0) return undefined;
  const fields = body as Record<string, unknown>;
  const candidates = Array.isArray(body) ? body : usualFields.map((field) => fields[field]);
  return candidates.map((value) => reasonIn(value, depth - 1)).find((reason) => reason !== undefined);
}
