import type { Ending } from '../../conformance/index.ts';
import { plural } from '../../lib/text.ts';
import { errorExitCodes } from './exit-codes.ts';
import type { SafeTerminal } from './secret-safe-output.ts';
import { exitCodeOfSignal } from './stop-signals.ts';

/**
 * How a command ends whose work ended as `found`. An uncaught error and a signal decide that, whatever was found, and `unwritten`
 * files if nothing else does.
 */
export function commandEnding(
  { crashed, signal }: Pick<SafeTerminal, 'crashed' | 'signal'>,
  found: Ending,
  unwritten: number,
): Ending<number> {
  const name = signal();
  if (crashed.aborted) return { exitCode: errorExitCodes.suite, reasons: ['the suite stopped early'] };
  if (name !== undefined) return { exitCode: exitCodeOfSignal(name), reasons: [`${name} stopped the run`] };
  if (found.exitCode !== 0 || unwritten === 0) return found;
  return { exitCode: errorExitCodes.report, reasons: [`${plural(unwritten, 'file')} could not be written`] };
}
