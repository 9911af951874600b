import type { Mutant } from '../mutant.ts';
import { valuesOfCreations } from './created-values.ts';
import { type Kind, kinds, type SharedFault } from './creation-kinds.ts';
import { type Created, changeEnlisted, changeListed } from './patch-store.ts';

const shown = {
  requirement: ({ list, name }: Kind) => `${list}.shows-created-${name}`,
  check: ({ list, name }: Kind) => `${list}.created-${name}`,
};
const parallel = { ...shown, check: ({ list }: Kind) => `${list}.parallel-creations` };
const once = {
  requirement: 'ids.tell-resources-apart',
  check: ({ list, name }: Kind) => `${list}.created-${name}-once`,
};
const same = {
  requirement: 'creations.are-listed-unchanged',
  check: ({ list, name }: Kind) => `${list}.created-${name}-is-the-same`,
};

/** How new things come into the list. */
const listings: readonly SharedFault[] = [
  {
    id: 'a-new-thing-is-never-listed',
    ...shown,
    fault: 'A new thing never comes into the list.',
    break: ({ list }) => {
      list.add = () => {};
    },
  },
  {
    id: 'a-new-thing-is-listed-under-another-id',
    ...shown,
    fault: 'A new thing is listed under another id than its creation was answered with.',
    break: (shelf, { ids }, { idKind }) => changeEnlisted(shelf, () => ({ id: ids(idKind) })),
  },
  {
    id: 'a-new-thing-takes-the-place-of-the-one-before',
    ...parallel,
    fault: 'A new thing takes the place in the list of the one that was created before it.',
    break: ({ byId, list }) => {
      const seeded = new Set(byId.keys());
      changeListed(list, (all) => {
        const latest = [...byId.keys()].at(-1);
        return all.filter(({ id }) => seeded.has(id) || id === latest);
      });
    },
  },
  {
    id: 'the-second-of-two-things-at-once-is-lost',
    ...parallel,
    fault: 'A new thing that is created within 50 milliseconds of another never comes into the list.',
    break: ({ list }, { runtime }) => {
      const add = list.add.bind(list);
      let latestMs = 0;
      list.add = (record) => {
        const earlierMs = latestMs;
        latestMs = runtime.clock.nowMs();
        if (latestMs - earlierMs >= 50) add(record);
      };
    },
  },
  {
    id: 'the-first-of-two-things-at-once-is-lost',
    ...parallel,
    fault: 'Of two things that are created within 50 milliseconds the first one disappears from the list.',
    break: ({ list }) => {
      const isRunOver = (all: readonly Created[], { id, createdAtMs }: Created) =>
        all.some(
          (other) => other.id !== id && other.createdAtMs >= createdAtMs && other.createdAtMs < createdAtMs + 50,
        );
      changeListed(list, (all) => all.filter((record, index) => !isRunOver(all.slice(index + 1), record)));
    },
  },
  {
    id: 'a-new-thing-is-listed-twice',
    ...once,
    fault: 'A new thing comes into the list twice.',
    break: ({ list }) => {
      const add = list.add.bind(list);
      list.add = (record) => {
        add(record);
        add(record);
      };
    },
  },
  {
    id: 'new-things-stand-at-both-ends-of-the-list',
    ...once,
    fault: 'The newest things stand at the beginning of the list and in their place as well.',
    break: ({ byId, list }) => {
      const seeded = new Set(byId.keys());
      changeListed(list, (all) => [...all.filter(({ id }) => !seeded.has(id)), ...all]);
    },
  },
  {
    id: 'every-new-thing-has-the-same-id',
    requirement: 'ids.tell-resources-apart',
    check: ({ create }) => `${create}.new-id-each-time`,
    fault: 'Every new thing gets the id that the first new one got.',
    break: (_, organization, { idKind }) => {
      const { ids } = organization;
      const only = ids(idKind);
      Object.assign(organization, { ids: (kind: Parameters<typeof ids>[0]) => (kind === idKind ? only : ids(kind)) });
    },
  },
];

/** What a list shows of a new thing. */
const differences: readonly SharedFault[] = [
  {
    id: 'a-new-thing-is-listed-with-a-trimmed-date',
    ...same,
    fault: 'The list shows createdAt of a new thing in whole minutes; its answer shows milliseconds.',
    break: (shelf) =>
      changeEnlisted(shelf, ({ createdAtMs }) => ({ createdAtMs: createdAtMs - (createdAtMs % 60_000) })),
  },
  {
    id: 'a-new-thing-is-listed-under-another-name',
    ...same,
    fault: 'The list shows a new thing with a blank behind its name.',
    break: (shelf) => changeEnlisted(shelf, ({ name }) => ({ name: `${name} ` })),
  },
  {
    id: 'a-new-thing-is-listed-a-millisecond-later',
    ...same,
    fault: 'The list dates a new thing a millisecond later than its answer.',
    break: (shelf) =>
      changeEnlisted(shelf, ({ createdAtMs, updatedAtMs }) => ({
        createdAtMs: createdAtMs + 1,
        updatedAtMs: updatedAtMs + 1,
      })),
  },
];

function toMutant(kind: Kind, fault: SharedFault): Mutant {
  const { requirement } = fault;
  return {
    id: fault.id.replace('thing', kind.slug),
    class: 'state',
    place: 'store',
    requirement: typeof requirement === 'string' ? requirement : requirement(kind),
    check: fault.check(kind),
    fault: fault.fault.replaceAll('thing', kind.noun),
    break: (engine) => kind.breakEach(engine, fault),
  };
}

export const stateOfCreations: readonly Mutant[] = kinds.flatMap((kind) =>
  [...valuesOfCreations, ...listings, ...differences].map((fault) => toMutant(kind, fault)),
);
