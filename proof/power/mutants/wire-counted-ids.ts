import type { Engine, Mutant, WireFault } from '../mutant.ts';
import { organizationsOf } from './patch-store.ts';
import { operationIdOf, pathOf, withBody, write } from './wire-faults.ts';

/**
 * Some MCP servers have counted ids, all others UUIDs, as where the first ones came from an older system. `unknown` answers
 * for a counted id that nothing has, in place of 404.
 */
export function countedIds(engine: Engine, unknown = 404): WireFault {
  const [own] = organizationsOf(engine);
  const counted = new Map([...(own?.mcpServersById.keys() ?? [])].slice(1).map((id, index) => [`m-a${index + 1}`, id]));
  return async (request, response, forward) => {
    const url = request.url ?? '';
    const id = pathOf(url).split('/')[3] ?? '';
    const isOfTools = operationIdOf(request) === 'listMcpServerTools';
    const known = isOfTools ? counted.get(id) : undefined;
    const answer = await forward(known === undefined ? {} : { path: url.replace(id, known) });
    const isMeant = isOfTools && known === undefined && answer.status === 404 && /^m-[a-z]\d+$/.test(id);
    const body = [...counted].reduce((text, [short, long]) => text.replaceAll(long, short), answer.body);
    const shown = isMeant ? { ...answer, status: unknown } : answer;
    write(response, body === answer.body ? shown : withBody(shown, body));
  };
}

/** Servers with ids of two forms, which look up only one of them well. */
export const wireCountedIds: readonly Mutant[] = [
  ...[400, 403].map(
    (status): Mutant => ({
      ...{ id: `an-unknown-counted-mcp-server-is-${status}`, class: 'status', place: 'wire' },
      requirement: 'listMcpServerTools.unknown-server-is-404',
      check: 'listMcpServerTools.unknown-server',
      fault: `MCP servers have UUIDs or counted ids; the tools under a counted id that nothing has are answered with ${status}.`,
      // The ids in the list are legal, and nothing there has the id that the fault is about.
      shownBy: ['listMcpServers'],
      wire: (engine) => countedIds(engine, status),
    }),
  ),
];
