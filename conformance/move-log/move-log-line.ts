import type { FileFixture } from '../config/settings.ts';

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
export type FileEnd = 'back' | 'deleted';

const texts = ['run', 'baseUrl', 'driveId', 'id', 'originalPath', 'at'] as const;

/** Parses a line; undefined if it is invalid. */
export function parseMoveLogLine(text: string): MoveLogLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMoveLogLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMoveLogLine(value: unknown): value is MoveLogLine {
  if (typeof value !== 'object' || value === null) return false;
  const line = value as Record<string, unknown>;
  return texts.every((name) => typeof line[name] === 'string') && ('sentTo' in line || 'is' in line);
}
