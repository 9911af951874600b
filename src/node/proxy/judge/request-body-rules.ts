import { isObject, mediaTypeOf, type RequestView } from '../../../../openapi/reading/messages.ts';
import { type Sentence, say } from '../../../../openapi/reading/sentence.ts';
import type { FoundViolation } from '../exchange.ts';
import type { Rules } from './rules.ts';

/** A body as Prism can judge it, and what it cannot. */
export interface ReadBody {
  /** The body for Prism; an empty object if Prism must not judge it. */
  value: unknown;
  isJudged: boolean;
  violations: FoundViolation[];
}

const notJudged = { value: {}, isJudged: false };

/** Reads the body of a request: its size, media type and JSON, and that it is an object. */
export function readRequestBody(view: RequestView, rules: Rules): ReadBody {
  const { body, operation } = view;
  const tooLarge = sizeViolations(view, rules);
  if (!operation.takesBody || tooLarge.length > 0) return { ...notJudged, violations: tooLarge };
  if (body.kind === 'none') return { value: undefined, isJudged: true, violations: [] };
  // Prism takes application/x+json for application/json as well.
  if (mediaTypeOf(view.headers) !== 'application/json') {
    const message = say`The body must be declared as application/json`;
    return { ...notJudged, violations: [violation('unsupportedMediaType', message, ['header', 'content-type'])] };
  }
  if (body.kind === 'unread') return { ...notJudged, violations: [] };
  if (body.kind === 'text')
    return { ...notJudged, violations: [violation('malformedJson', say`The request cannot be read: ${body.why}`)] };
  // Prism takes null for no body at all.
  if (!isObject(body.value)) return { ...notJudged, violations: [violation('type', say`The body must be an object`)] };
  return { value: body.value, isJudged: true, violations: [] };
}

// OpenAPI cannot bound the bytes of a body.
function sizeViolations({ body, operation }: RequestView, { profile }: Rules): FoundViolation[] {
  if (profile === undefined || !operation.takesBody || body.kind === 'none') return [];
  if (body.lengthBytes <= profile.bodySizeLimit) return [];
  return [violation('bodyTooLarge', say`The body must not be larger than ${profile.bodySizeLimit} bytes`)];
}

function violation(code: string, message: Sentence, place: readonly string[] = ['body']): FoundViolation {
  return { location: ['request', ...place], severity: 'Error', code, message };
}
