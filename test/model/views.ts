import assert from 'node:assert/strict';
import type { Profile } from '../../src/index.ts';
import type { AgentState, DriveState, FileState, ServerState } from './picture.ts';

// How resources look on the wire under a profile, and the comparison with what came.

type View = Record<string, unknown>;

/** The fields of each kind of object, in the order of the tables of section 2. */
const documented = {
  drive: ['id', 'organizationId', 'name', 'createdAt', 'updatedAt'],
  file: [
    ...['kind', 'id', 'name', 'path', 'status', 'modifiedAt', 'size', 'contentType'],
    ...['description', 'summary', 'metadata'],
  ],
  server: ['id', 'organizationId', 'name', 'url', 'type', 'createdAt', 'updatedAt'],
  tool: ['name', 'description'],
  agent: ['id', 'name', 'description', 'isPublished', 'hasChanges', 'createdAt', 'updatedAt'],
  pagination: ['limit', 'offset', 'total'],
  page: ['data', 'pagination'],
  deletion: ['message', 'jobId', 'documentCount'],
  toolList: ['tools'],
  revision: ['revisionId', 'agentId', 'createdAt'],
};

type Kind = keyof typeof documented;

// Objects that stand for a resource have further fields under `extraFields: some`; of the others it is not said.
const resources: readonly Kind[] = ['drive', 'file', 'server', 'agent'];

/** A timestamp as a profile writes it. */
export function timestamp(time: string, profile: Profile): string {
  const [date = ''] = new Date(time).toISOString().split('Z');
  const digits = { seconds: date.slice(0, -4), milliseconds: date, microseconds: `${date}000` };
  return digits[profile['timestamps.precision']] + profile['timestamps.zone'];
}

export function driveView(drive: DriveState, profile: Profile): View {
  const { id, organizationId, name } = drive;
  return { id, organizationId, name, ...timesView(drive, profile) };
}

export function serverView(server: ServerState, profile: Profile): View {
  const { id, organizationId, name, url, type } = server;
  return { id, organizationId, name, url, type, ...timesView(server, profile) };
}

export function agentView(agent: AgentState, profile: Profile): View {
  const { id, name, active, hasChanges } = agent;
  const { description } = agent;
  const whole = { id, name, description, isPublished: active !== undefined, hasChanges, ...timesView(agent, profile) };
  return shown(whole, profile);
}

export function fileView(file: FileState, profile: Profile): View {
  const { id, name, path, status, contentType } = file;
  const modifiedAt = timestamp(file.modifiedAt, profile);
  const size = profile.sizeUnit === 'bytes' ? file.sizeBytes : Math.ceil(file.sizeBytes / 1024);
  const more = optionalView(file, profile);
  return shown({ kind: 'file', id, name, path, status, modifiedAt, size, contentType, ...more }, profile);
}

const leftOut: Readonly<Record<string, readonly string[]>> = {
  present: [],
  absent: ['description', 'summary', 'metadata'],
  sparse: ['description', 'summary', 'metadata', 'size', 'contentType'],
};

/** A view without the fields that the profile leaves out. */
function shown(view: View, { optionalFields, missingValues }: Profile): View {
  const names = leftOut[optionalFields] ?? optionalFields.replace('without ', '').split(' ');
  const left = Object.entries(view).filter(([name]) => !names.includes(name));
  const asNull = ([name, value]: [string, unknown]): [string, unknown] => [name, value ?? null];
  return defined(Object.fromEntries(missingValues === 'asNull' ? left.map(asNull) : left));
}

function optionalView({ description, summary, metadata }: FileState, { metadataShape }: Profile): View {
  return { description, summary, metadata: metadata && (metadataShape === 'empty' ? {} : metadata) };
}

function timesView({ createdAt, updatedAt }: { createdAt: string; updatedAt: string }, profile: Profile): View {
  return { createdAt: timestamp(createdAt, profile), updatedAt: timestamp(updatedAt, profile) };
}

function defined(view: View): View {
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));
}

/** Asserts that an object shows exactly `expected` in its documented fields, in the profile's order and company. */
export function compare(actual: unknown, expected: View, kind: Kind, profile: Profile): void {
  const fields = documented[kind];
  const names = Object.keys(actual as View);
  const known = names.filter((name) => fields.includes(name));
  assert.deepEqual(Object.fromEntries(known.map((name) => [name, (actual as View)[name]])), expected);
  const order = fields.filter((name) => known.includes(name));
  assert.deepEqual(known, profile.keyOrder === 'documented' ? order : order.toReversed(), 'the order of the keys');
  const hasExtra = known.length < names.length;
  if (profile.extraFields === 'none' || kind === 'revision') assert.equal(hasExtra, false, `extra fields: ${names}`);
  else if (resources.includes(kind)) assert.equal(hasExtra, true, `no extra fields: ${names}`);
}
