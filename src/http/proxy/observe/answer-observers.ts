import type { OperationId } from '../../../../openapi/contract/operations.ts';
import type { ShownObject } from '../judge/shown.ts';
import { isObject, member } from '../judge/views.ts';
import type { Sighting } from './learned.ts';
import { inSuccesses, type Observer, type SeenExchange, sameForAll, shownIn } from './observer.ts';

/** What the successes show, whatever they were asked for. */
export const answerObservers: readonly Observer[] = [
  status('createStatus', ['createDrive', 'createMcpServer']),
  status('publishStatus', ['publishAgentRevision']),
  status('readStatus', ['listDrives', 'getDriveFile']),
  status('updateStatus', ['updateDriveFile']),
  status('deleteStatus', ['deleteDriveTree']),
  { openPoint: 'publishBody', see: inSuccesses(['publishAgentRevision'], seePublishBody) },
  { openPoint: 'mcpDefaultType', see: inSuccesses(['createMcpServer'], (seen) => text(shownIn(seen), 'type')) },
  { openPoint: 'timestampPrecision', see: (seen) => sameForAll(timestampsIn(seen), precisionOf) },
  {
    openPoint: 'timestampZone',
    see: (seen) => sameForAll(timestampsIn(seen), (time) => /Z$|\+00:00$/.exec(time)?.[0]),
  },
  { openPoint: 'idFormat', see: (seen) => sameForAll(idsIn(seen), formatOf) },
  {
    openPoint: 'optionalFields',
    see: seeOptionalFields,
    settle: (sightings) => {
      if (sightings.includes('present')) return 'present';
      return sightings.includes('no Agent') && sightings.includes('no DriveFile') ? 'absent' : undefined;
    },
  },
  {
    openPoint: 'extraFields',
    see: seeExtraFields,
    settle: (sightings) => (sightings.includes('some') ? 'some' : 'none'),
  },
  { openPoint: 'keyOrder', see: seeKeyOrder },
];

function status(openPoint: Observer['openPoint'], operations: readonly OperationId[]): Observer {
  return { openPoint, see: inSuccesses(operations, ({ answer }) => answer.status) };
}

function text(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

// A 204 or 205 has no body, whatever a server would say otherwise.
function seePublishBody({ answer: { status: code, body } }: SeenExchange): Sighting | undefined {
  if (code === 204 || code === 205 || body.kind === 'unread' || body.kind === 'text') return undefined;
  if (body.kind === 'none') return 'none';
  if (!isObject(body.value)) return { other: 'JSON that is no object' };
  const has = (name: string) => Object.hasOwn(body.value as object, name);
  if (Object.keys(body.value).length === 0) return 'emptyObject';
  if (has('revisionId') && has('agentId')) return 'revision';
  return has('id') && has('isPublished') ? 'agent' : { other: `an object with ${Object.keys(body.value).join(', ')}` };
}

const timestamp = '#/components/schemas/Timestamp';

function timestampsIn({ objects }: SeenExchange): string[] {
  return objects.flatMap(({ schema, value }) => {
    const times = Object.entries(schema.properties ?? {}).filter(
      ([, field]) => '$ref' in field && field.$ref === timestamp,
    );
    return times.map(([name]) => value[name]).filter((time) => typeof time === 'string');
  });
}

const precisions: Record<number, string> = { 0: 'seconds', 3: 'milliseconds', 6: 'microseconds' };

function precisionOf(time: string): string | undefined {
  const fraction = /T\d\d:\d\d:\d\d(?:\.(\d+))?/.exec(time);
  return fraction === null ? undefined : precisions[fraction[1]?.length ?? 0];
}

function idsIn({ objects }: SeenExchange): string[] {
  return objects.flatMap(({ value }) => [value.id, value.jobId]).filter((id) => typeof id === 'string');
}

function formatOf(id: string): string | undefined {
  if (/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(id)) return 'uuid';
  if (/^\d+$/.test(id)) return 'numeric';
  if (/^[\da-hjkmnp-tv-z]{26}$/i.test(id)) return 'sortable';
  return /^[a-z]+[_-][\da-z]+$/i.test(id) ? 'prefixed' : undefined;
}

const optional = ['description', 'summary', 'metadata'];
const fewest = 2;

// That one has none may be chance.
function seeOptionalFields({ operation, objects }: SeenExchange): Sighting | undefined {
  const kind = { listAgents: 'Agent', getDriveFile: 'DriveFile', updateDriveFile: 'DriveFile' }[operation as string];
  if (kind === undefined || objects.length === 0) return undefined;
  if (objects.some(({ value }) => optional.some((name) => Object.hasOwn(value, name)))) return 'present';
  return kind === 'DriveFile' || objects.length >= fewest ? `no ${kind}` : undefined;
}

function fieldsOf({ schema }: ShownObject): string[] {
  return Object.keys(schema.properties ?? {});
}

function seeExtraFields({ objects }: SeenExchange): Sighting | undefined {
  if (objects.length === 0) return undefined;
  const hasMore = (shown: ShownObject) => Object.keys(shown.value).some((name) => !fieldsOf(shown).includes(name));
  return objects.some(hasMore) ? 'some' : 'none';
}

const fewestKeys = 3;

function seeKeyOrder({ objects }: SeenExchange): Sighting | undefined {
  const orders = objects.flatMap((shown) => {
    const keys = Object.keys(shown.value).filter((key) => fieldsOf(shown).includes(key));
    return keys.length < fewestKeys ? [] : [{ keys, order: orderOf(keys, fieldsOf(shown)) }];
  });
  const byText = new Map(orders.map(({ keys, order }) => [keys.join(', '), order]));
  return sameForAll([...byText.keys()], (keys) => byText.get(keys));
}

function orderOf(keys: readonly string[], fields: readonly string[]): string | undefined {
  const documented = fields.filter((field) => keys.includes(field));
  if (keys.join() === documented.join()) return 'documented';
  return keys.join() === documented.reverse().join() ? 'reversed' : undefined;
}
