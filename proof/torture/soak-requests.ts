import type { Request } from 'autocannon';
import type { Seed } from '../../src/index.ts';
import type { Random } from '../../test/model/random.ts';

const files = ['file-0', 'file-1', 'file-2', 'file-3', 'file-4'];
const key = 'soak-key';

/** A small organization; each sandbox is a copy of it, with the same ids. */
export const soakSeed: Seed = {
  organizations: [
    {
      ...{ name: 'Soak', keys: [key] },
      agents: [{ id: 'agent-0', name: 'Triage', revisions: [{ id: 'revision-0' }, { id: 'revision-1' }] }],
      drives: [
        { id: 'drive-0', name: 'Shared', files: files.map((id, index) => ({ id, path: `/inbox/${index}.pdf` })) },
        ...Array.from({ length: 30 }, (_, index) => ({ name: `Archive ${index}` })),
      ],
      mcpServers: [{ id: 'server-0', name: 'Search', url: 'https://mcp.example.com/' }],
    },
  ],
};

const json = { 'content-type': 'application/json' };
type Drawn = Pick<Request, 'method' | 'path' | 'body' | 'headers'>;

/** The requests of a soak, by how often they are sent. */
const kinds: readonly (readonly [weight: number, (random: Random) => Drawn])[] = [
  [40, (random) => ({ method: 'GET', path: `/drives?limit=20&offset=${random.integer(0, 20)}` })],
  [10, () => ({ method: 'GET', path: '/agents' })],
  [10, (random) => ({ method: 'GET', path: `/drives/drive-0/files/${random.pick(files)}` })],
  [8, () => ({ method: 'GET', path: '/mcp-servers/server-0/tools' })],
  [5, () => ({ method: 'GET', path: '/mcp-servers' })],
  [6, (random) => sent('POST', '/drives', { name: `Drive ${random.integer(0, 1_000_000)}` })],
  [
    8,
    (random) => sent('PATCH', `/drives/drive-0/files/${random.pick(files)}`, { path: `/moved/${random.fraction()}` }),
  ],
  [2, (random) => sent('POST', '/agents/agent-0/publish', { revisionId: `revision-${random.integer(0, 1)}` })],
  [1, (random) => sent('POST', '/mcp-servers', { name: 'Other', url: `https://mcp.example.com/${random.fraction()}` })],
  [1, () => ({ method: 'DELETE', path: '/drives/drive-0/items/tree?path=%2Fmoved' })],
  [3, (random) => ({ method: 'GET', path: `/drives/drive-0/files/none-${random.fraction()}` })],
  [3, () => sent('PATCH', '/drives/drive-0/files/file-0', { path: '/a/../b' })],
  [1, () => ({ method: 'POST', path: '/drives', body: '{"name":', headers: json })],
  [1, (random) => ({ method: 'GET', path: `/nowhere/${random.fraction()}` })],
  [1, () => ({ method: 'GET', path: '/drives?limit=101' })],
];

function sent(method: 'POST' | 'PATCH', path: string, value: object): Drawn {
  return { method, path, body: JSON.stringify(value), headers: json };
}

/** Each kind as often as it is sent. */
const drawn = kinds.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw));

/**
 * Draws a request. One in fifty has no valid key; the others come from the seed's own organization, from a few sandboxes that
 * are always busy, or from the next of many sandboxes.
 */
export function drawRequest(random: Random, nextSandbox: () => string): Drawn {
  const { headers, ...request } = random.pick(drawn)(random);
  const keys: Record<string, string> = random.chance(0.02) ? {} : { 'x-api-key': keyFor(random, nextSandbox) };
  return { ...request, headers: { ...keys, ...headers } };
}

function keyFor(random: Random, nextSandbox: () => string): string {
  if (random.chance(0.3)) return key;
  return random.chance(0.9) ? `busy-${random.integer(1, 50)}` : nextSandbox();
}
