import type { IncomingMessage } from 'node:http';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Call } from '../../../src/engine/call.ts';
import type { Break, Engine, Mutant, WireFault } from '../mutant.ts';
import { isolationOfCallers } from './isolation-callers.ts';
import { isolationInLists } from './isolation-lists.ts';
import { asOrganization, changeCalls, idIn, onCallersOf, otherThan } from './patch.ts';
import { agents, inEach, type Listed, mcpServers, organizationsOf, type ShelfOf } from './patch-store.ts';
import { bearerKey, headerKey } from './sent-keys.ts';
import { table, wireTable } from './table.ts';
import { changeAnswer, isSuccess, withBody } from './wire-faults.ts';

/** An operation on one resource, and who owns the resource. */
interface Reach {
  id: OperationId;
  slug: string;
  said: string;
  isOwner(organization: Organization, call: Call): boolean;
}

const ownsDrive = ({ drivesById }: Organization, call: Call) => drivesById.has(idIn(call, 'driveId'));

const reaches: readonly Reach[] = [
  {
    id: 'publishAgentRevision',
    slug: 'foreign-agents-can-be-published',
    said: 'A revision of an agent of another organization can be published.',
    isOwner: ({ agentsById }, call) => agentsById.has(idIn(call, 'agentId')),
  },
  {
    id: 'getDriveFile',
    slug: 'foreign-files-can-be-read',
    said: 'A file can be read with the key of any organization.',
    isOwner: ownsDrive,
  },
  {
    id: 'updateDriveFile',
    slug: 'foreign-files-can-be-moved',
    said: 'A file can be moved with the key of any organization.',
    isOwner: ownsDrive,
  },
  {
    id: 'deleteDriveTree',
    slug: 'foreign-trees-can-be-deleted',
    said: 'A tree can be deleted with the key of any organization.',
    isOwner: ownsDrive,
  },
  {
    id: 'listMcpServerTools',
    slug: 'foreign-tools-can-be-listed',
    said: 'The tools of an MCP server are listed to every organization.',
    isOwner: ({ mcpServersById }, call) => mcpServersById.has(idIn(call, 'mcpServerId')),
  },
];

const outOfReach = { class: 'isolation', requirement: 'organization.foreign-resources-are-out-of-reach' } as const;

function ownerOf(engine: Engine, { isOwner }: Reach, call: Call): Organization | undefined {
  return organizationsOf(engine).find((organization) => isOwner(organization, call));
}

/** Servers that ask whether a key is valid, and not whose it is. */
const openReaches: readonly Mutant[] = reaches.map((reach) => ({
  id: reach.slug,
  ...outOfReach,
  place: 'engine',
  check: `${reach.id}.foreign-resource`,
  fault: reach.said,
  break: changeCalls(reach.id, (call, caller, engine) => {
    const owner = ownerOf(engine, reach, call) ?? caller;
    return owner === caller ? call : asOrganization(engine, call, owner);
  }),
}));

/** Servers that refuse a call of another organization after having done what it asked. */
const lateReaches: readonly Mutant[] = reaches
  .filter(({ id }) => id === 'updateDriveFile' || id === 'deleteDriveTree')
  .map((reach) => ({
    id: `${reach.slug}-and-are-refused`,
    ...outOfReach,
    place: 'engine',
    check: `${reach.id}.foreign-resource`,
    fault: `${reach.said.slice(0, -1)}, although the answer is 404.`,
    break: onCallersOf(reach.id, (call, sound, caller, engine) => {
      const owner = ownerOf(engine, reach, call) ?? caller;
      if (owner !== caller) sound.answer(asOrganization(engine, call, owner));
      return sound.answer(call);
    }),
  }));

/** What the store finds by id, whoever asks. */
const openMaps: readonly Mutant[] = table('isolation', 'store', {
  'publishAgentRevision.foreign-resource: agents-are-found-in-every-organization': [
    'An agent is looked up by its id in all organizations, so that a publication of a foreign one succeeds.',
    shareMaps(agents),
  ],
  'listMcpServerTools.foreign-resource: mcp-servers-are-found-in-every-organization': [
    'An MCP server is looked up by its id in all organizations.',
    shareMaps(mcpServers),
  ],
  'getDriveFile.foreign-resource: drives-are-found-in-every-organization': [
    'A drive and its files are looked up by id in all organizations.',
    (engine) => {
      const owners = new Map(
        organizationsOf(engine).flatMap((owner) =>
          [...owner.drivesById.keys()].map((id) => [id, owner.ownFilesOf(id)] as const),
        ),
      );
      inEach((organization) => {
        const has = organization.drivesById.has.bind(organization.drivesById);
        const filesOf = organization.filesOf.bind(organization);
        organization.drivesById.has = (id) => has(id) || owners.has(id);
        organization.filesOf = (id) => (has(id) ? filesOf(id) : (owners.get(id) ?? filesOf(id)));
      })(engine);
    },
  ],
});

function shareMaps<T extends Listed>(shelfOf: ShelfOf<T>): Break {
  return (engine) => {
    const maps = organizationsOf(engine).map((organization) => shelfOf(organization).byId);
    const gets = maps.map((map) => map.get.bind(map));
    for (const [index, map] of maps.entries()) {
      const own = gets[index];
      map.get = (id) => own?.(id) ?? gets.map((get) => get(id)).find((found) => found !== undefined);
    }
  };
}

/** Which organization a call acts for. */
const callers: readonly Mutant[] = table('isolation', 'engine', {
  'createDrive.belongs-to-organization: drives-are-created-for-the-other-organization': [
    'A new drive belongs to another organization than that of the key.',
    changeCalls('createDrive', (call, caller, engine) => asOrganization(engine, call, otherThan(caller, engine))),
  ],
  'createMcpServer.belongs-to-organization: mcp-servers-are-registered-for-the-other-organization': [
    'A new MCP server belongs to another organization than that of the key.',
    changeCalls('createMcpServer', (call, caller, engine) => asOrganization(engine, call, otherThan(caller, engine))),
  ],
  'listDrives.same-items-by-either-auth-header: a-bearer-key-lists-the-drives-of-the-other-organization': [
    'GET /drives with a bearer token shows the drives of another organization than with X-API-Key.',
    swapWhen((call) => bearerKey(call) !== undefined),
  ],
  'listDrives.same-items-by-either-auth-header: a-header-key-lists-the-drives-of-the-other-organization': [
    'GET /drives with X-API-Key shows the drives of another organization than with a bearer token.',
    swapWhen((call) => headerKey(call) !== undefined),
  ],
  'organization.lists-show-its-own > listAgents.hides-other-organization: agents-are-listed-for-the-first-caller': [
    'GET /agents acts for the organization that called first, whoever calls later.',
    (engine) => {
      let first: Organization | undefined;
      changeCalls('listAgents', (call, caller) => {
        first ??= caller;
        return asOrganization(engine, call, first);
      })(engine);
    },
  ],
});

function swapWhen(isMeant: (call: Call) => boolean): Break {
  return changeCalls('listDrives', (call, caller, engine) =>
    isMeant(call) ? asOrganization(engine, call, otherThan(caller, engine)) : call,
  );
}

/** Lists that show less in one auth header than in the other. */
const halfLists: readonly Mutant[] = wireTable('isolation', {
  'listAgents.same-items-by-either-auth-header: a-bearer-key-lists-no-agents': [
    'GET /agents with a bearer token returns an empty list.',
    () =>
      listingLess(
        ({ headers }) => headers.authorization !== undefined,
        () => [],
      ),
  ],
  'listMcpServers.same-items-by-either-auth-header: a-header-key-lists-all-mcp-servers-but-the-last': [
    'GET /mcp-servers with X-API-Key leaves out the last MCP server.',
    () =>
      listingLess(
        ({ headers }) => headers['x-api-key'] !== undefined,
        (all) => all.slice(0, -1),
      ),
  ],
});

function listingLess(isMeant: (request: IncomingMessage) => boolean, change: (all: unknown[]) => unknown[]): WireFault {
  return changeAnswer(
    (status, request) => isSuccess(status) && isMeant(request),
    (answer) => withBody(answer, JSON.stringify(change(JSON.parse(answer.body)))),
  );
}

export const isolation: readonly Mutant[] = [
  ...halfLists,
  ...openReaches,
  ...lateReaches,
  ...openMaps,
  ...callers,
  ...isolationInLists,
  ...isolationOfCallers,
];
