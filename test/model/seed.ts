import type { Seed } from '../../src/index.ts';

// Two organizations. Every id is written down, so that a call can name any resource, also one of another kind or of the
// other organization; names and paths are repeated. Times are distinct, so that the order of creation is known.

type SeedOrganization = Seed['organizations'][number];
type SeedDrive = NonNullable<SeedOrganization['drives']>[number];
type SeedFile = NonNullable<SeedDrive['files']>[number];

/** The time at which the clock of each mock stands: later than everything in the seed. */
export const now = '2026-07-01T12:00:00.250Z';

function file(id: string, path: string, more: Partial<SeedFile> = {}): SeedFile {
  const modifiedAt = '2026-03-05T10:11:12.500Z';
  return { id, path, status: 'ready', modifiedAt, sizeBytes: 2049, contentType: 'text/plain', ...more };
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
  id: 'org-alpha',
  name: 'Alpha',
  keys: ['alpha-key', 'alpha-key-2'],
  agents: [
    {
      id: 'agent-published',
      name: 'published',
      description: 'Nothing newer',
      revisions: [
        { id: 'rev-1', createdAt: '2026-01-02T00:00:00Z' },
        { id: 'rev-2', createdAt: '2026-01-03T00:00:00Z' },
      ],
      published: 2,
      createdAt: '2026-01-02T00:00:00Z',
      updatedAt: '2026-01-04T00:00:00.500Z',
    },
    {
      id: 'agent-changed',
      name: 'changed',
      description: 'A newer revision',
      revisions: [
        { id: 'rev-0', createdAt: '2026-01-05T00:00:00Z' },
        { id: 'rev-3', createdAt: '2026-01-06T00:00:00.125Z' },
        { id: 'rev-4', createdAt: '2026-01-07T00:00:00Z' },
      ],
      published: 1,
      createdAt: '2026-01-05T00:00:00Z',
    },
    {
      id: 'agent-unpublished',
      name: 'unpublished',
      revisions: [{ id: 'rev-5', createdAt: '2026-01-08T00:00:00Z' }],
      createdAt: '2026-01-08T00:00:00Z',
      updatedAt: '2026-01-09T00:00:00Z',
    },
    { id: 'agent-blank', name: 'blank', createdAt: '2026-01-10T00:00:00Z' },
  ],
  drives: [
    { id: 'drive-files', name: 'files', createdAt: '2026-01-20T00:00:00Z', updatedAt: '2026-01-21T00:00:00Z', files },
    {
      id: 'drive-two',
      name: 'shared',
      createdAt: '2026-01-22T00:00:00Z',
      files: [file('file-0', '/readme.txt'), file('file-9', '/a/b/c/d.txt', described), file('file-10', '/a/b/e.txt')],
    },
    { id: 'drive-empty', name: 'empty', createdAt: '2026-01-23T00:00:00Z', files: [] },
    ...bulkDrives('alpha', 20),
  ],
  mcpServers: [
    {
      id: 'server-tools',
      name: 'tools',
      url: 'https://mcp.example.com/Tools',
      type: 'sse',
      createdAt: '2026-01-30T00:00:00Z',
      updatedAt: '2026-01-31T00:00:00Z',
      tools: [
        { name: 'search', description: 'Finds' },
        { name: 'create', description: '' },
      ],
    },
    {
      id: 'server-bare',
      name: 'bare',
      url: 'HTTP://MCP.example.com',
      type: 'streamableHttp',
      createdAt: '2026-01-31T00:00:00Z',
    },
  ],
};

const beta: SeedOrganization = {
  id: 'org-beta',
  name: 'Beta',
  keys: ['beta-key'],
  agents: [
    {
      id: 'agent-beta',
      name: 'of beta',
      revisions: [{ id: 'rev-beta-1', createdAt: '2026-01-12T00:00:00Z' }],
      createdAt: '2026-01-12T00:00:00Z',
    },
    {
      id: 'agent-beta-2',
      name: 'only of beta',
      revisions: [{ id: 'rev-beta-2', createdAt: '2026-01-13T00:00:00Z' }],
      published: 1,
      createdAt: '2026-01-13T00:00:00Z',
    },
  ],
  drives: [
    {
      id: 'drive-beta',
      name: 'shared',
      createdAt: '2026-01-24T00:00:00Z',
      files: [file('file-beta-1', '/beta.txt'), file('file-beta-2', '/a/b/x.txt')],
    },
    {
      id: 'drive-beta-2',
      name: 'beta',
      createdAt: '2026-01-25T00:00:00Z',
      files: [file('file-beta-3', '/docs/guide.md')],
    },
    ...bulkDrives('beta', 54),
  ],
  mcpServers: [
    {
      id: 'server-beta',
      name: 'bare',
      url: 'https://beta.example.com/',
      type: 'sse',
      createdAt: '2026-02-01T00:00:00Z',
      tools: [{ name: 'beta', description: 'Of beta' }],
    },
    {
      id: 'server-beta-2',
      name: 'beta',
      url: 'https://b.example.com/',
      type: 'sse',
      createdAt: '2026-02-02T00:00:00Z',
    },
  ],
};

/** The starting state of the model and of the mocks that it is compared with. */
export const seed = { organizations: [alpha, beta] } satisfies Seed;
