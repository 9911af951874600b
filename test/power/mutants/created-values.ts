import type { Kind, SharedFault } from './creation-kinds.ts';
import { changeAnswered, changeEnlisted, changeNew } from './patch-store.ts';

const takenOver = {
  requirement: ({ create, name }: Kind) => `${create}.${name}-has-the-name`,
  check: ({ create }: Kind) => `${create}.name-taken-over`,
};
const accents = {
  requirement: 'creations.unusual-names-are-kept',
  check: ({ create }: Kind) => `${create}.name-kept.accents`,
};
const emoji = { ...accents, check: ({ create }: Kind) => `${create}.name-kept.emoji` };
const recent = {
  requirement: 'timestamps.creation-is-recent',
  check: ({ create }: Kind) => `${create}.created-at-is-recent`,
};

/** What becomes of the name. */
const names: readonly SharedFault[] = [
  {
    id: 'a-new-thing-loses-the-last-character-of-its-name',
    ...takenOver,
    fault: 'A new thing has the name that was sent without its last character.',
    break: (shelf) => changeNew(shelf, ({ name }) => ({ name: name.slice(0, -1) })),
  },
  {
    id: 'a-new-thing-has-its-name-in-upper-case',
    ...takenOver,
    fault: 'A new thing has the name that was sent in upper case.',
    break: (shelf) => changeNew(shelf, ({ name }) => ({ name: name.toUpperCase() })),
  },
  {
    id: 'a-new-thing-has-a-number-behind-its-name',
    ...takenOver,
    fault: 'The name of a new thing has a number behind it: how many there are.',
    break: (shelf) => changeNew(shelf, ({ name }) => ({ name: `${name} (${shelf.byId.size + 1})` })),
  },
  {
    id: 'a-new-thing-loses-its-accents',
    ...accents,
    fault: 'The letters in the name of a new thing lose their accents.',
    break: (shelf) => changeNew(shelf, ({ name }) => ({ name: name.normalize('NFD').replaceAll(/\p{M}/gu, '') })),
  },
  {
    id: 'a-new-thing-has-its-accents-taken-apart',
    ...accents,
    fault: 'Accents in the name of a new thing become characters of their own; the name looks as before.',
    break: (shelf) => changeNew(shelf, ({ name }) => ({ name: name.normalize('NFD') })),
  },
  {
    id: 'a-new-thing-has-its-name-read-as-latin-1',
    ...accents,
    fault: 'The bytes of the name of a new thing are read as Latin-1.',
    break: (shelf) => changeNew(shelf, ({ name }) => ({ name: Buffer.from(name).toString('latin1') })),
  },
  {
    id: 'a-new-thing-loses-its-emoji',
    ...emoji,
    fault: 'Characters of the name of a new thing beyond the basic plane, as an emoji is, become question marks.',
    break: (shelf) => changeNew(shelf, ({ name }) => ({ name: name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') })),
  },
  {
    id: 'a-new-thing-has-its-emoji-cut-in-two',
    ...emoji,
    fault: 'Of each character of the name of a new thing beyond the basic plane only the first half is kept.',
    break: (shelf) => changeNew(shelf, ({ name }) => ({ name: name.replaceAll(/[\udc00-\udfff]/g, '') })),
  },
];

const oneDay = 86_400_000;

/** What becomes of the times. */
const times: readonly SharedFault[] = [
  {
    id: 'a-new-thing-was-created-in-1970',
    ...recent,
    fault: 'The milliseconds of the clock are taken for seconds over again: a new thing is dated 1970.',
    break: (shelf) =>
      changeNew(shelf, ({ createdAtMs }) => {
        const early = Math.floor(createdAtMs / 1000);
        return { createdAtMs: early, updatedAtMs: early };
      }),
  },
  {
    id: 'a-new-thing-is-created-tomorrow',
    ...recent,
    fault: 'createdAt and updatedAt of a new thing lie a day ahead.',
    break: (shelf) =>
      changeNew(shelf, ({ createdAtMs }) => ({ createdAtMs: createdAtMs + oneDay, updatedAtMs: createdAtMs + oneDay })),
  },
  {
    id: 'a-new-thing-is-updated-just-before-its-creation',
    requirement: 'timestamps.created-before-updated',
    check: ({ create }) => `${create}.created-not-after-updated`,
    fault: 'updatedAt in the answer to the creation of a new thing lies a millisecond before createdAt.',
    break: (shelf) => changeAnswered(shelf, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - 1 })),
  },
  {
    id: 'a-new-thing-is-listed-as-updated-before-its-creation',
    requirement: 'timestamps.created-before-updated',
    check: ({ list }) => `${list}.created-not-after-updated`,
    fault: 'A new thing is listed with an updatedAt a minute before its createdAt; its answer is right.',
    break: (shelf) => changeEnlisted(shelf, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - 60_000 })),
  },
];

/** What a new drive or MCP server has of its own. */
export const valuesOfCreations: readonly SharedFault[] = [...names, ...times];
