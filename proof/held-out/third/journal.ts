// The journal is the only state of the server: a list of lines that are never changed.
// What a request sees is a picture: the lines in effect at that moment, folded together.

export interface Agent {
  id: string;
  name: string;
  description: string;
  isPublished: boolean;
  hasChanges: boolean;
  createdAt: string;
  updatedAt: string;
}
export interface Drive {
  id: string;
  organizationId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}
export interface DriveFile {
  kind: string;
  id: string;
  name: string;
  path: string;
  status: string;
  modifiedAt: string;
  size: number;
  contentType: string;
  description: string;
  summary: string;
  metadata: Record<string, unknown>;
}
export interface McpServer {
  id: string;
  organizationId: string;
  name: string;
  url: string;
  type: string;
  createdAt: string;
  updatedAt: string;
}
export interface Tool {
  name: string;
  description: string;
}

export type Deed =
  | { type: 'agent-known'; agent: Agent; revisions: string[] }
  | { type: 'revision-published'; agentId: string; revisionId: string }
  | { type: 'drive-created'; drive: Drive }
  | { type: 'file-known'; driveId: string; file: DriveFile }
  | { type: 'file-moved'; fileId: string; path: string }
  | { type: 'files-deleted'; driveId: string; fileIds: string[] }
  | { type: 'mcp-known'; server: McpServer; tools: Tool[] };

export type Line = Deed & { n: number; org: string; at: number; effectAt: number };

export interface AgentRow {
  org: string;
  item: Agent;
  revisions: string[];
  active: string | null;
}
export interface DriveRow {
  org: string;
  item: Drive;
}
export interface FileRow {
  org: string;
  driveId: string;
  item: DriveFile;
}
export interface McpRow {
  org: string;
  item: McpServer;
  tools: Tool[];
}
export interface Picture {
  agents: AgentRow[];
  drives: DriveRow[];
  files: FileRow[];
  mcps: McpRow[];
}

export const stamp = (ms: number): string => new Date(ms).toISOString();
export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function fold(lines: readonly Line[], now: number): Picture {
  const picture: Picture = { agents: [], drives: [], files: [], mcps: [] };
  for (const line of lines) {
    if (line.effectAt > now) continue;
    switch (line.type) {
      case 'agent-known':
        picture.agents.push({
          org: line.org,
          item: { ...line.agent },
          revisions: [...line.revisions],
          active: line.agent.isPublished ? line.revisions[0]! : null,
        });
        break;
      case 'revision-published': {
        for (const row of picture.agents) {
          if (row.item.id !== line.agentId) continue;
          row.active = line.revisionId;
          row.item.isPublished = true;
          row.item.hasChanges = line.revisionId !== row.revisions[row.revisions.length - 1];
          row.item.updatedAt = stamp(line.at);
        }
        break;
      }
      case 'drive-created':
        picture.drives.push({ org: line.org, item: { ...line.drive } });
        break;
      case 'file-known':
        picture.files.push({
          org: line.org,
          driveId: line.driveId,
          item: { ...line.file, metadata: { ...line.file.metadata } },
        });
        break;
      case 'file-moved': {
        const row = picture.files.find((one) => one.item.id === line.fileId);
        if (row) {
          row.item.path = line.path;
          row.item.name = lastSegment(line.path);
          row.item.modifiedAt = stamp(line.at);
        }
        break;
      }
      case 'files-deleted':
        picture.files = picture.files.filter(
          (row) => !(row.driveId === line.driveId && line.fileIds.includes(row.item.id)),
        );
        break;
      case 'mcp-known':
        picture.mcps.push({ org: line.org, item: { ...line.server }, tools: line.tools.map((tool) => ({ ...tool })) });
        break;
    }
  }
  return picture;
}
