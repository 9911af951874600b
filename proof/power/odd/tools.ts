import type { Engine, WireFault } from '../mutant.ts';
import { changeAnswer, isSuccess, on, pathOf } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

const why =
  'Section 4.10 shows what answers for a server that is there; what does when that server cannot be reached is not shown.';

/** The tools of servers that do not answer the platform; those of the first listed one are there. */
function unreachable(status: number, isUp: (id: string, engine: Engine) => boolean): (engine: Engine) => WireFault {
  const refusal = { status, headers: { 'content-type': 'application/json' }, body: '{"message":"no contact"}' };
  const idIn = (url = '') => decodeURIComponent(pathOf(url).split('/').at(-2) ?? '');
  return (engine) =>
    on(
      'listMcpServerTools',
      changeAnswer(
        (answered, { url }) => isSuccess(answered) && !isUp(idIn(url), engine),
        () => refusal,
      ),
    );
}

function isTicketDesk(id: string, engine: Engine): boolean {
  return engine.store.organizations.some(({ mcpServersById }) => mcpServersById.get(id)?.name === 'Ticket desk');
}

/** Servers that ask MCP servers for their tools, some of which do not answer. */
export const tools: Record<string, Oddity> = {
  'other-mcp-servers-are-down-424': { why, wire: unreachable(424, isTicketDesk) },
  'other-mcp-servers-are-down-500': {
    why,
    mayWarn: ['listMcpServerTools.no-server-error'],
    wire: unreachable(500, isTicketDesk),
  },
  'other-mcp-servers-are-down-502': { why, wire: unreachable(502, isTicketDesk) },
  'named-mcp-server-is-not-vouched-for-and-down': {
    why,
    wire: unreachable(424, (id, engine) => !isTicketDesk(id, engine)),
    fixtures: ({ mcpServer: _, ...others }) => others,
  },
  'all-mcp-servers-are-down': {
    why,
    wire: unreachable(400, () => false),
    fixtures: ({ mcpServer: _, ...others }) => others,
  },
};
