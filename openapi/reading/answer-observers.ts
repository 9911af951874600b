import { joined, type Sentence, say } from '../../lib/sentence.ts';
import type { Operation } from '../contract/operations.ts';
import type { BodyObject } from './body-objects.ts';
import {
  seeMissingValues,
  seeOptionalFields,
  seePaginationFields,
  settleMissingValues,
  settleOptionalFields,
} from './field-observers.ts';
import { errorShapeOf, idFormatOf, jsonMediaType, keyOrderOf, precisionOf, sameForAll, zoneOf } from './formats.ts';
import type { Seen, Sighting } from './learned.ts';
import { mostItems, type ReadExchange } from './memory.ts';
import { isObject, jsonOf, listIn, mediaTypeOf, member } from './messages.ts';
import { type Observer, unclear } from './observer.ts';
import { isClientError, isSuccess } from './statuses.ts';

const statusOpenPoints: readonly NonNullable<Operation['statusOpenPoint']>[] = [
  'successStatus.createDrive',
  'successStatus.createMcpServer',
  'successStatus.publishAgentRevision',
  'successStatus.getDriveFile',
  'successStatus.updateDriveFile',
  'successStatus.deleteDriveTree',
];

/** What every response shows, for any request: statuses, headers, formats, fields, error bodies. */
export const answerObservers: readonly Observer[] = [
  ...statusOpenPoints.map(
    (openPoint): Observer => ({
      openPoint,
      see: ({ operation, answer }) =>
        isSuccess(answer) && operation.statusOpenPoint === openPoint ? answer.status : undefined,
    }),
  ),
  { openPoint: 'publishBody', see: seePublishBody },
  { openPoint: 'mcpDefaultType', see: seeDefaultType },
  { openPoint: 'timestamps.precision', see: (exchange) => sameForAll(timestampsIn(exchange), precisionOf) },
  { openPoint: 'timestamps.zone', see: (exchange) => sameForAll(timestampsIn(exchange), zoneOf) },
  {
    openPoint: 'idFormat',
    see: seeIdFormat,
    settle: settleIdFormat,
    toChoice: (sighting) => sighting.split(' ')[1] ?? sighting,
  },
  {
    openPoint: 'optionalFields',
    see: seeOptionalFields,
    settle: settleOptionalFields,
  },
  {
    openPoint: 'missingValues',
    see: seeMissingValues,
    settle: settleMissingValues,
    toChoice: (sighting) => (sighting === 'asNull' ? sighting : 'leftOut'),
  },
  {
    openPoint: 'extraFields',
    see: seeExtraFields,
    settle: (sightings) => (sightings.includes('some') ? 'some' : 'none'),
  },
  {
    openPoint: 'metadataShape',
    see: seeMetadata,
    settle: (sightings) => ['asSeeded', 'empty'].find((choice) => sightings.includes(choice)),
  },
  { openPoint: 'paginationFields', see: seePaginationFields },
  { openPoint: 'keyOrder', see: seeKeyOrder },
  { openPoint: 'answerMediaType', see: seeMediaType },
  { openPoint: 'cors', see: seeCors },
  { openPoint: 'rateLimits', see: seeRateLimits },
  { openPoint: 'wwwAuthenticate', see: seeChallenge },
  { openPoint: 'errorBody', see: seeErrorBody },
];

// A 204 or 205 has no body in any case.
function seePublishBody({ operation, answer }: ReadExchange): Seen | undefined {
  const { status, body } = answer;
  if (operation.statusOpenPoint !== 'successStatus.publishAgentRevision' || !isSuccess(answer)) return undefined;
  if (status === 204 || status === 205 || body.kind === 'unread') return undefined;
  if (body.kind === 'none') return 'none';
  if (body.kind === 'text') return { other: body.why };
  const has = (name: string) => member(body.value, name) !== undefined;
  if (isObject(body.value) && Object.keys(body.value).length === 0) return 'emptyObject';
  if (has('revisionId') && has('agentId') && has('createdAt')) return 'revision';
  return has('id') && has('isPublished') ? 'agent' : { other: keysIn(body.value) };
}

// The type is the server's choice unless the request names one.
function seeDefaultType({ operation, request, answer }: ReadExchange): Seen | undefined {
  const isCreation = operation.isCreation && operation.resource === 'McpServer';
  const type = member(jsonOf(answer), 'type');
  if (!isCreation || !isSuccess(answer) || typeof type !== 'string') return undefined;
  if (member(jsonOf(request), 'type') !== undefined) return undefined;
  return type === 'sse' || type === 'streamableHttp' ? type : { other: say`${type}` };
}

const timestamp = '#/components/schemas/Timestamp';

function timestampsIn({ objects }: ReadExchange): string[] {
  return objects.flatMap(({ schema, value }) => {
    const fields = Object.entries(schema.properties ?? {});
    const times = fields.filter(([, field]) => '$ref' in field && field.$ref === timestamp);
    return times.map(([name]) => value[name]).filter((time) => typeof time === 'string');
  });
}

/** The resources in a successful response; of a long list, the first ones. */
function resourcesIn({ operation, answer }: ReadExchange): unknown[] {
  if (!isSuccess(answer) || operation.resource === undefined) return [];
  return operation.list === undefined
    ? [jsonOf(answer)]
    : (listIn(operation, jsonOf(answer)) ?? []).slice(0, mostItems);
}

/**
 * A sighting such as `new prefixed Drive drv`: whether the resource was just created, its id format, the kind of
 * resource and the id prefix.
 */
function seeIdFormat(exchange: ReadExchange): Seen | undefined {
  const { isCreation, resource } = exchange.operation;
  const ids = resourcesIn(exchange)
    .map((each) => member(each, 'id'))
    .filter((id) => typeof id === 'string');
  const age = isCreation ? 'new' : 'old';
  return sameForAll(ids, (id) => {
    const format = idFormatOf(id);
    if (format !== 'prefixed') return format && `${age} ${format} ${resource}`;
    return `${age} ${format} ${resource} ${id.split(/[_-]/, 1)[0]}`;
  });
}

// Ids of seeded or old resources may have a different format: new ones decide if both kinds were created.
function settleIdFormat(sightings: readonly Sighting[]): ReturnType<NonNullable<Observer['settle']>> {
  const all = sightings.map((each) => (typeof each === 'string' ? each.split(' ') : []));
  const created = all.filter(([age]) => age === 'new');
  const areBothNew = new Set(created.map(([, , kind]) => kind)).size > 1;
  const decisive = areBothNew ? created : all;
  const formats = new Set(decisive.map(([, format]) => format));
  const [format] = formats;
  if (formats.size !== 1 || format === undefined) return unclear;
  const prefixes = new Map(decisive.map(([, , kind, prefix]) => [kind, prefix]));
  const isByKind = decisive.every(([, , kind, prefix]) => prefixes.get(kind) === prefix);
  if (format === 'prefixed' && (!isByKind || new Set(prefixes.values()).size < prefixes.size)) return unclear;
  return format;
}

// Empty metadata in a single file may be chance.
function seeMetadata(exchange: ReadExchange): Seen | undefined {
  if (exchange.operation.resource !== 'DriveFile') return undefined;
  const [metadata] = resourcesIn(exchange).map((file) => member(file, 'metadata'));
  if (!isObject(metadata)) return undefined;
  if (Object.keys(metadata).length > 0) return 'asSeeded';
  return exchange.memory.hasOtherEmptyMetadata(exchange.request.path) ? 'empty' : 'empty in one file';
}

function fieldsOf({ schema }: Pick<BodyObject, 'schema'>): string[] {
  return Object.keys(schema.properties ?? {});
}

function seeExtraFields({ objects }: ReadExchange): Seen | undefined {
  if (objects.length === 0) return undefined;
  const hasMore = (each: BodyObject) => Object.keys(each.value).some((name) => !fieldsOf(each).includes(name));
  return objects.some(hasMore) ? 'some' : 'none';
}

const fewestKeys = 3;

function seeKeyOrder({ objects }: ReadExchange): Seen | undefined {
  const orders = objects.flatMap((each) => {
    const keys = Object.keys(each.value).filter((key) => fieldsOf(each).includes(key));
    return keys.length < fewestKeys ? [] : [[keys.join(', '), keyOrderOf(keys, fieldsOf(each))] as const];
  });
  const byText = new Map(orders);
  return sameForAll([...byText.keys()], (keys) => byText.get(keys));
}

function seeMediaType({ answer }: ReadExchange): Seen | undefined {
  if (!isSuccess(answer) || answer.body.kind !== 'json') return undefined;
  const contentType = answer.headers['content-type'] ?? 'no Content-Type';
  return jsonMediaType(contentType) ?? { other: say`${contentType}` };
}

const announced = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

function seeRateLimits({ answer }: ReadExchange): Seen | undefined {
  if (!isSuccess(answer)) return undefined;
  const names = Object.keys(answer.headers).filter((name) => /rate-?limit/.test(name));
  if (names.length === 0) return 'none';
  return announced.every((name) => names.includes(name)) ? 'announced' : { other: joined(names) };
}

// If a page from this machine may not read, no page may; if a foreign page may, every page may.
function seeCors({ request, answer }: ReadExchange): Seen | undefined {
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  const allowed = answer.headers['access-control-allow-origin'];
  if (allowed === '*') return 'any';
  const isLocal = /^[a-z+.-]+:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\]|[^/]*\.localhost)(?::\d+)?$/i.test(origin);
  if (allowed === origin) return isLocal ? 'local' : 'any';
  return isLocal ? 'none' : undefined;
}

function seeChallenge({ answer: { status, headers } }: ReadExchange): Seen | undefined {
  if (status !== 401) return undefined;
  const challenge = headers['www-authenticate'];
  if (challenge === undefined) return 'absent';
  return /^bearer\b/i.test(challenge) ? 'sent' : { other: say`${challenge}` };
}

function seeErrorBody({ answer }: ReadExchange): Seen | undefined {
  const { body, headers } = answer;
  if (!isClientError(answer) || body.kind === 'unread') return undefined;
  if (body.kind === 'none') return 'empty';
  if (body.kind === 'text') return { other: body.why };
  return errorShapeOf(body.value, mediaTypeOf(headers)) ?? { other: keysIn(body.value) };
}

const mostKeys = 10;

function keysIn(json: unknown): Sentence {
  if (!isObject(json)) return say`JSON that is not an object`;
  return say`an object with ${joined(Object.keys(json).slice(0, mostKeys))}`;
}
