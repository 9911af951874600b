import { joined, say } from '../../lib/sentence.ts';
import { openPointsOf } from '../contract/document.ts';
import { choiceLeavingOut, leftOutFields, leftOutOfPagination } from '../contract/optional-fields.ts';
import type { BodyObject } from './body-objects.ts';
import type { Seen } from './learned.ts';
import type { ReadExchange } from './memory.ts';
import type { Settle } from './observer.ts';

const seldom = leftOutFields('absent');

/**
 * A sighting such as `DriveFile none without summary metadata size`: the kind of resource in a response, whether there
 * are `some` of the fields that only some resources have, and the fields that no resource has. A field missing from a
 * single list item may be chance.
 */
export function seeOptionalFields({ operation, objects }: ReadExchange): Seen | undefined {
  const resources = objects.filter(({ schema }) => openPointsOf(schema).includes('optionalFields'));
  const [first] = resources;
  if (first === undefined || (operation.list !== undefined && resources.length < 2)) return undefined;
  const fields = fieldsOf(first).filter((name) => name !== 'id');
  const absent = fields.filter((name) => resources.every(({ value }) => value[name] === undefined));
  const hasSeldom = fields.some((name) => seldom.has(name) && !absent.includes(name));
  return [operation.resource, hasSeldom ? 'some' : 'none', 'without', ...absent].join(' ');
}

// A field that all resources of a kind lack is left out. For fields that only some resources have, that may be chance.
export const settleOptionalFields: Settle = (sightings) => {
  const seen = sightings.map((sighting) => String(sighting).split(' '));
  const kinds = [...Map.groupBy(seen, ([kind]) => kind).values()];
  const usual = kinds
    .flatMap((some) => commonTo(some.map((words) => words.slice(3))))
    .filter((name) => !seldom.has(name));
  const isSeldomShown = seen.some(([, has]) => has === 'some');
  if (!isSeldomShown && kinds.length < 2 && usual.length === 0) return undefined;
  const areSeldomLeftOut = !isSeldomShown && kinds.length > 1;
  return choiceLeavingOut([...new Set([...usual, ...(areSeldomLeftOut ? seldom : [])])]);
};

function commonTo(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce((common, list) => common.filter((name) => list.includes(name)));
}

/**
 * A sighting such as `asNull`, `Agent description;` or `Agent ;description`: a field that a resource has or lacks. A
 * value is missing only if some resources have the field and others do not; a field that all lack may be left out on
 * purpose.
 */
export function seeMissingValues({ operation, objects }: ReadExchange): Seen | undefined {
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

export const settleMissingValues: Settle = (sightings) => {
  if (sightings.includes('asNull')) return 'asNull';
  return hasBoth(sightings.map(String)) ? 'leftOut' : undefined;
};

function hasBoth(sightings: readonly string[]): boolean {
  const kinds = Map.groupBy(sightings, (sighting) => sighting.split(' ', 1)[0]);
  return [...kinds.values()].some((some) => {
    const parts = some.map((sighting) => sighting.slice(sighting.indexOf(' ') + 1).split(';'));
    const [has, lacks] = [0, 1].map((part) => new Set(parts.flatMap((each) => each[part]?.split(' ') ?? [])));
    return [...(lacks ?? [])].some((name) => name !== '' && has?.has(name));
  });
}

export function seePaginationFields({ objects }: ReadExchange): Seen | undefined {
  const [pagination] = objects.filter(({ schema }) => openPointsOf(schema).includes('paginationFields'));
  if (pagination === undefined) return undefined;
  const absent = fieldsOf(pagination).filter((name) => pagination.value[name] === undefined);
  const [choice] = Object.entries(leftOutOfPagination).find(([, names]) => names.join() === absent.join()) ?? [];
  return choice ?? { other: say`without ${joined(absent)}` };
}

function fieldsOf({ schema }: Pick<BodyObject, 'schema'>): string[] {
  return Object.keys(schema.properties ?? {});
}
