import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../session.ts';
import { type Observer, ownReplies, type Seen } from './observer.ts';
import { type ShownObject, shownFields, shownObjects } from './shown.ts';

/** What the successful answers of the run show, whatever they were asked for. Nothing is sent. */
export const answerObservers: readonly Observer[] = [
  looking('timestampPrecision', (session) => sameForAll(timestampsIn(session), precisionOf)),
  looking('timestampZone', (session) => sameForAll(timestampsIn(session), (text) => /Z$|\+00:00$/.exec(text)?.[0])),
  looking('optionalFields', seeOptionalFields),
  looking('extraFields', seeExtraFields),
  looking('keyOrder', seeKeyOrder),
  looking('answerMediaType', seeMediaType),
  looking('metadataShape', seeMetadata),
  looking('rateLimits', seeRateLimits),
];

function looking(openPoint: Observer['openPoint'], look: (session: Session) => Seen): Observer {
  return { openPoint, phase: 'judge', see: async (session) => look(session) };
}

/** What is read from each text, when it is the same for all; a sample of what it is not read from, or of two that differ. */
export function sameForAll(texts: readonly string[], read: (text: string) => string | undefined): Seen {
  const [first] = texts;
  if (first === undefined) return undefined;
  const value = read(first);
  const different = texts.find((text) => read(text) !== value);
  if (different !== undefined) return { other: `${first}, and ${different}` };
  return value ?? { other: first };
}

function timestampsIn(session: Session): string[] {
  const values = shownObjects(session).flatMap(({ value }) => [value.createdAt, value.updatedAt, value.modifiedAt]);
  return values.filter((value) => typeof value === 'string');
}

const precisions: Record<number, string> = { 0: 'seconds', 3: 'milliseconds', 6: 'microseconds' };

function precisionOf(text: string): string | undefined {
  const fraction = /T\d\d:\d\d:\d\d(?:\.(\d+))?/.exec(text);
  return fraction === null ? undefined : precisions[fraction[1]?.length ?? 0];
}

const optional = ['description', 'summary', 'metadata'];
const fewestResources = 3;

// That nothing has a description may be chance: a few resources have to agree.
function seeOptionalFields(session: Session): Seen {
  const resources = shownObjects(session).filter(({ schema }) => schema === 'Agent' || schema === 'DriveFile');
  if (resources.some(({ value }) => optional.some((name) => value[name] !== undefined))) return 'present';
  const kinds = new Set(resources.map(({ schema }) => schema));
  const ids = new Set(resources.map(({ schema, value }) => `${schema} ${value.id}`));
  return kinds.size === 2 && ids.size >= fewestResources ? 'absent' : undefined;
}

function seeExtraFields(session: Session): Seen {
  const objects = shownObjects(session);
  if (objects.length === 0) return undefined;
  const known = new Map([...schemasOf(objects)].map((schema) => [schema, new Set(shownFields(session, schema))]));
  const hasMore = ({ schema, value }: ShownObject) => Object.keys(value).some((name) => !known.get(schema)?.has(name));
  return objects.some(hasMore) ? 'some' : 'none';
}

function schemasOf(objects: readonly ShownObject[]): Set<string> {
  return new Set(objects.map(({ schema }) => schema));
}

const fewestKeys = 3;

function seeKeyOrder(session: Session): Seen {
  const orders = shownObjects(session).flatMap(({ schema, value }) => {
    const fields = shownFields(session, schema);
    const keys = Object.keys(value).filter((key) => fields.includes(key));
    return keys.length < fewestKeys ? [] : [{ keys, fields }];
  });
  const byText = new Map(orders.map(({ keys, fields }) => [keys.join(', '), orderOf(keys, fields)]));
  return sameForAll([...byText.keys()], (text) => byText.get(text));
}

function orderOf(keys: readonly string[], fields: readonly string[]): string | undefined {
  const documented = fields.filter((field) => keys.includes(field));
  if (isDeepStrictEqual(keys, documented)) return 'documented';
  return isDeepStrictEqual(keys, documented.reverse()) ? 'reversed' : undefined;
}

const mediaTypes = ['application/json', 'application/json; charset=utf-8'];

// Case and blanks mean nothing in a media type.
function seeMediaType(session: Session): Seen {
  const answers = ownReplies(session).filter(({ isSuccess, hasBody }) => isSuccess && hasBody);
  const types = new Set(answers.map(({ headers }) => headers['content-type'] ?? 'no Content-Type'));
  return sameForAll([...types], (type) => {
    const plain = type
      .toLowerCase()
      .replaceAll(/["\s]/g, '')
      .replace(/;(?=.)/, '; ');
    return mediaTypes.find((known) => known === plain.replace(/;$/, ''));
  });
}

const fewestFiles = 2;

function seeMetadata(session: Session): Seen {
  const files = shownObjects(session).filter(({ schema }) => schema === 'DriveFile');
  const shown = files.flatMap(({ value }) => (value.metadata === undefined ? [] : [value.metadata]));
  if (shown.some((metadata) => !isDeepStrictEqual(metadata, {}))) return 'asSeeded';
  const isEach = shown.length === files.length;
  return isEach && new Set(files.map(({ value }) => value.id)).size >= fewestFiles ? 'empty' : undefined;
}

const announced = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

function seeRateLimits(session: Session): Seen {
  const answers = ownReplies(session).filter(({ isSuccess }) => isSuccess);
  if (answers.length === 0) return undefined;
  const names = answers.map(({ headers }) => Object.keys(headers).filter((name) => /rate-?limit/.test(name)));
  if (names.every((each) => each.length === 0)) return 'none';
  if (names.every((each) => announced.every((name) => each.includes(name)))) return 'announced';
  const some = [...new Set(names.flat())];
  return {
    other: `${some.join(', ')} in ${names.filter((each) => each.length > 0).length} of ${names.length} answers`,
  };
}
