import type { Seed } from '../../src/index.ts';

// Two organizations. Every id is written down, so that a call can name any resource, also one of another kind or of the
// other organization; names and paths are repeated. Times are distinct, so that the order of creation is known.

type SeedOrganization = Seed['organizations'][number];
type SeedAgent = NonNullable<SeedOrganization['agents']>[number];
type SeedDrive = NonNullable<SeedOrganization['drives']>[number];
type SeedFile = NonNullable<SeedDrive['files']>[number];
type SeedServer = NonNullable<SeedOrganization['mcpServers']>[number];

/** The time at which the clock of each mock stands: later than everything in the seed. */
export const now = '2026-07-01T12:00:00.250Z';

/** The beginning of a day of 2026, counted from the first of January. */
const day = (count: number) => new Date(Date.UTC(2026, 0, count)).toISOString().replace('.000', '');

function agent(id: string, name: string, createdOn: number, more: Partial<SeedAgent> = {}): SeedAgent {
  return { id, name, createdAt: day(createdOn), ...more };
}

/** Revisions, each with the day of its creation. */
function revisions(days: Record<string, number>) {
  return Object.entries(days).map(([id, createdOn]) => ({ id, createdAt: day(createdOn) }));
}

function drive(id: string, name: string, createdOn: number, files: SeedFile[] = []): SeedDrive {
  return { id, name, createdAt: day(createdOn), files };
}

function file(id: string, path: string, more: Partial<SeedFile> = {}): SeedFile {
  const modifiedAt = '2026-03-05T10:11:12.500Z';
  return { id, path, status: 'ready', modifiedAt, sizeBytes: 2049, contentType: 'text/plain', ...more };
}

function server(id: string, name: string, url: string, createdOn: number, more: Partial<SeedServer> = {}): SeedServer {
  return { id, name, url, type: 'sse', createdAt: day(createdOn), ...more };
}

function bulkDrives(prefix: string, count: number): SeedDrive[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${prefix}-${index}`,
    name: `bulk ${(index * 37) % 100}`,
    createdAt: new Date(Date.UTC(2026, 1, 1, index)).toISOString(),
  }));
}

const described = {
  description: 'A described file',
  summary: 'In short',
  metadata: { pages: 3, tags: ['a', 'b'], nested: { deep: null } },
};

const files: SeedFile[] = [
  file('file-1', '/readme.txt', described),
  file('file-2', '/docs/guide.md', { status: 'processing', sizeBytes: 0 }),
  file('file-3', '/docs/deep/one.md', { becomes: { status: 'error', afterMs: 0 }, status: 'processing' }),
  file('file-4', '/docs/deep/er/two.md', { becomes: { status: 'error', afterMs: 1 }, summary: 'Only a summary' }),
  file('file-5', '/docs..old/three.md', { status: 'error', sizeBytes: 1024 }),
  file('file-6', '/images/logo.svg', { contentType: 'image/svg+xml', sizeBytes: 1025 }),
  file('file-7', '/images/2026/ä ö.png', { metadata: {} }),
  file('file-8', '/docsy/four.md', { modifiedAt: '2026-03-05T10:11:12Z' }),
];

const alpha: SeedOrganization = {
  ...{ id: 'org-alpha', name: 'Alpha', keys: ['alpha-key', 'alpha-key-2'] },
  agents: [
    agent('agent-published', 'published', 2, {
      ...{ description: 'Nothing newer', revisions: revisions({ 'rev-1': 2, 'rev-2': 3 }), published: 2 },
      updatedAt: '2026-01-04T00:00:00.500Z',
    }),
    agent('agent-changed', 'changed', 5, {
      ...{ description: 'A newer revision', published: 1 },
      revisions: [
        ...revisions({ 'rev-0': 5 }),
        { id: 'rev-3', createdAt: '2026-01-06T00:00:00.125Z' },
        ...revisions({ 'rev-4': 7 }),
      ],
    }),
    agent('agent-unpublished', 'unpublished', 8, { revisions: revisions({ 'rev-5': 8 }), updatedAt: day(9) }),
    agent('agent-blank', 'blank', 10),
  ],
  drives: [
    { ...drive('drive-files', 'files', 20, files), updatedAt: day(21) },
    drive('drive-two', 'shared', 22, [
      ...[file('file-0', '/readme.txt'), file('file-9', '/a/b/c/d.txt', described), file('file-10', '/a/b/e.txt')],
    ]),
    drive('drive-empty', 'empty', 23),
    ...bulkDrives('alpha', 20),
  ],
  mcpServers: [
    server('server-tools', 'tools', 'https://mcp.example.com/Tools', 30, {
      updatedAt: day(31),
      tools: [
        { name: 'search', description: 'Finds' },
        { name: 'create', description: '' },
      ],
    }),
    server('server-bare', 'bare', 'HTTP://MCP.example.com', 31, { type: 'streamableHttp' }),
  ],
};

const beta: SeedOrganization = {
  ...{ id: 'org-beta', name: 'Beta', keys: ['beta-key'] },
  agents: [
    agent('agent-beta', 'of beta', 12, { revisions: revisions({ 'rev-beta-1': 12 }) }),
    agent('agent-beta-2', 'only of beta', 13, { revisions: revisions({ 'rev-beta-2': 13 }), published: 1 }),
  ],
  drives: [
    drive('drive-beta', 'shared', 24, [file('file-beta-1', '/beta.txt'), file('file-beta-2', '/a/b/x.txt')]),
    drive('drive-beta-2', 'beta', 25, [file('file-beta-3', '/docs/guide.md')]),
    ...bulkDrives('beta', 54),
  ],
  mcpServers: [
    server('server-beta', 'bare', 'https://beta.example.com/', 32, {
      tools: [{ name: 'beta', description: 'Of beta' }],
    }),
    server('server-beta-2', 'beta', 'https://b.example.com/', 33),
  ],
};

/** The starting state of the model and of the mocks that it is compared with. */
export const seed = { organizations: [alpha, beta] } satisfies Seed;
