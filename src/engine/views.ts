import type { Profile } from '../../openapi/contract/profile.ts';
import type { components } from '../../openapi/contract/types.gen.ts';
import { statusAt } from '../domain/files.ts';
import type { Organization } from '../domain/organizations.ts';
import type { Agent, Drive, DriveFile, McpServer, McpTool } from '../domain/resources.ts';
import { createTimestamps } from './timestamps.ts';

type Schemas = components['schemas'];

/** How the records of the store look under one profile: the resources of section 2 as the contract shapes them. */
export interface Views {
  agent(agent: Agent): Schemas['Agent'];
  drive(drive: Drive): Schemas['Drive'];
  file(organization: Organization, file: DriveFile): Schemas['DriveFile'];
  mcpServer(server: McpServer): Schemas['McpServer'];
  tool(tool: McpTool): Schemas['McpTool'];
  timestamp(timeMs: number): string;
  /** The fields that the open point `extraFields` adds to an object. */
  extras(id: string): object;
}

export function createViews(profile: Profile): Views {
  const timestamp = createTimestamps(profile);
  const extras = profile.extraFields === 'some' ? extraFields : () => nothing;
  const times = (record: { createdAtMs: number; updatedAtMs: number }) => ({
    createdAt: timestamp(record.createdAtMs),
    updatedAt: timestamp(record.updatedAtMs),
  });
  return {
    timestamp,
    extras,
    agent: once((agent) => ({
      id: agent.id,
      name: agent.name,
      ...optional(profile, { description: agent.description }),
      isPublished: agent.activeRevisionId !== undefined,
      hasChanges: agent.hasChanges,
      ...times(agent),
      ...extras(agent.id),
    })),
    drive: once(({ id, organizationId, name, ...rest }) => ({
      id,
      organizationId,
      name,
      ...times(rest),
      ...extras(id),
    })),
    file: (organization, file) => ({
      kind: 'file',
      id: file.id,
      name: file.name,
      path: file.path,
      status: statusAt(organization, file),
      modifiedAt: timestamp(file.modifiedAtMs),
      size: profile.sizeUnit === 'bytes' ? file.sizeBytes : Math.ceil(file.sizeBytes / 1024),
      contentType: file.contentType,
      ...optional(profile, {
        description: file.description,
        summary: file.summary,
        metadata: profile.metadataShape === 'empty' ? {} : file.metadata,
      }),
      ...extras(file.id),
    }),
    mcpServer: once(({ id, organizationId, name, url, type, ...rest }) => ({
      id,
      organizationId,
      name,
      url,
      type,
      ...times(rest),
      ...extras(id),
    })),
    tool: once(({ name, description }) => ({ name, description, ...extras(name) })),
  };
}

const nothing = {};

function extraFields(id: string): object {
  return { etag: `"${id}"`, links: { self: id } };
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

// Open point `optionalFields`: the fields that a resource has, or none of them.
function optional<Fields extends object>(profile: Profile, fields: Fields): Defined<Fields> {
  if (profile.optionalFields === 'absent') return {};
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

// A record never changes, so its view is made once. Frozen, so that its text may be kept as well.
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
