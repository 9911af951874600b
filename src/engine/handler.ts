import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { runDue } from '../domain/due.ts';
import type { Organization } from '../domain/organizations.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { DriveFile } from '../domain/resources.ts';
import type { Store } from '../domain/store.ts';
import type { BodyOf, PathOf, QueryOf, SuccessOf } from './call.ts';
import type { KeptPages } from './json-text.ts';
import type { Views } from './views.ts';

/** The context of a handler: the caller's organization, the store, the views of its records, and cached list bodies. */
export interface Context {
  organization: Organization;
  store: Store;
  profile: Profile;
  views: Views;
  pages: KeptPages;
}

/** The valid input of one call. */
export interface Input<Id extends OperationId> {
  path: PathOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
}

/** Performs one operation. Returns the body of its success, or an error response, in which case it changed nothing. */
export type Handler<Id extends OperationId> = (input: Input<Id>, context: Context) => SuccessOf<Id> | Refusal;

/** The resource that a path names, or the error response. */
export type Finder<Id extends OperationId> = (path: PathOf<Id>, context: Context) => object | Refusal;

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
export function holderOf(
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
export function refuseMissing(
  { organization, store, profile }: Context,
  what: keyof typeof missing,
  isThere: (organization: Organization) => boolean,
): Refusal {
  if (profile.foreignResourceStatus === 'forbidden' && store.isForeign(organization, isThere)) {
    return refuse('forbidden', `This ${what} belongs to another organization. Use that organization's key.`);
  }
  return refuse(missing[what], `This organization has no such ${what}. Check the ids in the path.`);
}

/** A file, and the organization that has it. */
interface FoundFile {
  holder: Organization;
  file: DriveFile;
}

/** The file that a path names, or the error response: no such drive, or no such file. */
export function findFile(path: { driveId: string; fileId: string }, context: Context): FoundFile | Refusal {
  const holder = findDriveHolder(context, path.driveId);
  if (isRefusal(holder)) return holder;
  const file = holder.filesOf(path.driveId).find(path.fileId);
  const isThere = (organization: Organization) => organization.filesOf(path.driveId).find(path.fileId) !== undefined;
  return file === undefined ? refuseMissing(context, 'file', isThere) : { holder, file };
}

/** The organization that has a drive, or the error response. */
export function findDriveHolder(context: Context, driveId: string): Organization | Refusal {
  const isThere = (organization: Organization) => organization.drivesById.has(driveId);
  return holderOf(context, isThere) ?? refuseMissing(context, 'drive', isThere);
}
