import type { SchemaObject } from '../../../../openapi/contract/document.ts';
import { countOf, type Schemas } from '../../../../openapi/contract/schemas.ts';
import { isObject } from '../../../../openapi/reading/messages.ts';
import { mostViolations } from '../exchange.ts';

// Prism judges this many items of a list even if our validator finds no errors: it may find more.
const alwaysJudged = 5_000;

/**
 * A body that Prism can judge in bounded time. Prism reports each fault of each item, and there may be half a million.
 * So our validator, which stops early, checks first, and each list in the body is cut after its errors.
 */
export function withinBounds(body: unknown, schema: SchemaObject, schemas: Schemas): unknown {
  const found = schemas.of(schema)(body);
  const isTooMuch = countOf(found) > mostViolations;
  const cut = (list: readonly unknown[], place: readonly string[]): readonly unknown[] => {
    const own = found.filter(
      ({ location }) => location.length > place.length && place.every((step, at) => location[at] === step),
    );
    const indexes = own.map(({ location }) => Number(location[place.length]));
    // The first error in a list is always found; if there are few, all are.
    const isCutShort = isTooMuch && indexes.length > 0;
    const last = isCutShort ? Math.min(...indexes) + mostViolations : Math.max(alwaysJudged, ...indexes);
    return list.slice(0, last + 1);
  };
  if (Array.isArray(body)) return cut(body, []);
  if (!isObject(body)) return body;
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value) && value.length > mostViolations);
  if (lists.length === 0) return body;
  return { ...body, ...Object.fromEntries(lists.map(([name, list]) => [name, cut(list as unknown[], [name])])) };
}
