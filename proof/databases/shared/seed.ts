import { nameIn } from './repository.ts';

/** Inserts a row and answers its id. */
export type Insert = (table: string, row: Record<string, unknown>) => Promise<string>;

/** What a user of the suite knows of the data. */
export interface Seeded {
  apiKey: string;
  otherApiKey: string;
  fixtures: {
    agent: { id: string; revisionId: string };
    files: FileFixture[];
    disposableFiles: FileFixture[];
    mcpServer: { id: string };
  };
}

interface FileFixture {
  driveId: string;
  id: string;
}

const keys = { own: 'Harbor-7f3K_92xQ.mTz81', other: 'Quarry-4Lw8.pRq1_Jx6N' };

/** Fills an empty database with two organizations. */
export async function seed(insert: Insert): Promise<Seeded> {
  const organizationId = await insert('organizations', { name: 'Harbor Works' });
  await insert('api_keys', { key: keys.own, organization_id: organizationId });
  const agent = await seedAgents(insert, organizationId);
  const files = await seedDrive(insert, organizationId, 'Handbook', [
    '/welcome.md',
    '/guides/setup.md',
    '/guides/faq.md',
  ]);
  const many = await seedDrive(insert, organizationId, 'Scratch', numbered(16, '/scratch/note'));
  const few = await seedDrive(insert, organizationId, 'Old scratch', numbered(3, '/old/note'));
  const mcpServer = await seedServers(insert, organizationId);
  await seedOther(insert);
  const disposableFiles = [...many, ...few];
  return { apiKey: keys.own, otherApiKey: keys.other, fixtures: { agent, files, disposableFiles, mcpServer } };
}

async function seedOther(insert: Insert): Promise<void> {
  const organizationId = await insert('organizations', { name: 'Quarry Partners' });
  await insert('api_keys', { key: keys.other, organization_id: organizationId });
  await seedAgents(insert, organizationId);
  await seedDrive(insert, organizationId, 'Contracts', ['/contracts/a.pdf', '/contracts/b.pdf']);
  await seedServers(insert, organizationId);
}

async function seedAgents(insert: Insert, organizationId: string): Promise<Seeded['fixtures']['agent']> {
  await seedAgent(insert, organizationId, 'Invoice reader', 'Reads invoices', 1);
  await seedAgent(insert, organizationId, 'Plain agent', null, 2);
  return seedAgent(insert, organizationId, 'Support desk', 'Answers customers', undefined);
}

async function seedAgent(
  insert: Insert,
  organizationId: string,
  name: string,
  description: string | null,
  active: number | undefined,
) {
  const id = await insert('agents', { organization_id: organizationId, name, description, ...times() });
  let revisionId = '';
  for (const number of [1, 2]) {
    revisionId = await insert('revisions', { agent_id: id, number });
    if (number === active) await insert('publications', { agent_id: id, revision_id: revisionId });
  }
  return { id, revisionId };
}

async function seedDrive(
  insert: Insert,
  organizationId: string,
  name: string,
  paths: string[],
): Promise<FileFixture[]> {
  const driveId = await insert('drives', { organization_id: organizationId, name, ...times() });
  const files: FileFixture[] = [];
  for (const [index, path] of paths.entries()) {
    files.push({ driveId, id: await insert('files', { drive_id: driveId, path, ...fileRow(path, index) }) });
  }
  return files;
}

// Two files in a row have the same content: an upload is stored once.
function fileRow(path: string, index: number) {
  const has = index % 3 !== 1;
  return {
    ...{ name: nameIn(path), status: ['ready', 'processing', 'error'][index % 3], modified_at: times().updated_at },
    ...{ size: 1_000 + Math.floor(index / 2), content_type: 'text/markdown' },
    ...{ description: has ? `File ${index}` : null, summary: has ? 'In short' : null },
    metadata: JSON.stringify({ pages: index + 1, tags: ['seeded'] }),
  };
}

async function seedServers(insert: Insert, organizationId: string): Promise<{ id: string }> {
  const server = (name: string, type: string) => {
    const url = `https://${name.toLowerCase()}.example.com/mcp`;
    return insert('mcp_servers', { organization_id: organizationId, name, url, type, ...times() });
  };
  await server('Calendar', 'sse');
  const id = await server('Tickets', 'streamableHttp');
  for (const name of ['search', 'create', 'close']) {
    await insert('tools', { mcp_server_id: id, name, description: `To ${name} tickets` });
  }
  return { id };
}

function numbered(count: number, path: string): string[] {
  return Array.from({ length: count }, (_, index) => `${path}-${index + 1}.md`);
}

let minutes = 0;

// Each row a minute after the one before.
function times() {
  const time = new Date(Date.UTC(2026, 0, 5, 10, minutes++)).toISOString();
  return { created_at: time, updated_at: time };
}
