import { allChecks, describeDiagnosis, diagnose } from '../../conformance/index.ts';
import { settingsFrom, wantsColor } from './conformance-config.ts';
import { doctorOptions } from './conformance-options.ts';
import { suiteTool } from './conformance-run.ts';
import type { Discreet } from './discretion.ts';
import { readOptions } from './options.ts';
import { stopSignal } from './stop-signal.ts';

/** Says how a target answers, what is there to judge it by, and what is missing. */
export async function doctor(args: readonly string[], terminal: Discreet): Promise<number> {
  const chosen = readOptions(doctorOptions, args, terminal.environment);
  const settings = settingsFrom(chosen, terminal);
  const diagnosis = await diagnose(settings, suiteTool(), stopSignal(terminal));
  const color = wantsColor(chosen, terminal);
  terminal.write(describeDiagnosis(diagnosis, allChecks(), settings, { color }));
  return 0;
}
