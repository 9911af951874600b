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
import type { Break } from './rewrite.ts';
import { table } from './table.ts';

/** Lets the list of each organization show what `chosen` takes from those of the others. */
function leak<T extends Listed>(
  listOf: (organization: Organization) => OrderedList<T>,
  merge: (own: T[], foreign: T[]) => T[],
): Break {
  return (engine) => {
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
  };
}

const agents = ({ agents: list }: Organization) => list;
const drives = ({ drives: list }: Organization) => list;
const mcpServers = ({ mcpServers: list }: Organization) => list;

/** What lists show of other organizations. */
const leaks: readonly Mutant[] = table('isolation', 'store', {
  'organization.every-call-acts-for-it > listAgents.hides-other-organization: agents-of-all-organizations-are-listed': [
    'GET /agents lists the agents of all organizations.',
    leak(agents, (own, foreign) => [...own, ...foreign]),
  ],
  'organization.lists-show-its-own > listAgents.hides-other-organization: the-last-agent-listed-is-a-foreign-one': [
    'GET /agents lists one agent of another organization behind all of its own.',
    leak(agents, (own, foreign) => [...own, ...foreign.slice(0, 1)]),
  ],
  'organization.lists-show-its-own > listAgents.hides-other-organization: published-agents-are-listed-to-all': [
    'An agent with a published revision is listed to every organization.',
    leak(agents, (own, foreign) => [
      ...own,
      ...foreign.filter(({ activeRevisionId }) => activeRevisionId !== undefined),
    ]),
  ],
  'organization.every-call-acts-for-it > listDrives.hides-other-organization: drives-of-all-organizations-are-listed': [
    'GET /drives lists the drives of all organizations.',
    leak(drives, (own, foreign) => [...own, ...foreign]),
  ],
  'organization.lists-show-its-own > listDrives.hides-other-organization: the-second-page-shows-foreign-drives': [
    'Behind the hundredth drive the list goes on with drives of another organization.',
    (engine) => {
      for (const organization of organizationsOf(engine)) addDrives(organization, 110);
      leak(drives, (own, foreign) => [...own.slice(0, 100), ...foreign.slice(0, 3), ...own.slice(100)])(engine);
    },
  ],
  'organization.lists-show-its-own > listDrives.hides-other-organization: empty-drives-are-listed-to-all': [
    'A drive without files, as a new one is, is listed to every organization.',
    (engine) => leak(drives, (own, foreign) => [...own, ...foreign.filter(({ id }) => isEmpty(engine, id))])(engine),
  ],
  'organization.every-call-acts-for-it > listMcpServers.hides-other-organization: mcp-servers-of-all-organizations-are-listed':
    [
      'GET /mcp-servers lists the MCP servers of all organizations.',
      leak(mcpServers, (own, foreign) => [...own, ...foreign]),
    ],
  'organization.lists-show-its-own > listMcpServers.hides-other-organization: the-first-mcp-server-listed-is-a-foreign-one':
    [
      'GET /mcp-servers lists one MCP server of another organization before its own.',
      leak(mcpServers, (own, foreign) => [...foreign.slice(0, 1), ...own]),
    ],
  'organization.lists-show-its-own > listMcpServers.hides-other-organization: new-mcp-servers-are-listed-to-all': [
    'An MCP server registered at run time is listed to every organization.',
    (engine) => {
      const seeded = new Set(organizationsOf(engine).flatMap(({ mcpServersById }) => [...mcpServersById.keys()]));
      leak(mcpServers, (own, foreign) => [...own, ...foreign.filter(({ id }) => !seeded.has(id))])(engine);
    },
  ],
});

function isEmpty(engine: Engine, driveId: string): boolean {
  return organizationsOf(engine).every((organization) => organization.filesOf(driveId).size === 0);
}

/** What records say of their owner. */
const owners: readonly Mutant[] = table('isolation', 'store', {
  'listDrives.items-name-one-organization: the-last-drive-listed-names-another-organization': [
    'The last of the listed drives names another organization as its owner; all others are right.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeLast(organization.drives, () => ({ organizationId: otherThan(engine, organization).id }));
      }
    },
  ],
  'listDrives.items-name-one-organization: drives-behind-the-hundredth-name-another-organization': [
    'Of 115 drives those behind the hundredth name another organization as their owner.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        addDrives(organization, 110);
        const organizationId = otherThan(engine, organization).id;
        changeListed(organization.drives, (all) =>
          all.map((drive, index) => (index < 100 ? drive : { ...drive, organizationId })),
        );
      }
    },
  ],
  'listMcpServers.items-name-one-organization: each-mcp-server-names-an-organization-of-its-own': [
    'The organizationId of a listed MCP server is the id of that server.',
    (engine) => {
      for (const { mcpServers: list } of organizationsOf(engine)) {
        changeListed(list, (all) => all.map((server) => ({ ...server, organizationId: server.id })));
      }
    },
  ],
  'listMcpServers.items-name-one-organization: the-first-mcp-server-names-another-organization': [
    'The first of the listed MCP servers names another organization as its owner; all others are right.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        const organizationId = otherThan(engine, organization).id;
        changeListed(organization.mcpServers, ([first, ...rest]) =>
          first === undefined ? [] : [{ ...first, organizationId }, ...rest],
        );
      }
    },
  ],
  'listMcpServers.items-name-one-organization: a-new-mcp-server-is-listed-under-another-organization': [
    'An MCP server registered at run time is listed with another organizationId than it was answered with.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeEnlisted(mcpServersOf(organization), () => ({ organizationId: otherThan(engine, organization).id }));
      }
    },
  ],
  'createDrive.belongs-to-organization: a-new-drive-names-another-organization': [
    'A new drive is in the right list, and its answer names another organization as its owner.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeAnswered(drivesOf(organization), () => ({ organizationId: otherThan(engine, organization).id }));
      }
    },
  ],
  'createDrive.belongs-to-organization: a-new-drive-names-no-known-organization': [
    'Each new drive names an organization that nothing else names, in its answer and in the list.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeNew(drivesOf(organization), () => ({ organizationId: organization.ids('organization') }));
      }
    },
  ],
  'createMcpServer.belongs-to-organization: a-new-mcp-server-names-another-organization': [
    'The answer to a registration names another organization as the owner of the new MCP server.',
    (engine) => {
      for (const organization of organizationsOf(engine)) {
        changeAnswered(mcpServersOf(organization), () => ({ organizationId: otherThan(engine, organization).id }));
      }
    },
  ],
});

export const isolationInLists: readonly Mutant[] = [...leaks, ...owners];
