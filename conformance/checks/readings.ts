import { isDeepStrictEqual } from 'node:util';
import { asJson, own, say } from '../../lib/sentence.ts';
import type { SchemaObject } from '../../openapi/contract/document.ts';
import { type Check, checksOf } from '../check.ts';
import { inParallel } from '../in-parallel.ts';
import { pathIn, readFile } from '../probing/file-moves.ts';
import { declaredFiles, readableFile } from '../probing/fixtures.ts';
import { initialReadings } from '../probing/initial-files.ts';
import type { ListOperation } from '../probing/lists.ts';
import { successfulReplies } from '../probing/operations.ts';
import { createdSoFar, creationOf, listedIn, successesFor, type Whose } from '../probing/recorded.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { currentClock } from '../target/clock.ts';
import { idOf, member, msBetween } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

const lists = { listAgents: 'Agent', listDrives: 'Drive', listMcpServers: 'McpServer' } as const satisfies Partial<
  Record<ListOperation, string>
>;

/** Reading changes nothing, whoever reads and how often (2, 4.1, 4.4, 4.5, 4.9). */
export const readingChecks: readonly Check[] = [
  checksOf('getDriveFile', 'read')(
    'reading-changes-nothing',
    'Reads declared files repeatedly, and compares every field except metadata.',
    async (session) => {
      readableFile(session);
      return expectReadingHarmless(session, 'DriveFile', {
        earliest: async () => toReading((await initialReadings(session)).map(({ reply }) => reply)),
        again: () => readFiles(session),
      });
    },
    { isLast: true },
  ),
  ...(Object.keys(lists) as ListOperation[]).flatMap((list) => [
    checksOf(list, 'read')(
      'reading-changes-nothing',
      'Reads the list repeatedly, and compares every field of every item.',
      (session) =>
        expectReadingHarmless(session, lists[list], {
          earliest: async () => {
            await successfulReplies(session, list);
            return itemsIn(successesFor(session, list, 'own')[0]);
          },
          again: async () => itemsIn(await session.call(list)),
        }),
      { isLast: true },
    ),
    checksOf(list, 'judge')(
      'created-at-stays',
      'Compares the createdAt of every item in all lists of the run, and in the responses to creations.',
      (session) => expectCreatedAtKept(session, list),
      { isAboutAnswers: true },
    ),
  ]),
];

/** What was read at about the same time, by id, each with the reply that shows it. */
type Reading = ReadonlyMap<string, { value: unknown; reply: Reply }>;

function itemsIn(reply: Reply | undefined): Reading {
  const items = reply === undefined ? [] : listedIn(reply).map((value) => ({ value, reply }));
  return new Map(items.map((one) => [idOf(one.value) ?? '', one]));
}

function toReading(replies: readonly Reply[]): Reading {
  const successes = replies.filter(({ isSuccess }) => isSuccess);
  return new Map(successes.map((reply) => [reply.request.path, { value: reply.json, reply }]));
}

/** How the same resources are read: for the first time in the run, and now. */
interface Readings {
  earliest(): Promise<Reading>;
  again(): Promise<Reading>;
}

const mostFiles = 6;

// Files to move and files to delete: another client that uses one kind hardly uses the other as well.
async function readFiles(session: Session): Promise<Reading> {
  const { files = [] } = session.settings.fixtures;
  const declared = declaredFiles(session);
  const chosen = [...declared.slice(0, mostFiles / 2), ...declared.slice(files.length).slice(0, mostFiles / 2)];
  return toReading(await inParallel(new Set(chosen), (file) => readFile(session, file)));
}

/** The fields of a resource. The inner shape of metadata is open: a re-signed link does not change the file. */
function fieldsOf({ contract }: Session, schemaName: string): string[] {
  const schema = contract.components?.schemas?.[schemaName] as SchemaObject | undefined;
  return Object.keys(schema?.properties ?? {}).filter((name) => name !== 'metadata');
}

const attempts = 5;
const secondMs = 1_000;

// Times may be shown in whole seconds: a change on each reading shows after a second.
async function expectReadingHarmless(session: Session, schemaName: string, readings: Readings): Promise<void> {
  const fields = fieldsOf(session, schemaName);
  const first = await readings.earliest();
  const [one] = [...first.values()];
  if (one === undefined) throw new Inconclusive('DATA', say`There is nothing to read again.`);
  const clock = currentClock();
  await clock.sleep(secondMs + 50 - (clock.nowMs() - one.reply.sentAtMs));
  const change = changeBetween(fields, first, await readings.again());
  if (change !== undefined) await confirm(fields, change, readings.again);
}

/**
 * Throws {@link Violated} if one field of all resources changes with each reading, and {@link Inconclusive} for any
 * other change: other clients may be at work.
 */
async function confirm(fields: readonly string[], change: Change, read: () => Promise<Reading>): Promise<never> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const before = await read();
    if (attempt % 2 === 0) await currentClock().sleep(secondMs + 50);
    const again = changeBetween(fields, before, await read());
    const isSame = again !== undefined && isDeepStrictEqual(again.fields, change.fields);
    // Without a pause, a time in whole seconds stays the same.
    if (!isSame && (attempt % 2 === 0 || again !== undefined)) throw changedByOthers();
  }
  const [field = ''] = change.fields;
  if (change.fields.size > 1 || !change.isEverywhere) throw changedByOthers();
  const { before, after } = change;
  const expected = say`${own(field)}: ${asJson(member(before.value, field))}, as read before`;
  throw new Violated(expected, asJson(member(after.value, field)), [before.reply, after.reply]);
}

function changedByOthers(): Inconclusive {
  return new Inconclusive(
    'QUIET',
    say`The data changed, but not between all readings: another client may have changed it.`,
  );
}

interface Change {
  fields: ReadonlySet<string>;
  /** Whether everything that both readings show has changed. */
  isEverywhere: boolean;
  before: { value: unknown; reply: Reply };
  after: { value: unknown; reply: Reply };
}

function changeBetween(fields: readonly string[], one: Reading, other: Reading): Change | undefined {
  const pairs = [...one].flatMap(([id, before]) => {
    const after = other.get(id);
    if (after === undefined || isProcessing(before) || isProcessing(after)) return [];
    return [{ before, after, changed: changedIn(fields, before.value, after.value) }];
  });
  const changed = pairs.filter((pair) => pair.changed.length > 0);
  const [first] = changed;
  if (first === undefined) return undefined;
  const { before, after } = first;
  const all = new Set(changed.flatMap((pair) => pair.changed));
  const isShown = ({ value }: { value: unknown }) => [...all].some((name) => member(value, name) !== undefined);
  const affected = pairs.filter((pair) => isShown(pair.before) && isShown(pair.after));
  return { fields: all, isEverywhere: changed.length === affected.length, before, after };
}

// While a file is processed, any of its fields may change.
function isProcessing({ value }: { value: unknown }): boolean {
  return member(value, 'status') === 'processing';
}

/** The fields that both values have and in which they differ. */
function changedIn(fields: readonly string[], before: unknown, after: unknown): string[] {
  return fields.filter((name) => {
    const [was, is] = [member(before, name), member(after, name)];
    if (was === undefined || is === undefined || isDeepStrictEqual(was, is)) return false;
    return !name.endsWith('At') || msBetween(String(was), String(is)) !== 0;
  });
}

// In one organization an id stays with its resource.
async function expectCreatedAtKept(session: Session, list: ListOperation): Promise<void> {
  await successfulReplies(session, list);
  const creation = creationOf(list);
  for (const whose of ['own', 'other'] as const satisfies readonly Whose[]) {
    const created = (creation === undefined ? [] : createdSoFar(session, creation))
      .filter((one) => one.whose === whose)
      .map(({ reply }) => ({ value: reply.json, reply }));
    const listed = successesFor(session, list, whose).flatMap((reply) =>
      listedIn(reply).map((value) => ({ value, reply })),
    );
    for (const sightings of Map.groupBy([...created, ...listed], ({ value }) => idOf(value)).values())
      expectSameCreatedAt(sightings);
  }
}

function expectSameCreatedAt([first, ...later]: { value: unknown; reply: Reply }[]): void {
  const createdAt = member(first?.value, 'createdAt');
  if (first === undefined || typeof createdAt !== 'string' || idOf(first.value) === undefined) return;
  const other = later.find(({ value }) => {
    const shown = member(value, 'createdAt');
    return typeof shown === 'string' && Math.abs(msBetween(createdAt, shown)) > 0;
  });
  if (other === undefined) return;
  const expected = say`createdAt of ${idOf(first.value) ?? ''}: ${createdAt}, as first read`;
  throw new Violated(expected, asJson(member(other.value, 'createdAt')), [first.reply, other.reply]);
}

/** The fields of a file that neither processing nor time changes: readings must agree with the response to a move. */
const steadyFields = ['kind', 'id', 'name', 'size', 'contentType'];

/** The response to a move is the updated file: it shows what later readings show, until the file changes again (4.6). */
export const moveAnswerCheck: Check = checksOf('updateDriveFile', 'judge')(
  'answer-is-what-is-read',
  'Compares the response to every move with the readings of the file at its new path.',
  expectAnswersRead,
);

async function expectAnswersRead(session: Session): Promise<void> {
  const moves = await successfulReplies(session, 'updateDriveFile');
  let isCompared = false;
  for (const move of moves) {
    const readings = readingsOf(session, move);
    const latest = readings.at(-1);
    if (latest === undefined) continue;
    isCompared = true;
    const isUnderWork = [move, ...readings].some(({ json }) => member(json, 'status') === 'processing');
    const fields = steadyFields.filter((name) => !isUnderWork || !['size', 'contentType'].includes(name));
    // A lagging replica may show an old value, but a value that no reading shows is not explained by time.
    const wrong = fields.find((name) => {
      const shown = member(move.json, name);
      return shown !== undefined && readings.every(({ json }) => isOther(shown, member(json, name)));
    });
    if (wrong === undefined) continue;
    const expected = say`${own(wrong)}: ${asJson(member(latest.json, wrong))}, as the file is read at its new path`;
    throw new Violated(expected, asJson(member(move.json, wrong)), [latest, move]);
  }
  if (!isCompared)
    throw new Inconclusive(
      'PREREQUISITE',
      say`No file was read at its new path.`,
      'updateDriveFile.read-shows-new-path',
    );
}

function isOther(shown: unknown, read: unknown): boolean {
  return read !== undefined && !isDeepStrictEqual(shown, read);
}

/** The readings of a file at the path of a move, until it was moved again. */
function readingsOf(session: Session, move: Reply): Reply[] {
  const { path } = move.request;
  const next = session
    .repliesOf('updateDriveFile')
    .find(({ request, sentAtMs }) => request.path === path && sentAtMs > move.sentAtMs);
  return session
    .successesOf('getDriveFile')
    .filter(({ request, sentAtMs }) => request.path === path && sentAtMs >= move.receivedAtMs)
    .filter(({ receivedAtMs }) => next === undefined || receivedAtMs <= next.sentAtMs)
    .filter((reading) => pathIn(move) !== undefined && pathIn(reading) === pathIn(move));
}
