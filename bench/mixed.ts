import type { Seed } from '../src/domain/seed.ts';
import { key, keyHeader } from './http.ts';
import { drivesOf, loadedDrives } from './seeds.ts';
import { eachTree, type Sent } from './wrk.ts';

/** Which recorded answer belongs to a request. */
export function answerKey(method = '', path = '', apiKey: unknown, body: string | null): string {
  return `${method} ${path.replace(/tree-\d+/, `tree-${eachTree}`)} ${apiKey} ${body ?? ''}`;
}

/** An answer that the mock gave to a request of the mixed load. */
export interface RecordedAnswer {
  /** See {@link answerKey}. */
  key: string;
  status: number;
  body: string;
}

// The ids of the seed.
const fixed = {
  ...{ drive: 'drive-0', agent: 'agent-0', revision: 'revision-0', server: 'server-0' },
  files: ['file-0', 'file-1', 'file-2', 'file-3'],
};

/** How many trees the seed holds, each in a drive of its own: more than twice what a server deletes in its time. */
export const mixedTrees = 10_000;

const sent = (method: string, path: string, body?: object): Sent => ({
  ...{ method, path },
  headers: body === undefined ? keyHeader : { ...keyHeader, 'content-type': 'application/json' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});
const get = (path: string) => sent('GET', path);

/**
 * What a frontend and its tests send: half of it reads, a quarter writes, and some of it is refused. The same requests in
 * the same order, again and again; moves go to and fro, and each deletion is of another tree. Paths are below the base URL.
 */
export const mixedRequests: readonly Sent[] = [
  ...[0, 20, 40, 500].map((offset) => get(`/drives?limit=20&offset=${offset}`)),
  sent('POST', '/drives', { name: 'Quarterly reports' }),
  get('/agents'),
  ...fixed.files.map((id, index) => sent('PATCH', fileAt(id), { path: `/inbox/report-${index}.pdf` })),
  get(fileAt(fixed.files[0])),
  get(`/mcp-servers/${fixed.server}/tools`),
  get(`/drives?limit=20&offset=${loadedDrives - 20}`),
  { method: 'GET', path: '/agents', headers: {} },
  get(`/drives/${fixed.drive}/files/no-such-file`),
  sent('PATCH', fileAt(fixed.files[1]), { path: '/a/../b' }),
  get('/mcp-servers'),
  sent('DELETE', `/drives/tree-${eachTree}/items/tree?path=%2Fnotes`),
  ...fixed.files.map((id, index) => sent('PATCH', fileAt(id), { path: `/archive/2026/report-${index}.pdf` })),
  sent('POST', `/agents/${fixed.agent}/publish`, { revisionId: fixed.revision }),
  get(fileAt(fixed.files[2])),
  { method: 'GET', path: '/drives?limit=20', headers: { 'x-api-key': 'no-key-of-anybody' } },
];

function fileAt(id: string | undefined): string {
  return `/drives/${fixed.drive}/files/${id}`;
}

/** The seed of the mixed load: as many drives as under the other load, and one of each thing with a known id. */
export function mixedSeed(): Seed {
  const [first = { name: 'Shared' }, ...others] = drivesOf(loadedDrives);
  const moved = fixed.files.map((id, index) => ({ id, path: `/archive/2026/report-${index}.pdf`, sizeBytes: 1000 }));
  const deleted = Array.from({ length: mixedTrees }, (_, tree) => ({
    ...{ id: `tree-${tree}`, name: `Tree ${tree}`, files: [{ path: '/notes/first.md' }] },
  }));
  const tools = ['search', 'get_record'].map((name) => ({ name, description: `Does what ${name} says.` }));
  return {
    organizations: [
      {
        ...{ name: 'Bench', keys: [key] },
        agents: [{ id: fixed.agent, name: 'Support Triage', revisions: [{ id: fixed.revision }] }],
        drives: [{ ...first, id: fixed.drive, files: moved }, ...others, ...deleted],
        mcpServers: [{ id: fixed.server, name: 'Search', url: 'https://mcp.example.com/', tools }],
      },
    ],
  };
}
