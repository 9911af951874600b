import { oddUrls } from '../../../conformance/probing/names.ts';
import { createMcpServer } from '../../../src/domain/mcp-servers.ts';
import type { Seed, SeedFile, SeedOrganization } from '../../../src/domain/seed.ts';
import type { Engine, WireAnswer, WireFault } from '../mutant.ts';
import { idsOf, inEach, mcpServers } from '../mutants/patch-store.ts';
import { countedIds } from '../mutants/wire-counted-ids.ts';
import { changeAnswer, changeStatus, isSuccess, on, operationIdOf, pathOf, withBody } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

const modifiedAt = '2026-01-05T10:16:03Z';

function file(id: string, path: string, sizeBytes: number): SeedFile {
  return { id, path, modifiedAt, sizeBytes, contentType: 'text/plain' };
}

function filesFrom(first: number, count: number, size: number): SeedFile[] {
  return Array.from({ length: count }, (_, index) => {
    const id = String(first + index);
    return file(id, `/papers/${id}.txt`, size + index);
  });
}

/** An organization whose ids begin at 1, as those of every other organization. */
function numbered(name: string, key: string, day: string, size: number): SeedOrganization {
  const createdAt = `${day}T10:00:00Z`;
  return {
    id: `organization-${name}`,
    name,
    keys: [key],
    agents: [
      { id: '1', name: `Helper of ${name}`, revisions: [{ id: '1', createdAt }], createdAt },
      { id: '2', name: `Writer of ${name}`, createdAt },
    ],
    drives: [
      { id: '1', name: `First of ${name}`, createdAt, files: filesFrom(1, 12, size) },
      { id: '2', name: `Second of ${name}`, createdAt, files: filesFrom(1, 3, size + 100) },
    ],
    mcpServers: [
      { id: '1', name: `Desk of ${name}`, url: `https://${name}.example.com/mcp`, createdAt, tools: [tool] },
    ],
  };
}

const tool = { name: 'search', description: 'Finds records.' };

/** New ids count on within each organization. */
const count = inEach((organization) => {
  let last = 100;
  Object.defineProperty(organization, 'ids', { value: () => String(++last) });
});

const perOrganization: Seed = {
  organizations: [numbered('a', 'demo-key', '2026-01-05', 1_000), numbered('b', 'demo-key-2', '2026-02-05', 5_000)],
};

// Both were set up by one script, at one moment, with the same sample content.
const twins: Seed = {
  organizations: ['demo-key', 'demo-key-2'].map((key, index) => ({
    ...numbered('sample', key, '2026-01-05', 1_000),
    id: `organization-${index}`,
  })),
};

const acrossOrganizations: Seed = {
  organizations: [
    numbered('a', 'demo-key', '2026-01-05', 1_000),
    { ...numbered('b', 'demo-key-2', '2026-02-05', 5_000), mcpServers: elsewhere(['2', '3', '8', '9']) },
  ],
};

const countedAcrossOrganizations: Seed = {
  organizations: [
    { ...numbered('a', 'demo-key', '2026-01-05', 1_000), mcpServers: elsewhere(['mcp-1']) },
    {
      ...numbered('b', 'demo-key-2', '2026-02-05', 5_000),
      mcpServers: elsewhere(['mcp-0', 'mcp-2', 'mcp-3', 'mcp-4', 'mcp-5', 'mcp-6', 'mcp-7', 'mcp-8', 'mcp-9']),
    },
  ],
};

function elsewhere(ids: readonly string[]): NonNullable<SeedOrganization['mcpServers']> {
  return ids.map((id) => ({ id, name: `Desk ${id}`, url: `https://desk.example.com/${id}`, createdAt: modifiedAt }));
}

// What belongs to another organization is refused as such, by numbers that all organizations share.
const forbidForeign = (engine: Engine): WireFault =>
  changeStatus((status, request) => {
    const id = pathOf(request.url ?? '').split('/')[3] ?? '';
    return status === 404 && operationIdOf(request) === 'listMcpServerTools' && idsOf(engine, mcpServers).has(id);
  }, 403);

/** An agent without its id: the table lists it, and no sentence says that it is always there. */
function withoutIds(answer: WireAnswer): WireAnswer {
  const agents = JSON.parse(answer.body) as Record<string, unknown>[];
  return withBody(answer, JSON.stringify(agents.map(({ id: _, ...agent }) => agent)));
}

/** A server whose URL is taken is the earlier one. Those of an earlier run of the suite are still there. */
const findAgain = inEach((organization) => {
  for (const [index, { url }] of oddUrls.entries())
    createMcpServer(organization, { name: `Of an earlier run ${index}`, url });
  const { byId, list } = mcpServers(organization);
  const set = byId.set.bind(byId);
  const add = list.add.bind(list);
  byId.set = (id, server) => {
    const earlier = [...byId.values()].find(({ url }) => url === server.url);
    if (earlier === undefined) return set(id, server);
    Object.assign(server, earlier);
    return byId;
  };
  list.add = (server) => (list.all().includes(server) ? undefined : add(server));
});

/** Ids that stand in several places, are shared, or are not shown. */
export const identities: Record<string, Oddity> = {
  'ids-numbered-per-organization': {
    why: 'Section 2: all ids are strings; what is unique among what is not shown.',
    seed: perOrganization,
    break: count,
  },
  'organizations-set-up-alike': {
    why: 'Sections 2 and 5.3: ids may be numbered per organization, and two of them may begin with the same samples.',
    seed: twins,
    break: count,
  },
  'ids-numbered-across-organizations': {
    why: 'Section 2: the format of ids is not shown. Section 7: how a server of another organization is refused is not shown.',
    profile: { foreignResourceStatus: 'forbidden' },
    seed: acrossOrganizations,
    wire: forbidForeign,
  },
  'counted-and-random-ids': {
    why: 'Section 2: the format of ids is not shown; those from an older system may have another.',
    wire: countedIds,
  },
  'ids-counted-across-organizations': {
    why: 'Section 2: the format of ids is not shown. Section 7: how a server of another organization is refused is not shown.',
    profile: { foreignResourceStatus: 'forbidden' },
    seed: countedAcrossOrganizations,
    wire: forbidForeign,
  },
  'agents-without-ids': {
    why: 'Section 4: the table of 2 lists the fields of an agent, and no sentence says that they are always there (a should).',
    mayWarn: ['listAgents.fields-present'],
    wire: () => on('listAgents', changeAnswer(isSuccess, withoutIds)),
  },
  'taken-urls-return-the-earlier-server': {
    why: 'Section 4.8: what happens if a URL is taken is not shown, nor how the server spells URLs.',
    profile: { mcpUrlRules: 'canonicalHttpUrl' },
    break: findAgain,
  },
};
