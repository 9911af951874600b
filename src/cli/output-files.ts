import { randomBytes } from 'node:crypto';
import {
  accessSync,
  appendFileSync,
  constants,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { didYouMean } from '../../lib/nearest.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import { UsageError } from './read-options.ts';

/** A file for a report. */
export interface Output<Report> {
  /** What names the file: an option, with its dashes. */
  option: string;
  path: string;
  /** The content; undefined if there is nothing to write. Then an earlier file stays as it is. */
  write(report: Report): string | undefined;
  /** Appends to the file. */
  isAppended?: boolean;
  /** Creates the folder if needed. */
  makesFolder?: boolean;
}

/** A file that an option names, to be read. */
interface Input {
  option: string;
  path: string;
}

export function inputsOf(files: Readonly<Record<string, string | readonly string[] | undefined>>): Input[] {
  return Object.entries(files).flatMap(([option, paths = []]) => [paths].flat().map((path) => ({ option, path })));
}

interface ReportFormat<Report> {
  fileName: string;
  write(report: Report): string;
}

/** The files of `--report` and `--report-dir`. Throws a {@link UsageError} for an unknown format. */
export function reportOutputs<Report>(
  { report: listed = [], reportDir }: { report?: string[]; reportDir?: string },
  formats: Readonly<Record<string, ReportFormat<Report>>>,
  defaultFolder: string,
): Output<Report>[] {
  const names = listed.flatMap((part) => part.split(',').map((name) => name.trim()));
  const all = Object.keys(formats);
  if (names.length === 0 && reportDir !== undefined) {
    throw new UsageError(`--report-dir needs --report with a list of formats, such as --report ${all.join(',')}.`);
  }
  return [...new Set(names)].map((name) => {
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    if (format === undefined) throw new UsageError(`--report takes ${all.join(', ')}${didYouMean(name, all)}.`);
    const path = join(reportDir ?? defaultFolder, format.fileName);
    return { option: '--report', path, write: format.write, makesFolder: true };
  });
}

/** Why the first unwritable file cannot be written, and what to do; undefined if all can. No input is overwritten. */
export function findUnwritable<Report>(
  outputs: readonly Output<Report>[],
  inputs: readonly Input[],
): Sentence | undefined {
  const overwritten = findOverwritten(outputs, inputs);
  if (overwritten !== undefined) return overwritten;
  for (const output of outputs) {
    try {
      tryOut(output);
    } catch (error) {
      return say`${complaint(output.path, error)} Choose a different path.`;
    }
  }
  const lost = outputs.find((one, index) => {
    const later = outputs.slice(index + 1).filter(({ path }) => resolve(path) === resolve(one.path));
    const isReplaced = later.some(({ write, isAppended }) => write !== one.write && !isAppended);
    return isReplaced && placeOf(one.path).kind === 'file';
  });
  return lost === undefined
    ? undefined
    : say`Two reports would be written to the same file, ${lost.path}. Choose two files.`;
}

function findOverwritten(outputs: readonly Output<never>[], inputs: readonly Input[]): Sentence | undefined {
  for (const output of outputs) {
    const file = realFile(output.path);
    const input = file === undefined ? undefined : inputs.find(({ path }) => realFile(path) === file);
    if (input === undefined) continue;
    const options = own(`${output.option} would overwrite the file that ${input.option} reads`);
    return say`${options}, ${output.path}. Choose two files.`;
  }
  return undefined;
}

/** The real path of a regular file; undefined if there is none. */
function realFile(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

function tryOut({ path, isAppended, makesFolder }: Omit<Output<never>, 'write'>): void {
  if (makesFolder) makeFolder(dirname(path));
  const place = placeOf(path);
  if (place.kind === 'folder') throw new Error('it is a folder');
  // It is not opened: a pipe's reader would see an end of file when it is closed again.
  if (place.kind === 'device') accessSync(place.path, constants.W_OK);
  else if (isAppended) appendFileSync(place.path, '');
  else {
    const trial = beside(place.path);
    writeFileSync(trial, '');
    rmSync(trial);
  }
}

/** Creates a folder and its parents. Node's `recursive` option never returns below /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw new Error(`the folder ${path} cannot be created (${reasonOf(error)})`);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Where a path leads, and what is there. Only a regular file is replaced as a whole. */
function placeOf(path: string): { path: string; kind: 'file' | 'folder' | 'device' } {
  const stats = statSync(path, { throwIfNoEntry: false });
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (stats?.isDirectory()) return { path, kind: 'folder' };
  // /dev/stdout leads to something that is open already, chosen by whoever started the command.
  if (stats !== undefined && (!stats.isFile() || (isLink && path.startsWith('/dev/')))) return { path, kind: 'device' };
  // Otherwise whoever created the link would choose the file to replace.
  if (isLink) throw new Error('it is a symbolic link; name the file that it points to');
  return { path, kind: 'file' };
}

/** Writes each file as a whole or not at all. `empty`: those for which there was nothing to write. */
export function writeAll<Report>(
  outputs: readonly Output<Report>[],
  report: Report,
): { written: string[]; empty: string[]; problems: Sentence[] } {
  const written = new Set<string>();
  const empty: string[] = [];
  const problems: Sentence[] = [];
  for (const output of outputs) {
    try {
      const isWritten = writeWhole(output, report);
      if (isWritten) written.add(output.path);
      else empty.push(output.path);
    } catch (error) {
      problems.push(complaint(output.path, error));
    }
  }
  return { written: [...written], empty, problems };
}

function writeWhole<Report>({ path, write, isAppended }: Output<Report>, report: Report): boolean {
  const content = write(report);
  if (content === undefined) return false;
  const place = placeOf(path);
  if (isAppended || place.kind === 'device') appendFileSync(place.path, content);
  else replace(place.path, content);
  return true;
}

function replace(path: string, content: string): void {
  const unfinished = beside(path);
  try {
    writeFileSync(unfinished, content);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function beside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`);
}

/** The message if something cannot be written. */
export function complaint(path: string, error: unknown): Sentence {
  const folder = dirname(path);
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && !isFolder(folder);
  return say`${path} cannot be written: ${isMissing ? say`there is no folder ${folder}` : reasonOf(error)}.`;
}

/** `permission denied` from `EACCES: permission denied, open 'x'` */
function reasonOf(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  return /^E[A-Z]+: (.*?), /.exec(message)?.[1] ?? message;
}
