/** The contract has no operation of this name, so there is nothing to handle. */
import { handlers } from '../../../src/engine/operations/index.ts';

export const more: typeof handlers = {
  ...handlers,
  listUsers: handlers.listAgents, // refused: TS2353 'listUsers' does not exist
};
