/*
 * A seed for the mock from live traffic: the agents, drives, files, MCP servers and tools that a real server has shown,
 * as it showed them last. Keys are never recorded: each organization gets a made-up one.
 */
import { remembering } from '../../lib/remembering.ts';
import { yaml } from '../../lib/yaml.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import {
  type AnswerView,
  isObject,
  jsonOf,
  listIn,
  member,
  pathParameter,
  type RequestView,
  valuesOf,
} from '../../openapi/reading/messages.ts';
import { isSuccess } from '../../openapi/reading/statuses.ts';
import { type McpTool, seedFieldsOf } from '../domain/resources.ts';
import type { Seed, SeedAgent, SeedDrive, SeedFile, SeedMcpServer, SeedOrganization } from '../domain/seed.ts';
import { validateSeed } from '../domain/validate-seed.ts';

type SeedRecord = Parameters<typeof seedFieldsOf>[0];
type Fields = Readonly<Record<string, unknown>>;

/** What the responses to one key have shown. Each record by its id. */
interface Shown {
  agents: Map<string, Fields>;
  drives: Map<string, Fields>;
  mcpServers: Map<string, Fields>;
  files: Map<string, { driveId: string; fields: Fields }>;
  /** By MCP server. */
  tools: Map<string, readonly unknown[]>;
  /** The revision that was published last, by agent. */
  published: Map<string, string>;
}

export class Recording {
  readonly #shown = new Map<string, Shown>();
  readonly #treeParameter: () => string | undefined;

  /** `treeParameter`: the name of the query parameter of the tree deletion, if it is known. */
  constructor(treeParameter: () => string | undefined) {
    this.#treeParameter = treeParameter;
  }

  /** Adds what a response shows to the caller with this key. */
  add(key: string, request: RequestView, answer: AnswerView): void {
    if (!isSuccess(answer)) return;
    const shown = this.#shown.get(key) ?? {
      ...{ agents: new Map(), drives: new Map(), mcpServers: new Map() },
      ...{ files: new Map(), tools: new Map(), published: new Map() },
    };
    this.#shown.set(key, shown);
    const json = jsonOf(answer);
    keepers[request.operation.operationId](shown, {
      id: (parameter) => pathParameter(request, parameter) ?? '',
      json,
      list: listIn(request.operation, json) ?? [],
      path: valuesOf(request, this.#treeParameter() ?? '')[0],
      revisionId: member(jsonOf(request), 'revisionId'),
    });
  }

  /** The seed. Without organizations if nothing was shown. */
  recorded(): Recorded {
    const leftOut: string[] = [];
    const organizations = byOrganization([...this.#shown.values()]).map((shown, index) =>
      toOrganization(shown, index, leftOut),
    );
    return { seed: { organizations }, leftOut };
  }
}

/** The seed, and what was shown that a seed cannot hold: each with the reason. */
export interface Recorded {
  seed: Seed;
  leftOut: string[];
}

const mostLeftOut = 100;

export function toSeedYaml({ seed, leftOut }: Recorded, upstream: string, time: string): string {
  const more = leftOut.length - mostLeftOut;
  const head = [
    `What ${upstream} showed until ${time}. Replace the keys with those that your tests send.`,
    ...(leftOut.length === 0 ? [] : ['Left out, because a seed cannot hold it:']),
    ...leftOut.slice(0, mostLeftOut).map((what) => `- ${what}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
  return head.map((line) => `# ${line}\n`).join('') + yaml().stringify(seed, { lineWidth: 120 });
}

/** What each organization has shown to all of its keys. */
function byOrganization(all: readonly Shown[]): Shown[] {
  // Keys of a known organization come first, so that the others find the organization that has their resources.
  const known = Map.groupBy(all, organizationIdOf);
  const unknown = known.get(undefined) ?? [];
  known.delete(undefined);
  const organizations = [...known.values()].map((of) => of.reduce(merge));
  for (const shown of unknown) {
    const index = organizations.indexOf(ownerAmong(organizations, shown) ?? shown);
    if (index < 0) organizations.push(shown);
    else organizations[index] = merge(organizations[index] as Shown, shown);
  }
  return organizations;
}

function ownerAmong(organizations: readonly Shown[], shown: Shown): Shown | undefined {
  const [only, ...others] = organizations.filter((other) => holds(other, shown));
  return organizations.find((other) => haveOneInCommon(shown, other)) ?? (others.length === 0 ? only : undefined);
}

/** Whether an organization has a drive or an MCP server of which a key showed only the files or the tools. */
function holds({ drives, mcpServers }: Shown, { files, tools }: Shown): boolean {
  return files.values().some(({ driveId }) => drives.has(driveId)) || tools.keys().some((id) => mcpServers.has(id));
}

function organizationIdOf({ drives, mcpServers }: Shown): unknown {
  const owned = [...drives.values(), ...mcpServers.values()];
  return owned.find(({ organizationId }) => organizationId != null)?.organizationId;
}

/** Whether two keys showed the same resource. Its id alone does not say so: each organization may count from 1. */
function haveOneInCommon(one: Shown, other: Shown): boolean {
  const isSame = (fields: Fields, others: Fields | undefined) =>
    others !== undefined && ['name', 'createdAt'].every((name) => fields[name] === others[name]);
  return (['agents', 'drives', 'mcpServers'] as const).some((kind) =>
    one[kind].entries().some(([id, fields]) => isSame(fields, other[kind].get(id))),
  );
}

function merge(one: Shown, other: Shown): Shown {
  const names = Object.keys(one) as (keyof Shown)[];
  return Object.fromEntries(
    names.map((name) => [name, new Map<string, unknown>([...one[name], ...other[name]])]),
  ) as unknown as Shown;
}

/** What a successful exchange says. */
interface Said {
  /** The id that the path parameter of this name has; empty if the operation has none. */
  id: (parameter: `${string}Id`) => string;
  json: unknown;
  list: readonly unknown[];
  path: string | undefined;
  revisionId: unknown;
}

type Keep = (shown: Shown, said: Said) => void;

const keepFile: Keep = ({ files }, { id: idOf, json }) => {
  const driveId = idOf('driveId');
  for (const [id, fields] of byId(json)) {
    const key = JSON.stringify([driveId, id]);
    // The latest comes last.
    files.delete(key);
    files.set(key, { driveId, fields });
  }
};

/** How what a response says is kept, for each operation. */
const keepers: Readonly<Record<OperationId, Keep>> = {
  // The lists without pages show everything.
  listAgents: (shown, { list }) => {
    shown.agents = new Map(list.flatMap(byId));
  },
  listMcpServers: (shown, { list }) => {
    shown.mcpServers = new Map(list.flatMap(byId));
  },
  listDrives: ({ drives }, { list }) => {
    for (const [id, drive] of list.flatMap(byId)) drives.set(id, drive);
  },
  createDrive: ({ drives }, { json }) => {
    for (const [id, drive] of byId(json)) drives.set(id, drive);
  },
  createMcpServer: ({ mcpServers }, { json }) => {
    for (const [id, server] of byId(json)) mcpServers.set(id, server);
  },
  listMcpServerTools: ({ tools }, { id, list }) => {
    tools.set(id('mcpServerId'), list);
  },
  publishAgentRevision: ({ published }, { id, revisionId }) => {
    if (typeof revisionId === 'string') published.set(id('agentId'), revisionId);
  },
  getDriveFile: keepFile,
  updateDriveFile: keepFile,
  deleteDriveTree: ({ files }, { id, path }) => {
    if (path === undefined) return;
    const start = path.endsWith('/') ? path : `${path}/`;
    for (const [key, { driveId, fields }] of files)
      if (driveId === id('driveId') && String(fields.path).startsWith(start)) files.delete(key);
  },
};

function byId(json: unknown): [string, Fields][] {
  return isObject(json) && typeof json.id === 'string' ? [[json.id, json]] : [];
}

/** Adds to `leftOut` what a seed cannot hold, such as a file without a path. */
function toOrganization(shown: Shown, index: number, leftOut: string[]): SeedOrganization {
  const named = { name: `Recorded organization ${index + 1}`, keys: [`recorded-key-${index + 1}`] };
  const id = organizationIdOf(shown);
  const known = id === undefined ? named : { ...named, id: id as string };
  const base = validateSeed({ organizations: [known] }).length === 0 ? known : named;
  const isLegal = (what: string, part: Partial<SeedOrganization>) => {
    const [violation] = validateSeed({ organizations: [{ ...base, ...part }] });
    if (violation === undefined) return true;
    leftOut.push(`${what}: ${violation.location.at(-1)} ${violation.message}`);
    return false;
  };
  const agents = [...shown.agents]
    .map(([id, agent]) => toAgent(agent, shown.published.get(id)))
    .filter((agent) => isLegal(`agent ${quoted(agent.id)}`, { agents: [agent] }));
  const drives = [...shown.drives]
    .map(([, drive]) => facts<SeedDrive>(drive, 'Drive'))
    .filter((drive) => isLegal(`drive ${quoted(drive.id)}`, { drives: [drive] }));
  const isLegalIn = (drive: SeedDrive) => (file: SeedFile) =>
    isLegal(`file ${quoted(file.id)} of drive ${quoted(drive.id)}`, { drives: [{ ...drive, files: [file] }] });
  const mcpServers = [...shown.mcpServers]
    .map(([id, server]) => toMcpServer(server, shown.tools.get(id) ?? []))
    .filter((server) => isLegal(`MCP server ${quoted(server.id)}`, { mcpServers: [server] }));
  leftOut.push(...withoutHolder(shown));
  return {
    ...{ ...base, agents },
    drives: drives.map((drive) => {
      const files = filesIn(shown, drive.id, leftOut).filter(isLegalIn(drive));
      return { ...drive, files };
    }),
    mcpServers,
  };
}

/** The files of a drive. If two were shown at one path, the later one. */
function filesIn({ files }: Shown, id: string | undefined, leftOut: string[]): SeedFile[] {
  const inDrive = [...files.values()].filter(({ driveId }) => driveId === id).map(({ fields }) => toFile(fields));
  const latest = new Map(inDrive.map((file) => [file.path ?? file, file]));
  return inDrive.filter((file) => {
    const isLatest = latest.get(file.path ?? file) === file;
    if (!isLatest)
      leftOut.push(`file ${quoted(file.id)} of drive ${quoted(id)}: a later response showed another file at its path`);
    return isLatest;
  });
}

/** The files and tools of a drive or an MCP server about which nothing else is known. */
function withoutHolder({ drives, files, mcpServers, tools }: Shown): string[] {
  const lost = [...files.values()].filter(({ driveId }) => !drives.has(driveId));
  return [
    ...lost.map(
      ({ driveId, fields }) => `file ${quoted(fields.id)} of drive ${quoted(driveId)}: no response showed the drive`,
    ),
    ...[...tools.keys()]
      .filter((id) => !mcpServers.has(id))
      .map((id) => `tools of MCP server ${quoted(id)}: no response showed the MCP server`),
  ];
}

function quoted(id: unknown): string {
  return JSON.stringify(String(id).slice(0, 200));
}

// The API shows neither how many revisions an agent has nor their ids: as few as its flags allow.
function toAgent(agent: Fields, publishedId: string | undefined): SeedAgent {
  const isPublished = agent.isPublished === true || publishedId !== undefined;
  const published = isPublished ? [publishedId === undefined ? {} : { id: publishedId }] : [];
  const newer = agent.hasChanges === true || (agent.hasChanges === undefined && !isPublished) ? [{}] : [];
  return {
    ...facts<SeedAgent>(agent, 'Agent'),
    revisions: [...published, ...newer],
    ...(isPublished ? { published: 1 } : {}),
  };
}

function toFile(file: Fields): SeedFile {
  return { ...facts<SeedFile>(file, 'File'), ...(file.size == null ? {} : { sizeBytes: file.size as number }) };
}

function toMcpServer(server: Fields, tools: readonly unknown[]): SeedMcpServer {
  const shown = tools.filter(isObject).map((tool) => facts<McpTool>(tool, 'Tool'));
  return { ...facts<SeedMcpServer>(server, 'McpServer'), tools: shown };
}

const seedFields = remembering((record) => seedFieldsOf(record as SeedRecord));

/** What a seed can say of a resource, without what is null. `isLegal` judges the values. */
function facts<T>(resource: Fields, record: SeedRecord): T {
  return Object.fromEntries(
    seedFields(record).flatMap((name) => (resource[name] == null ? [] : [[name, resource[name]]])),
  ) as T;
}
