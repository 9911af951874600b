import { readFileSync } from 'node:fs';
import { compareReports, parseReport, type Report, SuiteError, toComparison } from '../../conformance/index.ts';
import { wantsColor } from './conformance-config.ts';
import { compareOptions } from './conformance-options.ts';
import type { Discreet } from './discretion.ts';
import { readOperands } from './options.ts';

/** Says what changed from one report to another. The exit code: 1 when something fails that did not. */
export async function compare(args: readonly string[], terminal: Discreet): Promise<number> {
  const names = ['<before.json>', '<after.json>'];
  const { chosen, operands } = readOperands(compareOptions, names, args, terminal.environment);
  const [before, after] = operands.map(load);
  if (before === undefined || after === undefined) return 2;
  const comparison = compareReports(before, after);
  terminal.write(toComparison(comparison, { color: wantsColor(chosen, terminal) }));
  const isWorse = comparison.newlyFailing.length > 0 || comparison.added.some(({ outcome }) => outcome === 'failed');
  return isWorse ? 1 : 0;
}

function load(file: string): Report {
  try {
    return parseReport(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof SuiteError) throw error;
    throw new SuiteError('FILE_UNREADABLE', `${file} cannot be read. Check that it is there and may be read.`);
  }
}
