import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Redact } from '../../lib/secrets.ts';
import { joined, own, type Sentence, say } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { isObject, parseJson } from '../../openapi/reading/messages.ts';
import type { FileFixture } from '../run/settings.ts';
import { SuiteError } from '../run/suite-error.ts';
import { fileKey, type MovableFile } from './receipt.ts';

/**
 * One line of a move log: a move about to be sent (`sentTo`), or what happened to the file (`is`). Each line stands
 * alone, so that a truncated move log is still usable.
 */
export interface MoveLogLine extends FileFixture {
  run: string;
  baseUrl: string;
  /** Where the run found the file. */
  originalPath: string;
  sentTo?: string;
  is?: FileEnd;
  /** Set if a secret was redacted in this line: then it cannot be used to move the file. */
  isRedacted?: true;
  at: string;
}

/** How a move ended. `back`: the file was seen at its original path again, or no request was sent. */
type FileEnd = 'back' | 'deleted';

const text = { type: 'string' } as const;
const violationsOf = new Schemas({
  type: 'object',
  additionalProperties: false,
  required: ['run', 'baseUrl', 'driveId', 'id', 'originalPath', 'at'],
  properties: {
    ...{ run: text, baseUrl: text, driveId: text, id: text, originalPath: text, at: text },
    ...{ sentTo: text, is: { enum: ['back', 'deleted'] }, isRedacted: { const: true } },
  },
}).at('#');

/** Parses a line; undefined if it is invalid. */
export function parseMoveLogLine(text: string): MoveLogLine | undefined {
  return complaintAboutLine(text) === undefined ? JSON.parse(text) : undefined;
}

/** Why a text is not a line of a move log; undefined if it is one. */
export function complaintAboutLine(text: string): Sentence | undefined {
  const json = parseJson(text);
  if (json === undefined) return say`it is not JSON`;
  const { value } = json;
  const complaints = violationsOf(value).map(({ location, message }) => {
    return say`${location.length === 0 ? own('it') : location.join('.')} ${own(message)}`;
  });
  if (complaints.length > 0) return joined(complaints, '; ');
  return isObject(value) && ('sentTo' in value || 'is' in value) ? undefined : say`it has neither sentTo nor is`;
}

/** A new file in the temporary directory: always writable, and never committed by accident. */
export function usualMoveLog(): string {
  return join(tmpdir(), `agent-platform-moves-${randomBytes(4).toString('hex')}.jsonl`);
}

/**
 * Why a file cannot be the move log of a new run; undefined if it can. `isNeeded`: the run may move files, so the file is
 * tried now. After the first write to the target, it would be too late.
 */
export function moveLogComplaint(file: string, isNeeded: boolean): Sentence | undefined {
  if (existsSync(file)) {
    const isFolder = statSync(file).isDirectory();
    if (isFolder) return say`The move log ${file} is a folder. Name a file in it that does not exist yet.`;
    return say`${file} exists and may hold the moves of an earlier run. Move its files back with ${own(shownCommand('conformance restore'))}, then remove it.`;
  }
  return isNeeded ? unwritableMoveLog(file) : undefined;
}

function unwritableMoveLog(file: string): Sentence | undefined {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    rmSync(file);
    return undefined;
  } catch (error) {
    const folder = dirname(file);
    const { code } = error as NodeJS.ErrnoException;
    const why = existsSync(folder) ? own(String(code)) : say`there is no folder ${folder}`;
    return say`The move log ${file} cannot be written: ${why}. Choose a different path with --move-log (moveLog in code).`;
  }
}

/** What every line of a move log repeats. */
interface RunName {
  run: string;
  baseUrl: string;
  redact: Redact;
}

/**
 * A file with every move of a run, written before the move is sent. It survives the process: the kernel has each line
 * before the request leaves. It is created at the first move, and removed at the end if every file is back or deleted.
 */
export class MoveLog {
  readonly path: string;
  readonly #name: RunName;
  readonly #open = new Set<string>();
  #descriptor: number | undefined;

  constructor(path: string, name: RunName) {
    this.path = path;
    this.#name = name;
  }

  /** Whether some file is not known to be back or deleted. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Records a move about to be sent. Throws a {@link SuiteError} if that fails: then it must not be sent. */
  noteMove(file: MovableFile, sentTo: string): void {
    try {
      // An existing file is the move log of a different run.
      this.#descriptor ??= openSync(this.path, 'wx', 0o600);
      this.#write(this.#descriptor, file, { sentTo });
      this.#open.add(fileKey(file));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new SuiteError(
        'FILE_UNWRITABLE',
        say`${this.path} cannot be written (${own(String(code))}); no file is moved.`,
      );
    }
  }

  /** Records what happened to a file. */
  noteEnd(file: MovableFile, is: FileEnd): void {
    if (!this.#open.delete(fileKey(file)) || this.#descriptor === undefined) return;
    try {
      this.#write(this.#descriptor, file, { is });
    } catch {
      // Without this line, the file is only checked once more.
    }
  }

  /** Closes the file, and removes it if every file is back or deleted. */
  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    if (!this.isOpen) rmSync(this.path, { force: true });
  }

  #write(descriptor: number, file: MovableFile, event: Pick<MoveLogLine, 'sentTo' | 'is'>): void {
    const { run, baseUrl, redact } = this.#name;
    const { driveId, id, originalPath } = file;
    const shown = { driveId: redact(driveId), id: redact(id), originalPath: redact(originalPath) };
    const isRedacted = !isSame(shown, { driveId, id, originalPath });
    const line: MoveLogLine = {
      run,
      baseUrl: redact(baseUrl),
      ...shown,
      ...(event.sentTo === undefined ? event : { sentTo: redact(event.sentTo) }),
      ...(isRedacted ? { isRedacted } : {}),
      at: new Date().toISOString(),
    };
    writeSync(descriptor, `${JSON.stringify(line)}\n`);
  }
}

function isSame(one: FileFixture & { originalPath: string }, other: typeof one): boolean {
  return one.driveId === other.driveId && one.id === other.id && one.originalPath === other.originalPath;
}
