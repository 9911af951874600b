// Requests that deviate from a valid request in one way only, so that the response shows what the server makes of it.

import { isObject, jsonOf, mediaTypeOf, member, type ReadExchange } from './messages.ts';
import type { Test } from './observer.ts';

export function isDeclaredJson({ request: { headers } }: ReadExchange): boolean {
  return mediaTypeOf(headers) === 'application/json';
}

export function isCreation({ operation }: ReadExchange): boolean {
  return operation.isCreation;
}

export function isMove({ operation }: ReadExchange): boolean {
  return operation.statusOpenPoint === 'successStatus.updateDriveFile';
}

/** The body of a write that has at most one fault. */
interface Write {
  sent: Record<string, unknown>;
  /** The fields that the contract shows. */
  names: readonly string[];
}

/**
 * The body of a write whose known fields have plain values and that does not conflict with anything known: a creation,
 * or a move within the directory of a file that was shown. Undefined for other requests.
 */
function plainWrite(exchange: ReadExchange): Write | undefined {
  const { operation, request, memory } = exchange;
  const sent = jsonOf(request);
  if (!isObject(sent) || request.query.length > 0 || !(isCreation(exchange) || isMove(exchange))) return undefined;
  const names = operation.bodyFields;
  const isPlain = names.every((name) => sent[name] === undefined || isPlainValue(exchange, name, sent[name]));
  const isNew = !memory.isNameTaken(operation, sent.name) && !hasTakenUrl(exchange);
  const isKnown = isCreation(exchange) ? isNew : isOfKnownFile(exchange);
  return isPlain && isKnown ? { sent, names } : undefined;
}

/** Whether a new MCP server has the URL of an earlier one. */
function hasTakenUrl({ request, memory }: ReadExchange): boolean {
  const { url } = Object(jsonOf(request));
  return url !== undefined && memory.isUrlTaken(url);
}

export function isOfKnownFile({ request, memory }: ReadExchange): boolean {
  return memory.filePath(request.path) !== undefined;
}

// The rules for names, paths and URLs are unspecified, so only plain ones are certain to be legal.
function isPlainValue({ request, memory }: ReadExchange, name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (name === 'url') return /^https?:\/\/[a-z0-9]/.test(value) && URL.canParse(value);
  if (name !== 'path') return /^\w[\w -]{0,62}\w$/.test(value);
  const now = memory.filePath(request.path) ?? '';
  const isNear = value.slice(0, value.lastIndexOf('/')) === now.slice(0, now.lastIndexOf('/'));
  return (
    isNear && /^[\w.-]*\w$/.test(value.slice(value.lastIndexOf('/') + 1)) && !memory.isPathTaken(request.path, value)
  );
}

function hasOnlyKnown({ sent, names }: Write): boolean {
  return Object.keys(sent).every((name) => names.includes(name));
}

/** Whether this is the only fault of a write: its Content-Type, a missing field, or a field that the contract lacks. */
export function hasFault(fault: 'undeclared' | 'incomplete' | 'moreFields'): Test {
  return (exchange) => {
    const write = plainWrite(exchange);
    if (write === undefined) return false;
    const isComplete = write.names.every((name) => write.sent[name] !== undefined);
    const found = { undeclared: !isDeclaredJson(exchange), incomplete: !isComplete, moreFields: !hasOnlyKnown(write) };
    return Object.entries(found).every(([name, isFound]) => isFound === (name === fault));
  };
}

/** Whether its only fault is a missing field. */
export const isIncomplete = hasFault('incomplete');

/** Whether the only possible fault of a creation is that its name, or its URL, is taken. */
const isDuplicate =
  (what: 'name' | 'url'): Test =>
  (exchange) => {
    const { operation, request, memory } = exchange;
    const taken = { name: memory.isNameTaken(operation, member(jsonOf(request), 'name')), url: hasTakenUrl(exchange) };
    return isPlainCreation(exchange) && taken[what] && taken.name !== taken.url;
  };

export const isNameDuplicate = isDuplicate('name');
export const isUrlDuplicate = isDuplicate('url');

function isPlainCreation(exchange: ReadExchange): boolean {
  const { operation, request } = exchange;
  const sent = jsonOf(request);
  if (!isCreation(exchange) || !isDeclaredJson(exchange) || !isObject(sent) || request.query.length > 0) return false;
  const write = { sent, names: operation.bodyFields };
  const isPlain = write.names.every((name) => isPlainValue(exchange, name, sent[name]));
  return isPlain && hasOnlyKnown(write);
}

/** Whether the active revision is published again. */
export function isRepublication(exchange: ReadExchange): boolean {
  const sent = jsonOf(exchange.request);
  const isPlain = isDeclaredJson(exchange) && isObject(sent) && Object.keys(sent).length === 1;
  return (
    exchange.operation.statusOpenPoint === 'successStatus.publishAgentRevision' &&
    isPlain &&
    exchange.memory.isPublished(exchange.request.path, sent.revisionId)
  );
}
