import { setupServer } from 'msw/node';
import { getAgentPlatformServiceInterfaceMock } from './generated/msw.msw.ts';
import * as api from './generated/msw.ts';
import { input, type Target, type Used } from './shared.ts';

/** The generated handlers answer each operation with its code. The mock is not asked. */
export async function use({ ids }: Target): Promise<Used> {
  const server = setupServer(...getAgentPlatformServiceInterfaceMock());
  server.listen({ onUnhandledRequest: 'error' });
  try {
    const answers = [
      [await api.listAgents(), 200],
      [await api.publishAgentRevision(ids.agentId, { revisionId: ids.revisionId }), 200],
      [await api.createDrive({ name: input.name }), 201],
      [await api.listDrives(input.page), 200],
      [await api.getDriveFile(ids.driveId, ids.fileId), 200],
      [await api.updateDriveFile(ids.driveId, ids.fileId, { path: input.moveTo }), 200],
      [await api.deleteDriveTree(ids.driveId, { path: input.tree }), 200],
      [await api.createMcpServer(input.server), 201],
      [await api.listMcpServers(), 200],
      [await api.listMcpServerTools(ids.mcpServerId), 200],
    ] as const;
    const wrong = answers.filter(([answer, status]) => answer.status !== status || typeof answer.data !== 'object');
    if (wrong.length > 0) throw new Error(`wrong answers: ${JSON.stringify(wrong)}`);
    return { calls: answers.length, validations: 0 };
  } finally {
    server.close();
  }
}
