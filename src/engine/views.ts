import type { Profile } from '../../openapi/contract/profile.ts';
import type { components } from '../../openapi/contract/types.gen.ts';
import { leftOutFields } from '../../openapi/points/fields.ts';
import { statusAt } from '../domain/files.ts';
import type { Organization } from '../domain/organizations.ts';
import type { Agent, Drive, DriveFile, FileStatus, McpServer, McpTool } from '../domain/resources.ts';

type Schemas = components['schemas'];

/** The resources of section 2 as the contract shapes them under one profile, made from the records of the store. */
export type Views = ReturnType<typeof createViews>;

export function createViews(profile: Profile) {
  const style = createStyle(profile);
  const { timestamp, times, extras } = style;
  return {
    timestamp,
    extras,
    agent: once((agent: Agent) => agentView(style, agent)),
    drive: once(
      ({ id, organizationId, name, ...rest }: Drive): Required<Schemas['Drive']> => ({
        ...{ id, organizationId, name },
        ...times(rest),
        ...extras(id),
      }),
    ),
    file: (organization: Organization, file: DriveFile) => fileView(style, file, statusAt(organization, file)),
    mcpServer: once(
      ({ id, organizationId, name, url, type, ...rest }: McpServer): Required<Schemas['McpServer']> => ({
        ...{ id, organizationId, name, url, type },
        ...times(rest),
        ...extras(id),
      }),
    ),
    tool: once(({ name, description }: McpTool): Schemas['McpTool'] => ({ name, description, ...extras(name) })),
  };
}

type Style = ReturnType<typeof createStyle>;

/** How fields are written under one profile. */
function createStyle(profile: Profile) {
  const leftOut = leftOutFields(profile.optionalFields);
  const timestamp = createTimestamps(profile);
  const times = ({ createdAtMs, updatedAtMs }: Pick<Agent, 'createdAtMs' | 'updatedAtMs'>) => ({
    ...{ createdAt: timestamp(createdAtMs), updatedAt: timestamp(updatedAtMs) },
  });
  const hasNull = profile.missingValues === 'asNull';
  const extras = profile.extraFields === 'some' ? extraFields : () => nothing;
  return { profile, leftOut, hasNull, timestamp, times, extras };
}

function agentView({ leftOut, hasNull, times, extras }: Style, agent: Agent): Schemas['Agent'] {
  const fields = {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    isPublished: agent.activeRevisionId !== undefined,
    hasChanges: agent.hasChanges,
    ...times(agent),
  };
  return { ...without(fields, leftOut, hasNull), ...extras(agent.id) };
}

function fileView(style: Style, file: DriveFile, status: FileStatus): Schemas['DriveFile'] {
  const { profile, leftOut, hasNull, timestamp, extras } = style;
  const { id, name, path, contentType, description, summary } = file;
  const metadata = profile.metadataShape === 'empty' ? {} : file.metadata;
  const fields = {
    kind: 'file' as const,
    ...{ id, name, path, status },
    modifiedAt: timestamp(file.modifiedAtMs),
    size: profile.sizeUnit === 'bytes' ? file.sizeBytes : Math.ceil(file.sizeBytes / 1024),
    contentType,
    ...{ description, summary, metadata },
  };
  return { ...without(fields, leftOut, hasNull), ...extras(id) };
}

const nothing = {};

// Open point `extraFields`.
function extraFields(id: string): object {
  return { etag: `"${id}"`, links: { self: id } };
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that a resource has, except those that the profile leaves out; with `hasNull`, null for missing ones. */
export function without<Fields extends object>(
  fields: Fields,
  leftOut: ReadonlySet<string>,
  hasNull = false,
): Defined<Fields> {
  const shown: Defined<Fields> = {};
  for (const name in fields) {
    const value = hasNull && fields[name] === undefined ? null : fields[name];
    if (value !== undefined && !leftOut.has(name)) shown[name] = value as never;
  }
  return shown;
}

// A record never changes, so its view is created once. Views are frozen, so that their text can be cached.
function once<Item extends object, View extends object>(make: (record: Item) => View): (record: Item) => View {
  const views = new WeakMap<Item, View>();
  return (record) => {
    const known = views.get(record);
    if (known !== undefined) return known;
    const view = Object.freeze(make(record));
    views.set(record, view);
    return view;
  };
}

/** Writes a time in UTC under the open points `timestamps.precision` and `timestamps.zone` (section 2). */
export function createTimestamps(profile: Profile): (timeMs: number) => string {
  const zone = profile['timestamps.zone'];
  switch (profile['timestamps.precision']) {
    case 'milliseconds':
      return (timeMs) => new Date(timeMs).toISOString().slice(0, -1) + zone;
    case 'seconds':
      return (timeMs) => new Date(timeMs).toISOString().slice(0, -5) + zone;
    case 'microseconds':
      return (timeMs) => `${new Date(timeMs).toISOString().slice(0, -1)}000${zone}`;
  }
}
