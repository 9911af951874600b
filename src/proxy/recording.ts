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
    const shown = this.#shown.get(key) ?? showNothing();
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
  toSeed(): Seed {
    const byOwner = new Map<unknown, Shown>();
    for (const [key, shown] of this.#shown) {
      // Two keys of one organization show the same resources.
      const [first] = [...shown.drives.values(), ...shown.mcpServers.values()];
      const owner = first?.organizationId ?? key;
      byOwner.set(owner, merge(byOwner.get(owner) ?? showNothing(), shown));
    }
    return { organizations: [...byOwner.values()].map(toOrganization) };
  }
}

/** A seed as a YAML file. */
export function toSeedYaml(seed: Seed, upstream: string, time: string): string {
  const head = `# What ${upstream} showed until ${time}. Replace the keys with those that your tests send.\n`;
  return head + yaml().stringify(seed, { lineWidth: 120 });
}

function showNothing(): Shown {
  return {
    ...{ agents: new Map(), drives: new Map(), mcpServers: new Map() },
    ...{ files: new Map(), tools: new Map(), published: new Map() },
  };
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
  for (const [id, fields] of byId(json)) files.set(JSON.stringify([driveId, id]), { driveId, fields });
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

function toOrganization(shown: Shown, index: number): SeedOrganization {
  const base = { name: `Recorded organization ${index + 1}`, keys: [`recorded-key-${index + 1}`] };
  // What a seed cannot take, such as a file without a path, is left out.
  const isLegal = (part: Partial<SeedOrganization>) =>
    validateSeed({ organizations: [{ ...base, ...part }] }).length === 0;
  const filesOf = (id: string) =>
    [...shown.files.values()].filter(({ driveId }) => driveId === id).map(({ fields }) => toFile(fields));
  const drives = [...shown.drives].map(([id, drive]): SeedDrive => {
    const made = facts<SeedDrive>(drive, 'Drive');
    return { ...made, files: filesOf(id).filter((file) => isLegal({ drives: [{ ...made, files: [file] }] })) };
  });
  return {
    ...base,
    agents: [...shown.agents]
      .map(([id, agent]) => toAgent(agent, shown.published.get(id)))
      .filter((agent) => isLegal({ agents: [agent] })),
    drives: drives.filter((drive) => isLegal({ drives: [drive] })),
    mcpServers: [...shown.mcpServers]
      .map(([id, server]) => toMcpServer(server, shown.tools.get(id) ?? []))
      .filter((server) => isLegal({ mcpServers: [server] })),
  };
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
