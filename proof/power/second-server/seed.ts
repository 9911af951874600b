import type { Agent, Drive, DriveFile, McpServer, Owned, Sandbox } from './sandbox.ts';

/** 2024-02-29T23:59:59.999Z: a date that careless date code gets wrong. */
const SEEDED_AT = Date.UTC(2024, 1, 29, 23, 59, 59, 999);

const DISPOSABLE_PER_DRIVE = 14;

/** A file by its id and that of its drive. */
export interface FileId {
  driveId: string;
  id: string;
}

/** What a test may use of the seeded state of organization A. */
export interface Seeded {
  /** An agent with a revision that may be published. */
  readonly agent: { readonly id: string; readonly revisionId: string };
  /** Two files that may be moved. */
  readonly files: FileId[];
  /** Files in two drives, which may be moved and deleted. */
  readonly disposableFiles: FileId[];
  /** An MCP server with tools. */
  readonly mcpServer: { readonly id: string };
}

/** What everything that is seeded has: it was there long before lists are asked for. */
function owned(sandbox: Sandbox, kind: 'agent' | 'drive' | 'mcpServer', organizationId: string, name: string): Owned {
  const times = { createdAt: SEEDED_AT, updatedAt: SEEDED_AT, listedAt: 0 };
  return { id: sandbox.nextId(kind), organizationId, name, ...times };
}

function addAgent(sandbox: Sandbox, organizationId: string, name: string, description?: string): Agent {
  const revisionIds = Array.from({ length: 3 }, () => sandbox.nextId('revision'));
  const nothing = { requested: undefined, active: undefined };
  const agent: Agent = { ...owned(sandbox, 'agent', organizationId, name), description, revisionIds, ...nothing };
  sandbox.agents.set(agent.id, agent);
  return agent;
}

function addDrive(sandbox: Sandbox, organizationId: string, name: string): Drive {
  const drive: Drive = { ...owned(sandbox, 'drive', organizationId, name), files: new Map() };
  sandbox.drives.set(drive.id, drive);
  return drive;
}

/**
 * File ids of the odd variant count from 1 in each drive: they are unique only inside it. There each of the optional
 * fields is missing on some file.
 */
function addFile(sandbox: Sandbox, drive: Drive, path: string): DriveFile {
  const count = drive.files.size + 1;
  const has = (divisor: number) => sandbox.choices.variant === 'plain' || count % divisor !== 0;
  const file: DriveFile = {
    id: sandbox.choices.makeId('file', count),
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    modifiedAt: SEEDED_AT,
    readyAt: 0,
    settledStatus: count % 5 === 0 ? 'error' : 'ready',
    size: has(4) ? count - 1 : undefined,
    contentType: has(6) ? 'text/plain; charset=utf-8' : undefined,
    description: has(2) ? `File number ${count}` : undefined,
    summary: has(3) ? '' : undefined,
    metadata: has(2) ? { pages: [count, { nested: null }] } : undefined,
  };
  drive.files.set(file.id, file);
  return file;
}

function addMcpServer(sandbox: Sandbox, organizationId: string, name: string, toolNames: readonly string[]): McpServer {
  const server: McpServer = {
    ...owned(sandbox, 'mcpServer', organizationId, name),
    url: `https://tools.example.com/${encodeURIComponent(name)}`,
    type: toolNames.length > 2 ? 'streamableHttp' : 'sse',
    tools: toolNames.map((tool, index) => ({ name: tool, description: index === 1 ? '' : `Does ${tool}` })),
  };
  sandbox.mcpServers.set(server.id, server);
  return server;
}

function seedOther(sandbox: Sandbox, organizationId: string): void {
  const agent = addAgent(sandbox, organizationId, 'Other agent');
  agent.active = agent.revisionIds[0];
  agent.requested = agent.active;
  addAgent(sandbox, organizationId, 'Second other agent', 'Belongs to B');
  for (const name of ['Other drive', 'Second other drive']) {
    const drive = addDrive(sandbox, organizationId, name);
    addFile(sandbox, drive, '/kept/one.txt');
    addFile(sandbox, drive, '/kept/two.txt');
  }
  addMcpServer(sandbox, organizationId, 'Other tools', ['grep', 'sed', 'awk']);
  addMcpServer(sandbox, organizationId, 'No tools', []);
}

function seedAgents(sandbox: Sandbox, organizationId: string): Seeded['agent'] {
  const agent = addAgent(sandbox, organizationId, 'Agent to publish', 'Has three revisions');
  addAgent(sandbox, organizationId, 'Agent without a description');
  const published = addAgent(sandbox, organizationId, 'Ägent with ünusual name 🤖', '');
  published.active = published.revisionIds.at(-1);
  published.requested = published.active;
  // The odd variant offers a revision that is not the newest: the agent keeps unpublished changes.
  const revisionId = agent.revisionIds.at(sandbox.choices.variant === 'odd' ? 1 : -1) ?? '';
  return { id: agent.id, revisionId };
}

function refer(drive: Drive, files: readonly DriveFile[]): FileId[] {
  return files.map((file) => ({ driveId: drive.id, id: file.id }));
}

function seedDisposable(sandbox: Sandbox, organizationId: string): FileId[] {
  return ['Disposable one', 'Disposable two'].flatMap((name) => {
    const drive = addDrive(sandbox, organizationId, name);
    const numbers = Array.from({ length: DISPOSABLE_PER_DRIVE }, (_, index) => index + 1);
    const files = numbers.map((number) => addFile(sandbox, drive, `/disposable/${number}/note ${number}.txt`));
    return refer(drive, files);
  });
}

/** Fills an empty sandbox with two organizations. */
export function seed(sandbox: Sandbox, organizationA: string, organizationB: string): Seeded {
  seedOther(sandbox, organizationB);
  const agent = seedAgents(sandbox, organizationA);
  const drive = addDrive(sandbox, organizationA, 'Files to move');
  const moved = ['/reports/2024/plan.md', '/reports/plan.md'].map((path) => addFile(sandbox, drive, path));
  const disposableFiles = seedDisposable(sandbox, organizationA);
  for (let count = 1; count <= 8; count += 1) addDrive(sandbox, organizationA, `Empty drive ${count}`);
  const { id } = addMcpServer(sandbox, organizationA, 'Weather', ['forecast', 'radar', 'alerts']);
  addMcpServer(sandbox, organizationA, 'Clock', ['now']);
  return { agent, files: refer(drive, moved), disposableFiles, mcpServer: { id } };
}
