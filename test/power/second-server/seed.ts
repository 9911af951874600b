import type { Agent, Drive, DriveFile, McpServer, Owned, World } from './world.ts';

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
function owned(world: World, kind: 'agent' | 'drive' | 'mcpServer', organizationId: string, name: string): Owned {
  const times = { createdAt: SEEDED_AT, updatedAt: SEEDED_AT, listedAt: 0 };
  return { id: world.nextId(kind), organizationId, name, ...times };
}

function addAgent(world: World, organizationId: string, name: string, description?: string): Agent {
  const revisionIds = Array.from({ length: 3 }, () => world.nextId('revision'));
  const nothing = { requested: undefined, active: undefined };
  const agent: Agent = { ...owned(world, 'agent', organizationId, name), description, revisionIds, ...nothing };
  world.agents.set(agent.id, agent);
  return agent;
}

function addDrive(world: World, organizationId: string, name: string): Drive {
  const drive: Drive = { ...owned(world, 'drive', organizationId, name), files: new Map() };
  world.drives.set(drive.id, drive);
  return drive;
}

/**
 * File ids of the odd variant count from 1 in each drive: they are unique only inside it. There each of the optional
 * fields is missing on some file.
 */
function addFile(world: World, drive: Drive, path: string): DriveFile {
  const count = drive.files.size + 1;
  const has = (divisor: number) => world.choices.variant === 'plain' || count % divisor !== 0;
  const file: DriveFile = {
    id: world.choices.makeId('file', count),
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

function addMcpServer(world: World, organizationId: string, name: string, toolNames: readonly string[]): McpServer {
  const server: McpServer = {
    ...owned(world, 'mcpServer', organizationId, name),
    url: `https://tools.example.com/${encodeURIComponent(name)}`,
    type: toolNames.length > 2 ? 'streamableHttp' : 'sse',
    tools: toolNames.map((tool, index) => ({ name: tool, description: index === 1 ? '' : `Does ${tool}` })),
  };
  world.mcpServers.set(server.id, server);
  return server;
}

function seedOther(world: World, organizationId: string): void {
  const agent = addAgent(world, organizationId, 'Other agent');
  agent.active = agent.revisionIds[0];
  agent.requested = agent.active;
  addAgent(world, organizationId, 'Second other agent', 'Belongs to B');
  for (const name of ['Other drive', 'Second other drive']) {
    const drive = addDrive(world, organizationId, name);
    addFile(world, drive, '/kept/one.txt');
    addFile(world, drive, '/kept/two.txt');
  }
  addMcpServer(world, organizationId, 'Other tools', ['grep', 'sed', 'awk']);
  addMcpServer(world, organizationId, 'No tools', []);
}

function seedAgents(world: World, organizationId: string): Seeded['agent'] {
  const agent = addAgent(world, organizationId, 'Agent to publish', 'Has three revisions');
  addAgent(world, organizationId, 'Agent without a description');
  const published = addAgent(world, organizationId, 'Ägent with ünusual name 🤖', '');
  published.active = published.revisionIds.at(-1);
  published.requested = published.active;
  // The odd variant offers a revision that is not the newest: the agent keeps unpublished changes.
  const revisionId = agent.revisionIds.at(world.choices.variant === 'odd' ? 1 : -1) ?? '';
  return { id: agent.id, revisionId };
}

function refer(drive: Drive, files: readonly DriveFile[]): FileId[] {
  return files.map((file) => ({ driveId: drive.id, id: file.id }));
}

function seedDisposable(world: World, organizationId: string): FileId[] {
  return ['Disposable one', 'Disposable two'].flatMap((name) => {
    const drive = addDrive(world, organizationId, name);
    const numbers = Array.from({ length: DISPOSABLE_PER_DRIVE }, (_, index) => index + 1);
    const files = numbers.map((number) => addFile(world, drive, `/disposable/${number}/note ${number}.txt`));
    return refer(drive, files);
  });
}

/** Fills an empty world with two organizations. */
export function seed(world: World, organizationA: string, organizationB: string): Seeded {
  seedOther(world, organizationB);
  const agent = seedAgents(world, organizationA);
  const drive = addDrive(world, organizationA, 'Files to move');
  const moved = ['/reports/2024/plan.md', '/reports/plan.md'].map((path) => addFile(world, drive, path));
  const disposableFiles = seedDisposable(world, organizationA);
  for (let count = 1; count <= 8; count += 1) addDrive(world, organizationA, `Empty drive ${count}`);
  const { id } = addMcpServer(world, organizationA, 'Weather', ['forecast', 'radar', 'alerts']);
  addMcpServer(world, organizationA, 'Clock', ['now']);
  return { agent, files: refer(drive, moved), disposableFiles, mcpServer: { id } };
}
