import type { Drive } from '../../../src/domain/resources.ts';
import type { Mock } from '../../../src/index.ts';
import type { WireFault } from '../mutant.ts';
import { addDrives, changeListed, organizationsOf } from '../mutants/patch-store.ts';
import { on, withBody, write } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

/** More drives for both organizations. */
function moreDrives(count: number): (mock: Mock) => undefined {
  return ({ engine }) => {
    for (const organization of organizationsOf(engine)) addDrives(organization, count);
    return undefined;
  };
}

/** A page holds so many drives at most, however many were asked for. */
function shortPages(most: number): (mock: Mock) => undefined {
  return ({ engine }) => {
    for (const { drives } of organizationsOf(engine)) {
      const page = drives.page.bind(drives);
      drives.page = (offset, limit) => page(offset, Math.min(limit, most));
      drives.all = () => page(0, drives.size);
    }
    return undefined;
  };
}

function shuffled<T>(values: readonly T[]): T[] {
  const keyed = values.map((value) => ({ value, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

/** Another order with every reading. */
function shuffle({ engine }: Mock): undefined {
  for (const { agents, drives, mcpServers } of organizationsOf(engine)) {
    changeListed(agents, shuffled);
    changeListed(drives, shuffled);
    changeListed(mcpServers, shuffled);
  }
}

function dropAgents({ engine }: Mock): undefined {
  for (const { agents } of organizationsOf(engine)) changeListed(agents, () => []);
}

/** Answers with ever so many agents. */
function manyAgents(count: number): (mock: Mock) => undefined {
  return ({ engine }) => {
    for (const { agents, ids } of organizationsOf(engine)) {
      for (let number = 1; number <= count; number++) {
        const createdAtMs = 1_700_000_000_000 + number;
        const name = `Agent ${number}`;
        agents.add({ id: ids('agent'), name, revisions: [], hasChanges: false, createdAtMs, updatedAtMs: createdAtMs });
      }
    }
    return undefined;
  };
}

/** A list of drives without limit and offset is refused. */
const pagingRequired: WireFault = on('listDrives', async (request, response, forward) => {
  const isThere = /[?&]limit=/.test(request.url ?? '');
  const refused = { status: 400, headers: { 'content-type': 'application/json' }, body: '{"message":"limit?"}' };
  const answer = await forward();
  write(response, isThere || answer.status === 401 ? answer : refused);
});

/** total says that there is more, not how much. */
const lowerBound: WireFault = on('listDrives', async (_request, response, forward) => {
  const answer = await forward();
  if (answer.status !== 200) return write(response, answer);
  const page = JSON.parse(answer.body) as { data: Drive[]; pagination: Record<string, number> };
  const { offset = 0, limit = 0, total = 0 } = page.pagination;
  const counted = { ...page.pagination, total: Math.min(total, offset + limit + 1) };
  write(response, withBody(answer, JSON.stringify({ ...page, pagination: counted })));
});

/** Lists that are long, short, empty, or in no order. */
export const lists: readonly Oddity[] = [
  {
    id: 'pages-shorter-than-the-limit',
    why: 'Section 4.4: limit is the maximum number of drives to return, not the number.',
    prepare: (mock) => {
      moreDrives(20)(mock);
      return shortPages(3)(mock);
    },
  },
  {
    id: 'order-changes-with-every-reading',
    why: 'Sections 4.1, 4.4, 4.9: no order is shown, nor that it stays.',
    prepare: shuffle,
  },
  {
    id: 'order-of-a-long-list-changes-with-every-reading',
    why: 'Section 4.4: no order is shown, nor that it stays.',
    prepare: (mock) => {
      moreDrives(150)(mock);
      return shuffle(mock);
    },
  },
  {
    id: 'more-than-a-page-of-drives',
    why: 'Section 8: how many drives there may be is not shown.',
    prepare: moreDrives(130),
  },
  {
    id: 'more-drives-than-a-walk-goes',
    why: 'Section 8: how many drives there may be is not shown.',
    prepare: moreDrives(5_200),
  },
  {
    id: 'ten-thousand-agents',
    why: 'Section 4.1 answers with an array; how long it may be is not shown.',
    prepare: manyAgents(10_000),
  },
  {
    id: 'nothing-there',
    why: 'An organization may have no agents, drives and MCP servers.',
    seed: {
      organizations: [
        { name: 'A', keys: ['demo-key'] },
        { name: 'B', keys: ['demo-key-2'] },
      ],
    },
  },
  {
    id: 'no-agents',
    why: 'Section 4.1: an organization may have none.',
    prepare: dropAgents,
    fixtures: ({ agent: _, ...others }) => others,
  },
  {
    id: 'no-mcp-servers',
    why: 'Section 4.9: an organization may have none.',
    seed: {
      organizations: [
        { name: 'A', keys: ['demo-key'], drives: [{ name: 'Only', createdAt: '2026-01-05T10:00:00Z' }] },
        { name: 'B', keys: ['demo-key-2'], drives: [{ name: 'Other', createdAt: '2026-01-06T10:00:00Z' }] },
      ],
    },
  },
  {
    id: 'paging-has-to-be-asked-for',
    why: 'Section 4.4 shows no defaults; that limit may be left out only follows (a should of the register).',
    mayWarn: ['listDrives.no-parameters'],
    wire: () => pagingRequired,
  },
  {
    id: 'total-is-a-lower-bound',
    why: 'Section 2 names total and its type only.',
    mayWarn: ['listDrives.total-coherent'],
    prepare: moreDrives(5),
    wire: () => lowerBound,
  },
];
