import type { Choices } from './choices.ts';
import type { Agent, Drive, DriveFile, McpServer } from './world.ts';

// Fields that are undefined vanish when the answer is written as JSON.

/** The list item of an agent. */
export function agentView(choices: Choices, agent: Agent): Record<string, unknown> {
  return choices.dress({
    id: agent.id,
    name: agent.name,
    description: agent.description,
    isPublished: agent.active !== undefined,
    hasChanges: agent.active !== agent.revisionIds.at(-1),
    createdAt: choices.timestamp(agent.createdAt),
    updatedAt: choices.timestamp(agent.updatedAt),
  });
}

/** A drive; nothing of this interface changes one after its creation. */
export function driveView(choices: Choices, drive: Drive): Record<string, unknown> {
  return choices.dress({
    id: drive.id,
    organizationId: drive.organizationId,
    name: drive.name,
    createdAt: choices.timestamp(drive.createdAt),
    updatedAt: choices.timestamp(drive.createdAt),
  });
}

/** The metadata of a drive file. */
export function fileView(choices: Choices, file: DriveFile, now: number): Record<string, unknown> {
  return choices.dress({
    kind: 'file',
    id: file.id,
    name: file.name,
    path: file.path,
    status: now < file.readyAt ? 'processing' : file.settledStatus,
    modifiedAt: choices.timestamp(file.modifiedAt),
    size: file.size,
    contentType: file.contentType,
    description: file.description,
    summary: file.summary,
    metadata: file.metadata,
  });
}

/** An MCP server without its tools. */
export function mcpServerView(choices: Choices, server: McpServer): Record<string, unknown> {
  return choices.dress({
    id: server.id,
    organizationId: server.organizationId,
    name: server.name,
    url: server.url,
    type: server.type,
    createdAt: choices.timestamp(server.createdAt),
    updatedAt: choices.timestamp(server.createdAt),
  });
}
