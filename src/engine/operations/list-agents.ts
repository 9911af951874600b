import type { Handler } from '../handler.ts';

/** 4.1 */
export const listAgents: Handler<'listAgents'> = (_, { organization: { agents }, views, pages }) =>
  pages.of(agents.mark, agents.all(), (all) => all.map(views.agent));
