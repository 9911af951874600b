import type { Handler } from '../handler.ts';

/** 4.1 */
export const listAgents: Handler<'listAgents'> = (_, { organization: { id, agents }, views, pages }) =>
  pages.of(`agents ${id}`, agents.all(), (all) => all.map(views.agent));
