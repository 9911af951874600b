import { existsSync, readFileSync } from 'node:fs';
import { validateSnapshot } from '../../src/domain/relations.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import { createRandom, type Random } from '../../test/model/random.ts';
import { type Client, createClient } from '../../test/support/client.ts';
import { type RunningMock, startMock, startProcess } from '../../test/support/command.ts';
import { temporaryFolder } from '../../test/support/shell.ts';
import { acknowledge, nextWrite, type Own, type Write } from './kill-writes.ts';
import type { TortureOptions } from './options.ts';
import { between, isSameEffect, linesOf } from './state-lines.ts';

// Kills a mock that keeps its state in a file, again and again, while clients write to it. After each start, all that was
// acknowledged must be there, and of what was not, each write as a whole or not at all.

const clientCount = 4;

/** What the clients know, from one kill to the next. */
interface Known {
  owns: Own[];
  /** What each client waits for when the mock is killed. */
  pending: (Write | undefined)[];
  /** The choice for all organizations that was acknowledged last, and the one that was asked for last. */
  order: { acknowledged: string; asked: string };
  /** The key of a sandbox that is opened or deleted, and whether it is there. */
  visitor: { key: string; isThere: boolean; isAsked: boolean };
}

interface Figures {
  kills: number;
  duringStart: number;
  acknowledged: number;
  whollyThere: number;
  notThere: number;
  rolledBack: number;
}

/** Runs the torture, and prints its figures. Rejects with the first thing that is wrong. */
export async function run({ seed, count = 200, print }: TortureOptions): Promise<void> {
  const folder = temporaryFolder('torture-kill');
  const figures = { kills: 0, duringStart: 0, acknowledged: 0, whollyThere: 0, notThere: 0, rolledBack: 0 };
  print(`kill: ${count} kills, seed ${seed}`);
  try {
    await killAgainAndAgain(new Torture(folder.at('torture.state'), seed, figures), count, print);
  } catch (error) {
    throw new Error(`After ${figures.kills} kills; use it again with --seed ${seed} --count ${count}.`, {
      cause: error,
    });
  } finally {
    folder.remove();
  }
  print(closing(figures, seed));
}

async function killAgainAndAgain(torture: Torture, count: number, print: (line: string) => void): Promise<void> {
  for (let round = 1; round <= count; round++) {
    await torture.round(round);
    if (round % 50 === 0) print(`${round} kills survived`);
  }
  await torture.judgeLast();
}

function closing(
  { kills, duringStart, acknowledged, whollyThere, notThere, rolledBack }: Figures,
  seed: number,
): string {
  return [
    `${kills} kills survived, ${duringStart} of them during a start.`,
    `${acknowledged} writes were acknowledged, and all are there.`,
    `${whollyThere + notThere} were under way: ${whollyThere} are there as a whole, ${notThere} not at all.`,
    `${rolledBack} times the file had half of a change, which was rolled back.`,
    `Seed ${seed}.`,
  ].join('\n');
}

class Torture {
  readonly #file: string;
  readonly #seed: number;
  readonly #figures: Figures;
  #known: Known | undefined;
  #names = 0;

  constructor(file: string, seed: number, figures: Figures) {
    this.#file = file;
    this.#seed = seed;
    this.#figures = figures;
  }

  /** Starts the mock, judges what is there, lets the clients write, and kills it. */
  async round(round: number): Promise<void> {
    const random = createRandom(this.#seed * 1_000 + round);
    if (round <= 3 || round % 8 === 0) await this.#killDuringStart(random);
    else await this.#killDuringWrites(random);
    this.#figures.kills++;
  }

  async judgeLast(): Promise<void> {
    const mock = await this.#start();
    await mock.stop();
  }

  async #killDuringStart(random: Random): Promise<void> {
    const starting = startProcess(['mock', '--state', this.#file, '--port', '0', '--log-level', 'silent']);
    await pause(random.integer(0, 1_200));
    await starting.stop('SIGKILL');
    this.#figures.duringStart++;
  }

  async #killDuringWrites(random: Random): Promise<void> {
    const mock = await this.#start();
    let left = random.integer(1, 60);
    const { promise: isTime, resolve: kill } = Promise.withResolvers<void>();
    const acknowledged = () => {
      this.#figures.acknowledged++;
      if (--left === 0) kill();
    };
    const clients = Promise.all(this.#clients(mock, random, acknowledged));
    try {
      // The clients end before only if one of them fails.
      await Promise.race([isTime, clients]);
      // Awake or asleep: answers that come meanwhile are read before the kill, or after it.
      if (random.chance(0.5)) await pause(random.integer(0, 3));
      else sleep(random.integer(0, 6));
    } finally {
      await mock.stop('SIGKILL');
    }
    await clients;
  }

  /** Starts the mock on the file, and judges what is there. */
  async #start(): Promise<RunningMock> {
    if (hasHalfChange(this.#file)) this.#figures.rolledBack++;
    const mock = await startMock(['--state', this.#file]);
    try {
      await this.#judgeOrBegin(controlOf(mock));
      return mock;
    } catch (error) {
      await mock.stop('SIGKILL');
      throw error;
    }
  }

  async #judgeOrBegin(control: Client): Promise<void> {
    const { body: snapshot } = await control('GET', '/snapshot');
    if (this.#known === undefined) this.#known = await begin(control);
    else await this.#judge(this.#known, snapshot, control);
  }

  async #judge(known: Known, snapshot: Snapshot, control: Client): Promise<void> {
    const violations = validateSnapshot(snapshot);
    if (violations.length > 0) throw new Error(`The snapshot is invalid: ${JSON.stringify(violations.slice(0, 5))}`);
    for (const [index, own] of known.owns.entries()) this.#judgeOwn(own, known.pending[index], snapshot);
    known.pending = [];
    this.#count(await judgeOrder(known, control));
    this.#count(judgeVisitor(known, snapshot));
  }

  #judgeOwn(own: Own, pending: Write | undefined, { organizations }: Snapshot): void {
    const there = organizations.find(({ id }) => id === own.id);
    if (there === undefined) throw new Error(`The organization of ${own.key} is gone.`);
    const lines = linesOf(there);
    const effect = between(own.lines, lines);
    const isNothing = effect.removed.length + effect.added.length === 0;
    const isWhole = pending !== undefined && isSameEffect(effect, pending.expected);
    if (!isNothing && !isWhole) {
      const about = { acknowledgedAndGone: effect.removed, neverAsked: effect.added, pending: pending?.name };
      throw new Error(`Of ${own.key}: ${JSON.stringify(about, null, 1)}`);
    }
    if (pending !== undefined) this.#count(!isNothing);
    own.lines = lines;
  }

  /** Counts a write that was under way; undefined where there was none. */
  #count(isThere: boolean | undefined): void {
    if (isThere !== undefined) this.#figures[isThere ? 'whollyThere' : 'notThere']++;
  }

  #clients(mock: RunningMock, random: Random, acknowledged: () => void): Promise<void>[] {
    const known = this.#known as Known;
    const control = controlOf(mock);
    const writers = known.owns.map((own, index) => {
      const api = createClient(mock.url, own.key);
      const fresh = () => `x${++this.#names}`;
      const tools = { own, control, api, fresh, random: createRandom(random.integer(0, 2 ** 31)) };
      return untilKilled(async () => {
        const write = nextWrite(tools);
        known.pending[index] = write;
        const reply = await write.send();
        if (reply.status >= 300) throw new Error(`${write.name}: ${reply.status} ${reply.text}`);
        known.pending[index] = undefined;
        acknowledge(own, write, reply);
        acknowledged();
      });
    });
    return [...writers, untilKilled(() => changeAll(known, { control, random, acknowledged }))];
  }
}

/** Whether a journal tells how to undo what was written last: else its first byte is zero. */
function hasHalfChange(file: string): boolean {
  const journal = `${file}-journal`;
  return existsSync(journal) && (readFileSync(journal)[0] ?? 0) !== 0;
}

/** The first state of what the clients know: an organization for each. */
async function begin(control: Client): Promise<Known> {
  const owns: Own[] = [];
  for (let index = 0; index < clientCount; index++) {
    const key = `client-${index}`;
    const { body } = await control('POST', '/organizations', { json: { key, name: `Of ${key}` } });
    const { body: snapshot } = await control('GET', `/snapshot?organization=${body.organization.id}`);
    const lines = linesOf(snapshot);
    owns.push({ id: body.organization.id, key, lines, first: lines, taken: { snapshot, lines } });
  }
  const { body: settings } = await control('GET', '/settings');
  const { listOrder } = settings.profile;
  return {
    owns,
    pending: [],
    order: { acknowledged: listOrder, asked: listOrder },
    visitor: { key: 'visitor', isThere: false, isAsked: false },
  };
}

const orders = ['newestFirst', 'oldestFirst', 'byName', 'arbitrary'];

interface OnAll {
  control: Client;
  random: Random;
  acknowledged(): void;
}

/** What concerns all organizations: the profile, for which all is written anew, and a sandbox that comes and goes. */
async function changeAll({ order, visitor }: Known, { control, random, acknowledged }: OnAll): Promise<void> {
  // Seldom: it writes all records.
  if (random.chance(0.03)) {
    order.asked = orders[(orders.indexOf(order.acknowledged) + 1) % orders.length] as string;
    await expectSuccess(control('PATCH', '/settings', { json: { profile: { listOrder: order.asked } } }));
    order.acknowledged = order.asked;
    acknowledged();
  }
  visitor.isAsked = !visitor.isThere;
  const opening = () => control('POST', '/organizations', { json: { key: visitor.key, name: 'Visitor' } });
  await expectSuccess(visitor.isAsked ? opening() : control('DELETE', '/organizations/Visitor'));
  visitor.isThere = visitor.isAsked;
  acknowledged();
}

async function expectSuccess(reply: ReturnType<Client>): Promise<void> {
  const { status, text } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
}

/** Whether the choice that was asked for is there; undefined where none was under way. */
async function judgeOrder({ order }: Known, control: Client): Promise<boolean | undefined> {
  const { body } = await control('GET', '/settings');
  const { listOrder } = body.profile;
  if (listOrder !== order.acknowledged && listOrder !== order.asked)
    throw new Error(`listOrder is ${listOrder}; acknowledged: ${order.acknowledged}, asked for: ${order.asked}.`);
  const isThere = order.asked === order.acknowledged ? undefined : listOrder === order.asked;
  order.acknowledged = listOrder;
  order.asked = listOrder;
  return isThere;
}

/** Whether what was asked for is there: that the sandbox came, or went; undefined where nothing was under way. */
function judgeVisitor({ visitor, owns }: Known, { organizations }: Snapshot): boolean | undefined {
  const there = organizations.find(({ name }) => name === 'Visitor');
  const isThere = there !== undefined;
  if (isThere !== visitor.isThere && isThere !== visitor.isAsked)
    throw new Error(`The sandbox of the visitor is ${isThere ? 'there' : 'gone'}, but nobody asked for that.`);
  // It is a copy of the same organization as those of the clients.
  const count = owns[0]?.first.length;
  if (there !== undefined && linesOf(there).length !== count)
    throw new Error(`The sandbox of the visitor has ${linesOf(there).length} lines, not ${count}.`);
  const isDone = visitor.isAsked === visitor.isThere ? undefined : isThere === visitor.isAsked;
  Object.assign(visitor, { isThere, isAsked: isThere });
  return isDone;
}

/** Repeats something until the mock no longer answers. Other errors reject. */
async function untilKilled(act: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await act();
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

function controlOf({ url }: RunningMock): Client {
  const client = createClient(`${new URL(url).origin}/__admin`, '');
  return (method, path, sent) => client(method, path, { key: null, ...sent });
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
