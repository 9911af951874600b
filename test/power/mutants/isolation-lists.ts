import type { OrderedList } from '../../../src/domain/ordered-list.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { otherThan } from './patch.ts';
import {
  addDrives,
  changeAnswered,
  changeEnlisted,
  changeLast,
  changeListed,
  changeNew,
  drivesOf,
  type Listed,
  mcpServersOf,
  organizationsOf,
} from './patch-store.ts';

/** Lets the list of each organization show what `chosen` takes from those of the others. */
function leak<T extends Listed>(
  engine: Engine,
  listOf: (organization: Organization) => OrderedList<T>,
  merge: (own: T[], foreign: T[]) => T[],
): void {
  const originals = organizationsOf(engine).map((organization) => {
    const list = listOf(organization);
    return { organization, list, page: list.page.bind(list) };
  });
  for (const { organization, list } of originals) {
    const others = originals.filter((other) => other.organization !== organization);
    changeListed(list, (own) =>
      merge(
        own,
        others.flatMap(({ page }) => page(0, 1_000_000)),
      ),
    );
  }
}

const agents = ({ agents: list }: Organization) => list;
const drives = ({ drives: list }: Organization) => list;
const mcpServers = ({ mcpServers: list }: Organization) => list;

const ownOnly = { class: 'isolation', place: 'store', requirement: 'organization.lists-show-its-own' } as const;
const actsForIt = { class: 'isolation', place: 'store', requirement: 'organization.every-call-acts-for-it' } as const;

/** What lists show of other organizations. */
const leaks: readonly Mutant[] = [
  {
    id: 'agents-of-all-organizations-are-listed',
    ...actsForIt,
    check: 'listAgents.hides-other-organization',
    fault: 'GET /agents lists the agents of all organizations.',
    break: (engine) => leak(engine, agents, (own, foreign) => [...own, ...foreign]),
  },
  {
    id: 'the-last-agent-listed-is-a-foreign-one',
    ...ownOnly,
    check: 'listAgents.hides-other-organization',
    fault: 'GET /agents lists one agent of another organization behind all of its own.',
    break: (engine) => leak(engine, agents, (own, foreign) => [...own, ...foreign.slice(0, 1)]),
  },
  {
    id: 'published-agents-are-listed-to-all',
    ...ownOnly,
    check: 'listAgents.hides-other-organization',
    fault: 'An agent with a published revision is listed to every organization.',
    break: (engine) =>
      leak(engine, agents, (own, foreign) => [
        ...own,
        ...foreign.filter(({ activeRevisionId }) => activeRevisionId !== undefined),
      ]),
  },
  {
    id: 'drives-of-all-organizations-are-listed',
    ...actsForIt,
    check: 'listDrives.hides-other-organization',
    fault: 'GET /drives lists the drives of all organizations.',
    break: (engine) => leak(engine, drives, (own, foreign) => [...own, ...foreign]),
  },
  {
    id: 'the-second-page-shows-foreign-drives',
    ...ownOnly,
    check: 'listDrives.hides-other-organization',
    fault: 'Behind the hundredth drive the list goes on with drives of another organization.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) addDrives(organization, 110);
      leak(engine, drives, (own, foreign) => [...own.slice(0, 100), ...foreign.slice(0, 3), ...own.slice(100)]);
    },
  },
  {
    id: 'empty-drives-are-listed-to-all',
    ...ownOnly,
    check: 'listDrives.hides-other-organization',
    fault: 'A drive without files, as a new one is, is listed to every organization.',
    break: (engine) =>
      leak(engine, drives, (own, foreign) => [...own, ...foreign.filter(({ id }) => isEmpty(engine, id))]),
  },
  {
    id: 'mcp-servers-of-all-organizations-are-listed',
    ...actsForIt,
    check: 'listMcpServers.hides-other-organization',
    fault: 'GET /mcp-servers lists the MCP servers of all organizations.',
    break: (engine) => leak(engine, mcpServers, (own, foreign) => [...own, ...foreign]),
  },
  {
    id: 'the-first-mcp-server-listed-is-a-foreign-one',
    ...ownOnly,
    check: 'listMcpServers.hides-other-organization',
    fault: 'GET /mcp-servers lists one MCP server of another organization before its own.',
    break: (engine) => leak(engine, mcpServers, (own, foreign) => [...foreign.slice(0, 1), ...own]),
  },
  {
    id: 'new-mcp-servers-are-listed-to-all',
    ...ownOnly,
    check: 'listMcpServers.hides-other-organization',
    fault: 'An MCP server registered at run time is listed to every organization.',
    break: (engine) => {
      const seeded = new Set(organizationsOf(engine).flatMap(({ mcpServersById }) => [...mcpServersById.keys()]));
      leak(engine, mcpServers, (own, foreign) => [...own, ...foreign.filter(({ id }) => !seeded.has(id))]);
    },
  },
];

function isEmpty(engine: Engine, driveId: string): boolean {
  return organizationsOf(engine).every((organization) => organization.filesOf(driveId).size === 0);
}

const namesOwner = { class: 'isolation', place: 'store', requirement: 'organization.listed-items-name-it' } as const;

/** What records say of their owner. */
const owners: readonly Mutant[] = [
  {
    id: 'the-last-drive-listed-names-another-organization',
    ...namesOwner,
    check: 'listDrives.items-name-one-organization',
    fault: 'The last of the listed drives names another organization as its owner; all others are right.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeLast(organization.drives, () => ({ organizationId: otherThan(engine, organization).id }));
      }
    },
  },
  {
    id: 'drives-behind-the-hundredth-name-another-organization',
    ...namesOwner,
    check: 'listDrives.items-name-one-organization',
    fault: 'Of 115 drives those behind the hundredth name another organization as their owner.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        addDrives(organization, 110);
        const organizationId = otherThan(engine, organization).id;
        changeListed(organization.drives, (all) =>
          all.map((drive, index) => (index < 100 ? drive : { ...drive, organizationId })),
        );
      }
    },
  },
  {
    id: 'each-mcp-server-names-an-organization-of-its-own',
    ...namesOwner,
    check: 'listMcpServers.items-name-one-organization',
    fault: 'The organizationId of a listed MCP server is the id of that server.',
    break: (engine) => {
      for (const { mcpServers: list } of organizationsOf(engine)) {
        changeListed(list, (all) => all.map((server) => ({ ...server, organizationId: server.id })));
      }
    },
  },
  {
    id: 'the-first-mcp-server-names-another-organization',
    ...namesOwner,
    check: 'listMcpServers.items-name-one-organization',
    fault: 'The first of the listed MCP servers names another organization as its owner; all others are right.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        const organizationId = otherThan(engine, organization).id;
        changeListed(organization.mcpServers, ([first, ...rest]) =>
          first === undefined ? [] : [{ ...first, organizationId }, ...rest],
        );
      }
    },
  },
  {
    id: 'a-new-drive-names-another-organization',
    class: 'isolation',
    place: 'store',
    requirement: 'createDrive.belongs-to-organization',
    check: 'createDrive.belongs-to-organization',
    fault: 'A new drive is in the right list, and its answer names another organization as its owner.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeAnswered(drivesOf(organization), () => ({ organizationId: otherThan(engine, organization).id }));
      }
    },
  },
  {
    id: 'a-new-drive-names-no-known-organization',
    class: 'isolation',
    place: 'store',
    requirement: 'createDrive.belongs-to-organization',
    check: 'createDrive.belongs-to-organization',
    fault: 'Each new drive names an organization that nothing else names, in its answer and in the list.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeNew(drivesOf(organization), () => ({ organizationId: organization.ids('organization') }));
      }
    },
  },
  {
    id: 'a-new-mcp-server-names-another-organization',
    class: 'isolation',
    place: 'store',
    requirement: 'createMcpServer.belongs-to-organization',
    check: 'createMcpServer.belongs-to-organization',
    fault: 'The answer to a registration names another organization as the owner of the new MCP server.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeAnswered(mcpServersOf(organization), () => ({ organizationId: otherThan(engine, organization).id }));
      }
    },
  },
  {
    id: 'a-new-mcp-server-is-listed-under-another-organization',
    ...namesOwner,
    check: 'listMcpServers.items-name-one-organization',
    fault: 'An MCP server registered at run time is listed with another organizationId than it was answered with.',
    break: (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeEnlisted(mcpServersOf(organization), () => ({ organizationId: otherThan(engine, organization).id }));
      }
    },
  },
];

export const isolationInLists: readonly Mutant[] = [...leaks, ...owners];
