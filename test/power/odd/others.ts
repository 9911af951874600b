import type { FileFixture } from '../../../conformance/config/settings.ts';
import { createDrive } from '../../../src/domain/drives.ts';
import { moveFile } from '../../../src/domain/files.ts';
import { createMcpServer } from '../../../src/domain/mcp-servers.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { fixturesOf } from '../../support/fixtures.ts';
import { mcpServers, organizationsOf, replaceAgent, treesOf } from '../mutants/patch-store.ts';
import type { Oddity } from './oddity.ts';

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

/** Someone registers an MCP server, and removes it at the next turn: by then a list may have shown it. */
function registerAndRemove(engine: Engine, count: number): void {
  for (const organization of organizationsOf(engine)) {
    const { byId, list } = mcpServers(organization);
    for (const server of list.all().filter(({ name }) => name.startsWith("Someone's"))) {
      byId.delete(server.id);
      list.remove(server);
    }
    createMcpServer(organization, { name: `Someone's server ${count}`, url: 'https://mcp.someone.test/' });
  }
}

/** Someone moves one of the files that the user vouches for: by its place in `fixtures.files`. */
function moveFileAt(place: number): (engine: Engine, count: number) => void {
  let fixture: FileFixture | undefined;
  return (engine, count) => {
    fixture ??= fixturesOf({ engine }).files?.[place];
    const drive = treesOf(engine).find(({ driveId }) => driveId === fixture?.driveId);
    const file = drive?.tree.find(fixture?.id ?? '');
    if (drive === undefined || file === undefined) return;
    moveFile(drive.organization, drive.driveId, file, `/someone/${count}`);
  };
}

/** Other clients are at work during the run. */
export const others: Record<string, Oddity> = {
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
    break: meanwhile(12, registerAndRemove),
  },
  'others-remove-the-first-mcp-server': {
    why: 'Section 4.9: no order is shown; a key is not the only client of its organization.',
    profile: { listOrder: 'newestFirst' },
    break: meanwhile(12, registerAndRemove),
    fixtures: ({ mcpServer: _, ...usual }) => usual,
  },
  'others-move-another-file': {
    why: 'Section 5.3: a key is not the only client of its organization.',
    break: meanwhile(9, moveFileAt(1)),
  },
  'others-move-the-same-file': {
    why: 'Section 5.3: a key is not the only client of its organization.',
    break: meanwhile(150, moveFileAt(0)),
  },
};
