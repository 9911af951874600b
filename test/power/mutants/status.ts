import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Answer } from '../../../src/engine/call.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { isSuccess, onCallersOf } from './patch.ts';

/** Gives the successes of an operation another code. */
function changeSuccess(engine: Engine, operationId: OperationId, statusOf: (answer: Answer) => number): void {
  onCallersOf(engine, operationId, (call, sound) => {
    const answer = sound.answer(call);
    return isSuccess(answer) ? { ...answer, status: statusOf(answer) } : answer;
  });
}

function lengthOf({ body = '[]' }: Answer): number {
  return (JSON.parse(body) as unknown[]).length;
}

/** Successes with another code than the stated 200. */
export const status: readonly Mutant[] = [
  {
    id: 'list-agents-answers-206-to-a-long-list',
    class: 'status',
    place: 'answer',
    requirement: 'listAgents.status-is-200',
    check: 'listAgents.status-is-200',
    fault: 'GET /agents answers with 206 when there are more than ten agents.',
    break: (engine) => changeSuccess(engine, 'listAgents', (answer) => (lengthOf(answer) > 10 ? 206 : answer.status)),
  },
  ...(
    [
      { id: 'listAgents', slug: 'list-agents', said: 'GET /agents' },
      { id: 'listMcpServers', slug: 'list-mcp-servers', said: 'GET /mcp-servers' },
      { id: 'listMcpServerTools', slug: 'list-mcp-server-tools', said: 'GET /mcp-servers/{mcpServerId}/tools' },
    ] as const
  ).map(
    ({ id, slug, said }): Mutant => ({
      id: `${slug}-answers-201`,
      class: 'status',
      place: 'answer',
      requirement: `${id}.status-is-200`,
      check: `${id}.status-is-200`,
      fault: `${said} answers with 201.`,
      break: (engine) => changeSuccess(engine, id, () => 201),
    }),
  ),
];
