import { asJson, say } from '../../lib/sentence.ts';
import { idFormatOf } from './formats.ts';
import type { Seen, Sighting } from './learned.ts';
import type { ReadExchange } from './memory.ts';
import { isObject, jsonOf, member } from './messages.ts';
import {
  aboutTheThing,
  either,
  isRefused,
  type Observer,
  perhaps,
  refusalStatus,
  type Settle,
  settleStatus,
  statusIn,
  unclear,
} from './observer.ts';
import { keepsPathRule } from './path-rule.ts';
import {
  hasFault,
  hasOnlyKnown,
  hasTakenUrl,
  isCreation,
  isDeclaredJson,
  isMove,
  isOfKnownFile,
  isPlainValue,
  type Test,
} from './plain-writes.ts';
import { isInputRefused, isSuccess } from './statuses.ts';

/** What happens to requests that deviate from a valid request in one way. */
export const requestObservers: readonly Observer[] = [
  refused('errorStatus.invalidBody', (exchange) => createsFromNoObject(exchange) || isIncomplete(exchange)),
  refused('errorStatus.invalidPath', movesAgainstRule),
  refused('errorStatus.unknownParameter', hasMoreParameters),
  { openPoint: 'errorStatus.notFound', see: seeNotFound, settle: settleStatus, toChoice: statusIn },
  { openPoint: 'errorStatus.malformedJson', see: seeMalformedJson },
  { openPoint: 'mediaTypeRules', see: seeMediaTypeRules },
  refused('errorStatus.unsupportedMediaType', hasFault('undeclared')),
  acceptedOrRefused(
    'requiredFields.createDrive',
    (one) => one.operation.resource === 'Drive' && isIncomplete(one),
    'none',
    'all',
  ),
  acceptedOrRefused('requiredFields.updateDriveFile', (one) => isMove(one) && isIncomplete(one), 'none', 'all'),
  { openPoint: 'requiredFields.createMcpServer', see: seeServerFields, settle: settleServerFields },
  acceptedOrRefused('requiredFields.publishAgentRevision', publishesNothing, 'none', 'all'),
  acceptedOrRefused('unknownInput.bodyFields', hasFault('moreFields'), 'ignored', 'refused'),
  acceptedOrRefused('unknownInput.queryParameters', hasMoreParameters, 'ignored', 'refused'),
  { openPoint: 'wrongBodyTypes', see: seeWrongTypes },
  acceptedOrRefused('duplicates.names', isDuplicate, 'allowed', 'refused'),
  acceptedOrRefused('duplicates.urls', isUrlDuplicate, 'allowed', 'refused'),
  acceptedOrRefused('republish', isRepublication, 'accepted', 'refused'),
  {
    openPoint: 'errorStatus.conflict',
    see: (exchange) => {
      if (movesOntoFile(exchange)) return isInputRefused(exchange.answer) ? exchange.answer.status : undefined;
      const isConflict = isDuplicate(exchange) || isUrlDuplicate(exchange) || isRepublication(exchange);
      return isConflict ? refusalStatus(exchange) : undefined;
    },
  },
];

function refused(openPoint: Observer['openPoint'], deviates: Test): Observer {
  return { openPoint, see: (exchange) => (deviates(exchange) ? refusalStatus(exchange) : undefined) };
}

function acceptedOrRefused(
  openPoint: Observer['openPoint'],
  deviates: Test,
  accepted: string,
  rejected: string,
): Observer {
  return { openPoint, see: (exchange) => (deviates(exchange) ? either(exchange, accepted, rejected) : undefined) };
}

// An id with a different format from the known ones may be refused as malformed. Unless the drive was listed, the drive
// itself may be unknown, and 403 may mean that it belongs to another organization.
function seeNotFound(exchange: ReadExchange): Seen | undefined {
  const { operation, request, answer, memory } = exchange;
  if (!operation.isRead || operation.resource !== 'DriveFile' || !isRefused(exchange)) return undefined;
  const [, , driveId = '', , fileId = ''] = request.path.split('/');
  const isPlain = /^[\w-]+$/.test(driveId) && /^[\w-]+$/.test(fileId);
  const { idFormats } = memory;
  const isUsual = idFormats.size === 0 || idFormats.has(undefined) || idFormats.has(idFormatOf(fileId));
  if (!isPlain || !isUsual) return undefined;
  if (memory.isListed(driveId)) return answer.status;
  return answer.status === 403 ? undefined : `${perhaps}${answer.status}`;
}

// If the file is unknown, the refusal may be about that: open point judgedFirst.
function movesAgainstRule(exchange: ReadExchange): boolean {
  const path = member(jsonOf(exchange.request), 'path');
  if (!isMove(exchange) || typeof path !== 'string' || keepsPathRule(path)) return false;
  return isDeclaredJson(exchange) && isOfKnownFile(exchange);
}

// Only creations: elsewhere a refusal may mean that something does not exist.
function seeMalformedJson(exchange: ReadExchange): Seen | undefined {
  if (!isCreation(exchange) || !isDeclaredJson(exchange) || exchange.request.body.kind !== 'text') return undefined;
  return isSuccess(exchange.answer) ? { other: say`accepted` } : refusalStatus(exchange);
}

const isUndeclared = hasFault('undeclared');

const isIncomplete = hasFault('incomplete');

function createsFromNoObject(exchange: ReadExchange): boolean {
  const { body, query } = exchange.request;
  const isPlain = isCreation(exchange) && isDeclaredJson(exchange) && query.length === 0;
  return isPlain && body.kind === 'json' && !isObject(body.value);
}

/** A sighting such as `url accepted`: the only field sent for a new MCP server, or `nothing`, and what happened. */
function seeServerFields(exchange: ReadExchange): Seen | undefined {
  if (exchange.operation.resource !== 'McpServer' || !isIncomplete(exchange)) return undefined;
  const sent = Object.keys(Object(jsonOf(exchange.request)));
  return either(exchange, `${sent[0] ?? 'nothing'} accepted`, `${sent[0] ?? 'nothing'} refused`);
}

function settleServerFields(sightings: readonly Sighting[]): ReturnType<Settle> {
  const has = (sighting: string) => sightings.includes(sighting);
  const areMixed = ['nothing', 'name', 'url'].some((sent) => has(`${sent} accepted`) && has(`${sent} refused`));
  const isNameEnough = has('name accepted');
  if (areMixed) return unclear;
  if (has('nothing accepted')) return has('url refused') || has('name refused') ? unclear : 'none';
  if (has('nothing refused') && isNameEnough) return unclear;
  if (has('url refused')) return isNameEnough ? unclear : 'all';
  return has('nothing refused') && has('url accepted') ? 'url' : undefined;
}

// For an agent that was listed, so that the refusal is about the body.
function publishesNothing(exchange: ReadExchange): boolean {
  const { operation, request, answer, memory } = exchange;
  const [, , agentId = ''] = request.path.split('/');
  if (operation.statusOpenPoint !== 'successStatus.publishAgentRevision' || !memory.isListed(agentId)) return false;
  const isPlain = isDeclaredJson(exchange) && request.query.length === 0;
  return (
    isPlain && Object.keys(jsonOf(request) ?? { none: true }).length === 0 && !aboutTheThing.includes(answer.status)
  );
}

// If the body is accepted, it must also have been read.
function seeMediaTypeRules(exchange: ReadExchange): Seen | undefined {
  if (!isUndeclared(exchange)) return undefined;
  const shown = jsonOf(exchange.answer);
  const [name = ''] = exchange.operation.bodyFields;
  const isRead = member(shown, name) === undefined || member(shown, name) === member(jsonOf(exchange.request), name);
  const seen = either(exchange, 'lenient', 'strict');
  return seen === 'lenient' && !isRead ? { other: say`accepted, but the body is ignored` } : seen;
}

/** Whether the only possible fault of a creation is that its name is taken. */
function isDuplicate(exchange: ReadExchange): boolean {
  const { operation, request, memory } = exchange;
  const isTaken = memory.isNameTaken(operation, member(jsonOf(request), 'name'));
  return isPlainCreation(exchange) && isTaken && !hasTakenUrl(exchange);
}

function isUrlDuplicate(exchange: ReadExchange): boolean {
  const { operation, request, memory } = exchange;
  const isTaken = memory.isNameTaken(operation, member(jsonOf(request), 'name'));
  return isPlainCreation(exchange) && !isTaken && hasTakenUrl(exchange);
}

function isPlainCreation(exchange: ReadExchange): boolean {
  const { operation, request } = exchange;
  const sent = jsonOf(request);
  if (!isCreation(exchange) || !isDeclaredJson(exchange) || !isObject(sent) || request.query.length > 0) return false;
  const write = { sent, names: operation.bodyFields };
  const isPlain = write.names.every((name) => isPlainValue(exchange, name, sent[name]));
  return isPlain && hasOnlyKnown(write);
}

function isRepublication(exchange: ReadExchange): boolean {
  const sent = jsonOf(exchange.request);
  const isPlain = isDeclaredJson(exchange) && isObject(sent) && Object.keys(sent).length === 1;
  return (
    exchange.operation.statusOpenPoint === 'successStatus.publishAgentRevision' &&
    isPlain &&
    exchange.memory.isPublished(exchange.request.path, sent.revisionId)
  );
}

/** Whether a file that was shown is moved to another file's path. */
function movesOntoFile(exchange: ReadExchange): boolean {
  const { request, memory } = exchange;
  const sent = jsonOf(request);
  if (!isMove(exchange) || !isOfKnownFile(exchange) || !isDeclaredJson(exchange) || !isObject(sent)) return false;
  return Object.keys(sent).join() === 'path' && memory.isPathTaken(request.path, String(sent.path));
}

function hasMoreParameters({ operation, request: { query } }: ReadExchange): boolean {
  const isPlainList = operation.list !== undefined && operation.segments.every((segment) => 'literal' in segment);
  const more = query.filter(({ name }) => !operation.parameters.some((each) => each.name === name));
  return (
    isPlainList && more.length > 0 && more.length === query.length && query.every(({ value }) => value !== undefined)
  );
}

function seeWrongTypes(exchange: ReadExchange): Seen | undefined {
  const { operation, request, answer, memory } = exchange;
  const sent = jsonOf(request);
  const name = member(sent, 'name');
  const isOnlyName =
    isCreation(exchange) && operation.bodyFields.length === 1 && Object.keys(Object(sent)).length === 1;
  if (typeof name !== 'number' || !isOnlyName || request.query.length > 0) return undefined;
  if (!isDeclaredJson(exchange) || memory.isNameTaken(operation, String(name))) return undefined;
  if (!isSuccess(answer)) return isRefused(exchange) ? 'refused' : undefined;
  const shown = member(jsonOf(answer), 'name');
  return shown === String(name) ? 'coerced' : { other: say`a name that is not a string is shown as ${asJson(shown)}` };
}
