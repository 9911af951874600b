import type { FileFixture } from '../config/settings.ts';

/**
 * One line of a move log: a move that is about to be sent (`sentTo`), or what became of the file (`is`). Each
 * line stands alone, so that a move log that ends in the middle of a line is of use.
 */
export interface MoveLogLine extends FileFixture {
  run: string;
  baseUrl: string;
  /** Where the run found the file. */
  originalPath: string;
  sentTo?: string;
  is?: FileEnd;
  /** Set if a secret was taken out of this line: then the file cannot be moved by it. */
  isRedacted?: true;
  at: string;
}

/** How a move ended. `back`: the file was seen at its original path again, or no request was sent. */
export type FileEnd = 'back' | 'deleted';

const texts = ['run', 'baseUrl', 'driveId', 'id', 'originalPath', 'at'] as const;

/** The line in a text; undefined if it holds none. */
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
