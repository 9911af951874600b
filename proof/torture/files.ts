import { statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { SuiteError } from '../../conformance/run/suite-error.ts';
import { visible } from '../../lib/text.ts';
import { StartError } from '../../src/app/start-error.ts';
import { createMock } from '../../src/index.ts';
import { startProcess } from '../../test/support/command.ts';
import { temporaryFolder } from '../../test/support/shell.ts';
import { timeLimit } from '../../test/support/time-limit.ts';
import { tinySeed } from '../../test/support/tiny-seed.ts';
import { type FileReader, fileReaders, Refused } from './file-readers.ts';
import { hostileFiles } from './hostile-files.ts';
import type { TortureOptions } from './options.ts';

// Gives damaged, odd and hurtful files to all that reads files. Each is taken, and what it held works, or it is refused with
// an error that names it. Nothing hangs, nothing falls over, and no file reaches into the program.

/** A process of its own reads each file of this number. */
const processEach = 250;
/** Ends only what hangs: the slowest file took 36 s on a busy machine. */
const longestMs = timeLimit(120_000);
const longestMessage = 20_000;

interface Figures {
  files: number;
  taken: number;
  refused: number;
  processes: number;
  slowest: { ms: number; what: string };
}

/** Runs the torture, and prints its figures. Rejects with the smallest file that shows what is wrong. */
export async function run({ seed, count = 20_000, print }: TortureOptions): Promise<void> {
  print(`files: ${count} files, seed ${seed}`);
  const folder = temporaryFolder('torture-files');
  const mock = await createMock({ seed: tinySeed });
  const figures: Figures = { files: 0, taken: 0, refused: 0, processes: 0, slowest: { ms: 0, what: '' } };
  try {
    const readers = await fileReaders(mock, folder.path);
    for (const reader of readers) await requireSound(reader, folder.at('sound'));
    for (const [index, reader] of readers.entries()) {
      const numRuns = Math.ceil(count / readers.length);
      const property = fc.asyncProperty(hostileFiles(reader.sound), (bytes) =>
        give(bytes, reader, folder.path, figures),
      );
      await fc.assert(property, { seed: seed + index, numRuns, reporter: reporterOf(reader, seed) });
      print(`${reader.name}: ${numRuns} files`);
    }
  } finally {
    await mock.close();
    folder.remove();
  }
  print(closing(figures, seed));
}

function closing({ files, taken, refused, processes, slowest }: Figures, seed: number): string {
  return [
    `${files} files, ${taken} of them taken, ${refused} refused, ${processes} of them by a process of its own as well.`,
    `The slowest took ${(slowest.ms / 1_000).toFixed(1)} s (${slowest.what}).`,
    `Every refusal names its file; nothing hung, nothing fell over. Seed ${seed}.`,
  ].join('\n');
}

// A torture with a file that is refused anyway proves nothing.
async function requireSound({ name, sound, read }: FileReader, file: string): Promise<void> {
  writeFileSync(file, sound);
  try {
    await read(file);
  } catch (error) {
    throw new Error(`The sound file for "${name}" is refused.`, { cause: error });
  }
}

async function give(bytes: Buffer, reader: FileReader, folder: string, figures: Figures): Promise<void> {
  const file = `${folder}/file-${figures.files++}`;
  writeFileSync(file, bytes);
  const startMs = performance.now();
  const refusal = await refusalOf(reader, file);
  const ms = performance.now() - startMs;
  if (ms > figures.slowest.ms) figures.slowest = { ms, what: `${reader.name}, ${statSync(file).size} bytes` };
  if (ms > longestMs) throw new Error(`It took ${Math.round(ms)} ms.`);
  requireCleanPrototypes();
  if (refusal === undefined) figures.taken++;
  else figures.refused++;
  // A program shows characters that nobody sees by their numbers.
  if (refusal !== undefined) requireClear(visible(refusal), file);
  if (figures.files % processEach !== 0 || refusal === undefined || reader.command === undefined) return;
  // The mock may have rewritten a state file.
  writeFileSync(file, bytes);
  await requireRefusedByProcess(reader.command(file));
  figures.processes++;
}

/** The message with which the file is refused; undefined if it is taken. Any other error is one of the program. */
async function refusalOf({ read }: FileReader, file: string): Promise<string | undefined> {
  try {
    await read(file);
    return undefined;
  } catch (error) {
    if (error instanceof StartError || error instanceof SuiteError || error instanceof Refused) return error.message;
    throw error;
  }
}

function requireCleanPrototypes(): void {
  const added = [Object.prototype, Array.prototype, String.prototype].flatMap((one) => Object.keys(one));
  if (added.length > 0) throw new Error(`It reached a prototype: ${added.join(', ')}.`);
}

function requireClear(message: string, file: string): void {
  const complaint = complaintAbout(message, file);
  if (complaint !== undefined) throw new Error(`Its refusal ${complaint}: ${JSON.stringify(message.slice(0, 1_000))}`);
}

function complaintAbout(message: string, file: string): string | undefined {
  if (!message.includes(file)) return 'does not name the file';
  if (message.length > longestMessage) return `has ${message.length} characters`;
  if (/(?!\n)\p{Cc}/u.test(message)) return 'has control characters';
  if (/^ {4}at /m.test(message)) return 'shows a stack';
  return undefined;
}

async function requireRefusedByProcess(command: readonly string[]): Promise<void> {
  const { code, stderr } = await startProcess(command).ended;
  const words = `${command.join(' ')} ended with ${code}: ${stderr.slice(0, 2_000)}`;
  if (code !== 2) throw new Error(words);
  const file = command.find((word) => word.includes('/file-')) ?? '';
  requireClear(stderr, file);
}

/** Words a failure so that it can be read and used again. */
function reporterOf({ name }: FileReader, seed: number): NonNullable<fc.Parameters<[Buffer]>['reporter']> {
  return ({ failed, counterexample, errorInstance }) => {
    if (!failed) return;
    const bytes = counterexample?.[0] ?? Buffer.of();
    const shown = JSON.stringify(bytes.subarray(0, 1_500).toString('latin1'));
    const cause = (errorInstance instanceof Error ? errorInstance.message : String(errorInstance)).slice(0, 1_500);
    throw new Error(
      `${cause}\nThe smallest file of the kind "${name}": ${bytes.length} bytes, ${shown}\nUse it again with --seed ${seed}.`,
      {
        cause: errorInstance,
      },
    );
  };
}
