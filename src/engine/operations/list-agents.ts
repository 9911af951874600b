import type { Handler } from '../handler.ts';

/** 4.1 */
export const listAgents: Handler<'listAgents'> = (_, { organization, views }) =>
  organization.agents.all().map(views.agent);
