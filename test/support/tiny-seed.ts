import type { Seed } from '../../src/domain/seed.ts';

/** The time of tests with a fixed clock. */
export const now = '2026-06-01T12:00:00.000Z';

const early = '2026-01-01T08:00:00Z';
const late = '2026-02-01T08:00:00Z';

const file = (id: string, path: string, sizeBytes: number, contentType: string) => {
  return { id, path, modifiedAt: early, sizeBytes, contentType };
};
const plain = file('file-plain', '/docs/plan.txt', 2_500, 'text/plain');

/** An initial state in which everything has an id that a test can name. */
export const tinySeed: Seed = {
  organizations: [
    {
      ...{ id: 'org-a', name: 'Alder', keys: ['key-a', 'key-a2'] },
      agents: [
        {
          ...{ id: 'agent-two-revisions', name: 'Second by name', description: 'Has revisions', createdAt: early },
          revisions: [
            { id: 'rev-1', createdAt: early },
            { id: 'rev-2', createdAt: late },
          ],
        },
        { id: 'agent-blank', name: 'First by name', createdAt: late },
      ],
      drives: [
        {
          ...{ id: 'drive-full', name: 'Middle', createdAt: early },
          files: [
            { ...plain, description: 'The plan', summary: 'What comes when', metadata: { pages: 3 } },
            file('file-deep', '/docs/old/notes.txt', 1, 'text/plain'),
            {
              ...file('file-processing', '/inbox/scan.tif', 0, 'image/tiff'),
              ...{ status: 'processing', becomes: { status: 'ready', afterMs: 0 } },
            },
          ],
        },
        { id: 'drive-late', name: 'Aardvark', createdAt: late },
      ],
      mcpServers: [
        {
          ...{ id: 'server-tools', name: 'Tools', url: 'https://mcp.example.com/a', createdAt: early },
          tools: [{ name: 'find', description: 'Finds.' }],
        },
      ],
    },
    {
      ...{ id: 'org-b', name: 'Birch', keys: ['key-b'] },
      agents: [{ id: 'agent-b', name: 'Foreign', revisions: [{ id: 'rev-b', createdAt: early }], createdAt: early }],
      drives: [
        { id: 'drive-b', name: 'Foreign', createdAt: early, files: [file('file-b', '/b.txt', 1, 'text/plain')] },
      ],
      mcpServers: [{ id: 'server-b', name: 'Foreign', url: 'https://mcp.example.com/b', createdAt: early }],
    },
  ],
};
