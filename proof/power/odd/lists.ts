import { createRandom } from '../../../src/domain/random.ts';
import type { Drive } from '../../../src/domain/resources.ts';
import type { Break, WireFault } from '../mutant.ts';
import { addDrives, agents, changeListed, drives, inEach, mcpServers, sequence } from '../mutants/patch-store.ts';
import { on, withBody, write } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

/** A page holds so many drives at most, however many were asked for. */
function shortPages(most: number): Break {
  return inEach(({ drives }) => {
    const page = drives.page.bind(drives);
    drives.page = (offset, limit) => page(offset, Math.min(limit, most));
    drives.all = () => page(0, drives.size);
  });
}

const random = createRandom('order of lists');

function shuffled<T>(values: readonly T[]): T[] {
  const keyed = values.map((value) => ({ value, key: random.uint32() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

/** Another order with every reading. */
const shuffle = sequence(
  changeListed(agents, shuffled),
  changeListed(drives, shuffled),
  changeListed(mcpServers, shuffled),
);

/** Another order of the drives every so many milliseconds: the later half comes first. */
function turnEvery(everyMs: number): Break {
  return changeListed(drives, (all) => {
    const start = Math.floor(performance.now() / everyMs) % 2 === 0 ? 0 : Math.floor(all.length / 2);
    return [...all.slice(start), ...all.slice(0, start)];
  });
}

/** Orders that change, of a list that is short, grows from below a page to above it, and is longer. */
function changingOrders(): Record<string, Oddity> {
  const orders = {
    'order-changes-with-every-reading': shuffle,
    'order-of-about-a-page-changes-with-every-reading': sequence(addDrives(90), shuffle),
    'order-of-a-long-list-changes-with-every-reading': sequence(addDrives(150), shuffle),
    'order-of-a-long-list-changes-now-and-then': sequence(addDrives(150), turnEvery(170)),
    'order-of-a-long-list-changes-seldom': sequence(addDrives(150), turnEvery(900)),
  };
  const why = 'Sections 4.1, 4.4, 4.9: no order is shown, nor that it stays.';
  return Object.fromEntries(Object.entries(orders).map(([id, change]) => [id, { why, break: change }]));
}

/** Answers with ever so many agents. */
function manyAgents(count: number): Break {
  return inEach(({ agents: list, ids }) => {
    for (let number = 1; number <= count; number++) {
      const createdAtMs = 1_700_000_000_000 + number;
      const name = `Agent ${number}`;
      list.add({ id: ids('agent'), name, revisions: [], hasChanges: false, createdAtMs, updatedAtMs: createdAtMs });
    }
  });
}

/** A list of drives is refused unless limit and offset are sent. */
const pagingRequired: WireFault = on('listDrives', async (request, response, forward) => {
  const isThere = /[?&]limit=/.test(request.url ?? '') && /[?&]offset=/.test(request.url ?? '');
  const refused = {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: '{"message":"limit? offset?"}',
  };
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
export const lists: Record<string, Oddity> = {
  'pages-shorter-than-the-limit': {
    why: 'Section 4.4: limit is the maximum number of drives to return, not the number.',
    break: sequence(addDrives(20), shortPages(3)),
  },
  ...changingOrders(),
  'more-than-a-page-of-drives': {
    why: 'Section 8: how many drives there may be is not shown.',
    break: addDrives(130),
  },
  'more-drives-than-a-walk-goes': {
    why: 'Section 8: how many drives there may be is not shown.',
    break: addDrives(5_200),
  },
  'ten-thousand-agents': {
    why: 'Section 4.1 answers with an array; how long it may be is not shown.',
    break: manyAgents(10_000),
  },
  'nothing-there': {
    why: 'An organization may have no agents, drives and MCP servers.',
    seed: {
      organizations: [
        { name: 'A', keys: ['demo-key'] },
        { name: 'B', keys: ['demo-key-2'] },
      ],
    },
  },
  'no-agents': {
    why: 'Section 4.1: an organization may have none.',
    break: changeListed(agents, () => []),
    fixtures: ({ agent: _, ...others }) => others,
  },
  'no-mcp-servers': {
    why: 'Section 4.9: an organization may have none.',
    seed: {
      organizations: [
        { name: 'A', keys: ['demo-key'], drives: [{ name: 'Only', createdAt: '2026-01-05T10:00:00Z' }] },
        { name: 'B', keys: ['demo-key-2'], drives: [{ name: 'Other', createdAt: '2026-01-06T10:00:00Z' }] },
      ],
    },
  },
  'paging-has-to-be-asked-for': {
    why: 'Section 4.4 shows no defaults; that limit and offset may be left out only follows (a should of the register).',
    mayWarn: ['listDrives.no-parameters'],
    wire: () => pagingRequired,
  },
  'total-is-a-lower-bound': {
    why: 'Section 2 names total and its type only.',
    mayWarn: ['listDrives.total-coherent', 'listDrives.total-counts-the-list'],
    break: addDrives(5),
    wire: () => lowerBound,
  },
};
