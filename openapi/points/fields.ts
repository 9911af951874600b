import { type Sentence, say } from '../../lib/sentence.ts';
import { openPointsOf, type SchemaObject } from '../contract/document.ts';
import type { Profile } from '../contract/profile.ts';
import type { BodyObject } from '../reading/body-objects.ts';
import { choiceOf, idFormatOf } from '../reading/formats.ts';
import type { Seen, Sighting } from '../reading/learned.ts';
import { isObject, jsonOf, listIn, member, mostItems, type ReadExchange } from '../reading/messages.ts';
import { type Settle, unclear } from '../reading/observer.ts';
import { isSuccess } from '../reading/statuses.ts';
import type { Rooms } from './room.ts';

/** What responses contain, and how it is written. */
export const fieldsPoints = {
  idFormat: {
    sources: ['2/gap:3'],
    operations: 'all',
    impact: 'hidden',
    seen: 'wire',
    severity: 2,
    open: 'The format of ids. The specification only shows that they are strings.',
    choices: [
      { value: 'uuid', means: 'a random UUID' },
      { value: 'prefixed', means: 'a prefix for the kind of resource, then letters and digits' },
      { value: 'sortable', means: 'letters and digits that sort by time' },
      { value: 'numeric', means: 'digits only' },
    ],
    default: 'uuid',
    isStored: true,
    cost: 'A client that validates ids, or stores them as UUIDs, as numbers or in a column of 36 characters, rejects or loses them.',
    question: 'What do ids look like?',
    see: seeIdFormat,
    settle: settleIdFormat,
    toChoice: (sighting) => sighting.split(' ')[1] ?? sighting,
  },
  timestamps: {
    sources: ['2/sentence:1'],
    seen: 'wire',
    open: 'How timestamps are written.',
    question: 'How precise are timestamps, and is UTC always written as Z?',
    cases: {
      precision: {
        operations: ['all', '-deleteDriveTree', '-listMcpServerTools'],
        impact: 'hidden',
        severity: 1,
        open: 'The precision of timestamps. The specification calls them date-times, so only the notations of RFC 3339 are meant, not all those of ISO 8601.',
        choices: [
          { value: 'milliseconds', means: '2026-02-11T09:00:00.000Z' },
          { value: 'seconds', means: '2026-02-11T09:00:00Z' },
          { value: 'microseconds', means: '2026-02-11T09:00:00.000000Z' },
        ],
        default: 'milliseconds',
        cost: 'A client that compares timestamps as text treats equal times as different.',
        see: (exchange) => sameForAll(timestampsIn(exchange), precisionOf),
      },
      zone: {
        operations: ['all', '-deleteDriveTree', '-listMcpServerTools'],
        impact: 'visible',
        severity: 2,
        open: 'The notation of UTC. Many validators generated from `format: date-time` accept only `Z`.',
        choices: [
          { value: 'Z', means: '2026-02-11T09:00:00.000Z' },
          { value: '+00:00', means: '2026-02-11T09:00:00.000+00:00' },
        ],
        default: 'Z',
        cost: 'A validator that accepts only Z rejects every response.',
        see: (exchange) => sameForAll(timestampsIn(exchange), zoneOf),
      },
    },
  },
  optionalFields: {
    sources: [
      '2.driveFile/row:description',
      '2.driveFile/row:summary',
      '2.driveFile/row:metadata',
      '2.driveFile/row:size',
      '2.driveFile/row:contentType',
      '2.agent/row:description',
      '4.2/gap:1',
    ],
    operations: ['DriveFile', 'listAgents', 'publishAgentRevision'],
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'Which fields of an agent and of a drive file are present. The tables do not state that any field is required. The id is needed to address the resource, so no choice leaves it out.',
    choices: [
      { value: 'present', means: 'every field that has a value' },
      { value: 'absent', means: 'description, summary and metadata are left out' },
      {
        value: 'sparse',
        means: 'description, summary, metadata, size and contentType are left out',
        warned: 'driveFile.fields-are-present',
      },
    ],
    range: {
      type: 'string',
      pattern:
        '^without(?= )( contentType)?( createdAt)?( description)?( hasChanges)?( isPublished)?( kind)?( metadata)?( modifiedAt)?( name)?( path)?( size)?( status)?( summary)?( updatedAt)?$',
      means:
        '`without`, followed by one or more of these fields, in this order and separated by spaces: contentType, createdAt, description, hasChanges, isPublished, kind, metadata, modifiedAt, name, path, size, status, summary, updatedAt',
      likely: ['size', 'contentType', 'modifiedAt', 'status', 'hasChanges', 'updatedAt'].map(
        (name) => `without ${name}`,
      ),
    },
    default: 'present',
    cost: 'A client that reads a missing field fails, or shows `undefined`.',
    question: 'Which fields of agents and drive files are always present?',
    see: seeOptionalFields,
    settle: settleOptionalFields,
    inContract: { schema: (schema, { optionalFields }) => leaveOut(schema, leftOutFields(optionalFields)) },
  },
  missingValues: {
    sources: [
      '2.agent/row:description',
      '2.driveFile/row:description',
      '2.driveFile/row:summary',
      '2.driveFile/row:metadata',
      '4.2/gap:1',
    ],
    operations: ['DriveFile', 'listAgents', 'publishAgentRevision'],
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    open: 'Whether null may replace a value that an agent or a drive file does not have, such as a description. The tables show one type for each field, which suggests that null is not allowed; no sentence says what a missing value looks like. The conformance suite warns about null.',
    choices: [
      { value: 'leftOut', means: 'the field is absent' },
      { value: 'asNull', means: 'the field is present with the value null', warned: 'types.null-is-none-of-them' },
    ],
    default: 'leftOut',
    cost: 'A client that calls a method on a description fails on null; a client that only checks whether the field is present shows the word null.',
    question: 'Is a missing description left out or null?',
    inContract: { schema: (schema, { missingValues }) => missingValues === 'leftOut' && forbidNull(schema) },
    see: seeMissingValues,
    settle: settleMissingValues,
    toChoice: (sighting) => (sighting === 'asNull' ? sighting : 'leftOut'),
  },
  extraFields: {
    sources: ['0/sentence:1'],
    operations: 'all',
    impact: 'hidden',
    seen: 'wire',
    severity: 2,
    open: 'Whether objects have fields that the specification does not show. The specification describes the whole interface, but none of its tables says that it lists every field.',
    choices: [
      { value: 'none', means: 'only the documented fields' },
      { value: 'some', means: 'more fields, such as etag and links' },
    ],
    default: 'none',
    cost: 'A client with strict validators rejects every response as soon as the service adds a field.',
    question: 'Can responses contain undocumented fields?',
    see: seeExtraFields,
    settle: (sightings) => (sightings.includes('some') ? 'some' : 'none'),
  },
  metadataShape: {
    sources: ['2/gap:2'],
    operations: 'DriveFile',
    impact: 'visible',
    seen: 'wire',
    severity: 1,
    open: "The shape of a file's metadata.",
    choices: [
      { value: 'asSeeded', means: "the metadata in the mock's example data" },
      { value: 'empty', means: 'an empty object' },
    ],
    default: 'asSeeded',
    cost: 'A client that reads a key of metadata finds nothing.',
    question: "What does a file's metadata contain?",
    see: seeMetadata,
    settle: (sightings) => ['asSeeded', 'empty'].find((choice) => sightings.includes(choice)),
  },
  sizeUnit: {
    sources: ['2/gap:1'],
    operations: 'DriveFile',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: "The unit of a file's size.",
    choices: [
      { value: 'bytes', means: 'bytes' },
      { value: 'kilobytes', means: 'units of 1024 bytes, rounded up' },
    ],
    default: 'bytes',
    cost: 'A client shows sizes that are about a thousand times too small or too large.',
    question: "What is the unit of a file's size?",
  },
  keyOrder: {
    sources: ['0/sentence:4'],
    operations: 'all',
    impact: 'hidden',
    seen: 'wire',
    severity: 1,
    open: 'The order of keys in JSON objects. It has no meaning in JSON.',
    choices: [
      { value: 'documented', means: 'in the order of the tables' },
      { value: 'reversed', means: 'in reverse order' },
    ],
    default: 'documented',
    cost: 'A client that compares bodies as text sees changes where there are none.',
    question: 'No question: JSON objects have no order.',
    see: seeKeyOrder,
  },
  answerMediaType: {
    sources: ['0/sentence:4'],
    operations: 'all',
    impact: 'hidden',
    seen: 'wire',
    severity: 1,
    open: 'The Content-Type of responses. The specification states it only for requests.',
    choices: [
      { value: 'application/json', means: 'Content-Type: application/json' },
      { value: 'application/json; charset=utf-8', means: 'the same, with a redundant parameter' },
    ],
    default: 'application/json',
    cost: 'A client that compares Content-Type as text does not recognise JSON.',
    question: 'No question: JSON is UTF-8, and clients compare the media type without its parameters.',
    see: seeMediaType,
  },
} satisfies Rooms;

/** The fields of `x-should-have` that are present are required. */
export function leaveOut(schema: SchemaObject, names: ReadonlySet<string>): void {
  const required = schema.required?.filter((name) => !names.has(name)) ?? [];
  if (required.length > 0) schema.required = required;
  else delete schema.required;
}

/** Removes null from the types of a value that may be missing; the hand-written contract allows it. */
export function forbidNull(schema: SchemaObject): void {
  const [type] = [schema.type ?? []].flat().filter((name) => name !== 'null');
  Object.assign(schema, { type });
}

/** The fields that only some agents or files have. */
const usuallyOptional = ['description', 'summary', 'metadata'];

/** The listed choices of the open point `optionalFields` with the fields that each leaves out. */
const listed: Readonly<Record<string, readonly string[]>> = {
  present: [],
  absent: usuallyOptional,
  sparse: ['size', 'contentType', ...usuallyOptional],
};

/** The fields of agents and files that a choice of `optionalFields` leaves out. */
export function leftOutFields(choice: string): ReadonlySet<string> {
  return new Set(listed[choice] ?? choice.split(' ').slice(1));
}

/** The choice of `optionalFields` that leaves out exactly these fields. */
export function choiceLeavingOut(fields: readonly string[]): string {
  const wanted = fields.toSorted();
  const [choice] = Object.entries(listed).find(([, names]) => names.toSorted().join() === wanted.join()) ?? [];
  return choice ?? ['without', ...wanted].join(' ');
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
function settleIdFormat(sightings: readonly Sighting[]): ReturnType<Settle> {
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

const seldom = leftOutFields('absent');

/**
 * A sighting such as `DriveFile none without summary metadata size`: the kind of resource in a response, whether there
 * are `some` of the fields that only some resources have, and the fields that no resource has. A field missing from a
 * single list item may be chance.
 */
function seeOptionalFields({ operation, objects }: ReadExchange): Seen | undefined {
  const resources = objects.filter(({ schema }) => openPointsOf(schema).includes('optionalFields'));
  const [first] = resources;
  if (first === undefined || (operation.list !== undefined && resources.length < 2)) return undefined;
  const fields = fieldsOf(first).filter((name) => name !== 'id');
  const absent = fields.filter((name) => resources.every(({ value }) => value[name] === undefined));
  const hasSeldom = fields.some((name) => seldom.has(name) && !absent.includes(name));
  return [operation.resource, hasSeldom ? 'some' : 'none', 'without', ...absent].join(' ');
}

// A field that all resources of a kind lack is left out. For fields that only some resources have, that may be chance.
function settleOptionalFields(sightings: readonly Sighting[]): ReturnType<Settle> {
  const seen = sightings.map((sighting) => String(sighting).split(' '));
  const kinds = [...Map.groupBy(seen, ([kind]) => kind).values()];
  const usual = kinds
    .flatMap((some) => commonTo(some.map((words) => words.slice(3))))
    .filter((name) => !seldom.has(name));
  const isSeldomShown = seen.some(([, has]) => has === 'some');
  if (!isSeldomShown && kinds.length < 2 && usual.length === 0) return undefined;
  const areSeldomLeftOut = !isSeldomShown && kinds.length > 1;
  return choiceLeavingOut([...new Set([...usual, ...(areSeldomLeftOut ? seldom : [])])]);
}

function commonTo(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce((common, list) => common.filter((name) => list.includes(name)));
}

/**
 * A sighting such as `asNull`, `Agent description;` or `Agent ;description`: a field that a resource has or lacks. A
 * value is missing only if some resources have the field and others do not; a field that all lack may be left out on
 * purpose.
 */
function seeMissingValues({ operation, objects }: ReadExchange): Seen | undefined {
  const fields = objects.flatMap(({ schema, value }) =>
    Object.entries(schema.properties ?? {})
      .filter(([, property]) => openPointsOf(property).includes('missingValues'))
      .map(([name]) => ({ name, value: value[name] })),
  );
  if (fields.length === 0) return undefined;
  if (fields.some(({ value }) => value === null)) return 'asNull';
  const namesOf = (isThere: boolean) =>
    [...new Set(fields.filter(({ value }) => (value !== undefined) === isThere).map(({ name }) => name))].join(' ');
  return `${operation.resource} ${namesOf(true)};${namesOf(false)}`;
}

function settleMissingValues(sightings: readonly Sighting[]): ReturnType<Settle> {
  if (sightings.includes('asNull')) return 'asNull';
  return hasBoth(sightings.map(String)) ? 'leftOut' : undefined;
}

function hasBoth(sightings: readonly string[]): boolean {
  const kinds = Map.groupBy(sightings, (sighting) => sighting.split(' ', 1)[0]);
  return [...kinds.values()].some((some) => {
    const parts = some.map((sighting) => sighting.slice(sighting.indexOf(' ') + 1).split(';'));
    const [has, lacks] = [0, 1].map((part) => new Set(parts.flatMap((each) => each[part]?.split(' ') ?? [])));
    return [...(lacks ?? [])].some((name) => name !== '' && has?.has(name));
  });
}

/** The value that `read` finds in all texts; otherwise two texts that differ, or one that cannot be read. */
function sameForAll(
  texts: readonly string[],
  read: (text: string) => string | undefined,
): string | { other: Sentence } | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  const value = read(first);
  const different = texts.find((text) => read(text) !== value);
  if (different !== undefined) return { other: say`${first}, and ${different}` };
  return value ?? { other: say`${first}` };
}

const fractionDigits: Record<Profile['timestamps.precision'], number> = {
  seconds: 0,
  milliseconds: 3,
  microseconds: 6,
};

/** The choice of `timestamps.precision` that a timestamp shows. */
function precisionOf(time: string): string | undefined {
  const fraction = /T\d\d:\d\d:\d\d(?:\.(\d+))?/.exec(time);
  if (fraction === null) return undefined;
  return Object.entries(fractionDigits).find(([, digits]) => digits === (fraction[1]?.length ?? 0))?.[0];
}

/** The choice of `timestamps.zone` that a timestamp shows. */
function zoneOf(time: string): string | undefined {
  return /Z$|\+00:00$/.exec(time)?.[0];
}

/** The choice of `keyOrder` that the known keys of an object show, given its schema's fields. */
function keyOrderOf(keys: readonly string[], fields: readonly string[]): string | undefined {
  const documented = fields.filter((field) => keys.includes(field));
  const isLike = (order: readonly string[]) => keys.join() === order.join();
  return choiceOf<Profile['keyOrder']>({ documented: isLike(documented), reversed: isLike(documented.toReversed()) });
}

/** The choice of `answerMediaType` that a Content-Type shows. Case and blanks are ignored. */
function jsonMediaType(contentType: string): string | undefined {
  const plain = contentType
    .toLowerCase()
    .replaceAll(/["\s]/g, '')
    .replace(/;$/, '')
    .replace(/;(?=.)/, '; ');
  return choiceOf<Profile['answerMediaType']>({
    'application/json': plain === 'application/json',
    'application/json; charset=utf-8': plain === 'application/json; charset=utf-8',
  });
}
