import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Report, type ReporterName, reporters, SuiteError, toProfileYaml } from '../../conformance/index.ts';
import { nearest } from '../../openapi/contract/nearest.ts';
import { list, text } from './conformance-config.ts';
import type { Chosen, Environment } from './options.ts';
import { UsageError } from './usage-error.ts';

/** A file that a run is to write. */
export interface Output {
  path: string;
  write(report: Report): string;
  /** Whether it is written behind what stands there. */
  isAppended?: boolean;
  /** Whether its folder is made when it is not there. */
  makesFolder?: boolean;
}

const defaultFolder = 'conformance-report';

/** The files that were asked for. Throws a {@link UsageError} for a form that there is not. */
export function outputsOf(chosen: Chosen, environment: Environment): Output[] {
  const json = text(chosen, 'json');
  const summary = environment.GITHUB_STEP_SUMMARY ?? '';
  const observed = text(chosen, 'observe');
  return [
    ...reportsOf(chosen),
    ...(json === undefined ? [] : [{ path: json, write: reporters.json.write }]),
    ...(observed === undefined ? [] : [{ path: observed, write: toProfileYaml }]),
    ...(summary === '' ? [] : [{ path: summary, write: reporters.markdown.write, isAppended: true }]),
  ];
}

function reportsOf(chosen: Chosen): Output[] {
  const names = list(chosen, 'report').flatMap((part) => part.split(',').map((name) => name.trim()));
  const folder = text(chosen, 'report-dir');
  if (names.length === 0 && folder !== undefined) {
    throw new UsageError('--report-dir says where to; --report says what, such as --report junit,html,markdown.');
  }
  return [...new Set(names)].map((name) => {
    const { fileName, write } = reporters[knownName(name)];
    return { path: join(folder ?? defaultFolder, fileName), write, makesFolder: true };
  });
}

function knownName(name: string): ReporterName {
  const names = Object.keys(reporters);
  if (names.includes(name)) return name as ReporterName;
  const meant = nearest(name, names);
  throw new UsageError(`--report is of ${names.join(', ')}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`);
}

/** Throws a `SuiteError` unless all files can be written: better now than after a run. */
export function requireWritable(outputs: readonly Output[]): void {
  for (const output of outputs) {
    try {
      tryOut(output);
    } catch (error) {
      throw new SuiteError('FILE_UNWRITABLE', complaint(output.path, error));
    }
  }
}

function tryOut({ path, isAppended, makesFolder }: Output): void {
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
export function writeAll(outputs: readonly Output[], report: Report): { written: string[]; problems: string[] } {
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

function writeWhole({ path, write, isAppended }: Output, report: Report): void {
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
