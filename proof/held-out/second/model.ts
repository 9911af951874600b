import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export const OPS = [
  'listAgents',
  'publish',
  'createDrive',
  'listDrives',
  'getFile',
  'moveFile',
  'deleteTree',
  'createServer',
  'listServers',
  'listTools',
] as const;
export type Op = (typeof OPS)[number];

export interface Agent {
  id: string;
  name: string;
  description: string;
  hasChanges: boolean;
  createdAt: string;
  updatedAt: string;
  revisionIds: string[];
  activeRevisionId?: string;
}
export interface Drive {
  id: string;
  organizationId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}
export interface DriveFile {
  id: string;
  driveId: string;
  name: string;
  path: string;
  status: 'processing' | 'ready' | 'error';
  modifiedAt: string;
  size: number;
  contentType: string;
  description: string;
  summary: string;
  metadata: Record<string, unknown>;
}
export interface Tool {
  name: string;
  description: string;
}
export interface Server {
  id: string;
  organizationId: string;
  name: string;
  url: string;
  type: 'sse' | 'streamableHttp';
  createdAt: string;
  updatedAt: string;
  tools: Tool[];
}

export type Event =
  | { type: 'AgentAdded'; agent: Agent }
  | { type: 'RevisionPublished'; agentId: string; revisionId: string; at: string }
  | { type: 'DriveCreated'; drive: Drive }
  | { type: 'FileAdded'; file: DriveFile }
  | { type: 'FileMoved'; fileId: string; path: string; at: string }
  | { type: 'FilesDeleted'; fileIds: string[] }
  | { type: 'ServerRegistered'; server: Server };

export interface View {
  agents: Map<string, Agent>;
  drives: Map<string, Drive>;
  files: Map<string, DriveFile>;
  servers: Map<string, Server>;
}
export interface Org {
  id: string;
  index: number;
  key: string;
  log: Event[];
  view: View;
}
export interface Ctx {
  method: string;
  path: string;
  query: URLSearchParams;
  rawQuery: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  text: string;
  op: Op | undefined;
  params: Record<string, string>;
  key: string | undefined;
  via: 'x' | 'bearer' | undefined;
  org: Org;
  input: Record<string, any>;
  /** How many requests this server has received, this one included. */
  count: number;
}
export interface Answer {
  status: number;
  body?: any;
  headers?: Record<string, string>;
  /** Sent as it is, in place of the JSON of `body`. */
  raw?: string | Buffer;
}
export type Shown = Record<string, any>;

export class Refusal extends Error {
  status: number;
  code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Every part of the server that a variant may wrap or replace. */
export interface Machine {
  basePath: string;
  treeParam: string;
  settleMs: number;
  'pagingDefaults.limit': number;
  extraDrives: number;
  orgs: Org[];
  timers: Set<NodeJS.Timeout>;
  onSeeded: (() => void)[];
  newId(kind: string): string;
  newKey(index: number): string;
  now(): string;
  later(ms: number, act: () => void): void;
  match(ctx: Ctx): Op | undefined;
  readKey(ctx: Ctx): string | undefined;
  findOrg(ctx: Ctx): Org | undefined;
  authenticate(ctx: Ctx): void;
  readInput(ctx: Ctx): void;
  handle(ctx: Ctx): Promise<Answer>;
  refuse(ctx: Ctx, refusal: Refusal): Answer;
  pathAllowed(path: unknown, ctx: Ctx): boolean;
  below(tree: string, file: string, ctx: Ctx): boolean;
  page(ctx: Ctx): { limit: number; offset: number };
  slice(all: Drive[], limit: number, offset: number, ctx: Ctx): Drive[];
  pagination(total: number, limit: number, offset: number, ctx: Ctx): any;
  agents(ctx: Ctx): Agent[];
  drives(ctx: Ctx): Drive[];
  servers(ctx: Ctx): Server[];
  findAgent(ctx: Ctx, id: string): Agent | undefined;
  findDrive(ctx: Ctx, id: string): Drive | undefined;
  findFile(ctx: Ctx, driveId: string, id: string): DriveFile | undefined;
  findServer(ctx: Ctx, id: string): Server | undefined;
  treeOf(ctx: Ctx): string | null;
  doomed(ctx: Ctx, tree: string): DriveFile[];
  remove(org: Org, files: DriveFile[], ctx: Ctx): void;
  run: Record<Op, (ctx: Ctx) => Answer | Promise<Answer>>;
  append(org: Org, event: Event): void;
  project(org: Org, event: Event): void;
  showAgent(agent: Agent, ctx: Ctx): Shown;
  showDrive(drive: Drive, ctx: Ctx): Shown;
  showFile(file: DriveFile, ctx: Ctx): Shown;
  showServer(server: Server, ctx: Ctx): Shown;
  showTool(tool: Tool, ctx: Ctx): Shown;
  finish(ctx: Ctx, answer: Answer): Answer | Promise<Answer>;
  write(res: ServerResponse, ctx: Ctx, answer: Answer): void;
}

export interface OrganizationFacts {
  apiKey: string;
  agents: readonly { id: string; revisionIds: readonly string[] }[];
  drives: readonly { id: string; files: readonly { id: string }[] }[];
  mcpServers: readonly { id: string }[];
}
export interface Facts {
  treePathParameter: string;
  settleMs: number;
  organizations: readonly [OrganizationFacts, OrganizationFacts];
}
