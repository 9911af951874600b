import type { Profile } from '../../openapi/contract/profile.ts';
import { isJson, readJson } from '../../openapi/reading/messages.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { RequestHeaders } from './call.ts';

/** The value of a JSON body, or the error response. The media type is judged before the JSON. */
export function readBody(
  body: Uint8Array | undefined,
  headers: RequestHeaders,
  profile: Profile,
): { value: unknown } | Refusal {
  if (body === undefined || body.length === 0) return { value: undefined };
  const { 'content-type': contentType, 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') return refuse('unsupportedMediaType', 'Send the body without Content-Encoding.');
  if (profile.mediaTypeRules === 'strict' && !isJson(contentType))
    return refuse('unsupportedMediaType', mediaTypeDetail);
  return parseJson(body);
}

const mediaTypeDetail = 'Send the body as JSON in UTF-8, with Content-Type: application/json.';

// The value must not be changed: open points are read from it, too.
function parseJson(body: Uint8Array): { value: unknown } | Refusal {
  const read = readJson(body);
  if ('value' in read) return read;
  const details = read.details === undefined ? '' : ` (${read.details})`;
  return refuse('malformedJson', `The body ${read.fault}${details}. Send one JSON object in UTF-8.`);
}

/** The value with numbers and booleans as text: open point `wrongBodyTypes: coerced`. */
export function coerceScalars(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isScalar = (inner: unknown) => typeof inner === 'number' || typeof inner === 'boolean';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isScalar(inner) ? String(inner) : inner]),
  );
}
