import type { Seed } from '../../src/domain/seed.ts';

/** The time of tests with a fixed clock. */
export const now = '2026-06-01T12:00:00.000Z';

const early = '2026-01-01T08:00:00Z';
const late = '2026-02-01T08:00:00Z';

/** An initial state in which everything has an id that a test can name. */
export const tinySeed: Seed = {
  organizations: [
    {
      id: 'org-a',
      name: 'Alder',
      keys: ['key-a', 'key-a2'],
      agents: [
        {
          id: 'agent-two-revisions',
          name: 'Second by name',
          description: 'Has revisions',
          revisions: [
            { id: 'rev-1', createdAt: early },
            { id: 'rev-2', createdAt: late },
          ],
          createdAt: early,
        },
        { id: 'agent-blank', name: 'First by name', createdAt: late },
      ],
      drives: [
        {
          id: 'drive-full',
          name: 'Middle',
          createdAt: early,
          files: [
            {
              id: 'file-plain',
              path: '/docs/plan.txt',
              modifiedAt: early,
              sizeBytes: 2_500,
              contentType: 'text/plain',
              description: 'The plan',
              summary: 'What comes when',
              metadata: { pages: 3 },
            },
            {
              id: 'file-deep',
              path: '/docs/old/notes.txt',
              modifiedAt: early,
              sizeBytes: 1,
              contentType: 'text/plain',
            },
            {
              id: 'file-processing',
              path: '/inbox/scan.tif',
              status: 'processing',
              becomes: { status: 'ready', afterMs: 0 },
              modifiedAt: early,
              sizeBytes: 0,
              contentType: 'image/tiff',
            },
          ],
        },
        { id: 'drive-late', name: 'Aardvark', createdAt: late },
      ],
      mcpServers: [
        {
          id: 'server-tools',
          name: 'Tools',
          url: 'https://mcp.example.com/a',
          createdAt: early,
          tools: [{ name: 'find', description: 'Finds.' }],
        },
      ],
    },
    {
      id: 'org-b',
      name: 'Birch',
      keys: ['key-b'],
      agents: [{ id: 'agent-b', name: 'Foreign', revisions: [{ id: 'rev-b', createdAt: early }], createdAt: early }],
      drives: [
        {
          id: 'drive-b',
          name: 'Foreign',
          createdAt: early,
          files: [{ id: 'file-b', path: '/b.txt', modifiedAt: early, sizeBytes: 1, contentType: 'text/plain' }],
        },
      ],
      mcpServers: [{ id: 'server-b', name: 'Foreign', url: 'https://mcp.example.com/b', createdAt: early }],
    },
  ],
};
