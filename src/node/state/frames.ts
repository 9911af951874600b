import { crc32 } from 'node:zlib';

// A state file is a line that says what it is, and then one line for each value: the length of its text in bytes, a
// checksum of everything up to its end, and the text. So a line that is missing, or in another place, is found too.

/** The first line. The number is that of the format. */
export const firstLine = 'agent-platform-contract state 1\n';

/** The first line of any format. */
export const anyFirstLine = /^agent-platform-contract state (\d+)\n/;

const headLength = 20;
const newLine = 0x0a;

/** The checksum of a file that has only its first line. */
export const firstSum = crc32(firstLine);

/** The line of a value in bytes, and the checksum up to its end. `sum` is the one up to its start. */
export function toFrame(value: unknown, sum: number): { bytes: Buffer; sum: number } {
  const text = Buffer.from(JSON.stringify(value));
  const next = crc32(text, sum);
  const head = `${String(text.length).padStart(10, '0')} ${next.toString(16).padStart(8, '0')} `;
  return { bytes: Buffer.concat([Buffer.from(head), text, Buffer.from('\n')]), sum: next };
}

/** A value of a file, and where its line ends, in bytes from the start of the file. */
export interface Frame {
  value: unknown;
  start: number;
  end: number;
  sum: number;
}

/** A place of a file that does not hold what was written. */
export class Damage extends Error {
  readonly at: number;

  constructor(at: number) {
    super(`The file is damaged at byte ${at}.`);
    this.at = at;
  }
}

/**
 * The values of a file that begins as it should. A last line that was cut off is left out, as nobody was told of it.
 * Throws a {@link Damage} where anything else is wrong.
 */
export function* framesOf(file: Buffer): Generator<Frame> {
  let sum = firstSum;
  for (let start = firstLine.length; start < file.length; ) {
    const frame = frameAt(file, start, sum);
    if (frame === undefined) return;
    yield frame;
    ({ end: start, sum } = frame);
  }
}

function frameAt(file: Buffer, start: number, before: number): Frame | undefined {
  const head = file.toString('latin1', start, start + headLength);
  if (isCutOff(file, start, head)) return undefined;
  const end = start + headLength + lengthIn(head) + 1;
  const text = file.subarray(start + headLength, end - 1);
  const sum = crc32(text, before);
  if (file[end - 1] !== newLine || head.slice(11, 19) !== sum.toString(16).padStart(8, '0')) throw new Damage(start);
  return { value: JSON.parse(text.toString()), start, end, sum };
}

// What is cut off does not end as a line does, and is shorter than it says.
function isCutOff(file: Buffer, start: number, head: string): boolean {
  if (file.at(-1) === newLine) return false;
  if (head.length < headLength) return /^(?:\d{0,10}|\d{10} [\da-f]{0,8}|\d{10} [\da-f]{8} )$/.test(head);
  return file.length < start + headLength + lengthIn(head) + 1;
}

// Without a length, the line ends nowhere.
function lengthIn(head: string): number {
  return /^\d{10} [\da-f]{8} $/.test(head) ? Number(head.slice(0, 10)) : Number.NaN;
}
