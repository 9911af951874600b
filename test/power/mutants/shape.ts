import type { Mutant } from '../mutant.ts';
import { toMutants } from './rewrite.ts';
import { agentFaults } from './shape-agents.ts';
import { bodyFaults } from './shape-bodies.ts';
import { driveFaults } from './shape-drives.ts';
import { fileFaults } from './shape-files.ts';
import { mcpServerFaults } from './shape-mcp-servers.ts';

/** Mutants whose fault sits in the finished answer: a sound engine, and its answer rewritten. */
export const shape: readonly Mutant[] = toMutants([
  ...bodyFaults,
  ...agentFaults,
  ...driveFaults,
  ...fileFaults,
  ...mcpServerFaults,
]);
