import type { FileFixture } from '../../../conformance/run/settings.ts';
import { createDrive } from '../../../src/domain/drives.ts';
import { moveFile } from '../../../src/domain/files.ts';
import { createMcpServer } from '../../../src/domain/mcp-servers.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Agent, Drive, McpServer } from '../../../src/domain/resources.ts';
import { fixturesOf } from '../../../test/support/fixtures.ts';
import type { Engine } from '../mutant.ts';
import {
  agents,
  drives,
  type Listed,
  mcpServers,
  organizationsOf,
  replaceAgent,
  type ShelfOf,
  treesOf,
} from '../mutants/patch-store.ts';
import type { Oddity } from './oddity.ts';

/** Many times during one check, or about once; rarely: at longer intervals than the suite looks for others at a time. */
const rhythmsMs = { often: 9, 'now-and-then': 170, seldom: 900, rarely: 2_300 };

/** Someone else does something every few milliseconds. */
function meanwhile(everyMs: number, act: (engine: Engine, count: number) => void): NonNullable<Oddity['break']> {
  return (engine, signal) => {
    let count = 0;
    const timer = setInterval(() => act(engine, ++count), everyMs);
    signal.addEventListener('abort', () => clearInterval(timer));
  };
}

function createDrives(engine: Engine, count: number): void {
  for (const organization of organizationsOf(engine)) createDrive(organization, `Someone's drive ${count}`);
}

function editAgents(engine: Engine, count: number): void {
  for (const organization of organizationsOf(engine)) {
    for (const agent of organization.agents.all()) {
      const updatedAtMs = agent.updatedAtMs + count;
      replaceAgent(organization, agent, { description: `Draft ${count}`, hasChanges: count % 2 === 0, updatedAtMs });
    }
  }
}

/** A kind of record that someone makes, and where to find it again. */
interface Made<T extends Listed> {
  shelfOf: ShelfOf<T>;
  make(organization: Organization, name: string): void;
}

const madeDrives: Made<Drive> = { shelfOf: drives, make: createDrive };
const madeServers: Made<McpServer> = {
  shelfOf: mcpServers,
  make: (organization, name) => createMcpServer(organization, { name, url: 'https://mcp.someone.test/' }),
};
const madeAgents: Made<Agent> = {
  shelfOf: agents,
  make: ({ agents: list, agentsById, ids, runtime }, name) => {
    const atMs = runtime.clock.nowMs();
    const agent = { id: ids('agent'), name, revisions: [], hasChanges: false, createdAtMs: atMs, updatedAtMs: atMs };
    agentsById.set(agent.id, agent);
    list.add(agent);
  },
};

/** Removes what someone made before: by then a list may have shown it. Returns how many there were. */
function removeMade<T extends Listed>(organization: Organization, shelfOf: ShelfOf<T>): number {
  const { byId, list } = shelfOf(organization);
  const made = list.all().filter(({ name }) => name.startsWith("Someone's"));
  for (const one of made) {
    byId.delete(one.id);
    list.remove(one);
  }
  return made.length;
}

/** Someone has a new one at each turn: there is always one of them. */
function replace<T extends Listed>({ shelfOf, make }: Made<T>): (engine: Engine, count: number) => void {
  return (engine, count) => {
    for (const organization of organizationsOf(engine)) {
      removeMade(organization, shelfOf);
      make(organization, `Someone's no. ${count}`);
    }
  };
}

/** Someone's thing is there at one turn, and gone at the next: the list grows and shrinks. */
function comeAndGo<T extends Listed>({ shelfOf, make }: Made<T>): (engine: Engine, count: number) => void {
  return (engine, count) => {
    for (const organization of organizationsOf(engine))
      if (removeMade(organization, shelfOf) === 0) make(organization, `Someone's no. ${count}`);
  };
}

/** Files that someone moves, chosen before anything is moved, and where they go at each turn. */
interface Moved {
  choose(fixtures: ReturnType<typeof fixturesOf>): readonly FileFixture[] | undefined;
  pathOf(count: number, file: FileFixture): string;
  rhythms: readonly (keyof typeof rhythmsMs)[];
}

/** Someone moves files that the user vouches for. */
function moveFiles(everyMs: number, { choose, pathOf }: Omit<Moved, 'rhythms'>): NonNullable<Oddity['break']> {
  return (engine, signal) => {
    const chosen = choose(fixturesOf({ engine })) ?? [];
    meanwhile(everyMs, (_, count) => {
      for (const fixture of chosen) moveForAnother(engine, fixture, pathOf(count, fixture));
    })(engine, signal);
  };
}

/** Someone moves a file, unless it is deleted by now. */
export function moveForAnother(engine: Engine, fixture: FileFixture, path: string): void {
  const drive = treesOf(engine).find(({ driveId }) => driveId === fixture.driveId);
  const file = drive?.tree.find(fixture.id);
  if (drive !== undefined && file !== undefined) moveFile(drive.organization, drive.driveId, file, path);
}

const elsewhere = (count: number, { id }: FileFixture) => `/someone/${count}/${id}`;
const alwaysThere = (_: number, { id }: FileFixture) => `/someone/${id}`;

/** Files that someone moves: the one that the checks move, one that they only look at, and those that they delete. */
function moving(): Record<string, Oddity> {
  const moved: Record<string, Moved> = {
    'the-same-file': {
      ...{ choose: ({ files }) => files?.slice(0, 1), pathOf: elsewhere },
      rhythms: ['often', 'now-and-then', 'seldom', 'rarely'],
    },
    'another-file': {
      ...{ choose: ({ files }) => files?.slice(1, 2), pathOf: elsewhere },
      rhythms: ['often', 'rarely'],
    },
    'files-to-the-same-paths': {
      ...{ choose: ({ files }) => files, pathOf: alwaysThere },
      rhythms: ['often', 'now-and-then'],
    },
    'disposable-files': {
      ...{ choose: ({ disposableFiles }) => disposableFiles, pathOf: elsewhere },
      rhythms: ['often', 'now-and-then'],
    },
  };
  const why = 'Section 5.3: a key is not the only client of its organization.';
  return Object.fromEntries(
    Object.entries(moved).flatMap(([name, { rhythms, ...files }]) =>
      rhythms.map((rhythm): [string, Oddity] => [
        `others-move-${name}-${rhythm}`,
        { why, break: moveFiles(rhythmsMs[rhythm], files) },
      ]),
    ),
  );
}

/** Things of each kind that come and go. */
function comingAndGoing(): Record<string, Oddity> {
  const why =
    'Section 5.3: a key is not the only client of its organization, and what clients do elsewhere is not said.';
  const acts = { drives: comeAndGo(madeDrives), servers: comeAndGo(madeServers), agents: comeAndGo(madeAgents) };
  const rhythms = ['often', 'now-and-then', 'seldom'] as const;
  const orders = { '': {}, '-newest-first': { listOrder: 'newestFirst' } } as const;
  return Object.fromEntries(
    Object.entries(acts).flatMap(([kind, act]) =>
      rhythms.flatMap((rhythm) =>
        Object.entries(orders).map(([order, profile]): [string, Oddity] => [
          `others-make-and-remove-${kind}-${rhythm}${order}`,
          { why, profile, break: meanwhile(rhythmsMs[rhythm], act) },
        ]),
      ),
    ),
  );
}

/** Other clients are at work during the run. */
export const others: Record<string, Oddity> = {
  ...comingAndGoing(),
  ...moving(),
  'others-create-drives': {
    why: 'Section 5.3: a key is not the only client of its organization.',
    break: meanwhile(15, createDrives),
  },
  'others-create-drives-newest-first': {
    why: 'Section 4.4: no order is shown; a key is not the only client of its organization.',
    profile: { listOrder: 'newestFirst' },
    break: meanwhile(15, createDrives),
  },
  'others-edit-agents': {
    why: 'Section 5.3: a key is not the only client of its organization.',
    break: meanwhile(7, editAgents),
  },
  'others-remove-an-mcp-server': {
    why: 'Section 5.3: a key is not the only client of its organization.',
    break: meanwhile(12, replace(madeServers)),
  },
  'others-remove-the-first-mcp-server': {
    why: 'Section 4.9: no order is shown; a key is not the only client of its organization.',
    profile: { listOrder: 'newestFirst' },
    break: meanwhile(12, replace(madeServers)),
    fixtures: ({ mcpServer: _, ...usual }) => usual,
  },
};
