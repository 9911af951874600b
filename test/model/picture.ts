import assert from 'node:assert/strict';
import type { Profile } from '../../src/index.ts';
import type { Call } from './call.ts';
import { OrderMemory } from './lists.ts';
import { now, type seed } from './seed.ts';

// The picture that the model has of a mock: what the specification and the open points say that is there.

/** How many calls an organization had made, and how many of them succeeded, when something happened. */
export interface Moment {
  calls: number;
  successes: number;
}

export interface AgentState {
  id: string;
  name: string;
  description: string | undefined;
  revisions: readonly { id: string; createdAt: string }[];
  /** The published revision. */
  active: { id: string } | undefined;
  hasChanges: boolean;
  createdAt: string;
  updatedAt: string;
}

/** A drive or an MCP server; `since` is set as long as a list may still lag behind its creation. */
interface Listed {
  id: string;
  organizationId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  since: Moment | undefined;
}

export interface DriveState extends Listed {
  files: FileState[];
  /** The ids of files that were there. */
  gone: string[];
  /** Whether it may have been updated now, though the register is not exact about it. */
  mayBeTouched: boolean;
}

export interface FileState {
  id: string;
  path: string;
  name: string;
  status: string;
  modifiedAt: string;
  sizeBytes: number;
  contentType: string;
  description: string | undefined;
  summary: string | undefined;
  metadata: object | undefined;
  /** When it was deleted by a job that may still be at work. */
  deletedAt: Moment | undefined;
  /** Whether the register leaves open if that job, or an oddly spelt tree, took it. */
  isUnsure: boolean;
}

export interface ServerState extends Listed {
  url: string;
  type: string;
  /** Unknown for a server registered at run time under `plausible`, until they are seen. */
  tools: readonly { name: string; description: string }[] | undefined;
}

export interface OrganizationState extends Moment {
  id: string;
  keys: readonly string[];
  agents: AgentState[];
  drives: DriveState[];
  servers: ServerState[];
  orders: { agents: OrderMemory; drives: OrderMemory; servers: OrderMemory };
}

/** Everything that there is, and every id that was ever seen. */
export interface Picture {
  profile: Profile;
  organizations: OrganizationState[];
  ids: Set<string>;
}

type SeedOrganization = (typeof seed)['organizations'][number];
type SeedAgent = NonNullable<SeedOrganization['agents']>[number];
type SeedDrive = NonNullable<SeedOrganization['drives']>[number];
type SeedFile = NonNullable<SeedDrive['files']>[number];
type SeedServer = NonNullable<SeedOrganization['mcpServers']>[number];

/** The picture at the start. */
export function createPicture(organizations: readonly SeedOrganization[], profile: Profile): Picture {
  const states = organizations.map((organization) => toOrganization(organization, profile));
  const ids = states.flatMap(({ agents, drives, servers }) => [...agents, ...drives, ...servers].map(({ id }) => id));
  return { profile, organizations: states, ids: new Set(ids) };
}

function toOrganization(organization: SeedOrganization, profile: Profile): OrganizationState {
  const id = organization.id ?? '';
  const { keys, agents = [], drives = [], mcpServers = [] } = organization;
  return {
    id,
    keys,
    calls: 0,
    successes: 0,
    agents: agents.map(toAgent),
    drives: drives.map((drive) => toDrive(drive, id, profile)),
    servers: mcpServers.map((server) => toServer(server, id)),
    orders: { agents: new OrderMemory(), drives: new OrderMemory(), servers: new OrderMemory() },
  };
}

function toAgent({ id = '', name, description, published = 0, ...agent }: SeedAgent): AgentState {
  const revisions = (agent.revisions ?? []).map((revision) => ({ createdAt: now, ...revision, id: revision.id ?? '' }));
  const hasChanges = published < revisions.length;
  const { createdAt = now, updatedAt = createdAt } = agent;
  return { id, name, description, revisions, active: revisions[published - 1], hasChanges, createdAt, updatedAt };
}

function toDrive(drive: SeedDrive, organizationId: string, profile: Profile): DriveState {
  const { id = '', name, createdAt = now, updatedAt = createdAt, files = [] } = drive;
  return {
    ...{ id, organizationId, name, createdAt, updatedAt, since: undefined },
    files: files.map((file) => toFile(file, profile)),
    gone: [],
    mayBeTouched: false,
  };
}

function toFile(file: SeedFile, profile: Profile): FileState {
  const { id = '', path, modifiedAt = now, sizeBytes = 0, contentType = 'application/octet-stream' } = file;
  const { description, summary, metadata } = file;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const about = { path, name, modifiedAt, sizeBytes, contentType, description, summary, metadata };
  return { id, ...about, status: statusOf(file, profile), deletedAt: undefined, isUnsure: false };
}

// The clock stands at the start: a change that is due at once has happened, a later one never will.
function statusOf({ status = 'ready', becomes }: SeedFile, profile: Profile): string {
  const isDue = becomes?.afterMs === 0 && profile.fileStatusFlow !== 'still';
  return isDue ? becomes.status : status;
}

function toServer(server: SeedServer, organizationId: string): ServerState {
  const { id = '', name, url, type = '', createdAt = now, updatedAt = createdAt, tools = [] } = server;
  return { id, organizationId, name, url, type, createdAt, updatedAt, tools, since: undefined };
}

/** The times of what is created now. */
export const createdNow = { createdAt: now, updatedAt: now };

/** A change to the files of a drive: one for sure, or one that may not count as an update. */
export function touch(drive: DriveState, isSure: boolean, { 'countsAsUpdate.drive': driveUpdatedAt }: Profile): void {
  if (driveUpdatedAt === 'kept') return;
  if (isSure) drive.updatedAt = now;
  else drive.mayBeTouched = true;
}

/** Takes files out of a drive for good. */
export function takeOut(drive: DriveState, isGone: (file: FileState) => boolean): void {
  drive.gone.push(...drive.files.filter(isGone).map(({ id }) => id));
  drive.files = drive.files.filter((file) => !isGone(file));
}

/** The organization that a call acts for; undefined when no valid key came with it (section 5). */
export function organizationOf(call: Call, picture: Picture): OrganizationState | undefined {
  const plain = call.headers['x-api-key'] || undefined;
  const pattern = picture.profile.bearerSpelling === 'exact' ? /^Bearer (.+)$/ : /^bearer (.+)$/i;
  const bearer = pattern.exec(call.headers.authorization ?? '')?.[1];
  const key = countingKey(plain, bearer, picture);
  return picture.organizations.find(({ keys }) => key !== undefined && keys.includes(key));
}

function countingKey(plain: string | undefined, bearer: string | undefined, { profile }: Picture): string | undefined {
  if (plain === undefined || bearer === undefined || plain === bearer) return plain ?? bearer;
  if (profile.bothAuthHeaders === 'refused') return undefined;
  return profile.bothAuthHeaders === 'apiKeyWins' ? plain : bearer;
}

const formats = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  prefixed: /^[A-Za-z]+[_-]?[A-Za-z0-9]+$/,
  sortable: /^[A-Za-z0-9]+$/,
  numeric: /^\d+$/,
};

/** Asserts that an id is a new one, in the profile's format. */
export function meetId(id: unknown, { profile, ids }: Picture): string {
  assert.equal(typeof id, 'string');
  assert.match(String(id), formats[profile.idFormat]);
  assert.equal(ids.has(String(id)), false, `the id ${id} is not new`);
  ids.add(String(id));
  return String(id);
}
