import type { Mutant } from '../mutant.ts';
import { wireTable } from './table.ts';
import { changeAnswer, changeStatus, isSuccess, withHeader } from './wire-faults.ts';

/** A longer list is taken for a part of it. */
const mostAgents = 10;

function lengthOf(body: string): number {
  return (JSON.parse(body) as unknown[]).length;
}

const created = () => changeStatus(isSuccess, 201);

/** Successes to which something in front of the service gives another code than the stated 200. */
export const wireStatus: readonly Mutant[] = wireTable('status', {
  'listAgents.status-is-200: list-agents-answers-206-to-a-long-list': [
    'A cache that knows of ranges answers GET /agents with 206 when there are more than ten agents.',
    () =>
      changeAnswer(isSuccess, (answer) => {
        const count = lengthOf(answer.body);
        if (count <= mostAgents) return answer;
        return { ...withHeader(answer, 'content-range', `agents 0-${count - 1}/${count}`), status: 206 };
      }),
  ],
  'listAgents.status-is-200: list-agents-answers-201': [
    'A gateway gives the successes of GET /agents the code 201.',
    created,
  ],
  'listMcpServers.status-is-200: list-mcp-servers-answers-201': [
    'A gateway gives the successes of GET /mcp-servers the code 201.',
    created,
  ],
  'listMcpServerTools.status-is-200: list-mcp-server-tools-answers-201': [
    'A gateway gives the successes of GET /mcp-servers/{mcpServerId}/tools the code 201.',
    created,
  ],
});
