import type { Mutant } from '../mutant.ts';
import { stateOfAgents } from './state-agents.ts';
import { stateOfCreations } from './state-creations.ts';
import { stateOfFiles } from './state-files.ts';
import { stateOfLists } from './state-lists.ts';
import { stateOfMcpServers } from './state-mcp-servers.ts';
import { stateOfMoves } from './state-moves.ts';
import { stateOfTrees } from './state-trees.ts';

/** Mutants that keep, find, list or lose something wrongly. */
export const state: readonly Mutant[] = [
  ...stateOfAgents,
  ...stateOfCreations,
  ...stateOfFiles,
  ...stateOfLists,
  ...stateOfMcpServers,
  ...stateOfMoves,
  ...stateOfTrees,
];
