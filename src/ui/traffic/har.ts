import { harTimes, toHarRequest, toHarResponse } from '../../../lib/har.ts';
import type { RequestLogEntry } from '../../app/request-log.ts';

/** Exchanges as a HAR 1.2 file, oldest first. Keys are redacted as in the request log. */
export function toHar(
  entries: readonly RequestLogEntry[],
  { origin, version }: { origin: string; version: string },
): string {
  const oldestFirst = entries.toSorted((one, other) => one.id - other.id);
  const creator = { name: 'Agent Platform mock', version };
  const log = { version: '1.2', creator, entries: oldestFirst.map((entry) => toHarEntry(entry, origin)) };
  return `${JSON.stringify({ log }, null, 1)}\n`;
}

function toHarEntry(entry: RequestLogEntry, origin: string): object {
  const { time, durationMs, request, answer, operationId, requestId, isStripped } = entry;
  return {
    startedDateTime: time,
    request: toHarRequest({ ...request, url: wholeUrl(request.url, origin) }),
    response: toHarResponse({ body: '', ...answer }, ''),
    ...harTimes(durationMs),
    _requestId: requestId,
    ...(operationId === undefined ? {} : { _operation: operationId }),
    ...(isStripped === true ? { comment: 'The request log did not keep the bodies.' } : {}),
  };
}

/** The URL of a request, from the target that the mock received. */
export function wholeUrl(target: string, origin: string): string {
  if (/^https?:\/\//i.test(target)) return target;
  return target.startsWith('/') ? origin + target : `${origin}/${target}`;
}
