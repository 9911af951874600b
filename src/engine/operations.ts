/*
 * What each operation does, in the order of the specification, and how it finds what its path names. What changes in
 * the state stands in `src/domain/`. To add an operation: its handler, and how it finds the resource in its path.
 */
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { leftOutOfPagination } from '../../openapi/points/lists.ts';
import { mayHaveBody } from '../../openapi/reading/statuses.ts';
import { publishRevision } from '../domain/agents.ts';
import { createDrive as createDriveIn } from '../domain/drives.ts';
import { runDue } from '../domain/due.ts';
import { deleteTree, moveFile, type TreeDeletion } from '../domain/files.ts';
import { createMcpServer as createMcpServerIn } from '../domain/mcp-servers.ts';
import type { Organization } from '../domain/organizations.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Agent, DriveFile, McpServer, Revision } from '../domain/resources.ts';
import type { Store } from '../domain/store.ts';
import type { BodyOf, PathOf, QueryOf, SuccessOf } from './call.ts';
import type { KeptPages } from './json-text.ts';
import { type Views, without } from './views.ts';

/** The context of a handler: the caller's organization, the store, the views of its records, and cached list bodies. */
export interface Context {
  organization: Organization;
  store: Store;
  profile: Profile;
  views: Views;
  pages: KeptPages;
}

/** The valid input of one call. */
interface Input<Id extends OperationId> {
  path: PathOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
}

/** Performs one operation. Returns the body of its success, or an error response, in which case it changed nothing. */
export type Handler<Id extends OperationId> = (input: Input<Id>, context: Context) => SuccessOf<Id> | Refusal;

/** The resource that a path names, or the error response. */
type Finder<Id extends OperationId> = (path: PathOf<Id>, context: Context) => object | Refusal;

const missing = {
  agent: 'agentNotFound',
  drive: 'driveNotFound',
  file: 'notFound',
  'MCP server': 'mcpServerNotFound',
} as const;

/**
 * The organization that has what a path names: the caller's own or another one that shares it (open point
 * `foreignResources`); undefined if none has it.
 */
function holderOf(
  { organization, store, profile }: Context,
  isThere: (organization: Organization) => boolean,
): Organization | undefined {
  if (isThere(organization)) return organization;
  const other = profile.foreignResources === 'shared' ? store.sharing(organization, isThere) : undefined;
  if (other !== undefined) runDue(other);
  return other !== undefined && isThere(other) ? other : undefined;
}

/**
 * Refuses a resource that the organization does not have: open points `foreignResourceStatus` and `errorStatus.notFound`,
 * with its cases. For MCP servers 404 is stated (4.10).
 */
function refuseMissing(
  { organization, store, profile }: Context,
  what: keyof typeof missing,
  isThere: (organization: Organization) => boolean,
): Refusal {
  if (profile.foreignResourceStatus === 'forbidden' && store.isForeign(organization, isThere)) {
    return refuse('forbidden', `This ${what} belongs to another organization. Use that organization's key.`);
  }
  return refuse(missing[what], `This organization has no such ${what}. Check the ids in the path.`);
}

interface FoundFile {
  holder: Organization;
  file: DriveFile;
}

/** The file that a path names, or the error response: no such drive, or no such file. */
function findFile(path: { driveId: string; fileId: string }, context: Context): FoundFile | Refusal {
  const holder = findDriveHolder(context, path.driveId);
  if (isRefusal(holder)) return holder;
  const file = holder.filesOf(path.driveId).find(path.fileId);
  const isThere = (organization: Organization) => organization.filesOf(path.driveId).find(path.fileId) !== undefined;
  return file === undefined ? refuseMissing(context, 'file', isThere) : { holder, file };
}

/** The organization that has a drive, or the error response. */
function findDriveHolder(context: Context, driveId: string): Organization | Refusal {
  const isThere = (organization: Organization) => organization.drivesById.has(driveId);
  return holderOf(context, isThere) ?? refuseMissing(context, 'drive', isThere);
}

/** What each operation does. One that is missing does not compile. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
  /** 4.1 */
  listAgents: (_, { organization: { id, agents }, views, pages }) =>
    pages.of(`agents ${id}`, agents.all(), (all) => all.map(views.agent)),

  /** 4.2 */
  publishAgentRevision: ({ path, body }, context) => {
    const found = findAgent(path, context);
    if (isRefusal(found)) return found;
    const { holder, agent } = found;
    const published = publishRevision(holder, agent, body.revisionId);
    if (isRefusal(published)) return published;
    holder.isWritten = true;
    return toPublication(context, published);
  },

  /** 4.3 */
  createDrive: ({ body }, { organization, views }) => {
    const drive = createDriveIn(organization, body.name);
    return isRefusal(drive) ? drive : views.drive(drive);
  },

  /** 4.4 */
  listDrives: ({ query }, { organization: { id, drives }, profile, views, pages }) => {
    const offset = query.offset ?? profile['pagingDefaults.offset'];
    const limit =
      query.limit ?? (profile['pagingDefaults.limit'] === 'all' ? drives.size : profile['pagingDefaults.limit']);
    const page = drives.page(offset, limit);
    const total = profile.totalMeaning === 'all' ? drives.size : page.length;
    return pages.of(`drives ${id} ${limit} ${offset} ${total}`, page, () => {
      const pagination = without({ limit, offset, total }, new Set(leftOutOfPagination[profile.paginationFields]));
      return { data: page.map(views.drive), pagination, ...views.extras('page') };
    });
  },

  /** 4.5 */
  getDriveFile: ({ path }, context) => {
    const found = findFile(path, context);
    return isRefusal(found) ? found : context.views.file(found.holder, found.file);
  },

  /** 4.6 */
  updateDriveFile: ({ path, body }, context) => {
    const found = findFile(path, context);
    if (isRefusal(found)) return found;
    const { holder, file } = found;
    const moved = moveFile(holder, path.driveId, file, body.path);
    if (isRefusal(moved)) return moved;
    holder.isWritten = true;
    return context.views.file(holder, moved);
  },

  /** 4.7 */
  deleteDriveTree: ({ path, query }, context) => {
    const holder = findDriveHolder(context, path.driveId);
    if (isRefusal(holder)) return holder;
    // Absent only under `treePath.notSent: emptyJob`, which deletes nothing.
    const treePath: string | undefined = query.path;
    if (treePath === undefined) {
      return toDeletion(context, 'Nothing to delete', { jobId: holder.ids('job'), fileCount: 0, directoryCount: 0 });
    }
    const deletion = deleteTree(holder, path.driveId, treePath);
    if (isRefusal(deletion)) return deletion;
    holder.isWritten = true;
    return toDeletion(
      context,
      deletion.fileCount === 0 ? `Nothing to delete at ${treePath}` : `Deleting ${treePath}`,
      deletion,
    );
  },

  /** 4.8 */
  createMcpServer: ({ body }, { organization, views }) => {
    const server = createMcpServerIn(organization, body);
    return isRefusal(server) ? server : views.mcpServer(server);
  },

  /** 4.9 */
  listMcpServers: (_, { organization: { id, mcpServers }, views, pages }) =>
    pages.of(`mcpServers ${id}`, mcpServers.all(), (all) => all.map(views.mcpServer)),

  /** 4.10 */
  listMcpServerTools: ({ path }, context) => {
    const { profile, views } = context;
    const server = findMcpServer(path, context);
    if (isRefusal(server)) return server;
    if (server.toolsProblem !== undefined && profile.unreachableTools !== 'none') {
      return refuse('mcpServerUnreachable', server.toolsProblem);
    }
    return { tools: server.tools.map(views.tool), ...views.extras('tools') };
  },
};

/** The agent that a path names and the organization that has it, or the error response. */
function findAgent(
  { agentId }: { agentId: string },
  context: Context,
): { holder: Organization; agent: Agent } | Refusal {
  const isThere = ({ agentsById }: Organization) => agentsById.get(agentId) !== undefined;
  const holder = holderOf(context, isThere);
  const agent = holder?.agentsById.get(agentId);
  return holder === undefined || agent === undefined ? refuseMissing(context, 'agent', isThere) : { holder, agent };
}

// Open point `publishBody`.
function toPublication({ profile, views }: Context, { agent, revision }: { agent: Agent; revision: Revision }) {
  if (!mayHaveBody(profile['successStatus.publishAgentRevision'])) return undefined;
  switch (profile.publishBody) {
    case 'agent':
      return { ...views.agent(agent) };
    case 'revision':
      return { revisionId: revision.id, agentId: agent.id, createdAt: views.timestamp(revision.createdAtMs) };
    case 'emptyObject':
      return {};
    case 'none':
      return undefined;
  }
}

function toDeletion({ profile, views }: Context, message: string, { jobId, fileCount, directoryCount }: TreeDeletion) {
  const documentCount = profile.documentCount === 'filesAndDirectories' ? fileCount + directoryCount : fileCount;
  return { message, jobId, documentCount, ...views.extras(jobId) };
}

/** The MCP server that a path names, or the error response: 404 is stated for an unknown one. */
function findMcpServer({ mcpServerId }: { mcpServerId: string }, context: Context): McpServer | Refusal {
  const isThere = ({ mcpServersById }: Organization) => mcpServersById.get(mcpServerId) !== undefined;
  const server = holderOf(context, isThere)?.mcpServersById.get(mcpServerId);
  return server ?? refuseMissing(context, 'MCP server', isThere);
}

type WithPath = { [Id in OperationId]: [PathOf<Id>] extends [never] ? never : Id }[OperationId];

const byPath: { [Id in WithPath]: Finder<Id> } = {
  publishAgentRevision: findAgent,
  getDriveFile: findFile,
  updateDriveFile: findFile,
  deleteDriveTree: ({ driveId }, context) => findDriveHolder(context, driveId),
  listMcpServerTools: findMcpServer,
};

/** How each operation with an id in its path finds the resource. Such an operation without a finder does not compile. */
export const finders: { [Id in OperationId]?: Finder<Id> } = byPath;
