import { writeFileSync } from 'node:fs';
import { createRandom, type Random } from '../../src/domain/random.ts';
import type { Seed } from '../../src/domain/seed.ts';
import { startMock } from '../../test/support/command.ts';
import { temporaryFolder } from '../../test/support/shell.ts';
import { type Call, findDisorder, type SequentialModel } from './linearizable.ts';
import type { TortureOptions } from './options.ts';
import {
  type AgentCall,
  agentWithRevisions,
  type DriveCall,
  drivesOfOrganization,
  type FileCall,
  filesOfDrive,
  type Told,
} from './order-models.ts';

/** How much is used. */
export interface OrderOptions {
  /** Of the mock, with the key `order-key` and the starting state of {@link orderSeed}. */
  baseUrl: string;
  randomSeed: number;
  /** How many clients act at the same time on each thing. */
  clients: number;
  /** How many calls each of them makes. */
  calls: number;
}

/** What a round showed. */
export interface OrderResult {
  calls: number;
  /** How many calls had started before an earlier one of the same thing had ended. */
  overlapping: number;
  /** What cannot have happened in any order, in words; none on a correct server. */
  disorders: string[];
}

const key = 'order-key';
const drive = 'shared-drive';
const agent = 'shared-agent';
const revisions = ['revision-1', 'revision-2'];
const shelves = ['/a', '/b', '/c', '/c/deep'];
const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`file-${index}`, `/a/${index}.txt`]));

/** One organization with a drive full of files and an agent with two revisions; one with nothing at all. */
export function orderSeed(): Seed {
  const createdAt = '2026-01-05T10:00:00Z';
  const facts = { modifiedAt: createdAt, sizeBytes: 10, contentType: 'text/plain' };
  return {
    organizations: [
      {
        name: 'Order',
        keys: [key],
        drives: [
          {
            id: drive,
            name: 'Shared',
            createdAt,
            files: Object.entries(files).map(([id, path]) => ({ id, path, ...facts })),
          },
        ],
        agents: [
          { id: agent, name: 'Shared', createdAt, revisions: revisions.map((id) => ({ id, createdAt })), published: 1 },
        ],
      },
      { name: 'Drives', keys: [`${key}-drives`] },
    ],
  };
}

/** One thing that many clients use at the same time. */
interface Thing<State, Asked> {
  name: string;
  key: string;
  model: SequentialModel<State, Asked, Told>;
  draw(pick: Pick): Asked;
  toRequest(asked: Asked): [method: string, path: string, body?: unknown];
  /** What the answer tells about this thing. */
  read?(body: unknown): unknown;
}

type Pick = <Item>(items: readonly Item[]) => Item;

const sharedDrive: Thing<Readonly<Record<string, string>>, FileCall> = {
  name: 'the files of a drive',
  key,
  model: filesOfDrive(files),
  draw: (pick) => {
    const file = pick(Object.keys(files));
    const kind = pick(['get', 'get', 'get', 'move', 'move', 'move', 'move', 'move', 'deleteTree'] as const);
    if (kind === 'get') return { kind, file };
    if (kind === 'deleteTree') return { kind, path: pick(shelves.slice(1)) };
    return { kind, file, path: `${pick(shelves)}/${pick([0, 1, 2, 3])}.txt` };
  },
  toRequest: (asked) => {
    if (asked.kind === 'deleteTree') return ['DELETE', `/drives/${drive}/items/tree?path=${asked.path}`];
    const path = `/drives/${drive}/files/${asked.file}`;
    return asked.kind === 'get' ? ['GET', path] : ['PATCH', path, { path: asked.path }];
  },
};

const drives: Thing<readonly string[], DriveCall> = {
  name: 'the drives of an organization',
  key: `${key}-drives`,
  model: drivesOfOrganization,
  draw: (pick) => ({ kind: pick(['create', 'list'] as const) }),
  toRequest: ({ kind }) => (kind === 'list' ? ['GET', '/drives?limit=100'] : ['POST', '/drives', { name: 'One more' }]),
};

const sharedAgent: Thing<boolean, AgentCall> = {
  name: 'an agent',
  key,
  model: agentWithRevisions,
  draw: (pick) => pick([{ kind: 'show' }, { kind: 'publish', isNewest: true }, { kind: 'publish', isNewest: false }]),
  toRequest: (asked) => {
    if (asked.kind === 'show') return ['GET', '/agents'];
    return ['POST', `/agents/${agent}/publish`, { revisionId: revisions[asked.isNewest ? 1 : 0] }];
  },
  // A list of agents, or the agent that was published.
  read: (body) => (Array.isArray(body) ? body.find(({ id }) => id === agent) : body),
};

/** Uses one round on all things at the same time, from the start on, and looks for what cannot have happened. */
export async function runRound(options: OrderOptions): Promise<OrderResult> {
  const reset = await fetch(new URL('/__admin/reset', options.baseUrl), { method: 'POST' });
  if (!reset.ok) throw new Error(`The mock does not reset: ${reset.status}. ${await reset.text()}`);
  const results = await Promise.all([
    carryOut(sharedDrive, options),
    carryOut(drives, options),
    carryOut(sharedAgent, options),
  ]);
  return {
    calls: results.reduce((sum, { calls }) => sum + calls, 0),
    overlapping: results.reduce((sum, { overlapping }) => sum + overlapping, 0),
    disorders: results.flatMap(({ disorders }) => disorders),
  };
}

async function carryOut<State, Asked>(thing: Thing<State, Asked>, options: OrderOptions): Promise<OrderResult> {
  const clients = Array.from({ length: options.clients }, (_, client) => callInTurn(thing, options, client));
  const calls = (await Promise.all(clients)).flat();
  const disorder = findDisorder(calls, thing.model);
  const words = (call: Call<Asked, Told>) => `${JSON.stringify(call.asked)} -> ${JSON.stringify(call.told)}`;
  return {
    calls: calls.length,
    overlapping: countOverlapping(calls),
    disorders:
      disorder === undefined ? [] : [`${thing.name}: none of these can be next: ${disorder.map(words).join('; ')}`],
  };
}

async function callInTurn<State, Asked>(thing: Thing<State, Asked>, options: OrderOptions, client: number) {
  const pick = toPick(createRandom(`${options.randomSeed}/${thing.name}/${client}`));
  const calls: Call<Asked, Told>[] = [];
  for (let count = 0; count < options.calls; count++) {
    const asked = thing.draw(pick);
    const startedAt = performance.now();
    const told = await send(options.baseUrl, thing, thing.toRequest(asked));
    calls.push({ asked, told, startedAt, endedAt: performance.now() });
  }
  return calls;
}

function toPick(random: Random): Pick {
  return (items) => items[random.uint32() % items.length] as never;
}

async function send<State, Asked>(
  baseUrl: string,
  { key: apiKey, read = (body) => body }: Thing<State, Asked>,
  [method, path, json]: [method: string, path: string, body?: unknown],
): Promise<Told> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const response = await fetch(baseUrl + path, { method, headers, ...body });
  return { status: response.status, body: read(await response.json()) };
}

function countOverlapping(calls: readonly Call<unknown, unknown>[]): number {
  let latestEnd = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const { startedAt, endedAt } of calls.toSorted((a, b) => a.startedAt - b.startedAt)) {
    if (startedAt < latestEnd) count++;
    latestEnd = Math.max(latestEnd, endedAt);
  }
  return count;
}

const latencies = [[], ['--latency', '0-4']];

/** Runs the torture, half of it without and half with random delays, and prints its figures. */
export async function run({ seed, count = 200, print }: TortureOptions): Promise<void> {
  print(`order: ${count} rounds, seed ${seed}`);
  const folder = temporaryFolder('torture-order');
  const sum = { calls: 0, overlapping: 0 };
  try {
    writeFileSync(folder.at('seed.json'), JSON.stringify(orderSeed()));
    for (const latency of latencies) {
      const mock = await startMock(['--seed', folder.at('seed.json'), '--log-level', 'error', ...latency]);
      try {
        await runRounds(mock.url, { seed, count: Math.ceil(count / latencies.length) }, sum);
      } finally {
        await mock.stop();
      }
    }
  } finally {
    folder.remove();
  }
  print(`${sum.calls} calls of 24 clients, ${sum.overlapping} of them while others were under way: all in one order.`);
}

async function runRounds(
  baseUrl: string,
  { seed, count }: { seed: number; count: number },
  sum: Omit<OrderResult, 'disorders'>,
) {
  for (let round = 0; round < count; round++) {
    const result = await runRound({ baseUrl, randomSeed: seed + round, clients: 8, calls: 12 });
    sum.calls += result.calls;
    sum.overlapping += result.overlapping;
    const again = `Use it again with --seed ${seed + round} --count 2.`;
    if (result.disorders.length > 0) throw new Error(`${result.disorders.join('\n')}\n${again}`);
  }
}
