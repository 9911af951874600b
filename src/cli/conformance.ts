import { compare } from './conformance-compare.ts';
import { doctor } from './conformance-doctor.ts';
import { conformanceOptions, doctorOptions } from './conformance-options.ts';
import { judge } from './conformance-run.ts';
import { beDiscreet, discreetly } from './discretion.ts';
import { secretsIn } from './options.ts';
import type { Terminal } from './terminal.ts';

/** `agent-platform conformance`: judges a target, or says what a run would do. */
export function runConformance(args: readonly string[], terminal: Terminal): Promise<number> {
  const discreet = beDiscreet(terminal, secretsIn(conformanceOptions, args, terminal.environment));
  return discreetly(discreet, 'conformance', (quiet) => judge(args, quiet));
}

/** `agent-platform conformance doctor`: says whether a target can be judged, and what is missing for it. */
export function runDoctor(args: readonly string[], terminal: Terminal): Promise<number> {
  const discreet = beDiscreet(terminal, secretsIn(doctorOptions, args, terminal.environment));
  return discreetly(discreet, 'conformance doctor', (quiet) => doctor(args, quiet));
}

/** `agent-platform conformance compare`: says what changed from one report to another. */
export function runCompare(args: readonly string[], terminal: Terminal): Promise<number> {
  const discreet = beDiscreet(terminal, secretsIn(conformanceOptions, args, terminal.environment));
  return discreetly(discreet, 'conformance compare', (quiet) => compare(args, quiet));
}
