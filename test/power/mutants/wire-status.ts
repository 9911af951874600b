import { changeAnswer, isSuccess, on, type WireMutant, withHeader } from './wire-faults.ts';

/** A longer list is taken for a part of it. */
const mostAgents = 10;

function lengthOf(body: string): number {
  return (JSON.parse(body) as unknown[]).length;
}

/** Successes to which something in front of the service gives another code than the stated 200. */
export const wireStatus: readonly WireMutant[] = [
  {
    id: 'list-agents-answers-206-to-a-long-list',
    class: 'status',
    requirement: 'listAgents.status-is-200',
    check: 'listAgents.status-is-200',
    fault: 'A cache that knows of ranges answers GET /agents with 206 when there are more than ten agents.',
    wire: () =>
      on(
        'listAgents',
        changeAnswer(isSuccess, (answer) => {
          const count = lengthOf(answer.body);
          if (count <= mostAgents) return answer;
          return { ...withHeader(answer, 'content-range', `agents 0-${count - 1}/${count}`), status: 206 };
        }),
      ),
  },
  ...(
    [
      { id: 'listAgents', slug: 'list-agents', said: 'GET /agents' },
      { id: 'listMcpServers', slug: 'list-mcp-servers', said: 'GET /mcp-servers' },
      { id: 'listMcpServerTools', slug: 'list-mcp-server-tools', said: 'GET /mcp-servers/{mcpServerId}/tools' },
    ] as const
  ).map(
    ({ id, slug, said }): WireMutant => ({
      id: `${slug}-answers-201`,
      class: 'status',
      requirement: `${id}.status-is-200`,
      check: `${id}.status-is-200`,
      fault: `A gateway gives the successes of ${said} the code 201.`,
      wire: () =>
        on(
          id,
          changeAnswer(isSuccess, (answer) => ({ ...answer, status: 201 })),
        ),
    }),
  ),
];
