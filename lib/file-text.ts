import { constants as bufferLimits, isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { CodedError, type Sentence, say } from './sentence.ts';

/** A data file that cannot be used. The message gives each error with its position. */
export class DataFileError extends CodedError<'FILE_UNREADABLE' | 'FILE_MALFORMED' | 'FILE_INVALID'> {}

/**
 * The text of a file or pipe, which must be UTF-8. A byte order mark is removed. A pipe must not pause for longer than
 * the limit. Throws {@link DataFileError}.
 */
export function readFileText(file: string, pipeLimitMs = 10_000): string {
  const bytes = readBytes(file, pipeLimitMs);
  if (!isUtf8(bytes)) throw new DataFileError('FILE_MALFORMED', notUtf8(file, bytes));
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function readBytes(file: string, pipeLimitMs: number): Buffer {
  if (file === '-') throw unreadable(say`- does not name a file. Standard input is /dev/stdin.`);
  let descriptor: number | undefined;
  try {
    // Otherwise opening a pipe blocks until somebody writes to it, possibly forever and ignoring signals.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return readOpen(file, descriptor, pipeLimitMs);
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    const isFolder = (error as { code?: unknown }).code === 'EISDIR';
    if (isFolder) throw unreadable(say`${file} is a folder. Name a file in it.`, error);
    throw unreadable(say`${file} cannot be read. Check that it exists and that you may read it.`, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

// A string cannot be longer.
const mostBytes = bufferLimits.MAX_STRING_LENGTH;

function readOpen(file: string, descriptor: number, pipeLimitMs: number): Buffer {
  const stats = fstatSync(descriptor);
  if (stats.isFIFO()) return readPipe(file, descriptor, pipeLimitMs);
  if (!stats.isFile() && !stats.isDirectory())
    throw unreadable(say`${file} is neither a file nor a pipe. Name a file.`);
  if (stats.size > mostBytes) throw tooLarge(file);
  return readFileSync(descriptor);
}

const pauseMs = 10;
const chunkBytes = 65_536;

/** Reads a pipe to its end. Its writer may start late and pause, but not for longer than the limit. */
function readPipe(file: string, descriptor: number, limitMs: number): Buffer {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  const read: Buffer[] = [];
  let lengthBytes = 0;
  for (let waitedMs = 0; waitedMs < limitMs; ) {
    const count = readWhatIsThere(descriptor, chunk);
    if (count === 0 && lengthBytes > 0) return Buffer.concat(read);
    // A copy, since a writer may send byte by byte.
    if (count > 0) read.push(Buffer.from(chunk.subarray(0, count)));
    lengthBytes += Math.max(0, count);
    if (lengthBytes > mostBytes) throw tooLarge(file);
    waitedMs = count > 0 ? 0 : waitedMs + pause();
  }
  const limit = say`${limitMs / 1_000} seconds`;
  throw unreadable(say`${file} is a pipe, but no data arrived for ${limit}. Write to it or name a file.`);
}

/** The number of bytes read: 0 if the pipe has no writer, -1 if the writer has not written yet. */
function readWhatIsThere(descriptor: number, chunk: Buffer): number {
  try {
    return readSync(descriptor, chunk);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EAGAIN') return -1;
    throw error;
  }
}

function pause(): number {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  return pauseMs;
}

function notUtf8(file: string, bytes: Buffer): Sentence {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) return say`${file} is UTF-16 text. Save it as UTF-8.`;
  return say`${file}:${lineThatIsNotUtf8(bytes)} is not UTF-8 text. Save the file as UTF-8.`;
}

// No UTF-8 character extends past the end of a line.
function lineThatIsNotUtf8(bytes: Buffer): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf('\n', start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

function tooLarge(file: string): DataFileError {
  return unreadable(say`${file} is larger than ${Math.floor(mostBytes / 1024 ** 2)} MiB. Use a smaller file.`);
}

function unreadable(sentence: Sentence, cause?: unknown): DataFileError {
  return new DataFileError('FILE_UNREADABLE', sentence, { cause });
}
