import type { Organization } from '../../../src/domain/organizations.ts';
import type { Drive } from '../../../src/domain/resources.ts';
import type { Break, Engine, Mutant } from '../mutant.ts';
import { otherThan } from './patch.ts';
import {
  addDrives,
  agents,
  changeAnswered,
  changeEnlisted,
  changeLast,
  changeListed,
  changeNew,
  drives,
  idsOf,
  type Listed,
  mcpServers,
  organizationsOf,
  type ShelfOf,
  sequence,
} from './patch-store.ts';
import { table } from './table.ts';

/** Lets the list of each organization show what `merge` takes from those of the others. */
function leak<T extends Listed>(shelfOf: ShelfOf<T>, merge: (own: T[], foreign: T[]) => T[]): Break {
  return (engine) => {
    const originals = organizationsOf(engine).map((organization) => {
      const { list } = shelfOf(organization);
      return { organization, page: list.page.bind(list) };
    });
    changeListed(shelfOf, (own, organization) => {
      const others = originals.filter((other) => other.organization !== organization);
      return merge(
        own,
        others.flatMap(({ page }) => page(0, 1_000_000)),
      );
    })(engine);
  };
}

/** Lists that show all of other organizations. */
const open = table(
  'isolation',
  'store',
  {
    'listAgents.hides-other-organization: agents-of-all-organizations-are-listed': [
      'GET /agents lists the agents of all organizations.',
      leak(agents, (own, foreign) => [...own, ...foreign]),
    ],
    'listDrives.hides-other-organization: drives-of-all-organizations-are-listed': [
      'GET /drives lists the drives of all organizations.',
      leak(drives, (own, foreign) => [...own, ...foreign]),
    ],
    'listMcpServers.hides-other-organization: mcp-servers-of-all-organizations-are-listed': [
      'GET /mcp-servers lists the MCP servers of all organizations.',
      leak(mcpServers, (own, foreign) => [...own, ...foreign]),
    ],
  },
  'organization.every-call-acts-for-it',
);

/** Lists that show some of other organizations. */
const leaks = table(
  'isolation',
  'store',
  {
    'listAgents.hides-other-organization: the-last-agent-listed-is-a-foreign-one': [
      'GET /agents lists one agent of another organization behind all of its own.',
      leak(agents, (own, foreign) => [...own, ...foreign.slice(0, 1)]),
    ],
    'listAgents.hides-other-organization: published-agents-are-listed-to-all': [
      'An agent with a published revision is listed to every organization.',
      leak(agents, (own, foreign) => [...own, ...foreign.filter((one) => one.activeRevisionId !== undefined)]),
    ],
    'listDrives.hides-other-organization: the-second-page-shows-foreign-drives': [
      'Behind the hundredth drive the list goes on with drives of another organization.',
      sequence(
        addDrives(110),
        leak(drives, (own, foreign) => [...own.slice(0, 100), ...foreign.slice(0, 3), ...own.slice(100)]),
      ),
    ],
    'listDrives.hides-other-organization: empty-drives-are-listed-to-all': [
      'A drive without files, as a new one is, is listed to every organization.',
      (engine) => {
        const isEmpty = ({ id }: Drive) => organizationsOf(engine).every((one) => one.filesOf(id).size === 0);
        leak(drives, (own, foreign) => [...own, ...foreign.filter(isEmpty)])(engine);
      },
    ],
    'listMcpServers.hides-other-organization: the-first-mcp-server-listed-is-a-foreign-one': [
      'GET /mcp-servers lists one MCP server of another organization before its own.',
      leak(mcpServers, (own, foreign) => [...foreign.slice(0, 1), ...own]),
    ],
    'listMcpServers.hides-other-organization: new-mcp-servers-are-listed-to-all': [
      'An MCP server registered at run time is listed to every organization.',
      (engine) => {
        const seeded = idsOf(engine, mcpServers);
        leak(mcpServers, (own, foreign) => [...own, ...foreign.filter(({ id }) => !seeded.has(id))])(engine);
      },
    ],
  },
  'organization.lists-show-its-own',
);

/** What records say of their owner. */
const owners = table('isolation', 'store', {
  'listDrives.items-name-one-organization: the-last-drive-listed-names-another-organization': [
    'The last of the listed drives names another organization as its owner; all others are right.',
    changeLast(drives, (_, __, organization, engine) => another(organization, engine)),
  ],
  'listDrives.items-name-one-organization: drives-behind-the-hundredth-name-another-organization': [
    'Of 115 drives those behind the hundredth name another organization as their owner.',
    sequence(
      addDrives(110),
      changeListed(drives, (all, ...where) =>
        all.map((drive, index) => (index < 100 ? drive : { ...drive, ...another(...where) })),
      ),
    ),
  ],
  'listMcpServers.items-name-one-organization: each-mcp-server-names-an-organization-of-its-own': [
    'The organizationId of a listed MCP server is the id of that server.',
    changeListed(mcpServers, (all) => all.map((server) => ({ ...server, organizationId: server.id }))),
  ],
  'listMcpServers.items-name-one-organization: the-first-mcp-server-names-another-organization': [
    'The first of the listed MCP servers names another organization as its owner; all others are right.',
    changeListed(mcpServers, (all, ...where) =>
      all.map((server, index) => (index > 0 ? server : { ...server, ...another(...where) })),
    ),
  ],
  'listMcpServers.items-name-one-organization: a-new-mcp-server-is-listed-under-another-organization': [
    'An MCP server registered at run time is listed with another organizationId than it was answered with.',
    changeEnlisted(mcpServers, (_, ...where) => another(...where)),
  ],
  'createDrive.belongs-to-organization: a-new-drive-names-another-organization': [
    'A new drive is in the right list, and its answer names another organization as its owner.',
    changeAnswered(drives, (_, ...where) => another(...where)),
  ],
  'createDrive.belongs-to-organization: a-new-drive-names-no-known-organization': [
    'Each new drive names an organization that nothing else names, in its answer and in the list.',
    changeNew(drives, (_, { ids }) => ({ organizationId: ids('organization') })),
  ],
  'createMcpServer.belongs-to-organization: a-new-mcp-server-names-another-organization': [
    'The answer to a registration names another organization as the owner of the new MCP server.',
    changeAnswered(mcpServers, (_, ...where) => another(...where)),
  ],
});

function another(organization: Organization, engine: Engine): { organizationId: string } {
  return { organizationId: otherThan(organization, engine).id };
}

export const isolationInLists: readonly Mutant[] = [...open, ...leaks, ...owners];
