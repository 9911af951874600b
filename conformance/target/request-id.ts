import type { Settings } from '../config/settings.ts';

/** The value of `requestIdHeader` that sends no id. */
const noRequestId = 'none';

/**
 * The header that identifies a request in the target's log; empty if none is wanted or the user sends that header. The
 * id has the form of a UUID, which gateways accept: the run's id, then the request's number.
 */
export function requestIdOf(
  { runId, requestIdHeader, headers }: Pick<Settings, 'requestIdHeader' | 'headers'> & { runId: string },
  count: number,
): Record<string, string> {
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === requestIdHeader.toLowerCase());
  if (requestIdHeader === noRequestId || isGiven) return {};
  return { [requestIdHeader]: `${runId.replace('run-', '')}-0000-4000-8000-${String(count).padStart(12, '0')}` };
}
