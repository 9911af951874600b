import { say } from '../../lib/sentence.ts';
import { type MoveLogLine, parseMoveLogLine } from '../move-log/move-log-line.ts';
import { parseReport } from '../parse-report.ts';
import { fileKey, type MovableFile } from '../probing/movable-file.ts';
import { readText } from '../read-text.ts';
import type { Report } from '../report.ts';
import { SuiteError } from '../suite-error.ts';

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

/** Reads a move log or a JSON report. Throws a {@link SuiteError} if the file is neither. */
export function loadMovedFiles(file: string): MovedFiles {
  const text = readText(file);
  const lines = text.split('\n').map(parseMoveLogLine);
  const known = lines.filter((line) => line !== undefined);
  return known.length > 0 ? inMoveLog(file, known) : inReport(parseReport(text, file));
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
