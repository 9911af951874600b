import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Call } from '../../../src/engine/call.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { isolationInLists } from './isolation-lists.ts';
import { asOrganization, idIn, onCallersOf, onCallsOf, otherThan } from './patch.ts';
import { organizationsOf } from './patch-store.ts';
import { bearerKey, headerKey } from './sent-keys.ts';

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
  break: (engine) =>
    onCallersOf(engine, reach.id, (call, sound, caller) => {
      const owner = ownerOf(engine, reach, call) ?? caller;
      return sound.answer(owner === caller ? call : asOrganization(engine, call, owner));
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
    break: (engine) =>
      onCallersOf(engine, reach.id, (call, sound, caller) => {
        const owner = ownerOf(engine, reach, call) ?? caller;
        if (owner !== caller) sound.answer(asOrganization(engine, call, owner));
        return sound.answer(call);
      }),
  }));

/** What the store finds by id, whoever asks. */
const openMaps: readonly Mutant[] = [
  {
    id: 'agents-are-found-in-every-organization',
    ...outOfReach,
    place: 'store',
    check: 'publishAgentRevision.foreign-resource',
    fault: 'An agent is looked up by its id in all organizations, so that a publication of a foreign one succeeds.',
    break: (engine) => shareMaps(engine, ({ agentsById }) => agentsById),
  },
  {
    id: 'mcp-servers-are-found-in-every-organization',
    ...outOfReach,
    place: 'store',
    check: 'listMcpServerTools.foreign-resource',
    fault: 'An MCP server is looked up by its id in all organizations.',
    break: (engine) => shareMaps(engine, ({ mcpServersById }) => mcpServersById),
  },
  {
    id: 'drives-are-found-in-every-organization',
    ...outOfReach,
    place: 'store',
    check: 'getDriveFile.foreign-resource',
    fault: 'A drive and its files are looked up by id in all organizations.',
    break: (engine) => {
      const owners = new Map(
        organizationsOf(engine).flatMap((owner) =>
          [...owner.drivesById.keys()].map((id) => [id, owner.ownFilesOf(id)] as const),
        ),
      );
      for (const organization of organizationsOf(engine)) {
        const has = organization.drivesById.has.bind(organization.drivesById);
        const filesOf = organization.filesOf.bind(organization);
        organization.drivesById.has = (id) => has(id) || owners.has(id);
        organization.filesOf = (id) => (has(id) ? filesOf(id) : (owners.get(id) ?? filesOf(id)));
      }
    },
  },
];

function shareMaps<T>(engine: Engine, mapOf: (organization: Organization) => Map<string, T>): void {
  const maps = organizationsOf(engine).map(mapOf);
  const gets = maps.map((map) => map.get.bind(map));
  for (const [index, map] of maps.entries()) {
    const own = gets[index];
    map.get = (id) => own?.(id) ?? gets.map((get) => get(id)).find((found) => found !== undefined);
  }
}

/** Which organization a call acts for. */
const callers: readonly Mutant[] = [
  {
    id: 'drives-are-created-for-the-other-organization',
    class: 'isolation',
    place: 'engine',
    requirement: 'createDrive.belongs-to-organization',
    check: 'createDrive.belongs-to-organization',
    fault: 'A new drive belongs to another organization than that of the key.',
    break: (engine) =>
      onCallersOf(engine, 'createDrive', (call, sound, caller) =>
        sound.answer(asOrganization(engine, call, otherThan(engine, caller))),
      ),
  },
  {
    id: 'mcp-servers-are-registered-for-the-other-organization',
    class: 'isolation',
    place: 'engine',
    requirement: 'createMcpServer.belongs-to-organization',
    check: 'createMcpServer.belongs-to-organization',
    fault: 'A new MCP server belongs to another organization than that of the key.',
    break: (engine) =>
      onCallersOf(engine, 'createMcpServer', (call, sound, caller) =>
        sound.answer(asOrganization(engine, call, otherThan(engine, caller))),
      ),
  },
  {
    id: 'a-bearer-key-lists-the-drives-of-the-other-organization',
    class: 'isolation',
    place: 'engine',
    requirement: 'organization.either-carrier-means-the-same-one',
    check: 'listDrives.same-organization-by-either-carrier',
    fault: 'GET /drives with a bearer token shows the drives of another organization than with X-API-Key.',
    break: (engine) => swapWhen(engine, (call) => bearerKey(call) !== undefined),
  },
  {
    id: 'a-header-key-lists-the-drives-of-the-other-organization',
    class: 'isolation',
    place: 'engine',
    requirement: 'organization.either-carrier-means-the-same-one',
    check: 'listDrives.same-organization-by-either-carrier',
    fault: 'GET /drives with X-API-Key shows the drives of another organization than with a bearer token.',
    break: (engine) => swapWhen(engine, (call) => headerKey(call) !== undefined),
  },
  {
    id: 'agents-are-listed-for-the-first-caller',
    class: 'isolation',
    place: 'engine',
    requirement: 'organization.lists-show-its-own',
    check: 'listAgents.hides-other-organization',
    fault: 'GET /agents acts for the organization that called first, whoever calls later.',
    break: (engine) => {
      let first: Organization | undefined;
      onCallersOf(engine, 'listAgents', (call, sound, caller) => {
        first ??= caller;
        return sound.answer(asOrganization(engine, call, first));
      });
    },
  },
];

function swapWhen(engine: Engine, isMeant: (call: Call) => boolean): void {
  onCallsOf(engine, 'listDrives', (call, sound) => {
    const caller = sound.caller(call);
    if (caller === undefined || !isMeant(call)) return sound.answer(call);
    return sound.answer(asOrganization(engine, call, otherThan(engine, caller)));
  });
}

export const isolation: readonly Mutant[] = [
  ...openReaches,
  ...lateReaches,
  ...openMaps,
  ...callers,
  ...isolationInLists,
];
