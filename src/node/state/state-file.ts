import {
  closeSync,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { firstLine, firstSum, toFrame } from './frames.ts';

// It holds keys.
const ownerOnly = 0o600;

// Written at once.
const pieceBytes = 1_048_576;

/** A file that is open, and what was written to it. */
interface Open {
  descriptor: number;
  length: number;
  sum: number;
  /** Its length when it was made. */
  madeLength: number;
}

/** A file of values that grows at its end, and is replaced as a whole now and then. Errors are those of the system. */
export class StateFile {
  readonly path: string;
  #open: Open | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** How long it was when it was last made, and how much was added since, in bytes. */
  get lengths(): { made: number; added: number } {
    const { madeLength = 0, length = 0 } = this.#open ?? {};
    return { made: madeLength, added: length - madeLength };
  }

  read(): Buffer {
    return readFileSync(this.path);
  }

  /** Goes on behind the part that is intact. What comes after it is cut off. */
  goOn(intact: { length: number; sum: number; madeLength: number }): void {
    const descriptor = openSync(this.path, 'r+');
    this.#open = { descriptor, ...intact };
    fchmodSync(descriptor, ownerOnly);
    ftruncateSync(descriptor, intact.length);
    this.#removeUnfinished();
  }

  /** Adds a value. It is in the file as a whole, or not at all. */
  add(value: unknown): void {
    const open = this.#open as Open;
    const { bytes, sum } = toFrame(value, open.sum);
    try {
      writeWhole(open.descriptor, bytes, open.length);
    } catch (error) {
      attempt(() => ftruncateSync(open.descriptor, open.length));
      throw error;
    }
    open.length += bytes.length;
    open.sum = sum;
  }

  /** Replaces the file by one with these values. If that fails, the file is as it was before. */
  replace(values: Iterable<unknown>): void {
    this.#removeUnfinished();
    const made = this.#make(values);
    try {
      fsyncSync(made.descriptor);
      renameSync(this.#unfinished, this.path);
    } catch (error) {
      closeSync(made.descriptor);
      this.#removeUnfinished();
      throw error;
    }
    if (this.#open !== undefined) closeSync(this.#open.descriptor);
    this.#open = made;
  }

  /** Hands everything to the disk, and closes the file. */
  close(): void {
    if (this.#open === undefined) return;
    const { descriptor } = this.#open;
    this.#open = undefined;
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  get #unfinished(): string {
    return join(dirname(this.path), `.${basename(this.path)}.unfinished`);
  }

  #removeUnfinished(): void {
    rmSync(this.#unfinished, { force: true });
  }

  #make(values: Iterable<unknown>): Open {
    const descriptor = openSync(this.#unfinished, 'wx', ownerOnly);
    try {
      const { length, sum } = writeValues(descriptor, values);
      return { descriptor, length, sum, madeLength: length };
    } catch (error) {
      closeSync(descriptor);
      this.#removeUnfinished();
      throw error;
    }
  }
}

function writeValues(descriptor: number, values: Iterable<unknown>): { length: number; sum: number } {
  let [sum, length] = [firstSum, 0];
  let waiting: Uint8Array[] = [Buffer.from(firstLine)];
  let waitingBytes = firstLine.length;
  const flush = () => {
    writeWhole(descriptor, Buffer.concat(waiting), length);
    length += waitingBytes;
    [waiting, waitingBytes] = [[], 0];
  };
  for (const value of values) {
    const frame = toFrame(value, sum);
    sum = frame.sum;
    waiting.push(frame.bytes);
    waitingBytes += frame.bytes.length;
    if (waitingBytes > pieceBytes) flush();
  }
  flush();
  return { length, sum };
}

// The system may take less than it is given.
function writeWhole(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // What is left at the end is recognised as cut off.
  }
}
