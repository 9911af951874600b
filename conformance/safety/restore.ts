// `conformance restore`: moves files back after a run that could not.
import { setTimeout } from 'node:timers/promises';
import { asJson, type Sentence, say } from '../../lib/sentence.ts';
import { type Paint, painter } from '../../lib/terminal-colors.ts';
import { columns, oneLine, plural } from '../../lib/text.ts';
import { isObject, parseJson } from '../../openapi/reading/messages.ts';
import { awaitPath, learnUnknownStatus, pathIn, readFileWithRetry, saysNoSuchFile } from '../probing/files.ts';
import { parseReport } from '../report/parse-report.ts';
import type { Report } from '../report/report.ts';
import { reach } from '../run/reach.ts';
import type { FileFixture, Settings } from '../run/settings.ts';
import { stoppedEarly } from '../run/stopped-early.ts';
import { readText, SuiteError } from '../run/suite-error.ts';
import { poll } from '../target/clock.ts';
import { describeReply, isBusy } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { inSession, type Session } from '../target/session.ts';
import { complaintAboutLine, type MoveLogLine, parseMoveLogLine } from './move-log.ts';
import { fileKey, type MovableFile } from './receipt.ts';

/** A file that a run moved and is not known to be back or deleted. */
export interface MovedFile extends MovableFile {
  /** The id of the run. */
  run: string;
  /** Where the run sent it; undefined if that is not known. */
  sentTo: readonly string[] | undefined;
  /** Whether a secret was redacted in its ids or its original path. */
  isRedacted: boolean;
}

/** The content of a move log or a report. */
export interface MovedFiles {
  /** Redacted. */
  baseUrl: string;
  files: MovedFile[];
  /** When the last move was noted, in milliseconds since 1970; undefined if that is not known. */
  lastMovedAtMs: number | undefined;
}

/** Reads a move log or a JSON report. Throws a {@link SuiteError} if the file is neither, or not usable as a whole. */
export function loadMovedFiles(file: string): MovedFiles {
  const text = readText(file);
  if (text.trim() === '') throw new SuiteError('FILE_MALFORMED', say`${file} is empty: it lists no moved file.`);
  const lines = linesIn(text);
  const known = lines.flatMap((line) => parseMoveLogLine(line.text) ?? []);
  if (known.length === 0 && isLikeReport(text)) return inReport(parseReport(text, file));
  const complaint = complaintAbout(lines);
  if (complaint === undefined) return inMoveLog(file, known);
  throw new SuiteError(
    'FILE_MALFORMED',
    known.length === 0
      ? say`${file} is neither a move log nor a JSON report of a conformance run. As a move log, its ${complaint}.`
      : say`${file} is damaged, and no file was moved: ${complaint}. Correct the line, or move its file back by hand and remove it.`,
  );
}

interface TextLine {
  number: number;
  text: string;
}

/** The lines of a move log. A crash may have torn the last one: then its move was not sent yet. */
function linesIn(text: string): TextLine[] {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line }));
  const last = lines.at(-1);
  const isTorn = last !== undefined && last.number > 1 && parseJson(last.text) === undefined;
  return lines.slice(0, isTorn ? -1 : undefined).filter((line) => line.text.trim() !== '');
}

function isLikeReport(text: string): boolean {
  const value = parseJson(text)?.value;
  return isObject(value) && ('verdict' in value || 'checks' in value);
}

/** What is wrong with the first line that is not usable: to leave it out would leave its file where it is. */
function complaintAbout(lines: readonly TextLine[]): Sentence | undefined {
  const wrong = lines.flatMap(({ number, text }) => {
    const complaint = complaintAboutLine(text);
    return complaint === undefined ? [] : [say`line ${number} is not a line of a move log: ${complaint}`];
  });
  return wrong[0];
}

function inMoveLog(file: string, lines: readonly MoveLogLine[]): MovedFiles {
  const [baseUrl = '', ...others] = new Set(lines.map((line) => line.baseUrl));
  if (others.length > 0) {
    throw new SuiteError(
      'FILE_MALFORMED',
      say`${file} contains moves on several servers: ${[baseUrl, ...others].join(', ')}.`,
    );
  }
  const byFile = Map.groupBy(lines, (line) => fileKey(line));
  const files = [...byFile.values()].flatMap((ofFile) => stillMoved(ofFile) ?? []);
  return { baseUrl, files, lastMovedAtMs: latestOf(lines) };
}

// Not as arguments of one call: there may be more lines than a call accepts.
function latestOf(lines: readonly MoveLogLine[]): number | undefined {
  const times = lines.map(({ at }) => Date.parse(at)).filter((timeMs) => !Number.isNaN(timeMs));
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}

// The first line has the original path: a later run may have found the file where an earlier one left it.
function stillMoved(lines: readonly MoveLogLine[]): MovedFile | undefined {
  const [first] = lines;
  if (first === undefined || lines.at(-1)?.is !== undefined) return undefined;
  const { driveId, id, originalPath, run } = first;
  const sentTo = lines.flatMap((line) => line.sentTo ?? []);
  return { driveId, id, originalPath, run, sentTo, isRedacted: lines.some(({ isRedacted }) => isRedacted === true) };
}

const redactedPart = /<[\w-]+>|\[REDACTED\]/;

function inReport({ run, leftovers }: Report): MovedFiles {
  const files = leftovers.flatMap(({ kind, id, driveId, originalPath }): MovedFile[] => {
    if (kind !== 'file' || driveId === undefined || originalPath === undefined) return [];
    const isRedacted = [driveId, id, originalPath].some((text) => redactedPart.test(text));
    return [{ driveId, id, originalPath, run: run.id, sentTo: undefined, isRedacted }];
  });
  return { baseUrl: run.baseUrl, files, lastMovedAtMs: undefined };
}

/** The result for a file. `back`: it was back already. `moved`: it was moved back. `stuck`: it cannot be moved. */
type RestoredState = 'back' | 'moved' | 'gone' | 'stuck';

/** A file after the attempt to move it back. Redacted. */
export interface RestoredFile extends FileFixture {
  originalPath: string;
  state: RestoredState;
  /** Where it was, or why it is not back. */
  note: string;
}

interface Result {
  state: RestoredState;
  note: Sentence;
  /** Whether another file is at its original path, which may still be moved away. */
  isBlocked?: boolean;
}

/**
 * Moves the files of an earlier run back; reads each first. Throws a {@link SuiteError} if the target is unreachable.
 */
export async function restoreFiles(
  settings: Settings,
  moved: MovedFiles,
  { tool, signal }: { tool: string; signal?: AbortSignal },
): Promise<RestoredFile[]> {
  const options = { tool, signal, reason: say`it was interrupted` };
  return inSession({ ...settings, allowWrites: true }, options, async (session) => {
    await reachTarget(session);
    await letLastMoveSettle(settings, moved, signal);
    const results = await new Restorer(session, moved.files, signal).run();
    const { redact } = session;
    return moved.files.map((file) => {
      const { state, note } = results.get(file) ?? {
        state: 'stuck',
        note: say`not checked: the command was stopped first`,
      };
      const { driveId, id, originalPath } = file;
      return {
        driveId: redact(driveId),
        id: redact(id),
        originalPath: redact(originalPath),
        state,
        note: note.shown(redact),
      };
    });
  });
}

async function reachTarget(session: Session): Promise<void> {
  await reach(session).catch((error: unknown) => {
    throw stoppedEarly(error, 'No file was moved back', session);
  });
  // Without the limits of a run.
  await session.target.startTidying();
}

// A move sent right before the run ended may become visible late.
async function letLastMoveSettle({ settleMs }: Settings, moved: MovedFiles, signal?: AbortSignal): Promise<void> {
  const waitMs = (moved.lastMovedAtMs ?? 0) + settleMs - Date.now();
  if (waitMs > 0) await setTimeout(Math.min(waitMs, settleMs), undefined, { signal }).catch(() => undefined);
}

/** Moves files back one after the other, in an order in which none blocks another. */
class Restorer {
  readonly #session: Session;
  readonly #files: readonly MovedFile[];
  readonly #signal: AbortSignal | undefined;
  /** The paths of all known files, by drive and id. */
  readonly #paths = new Map<string, { file: FileFixture; path: string }>();

  constructor(session: Session, files: readonly MovedFile[], signal: AbortSignal | undefined) {
    this.#session = session;
    this.#files = files;
    this.#signal = signal;
  }

  async run(): Promise<Map<MovedFile, Result>> {
    const results = new Map<MovedFile, Result>();
    await this.#readOthers();
    let waiting = [...this.#files];
    for (let isProgress = true; isProgress && waiting.length > 0; ) {
      for (const file of waiting) {
        if (this.#signal?.aborted) return results;
        results.set(file, await this.#restore(file));
      }
      const blocked = waiting.filter((file) => results.get(file)?.isBlocked);
      isProgress = blocked.length < waiting.length;
      waiting = blocked;
    }
    return results;
  }

  // The API has no list of files: only files that are named can be seen to block a path.
  async #readOthers(): Promise<void> {
    const { files = [], disposableFiles = [] } = this.#session.settings.fixtures;
    for (const file of [...this.#files, ...files, ...disposableFiles]) {
      if (!this.#signal?.aborted && !this.#paths.has(fileKey(file))) await this.#read(file);
    }
  }

  async #read(file: FileFixture): Promise<Reply> {
    const reply = await readFileWithRetry(this.#session, file);
    const path = pathIn(reply);
    if (path === undefined) this.#paths.delete(fileKey(file));
    else {
      if (this.#paths.size === 0) await learnUnknownStatus(this.#session, file);
      this.#paths.set(fileKey(file), { file, path });
    }
    return reply;
  }

  async #restore(file: MovedFile): Promise<Result> {
    if (file.isRedacted)
      return stuck(
        say`the move log lacks an id or the original path, because they contain a secret; move the file back by hand`,
      );
    const reply = await this.#read(file);
    const path = pathIn(reply);
    if (path === file.originalPath) return { state: 'back', note: say`` };
    if (saysNoSuchFile(reply) && saysNoSuchFile(await this.#read(file)))
      return { state: 'gone', note: describeReply(reply) };
    if (path === undefined) return stuck(say`it cannot be read: ${describeReply(reply)}`);
    if (!isSentThere(file, path)) {
      return stuck(say`it is at ${asJson(path)}, where the run did not move it: someone else may have moved it since`);
    }
    const other = this.#standsAt(file);
    if (other !== undefined) {
      return {
        ...stuck(say`it is at ${asJson(path)}, and the file ${other.id} is at its original path`),
        isBlocked: true,
      };
    }
    return this.#moveBack(file, path);
  }

  #standsAt({ driveId, id, originalPath }: MovedFile): FileFixture | undefined {
    const all = [...this.#paths.values()];
    return all.find(({ file, path }) => file.driveId === driveId && file.id !== id && path === originalPath)?.file;
  }

  async #moveBack(file: MovedFile, from: string): Promise<Result> {
    const { driveId, id, originalPath } = file;
    const send = () =>
      this.#session.call('updateDriveFile', { path: { driveId, fileId: id }, json: { path: originalPath } });
    const { seen: reply } = await poll(this.#session.settings.settleMs, send, isFinal);
    const last = await awaitPath(this.#session, file, originalPath);
    await this.#read(file);
    if (last.isThere) return { state: 'moved', note: say`it was at ${asJson(from)}` };
    const now = pathIn(last.reply);
    const place = now === undefined ? describeReply(last.reply) : say`it is at ${asJson(now)}`;
    return stuck(say`${place}; moving it back failed: ${describeReply(reply)}`);
  }
}

function stuck(note: Sentence): Result {
  return { state: 'stuck', note };
}

const temporary = [409, 423, 425];

function isFinal(reply: Reply): boolean {
  return reply.failure === undefined && !isBusy(reply) && !temporary.includes(reply.status);
}

// A server may respell a path, but hardly loses the run's id in it.
function isSentThere({ sentTo, run }: MovedFile, path: string): boolean {
  return sentTo === undefined || sentTo.includes(path) || path.toLowerCase().includes(run);
}

const words = { back: 'already in place', moved: 'moved back', gone: 'gone', stuck: 'cannot be moved' } as const;
const formats = { back: 'good', moved: 'good', gone: 'bad', stuck: 'bad' } as const;

/** The result for each file, and how many are back. */
export function describeRestored(
  files: readonly RestoredFile[],
  { baseUrl }: Pick<MovedFiles, 'baseUrl'>,
  { color }: { color: boolean },
): string {
  const paint = painter(color);
  const back = files.filter(isBack).length;
  return [
    `${plural(files.length, 'file')} to move back on ${oneLine(baseUrl)}`,
    ...(files.length === 0 ? [] : ['', ...columns(files.map((file) => row(file, paint)))]),
    '',
    files.length === back
      ? 'All files are back.'
      : `${files.length - back} of ${plural(files.length, 'file')} not back.`,
    '',
  ].join('\n');
}

/** Whether a file is back where the run found it. */
export function isBack({ state }: { state: RestoredState }): boolean {
  return state === 'back' || state === 'moved';
}

function row({ id, driveId, originalPath, state, note }: RestoredFile, paint: Paint): string[] {
  const why = note === '' ? '' : `: ${oneLine(note)}`;
  return [paint(formats[state], words[state]), oneLine(`${id} in drive ${driveId}`), `${oneLine(originalPath)}${why}`];
}
