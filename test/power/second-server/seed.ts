import type { Agent, Drive, DriveFile, McpServer, World } from './world.ts';

/** 2024-02-29T23:59:59.999Z: a date that careless date code gets wrong. */
const SEEDED_AT = Date.UTC(2024, 1, 29, 23, 59, 59, 999);

const DISPOSABLE_PER_DRIVE = 14;

/** What a test may use of the seeded state. */
export interface Seeded {
  readonly organizationA: string;
  readonly organizationB: string;
  readonly agent: { readonly id: string; readonly revisionId: string };
  readonly files: readonly { readonly driveId: string; readonly id: string }[];
  readonly disposableFiles: readonly { readonly driveId: string; readonly id: string }[];
  readonly mcpServer: { readonly id: string };
}

function addAgent(world: World, organizationId: string, name: string, description?: string): Agent {
  const agent: Agent = {
    id: world.nextId('agent'),
    organizationId,
    name,
    description,
    revisionIds: [world.nextId('revision'), world.nextId('revision'), world.nextId('revision')],
    createdAt: SEEDED_AT,
    updatedAt: SEEDED_AT,
    requested: undefined,
    active: undefined,
  };
  world.agents.set(agent.id, agent);
  return agent;
}

function addDrive(world: World, organizationId: string, name: string): Drive {
  const id = world.nextId('drive');
  const drive: Drive = { id, organizationId, name, createdAt: SEEDED_AT, listedAt: 0, files: new Map() };
  world.drives.set(id, drive);
  return drive;
}

/** File ids of the odd variant count from 1 in each drive: they are unique only inside it. */
function addFile(world: World, drive: Drive, path: string): DriveFile {
  const count = drive.files.size + 1;
  const file: DriveFile = {
    id: world.choices.makeId('file', count),
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    modifiedAt: SEEDED_AT,
    readyAt: 0,
    settledStatus: count % 5 === 0 ? 'error' : 'ready',
    ...optionalFields(world, count),
  };
  drive.files.set(file.id, file);
  return file;
}

type OptionalFields = Pick<DriveFile, 'size' | 'contentType' | 'description' | 'summary' | 'metadata'>;

/** In the odd variant each of the optional fields is missing on some file. */
function optionalFields(world: World, count: number): OptionalFields {
  const has = (divisor: number) => world.choices.variant === 'plain' || count % divisor !== 0;
  return {
    size: has(4) ? count - 1 : undefined,
    contentType: has(6) ? 'text/plain; charset=utf-8' : undefined,
    description: has(2) ? `File number ${count}` : undefined,
    summary: has(3) ? '' : undefined,
    metadata: has(2) ? { pages: [count, { nested: null }] } : undefined,
  };
}

function addMcpServer(world: World, organizationId: string, name: string, toolNames: readonly string[]): McpServer {
  const server: McpServer = {
    id: world.nextId('mcpServer'),
    organizationId,
    name,
    url: `https://tools.example.com/${encodeURIComponent(name)}`,
    type: toolNames.length > 2 ? 'streamableHttp' : 'sse',
    createdAt: SEEDED_AT,
    listedAt: 0,
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

function refer(drive: Drive, files: readonly DriveFile[]): { driveId: string; id: string }[] {
  return files.map((file) => ({ driveId: drive.id, id: file.id }));
}

function seedDisposable(world: World, organizationId: string): Seeded['disposableFiles'] {
  return ['Disposable one', 'Disposable two'].flatMap((name) => {
    const drive = addDrive(world, organizationId, name);
    const numbers = Array.from({ length: DISPOSABLE_PER_DRIVE }, (_, index) => index + 1);
    const files = numbers.map((number) => addFile(world, drive, `/disposable/${number}/note ${number}.txt`));
    return refer(drive, files);
  });
}

/** Fills an empty world with two organizations. */
export function seed(world: World): Seeded {
  const organizationA = world.nextId('organization');
  const organizationB = world.nextId('organization');
  seedOther(world, organizationB);
  const agent = seedAgents(world, organizationA);
  const drive = addDrive(world, organizationA, 'Files to move');
  const moved = [addFile(world, drive, '/reports/2024/plan.md'), addFile(world, drive, '/reports/plan.md')];
  const disposableFiles = seedDisposable(world, organizationA);
  for (let count = 1; count <= 8; count += 1) addDrive(world, organizationA, `Empty drive ${count}`);
  const mcpServer = addMcpServer(world, organizationA, 'Weather', ['forecast', 'radar', 'alerts']);
  addMcpServer(world, organizationA, 'Clock', ['now']);
  return {
    organizationA,
    organizationB,
    agent,
    files: refer(drive, moved),
    disposableFiles,
    mcpServer: { id: mcpServer.id },
  };
}
