import { signal } from '@preact/signals';
import { decodePart, decodeQuery, pathParametersIn } from '../../../lib/query.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { goTo } from '../shared/url-state.ts';

/** A request from elsewhere that waits to be shown in its form. */
interface Draft {
  operationId: string;
  request: { url: string; body?: string };
}

export const draft = signal<Draft | undefined>(undefined);

export function openInTry(operationId: string, request: Draft['request']): void {
  draft.value = { operationId, request };
  goTo('try', operationId);
}

/** The fields that a request fills, by their keys. */
export function valuesOf({ request }: Draft, operation: Operation): Record<string, string> {
  const [path = '', query = ''] = request.url.replace(/^[a-z]+:\/\/[^/?]*/i, '').split(/\?(.*)/s);
  // What is not percent-encoded UTF-8 is shown as it was sent.
  const parts = path.split('/').map((part) => (decodePart(part) === undefined ? encodeURIComponent(part) : part));
  const ids = pathParametersIn(operation, parts.slice(-operation.segments.length));
  const inPath = Object.entries(ids).map(([name, id = '']) => [`path.${name}`, id]);
  const inQuery = decodeQuery(query).map(({ name, value = '' }) => [`query.${name}`, value]);
  return Object.fromEntries([...inPath, ...inQuery]);
}
