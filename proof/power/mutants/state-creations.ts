import type { Ids } from '../../../src/domain/ids.ts';
import type { Mutant } from '../mutant.ts';
import { valuesOfCreations } from './created-values.ts';
import { creationTable } from './creation-kinds.ts';
import { changeEnlisted, changeListed, idsOf, inEach, type Listed } from './patch-store.ts';

/** How new things come into the list. */
const listings = creationTable({
  '<list>.<created>: a-new-thing-is-never-listed': [
    'A new thing never comes into the list.',
    (shelf) =>
      inEach((organization) => {
        shelf(organization).list.add = () => {};
      }),
  ],
  '<list>.<created>: a-new-thing-is-listed-under-another-id': [
    'A new thing is listed under another id than its creation was answered with.',
    (shelf, { idKind }) => changeEnlisted(shelf, (_, { ids }) => ({ id: ids(idKind) })),
  ],
  '<list>.parallel-creations: a-new-thing-takes-the-place-of-the-one-before': [
    'A new thing takes the place in the list of the one that was created before it.',
    (shelf) => (engine) => {
      const seeded = idsOf(engine, shelf);
      changeListed(shelf, (all, organization) => {
        const latest = [...shelf(organization).byId.keys()].at(-1);
        return all.filter(({ id }) => seeded.has(id) || id === latest);
      })(engine);
    },
  ],
  '<list>.parallel-creations: the-second-of-two-things-at-once-is-lost': [
    'A new thing that is created within a second of another never comes into the list.',
    (shelf) =>
      inEach((organization) => {
        const { list } = shelf(organization);
        const add = list.add.bind(list);
        let latestMs = 0;
        list.add = (record) => {
          const earlierMs = latestMs;
          latestMs = organization.runtime.clock.nowMs();
          if (latestMs - earlierMs >= 1_000) add(record);
        };
      }),
  ],
  '<list>.parallel-creations: the-first-of-two-things-at-once-is-lost': [
    'Of two things that are created within a second the first one disappears from the list.',
    (shelf) => {
      const isRunOver = (all: readonly Listed[], { id, createdAtMs }: Listed) =>
        all.some(
          (other) => other.id !== id && other.createdAtMs >= createdAtMs && other.createdAtMs < createdAtMs + 1_000,
        );
      return changeListed(shelf, (all) => all.filter((record, index) => !isRunOver(all.slice(index + 1), record)));
    },
  ],
  '<list>.<created>-once: a-new-thing-is-listed-twice': [
    'A new thing comes into the list twice.',
    (shelf) =>
      inEach((organization) => {
        const { list } = shelf(organization);
        const add = list.add.bind(list);
        list.add = (record) => {
          add(record);
          add(record);
        };
      }),
  ],
  '<list>.<created>-once: new-things-stand-at-both-ends-of-the-list': [
    'The newest things stand at the beginning of the list and in their place as well.',
    (shelf) => (engine) => {
      const seeded = idsOf(engine, shelf);
      changeListed(shelf, (all) => [...all.filter(({ id }) => !seeded.has(id)), ...all])(engine);
    },
  ],
  '<create>.new-id-each-time: every-new-thing-has-the-same-id': [
    'Every new thing gets the id that the first new one got.',
    (_, { idKind }) =>
      inEach((organization) => {
        const { ids } = organization;
        const only = ids(idKind);
        const repeated = (kind: Parameters<Ids>[0]) => (kind === idKind ? only : ids(kind));
        Object.defineProperty(organization, 'ids', { value: repeated });
      }),
  ],
});

/** What a list shows of a new thing. */
const differences = creationTable({
  '<list>.<created>-is-the-same: a-new-thing-is-listed-with-a-trimmed-date': [
    'The list shows createdAt of a new thing in whole minutes; its answer shows milliseconds.',
    (shelf) => changeEnlisted(shelf, ({ createdAtMs }) => ({ createdAtMs: createdAtMs - (createdAtMs % 60_000) })),
  ],
  '<list>.<created>-is-the-same: a-new-thing-is-listed-under-another-name': [
    'The list shows a new thing with a blank behind its name.',
    (shelf) => changeEnlisted(shelf, ({ name }) => ({ name: `${name} ` })),
  ],
  '<list>.<created>-is-the-same: a-new-thing-is-listed-a-millisecond-later': [
    'The list dates a new thing a millisecond later than its answer.',
    (shelf) =>
      changeEnlisted(shelf, ({ createdAtMs, updatedAtMs }) => ({
        createdAtMs: createdAtMs + 1,
        updatedAtMs: updatedAtMs + 1,
      })),
  ],
});

export const stateOfCreations: readonly Mutant[] = [...valuesOfCreations, ...listings, ...differences];
