import { creationTable } from './creation-kinds.ts';
import { changeAnswered, changeEnlisted, changeNew } from './patch-store.ts';

/** What becomes of the name. */
const names = creationTable({
  '<create>.name-taken-over: a-new-thing-loses-the-last-character-of-its-name': [
    'A new thing has the name that was sent without its last character.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.slice(0, -1) })),
  ],
  '<create>.name-taken-over: a-new-thing-has-its-name-in-upper-case': [
    'A new thing has the name that was sent in upper case.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.toUpperCase() })),
  ],
  '<create>.name-taken-over: a-new-thing-has-a-number-behind-its-name': [
    'The name of a new thing has a number behind it: how many there are.',
    (shelf) => changeNew(shelf, ({ name }, owner) => ({ name: `${name} (${shelf(owner).byId.size + 1})` })),
  ],
  '<create>.name-kept.accents: a-new-thing-loses-its-accents': [
    'The letters in the name of a new thing lose their accents.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.normalize('NFD').replaceAll(/\p{M}/gu, '') })),
  ],
  '<create>.name-kept.accents: a-new-thing-has-its-accents-taken-apart': [
    'Accents in the name of a new thing become characters of their own; the name looks as before.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.normalize('NFD') })),
  ],
  '<create>.name-kept.accents: a-new-thing-has-its-name-read-as-latin-1': [
    'The bytes of the name of a new thing are read as Latin-1.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: Buffer.from(name).toString('latin1') })),
  ],
  '<create>.name-kept.letters: a-new-thing-has-its-name-in-lower-case': [
    'The name of a new thing is stored in lower case.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.toLowerCase() })),
  ],
  '<create>.name-kept.letters: a-new-thing-loses-what-follows-the-last-dot': [
    'What follows the last dot in the name of a new thing is taken for a file extension and dropped.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.replace(/\.[^.]*$/, '') })),
  ],
  '<create>.name-kept.punctuation: a-new-thing-has-its-apostrophe-doubled': [
    'An apostrophe in the name of a new thing is escaped twice for the database.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.replaceAll("'", "''") })),
  ],
  '<create>.name-kept.patterns: a-new-thing-has-its-name-decoded': [
    'Percent-encoded characters in the name of a new thing are decoded.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.replaceAll('%41', 'A') })),
  ],
  '<create>.name-kept.markup: a-new-thing-has-its-name-escaped-for-pages': [
    'The name of a new thing is stored as HTML.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.replaceAll('&', '&amp;').replaceAll('<', '&lt;') })),
  ],
  '<create>.name-kept.scripts: a-new-thing-is-listed-with-question-marks': [
    'The list shows letters of other scripts in the name of a new thing as question marks; its answer is right.',
    (shelf) => changeEnlisted(shelf, ({ name }) => ({ name: name.replaceAll(/[^\u0020-\u024f]/g, '?') })),
  ],
  '<create>.name-kept.long: a-new-thing-has-its-name-cut-short': [
    'The name of a new thing is cut after 80 characters.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.slice(0, 80) })),
  ],
  '<create>.name-kept.digits: a-new-thing-loses-the-zeros-of-a-number': [
    'The name of a new thing is a number to the database where it looks like one, and loses the zeros at its start.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: /^\d+$/.test(name) ? String(Number(name)) : name })),
  ],
  '<create>.name-kept.emoji: a-new-thing-loses-its-emoji': [
    'Characters of the name of a new thing beyond the basic plane, as an emoji is, become question marks.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') })),
  ],
  '<create>.name-kept.emoji: a-new-thing-has-its-emoji-cut-in-two': [
    'Of each character of the name of a new thing beyond the basic plane only the first half is kept.',
    (shelf) => changeNew(shelf, ({ name }) => ({ name: name.replaceAll(/[\udc00-\udfff]/g, '') })),
  ],
});

const oneDay = 86_400_000;
const bothAt = (timeMs: number) => ({ createdAtMs: timeMs, updatedAtMs: timeMs });

/** What becomes of the times. */
const times = creationTable({
  '<create>.created-at-is-recent: a-new-thing-was-created-in-1970': [
    'The milliseconds of the clock are taken for seconds over again: a new thing is dated 1970.',
    (shelf) => changeNew(shelf, ({ createdAtMs }) => bothAt(Math.floor(createdAtMs / 1000))),
  ],
  '<create>.created-at-is-recent: a-new-thing-is-created-tomorrow': [
    'createdAt and updatedAt of a new thing lie a day ahead.',
    (shelf) => changeNew(shelf, ({ createdAtMs }) => bothAt(createdAtMs + oneDay)),
  ],
  '<create>.created-not-after-updated: a-new-thing-is-updated-just-before-its-creation': [
    'updatedAt in the answer to the creation of a new thing lies a millisecond before createdAt.',
    (shelf) => changeAnswered(shelf, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - 1 })),
  ],
  '<list>.created-not-after-updated: a-new-thing-is-listed-as-updated-before-its-creation': [
    'A new thing is listed with an updatedAt a minute before its createdAt; its answer is right.',
    (shelf) => changeEnlisted(shelf, ({ createdAtMs }) => ({ updatedAtMs: createdAtMs - 60_000 })),
  ],
});

/** What a new drive or MCP server has of its own. */
export const valuesOfCreations = [...names, ...times];
