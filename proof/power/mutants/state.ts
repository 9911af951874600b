import type { Mutant } from '../mutant.ts';
import { stateOfAgents } from './state-agents.ts';
import { stateOfAnswers } from './state-answers.ts';
import { stateOfLaterCreations } from './state-created-again.ts';
import { stateOfCreations } from './state-creations.ts';
import { stateOfDeletedTrees } from './state-deleted-trees.ts';
import { stateOfEveryList } from './state-every-list.ts';
import { stateOfFiles } from './state-files.ts';
import { stateOfFurtherMoves } from './state-further-moves.ts';
import { stateOfLists } from './state-lists.ts';
import { stateOfMcpServers } from './state-mcp-servers.ts';
import { stateOfMoves } from './state-moves.ts';
import { stateOfNamedTrees } from './state-named-trees.ts';
import { stateOfNearMoves } from './state-near-moves.ts';
import { stateOfPublications } from './state-publications.ts';
import { stateOfReadings } from './state-readings.ts';
import { stateOfTrees } from './state-trees.ts';
import { stateUnasked } from './state-unasked.ts';

/** Mutants that keep, find, list or lose something wrongly. */
export const state: readonly Mutant[] = [
  ...stateOfAgents,
  ...stateOfCreations,
  ...stateOfFiles,
  ...stateOfLists,
  ...stateOfMcpServers,
  ...stateOfMoves,
  ...stateOfTrees,
  ...stateOfPublications,
  ...stateOfLaterCreations,
  ...stateOfAnswers,
  ...stateUnasked,
  ...stateOfFurtherMoves,
  ...stateOfNearMoves,
  ...stateOfDeletedTrees,
  ...stateOfNamedTrees,
  ...stateOfEveryList,
  ...stateOfReadings,
];
