import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearest } from '../../openapi/contract/nearest.ts';
import type { Chosen } from './options.ts';
import { UsageError } from './usage-error.ts';

/** A file that a report is to be written to. */
export interface Output<Report> {
  path: string;
  write(report: Report): string;
  /** Whether it is written behind what stands there. */
  isAppended?: boolean;
  /** Whether its folder is made when it is not there. */
  makesFolder?: boolean;
}

/** A form in which a report can be written. */
export interface ReportForm<Report> {
  fileName: string;
  write(report: Report): string;
}

/** The files of `--report` and `--report-dir`. Throws a {@link UsageError} for a form that there is not. */
export function reportOutputs<Report>(
  chosen: Chosen,
  forms: Readonly<Record<string, ReportForm<Report>>>,
  defaultFolder: string,
): Output<Report>[] {
  const listed = (chosen.get('report') as string[] | undefined) ?? [];
  const names = listed.flatMap((part) => part.split(',').map((name) => name.trim()));
  const folder = chosen.get('report-dir') as string | undefined;
  const all = Object.keys(forms);
  if (names.length === 0 && folder !== undefined) {
    throw new UsageError(`--report-dir says where to; --report says what, such as --report ${all.join(',')}.`);
  }
  return [...new Set(names)].map((name) => {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) throw new UsageError(unknownForm(name, all));
    return { path: join(folder ?? defaultFolder, form.fileName), write: form.write, makesFolder: true };
  });
}

function unknownForm(name: string, all: readonly string[]): string {
  const meant = nearest(name, all);
  return `--report is of ${all.join(', ')}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

/** Why the first of the files that cannot be written cannot be; undefined when all can. */
export function findUnwritable<Report>(outputs: readonly Output<Report>[]): string | undefined {
  for (const output of outputs) {
    try {
      tryOut(output);
    } catch (error) {
      return complaint(output.path, error);
    }
  }
  return undefined;
}

function tryOut({ path, isAppended, makesFolder }: Omit<Output<never>, 'write'>): void {
  if (makesFolder) mkdirSync(dirname(path), { recursive: true });
  const place = placeOf(path);
  if (place.kind === 'folder') throw new Error('a folder is there');
  if (isAppended || place.kind === 'device') {
    appendFileSync(place.path, '');
    return;
  }
  const trial = beside(place.path);
  writeFileSync(trial, '');
  rmSync(trial);
}

/** Where a path leads, and what is there: only a file is replaced as a whole. */
function placeOf(path: string): { path: string; kind: 'file' | 'folder' | 'device' } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { path, kind: 'file' };
  if (stats.isDirectory()) return { path, kind: 'folder' };
  return stats.isFile() ? { path: realpathSync(path), kind: 'file' } : { path, kind: 'device' };
}

/** Writes all files, each as a whole or not at all. What was written, and what could not be. */
export function writeAll<Report>(
  outputs: readonly Output<Report>[],
  report: Report,
): { written: string[]; problems: string[] } {
  const written: string[] = [];
  const problems: string[] = [];
  for (const output of outputs) {
    try {
      writeWhole(output, report);
      written.push(output.path);
    } catch (error) {
      problems.push(complaint(output.path, error));
    }
  }
  return { written, problems };
}

function writeWhole<Report>({ path, write, isAppended }: Output<Report>, report: Report): void {
  const content = write(report);
  const place = placeOf(path);
  if (isAppended || place.kind === 'device') appendFileSync(place.path, content);
  else replace(place.path, content);
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

function complaint(path: string, error: unknown): string {
  const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  const reason = code === 'ENOENT' ? `there is no folder ${dirname(path)}` : message.split(', ')[0];
  return `${path} cannot be written: ${reason}.`;
}
