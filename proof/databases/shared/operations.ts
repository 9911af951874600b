import type { Repository } from './repository.ts';
import type { Query, Rules } from './rules.ts';

/** Legal choices where the specification is silent. */
export interface Choices {
  'successStatus.createDrive': number;
  'successStatus.publishAgentRevision': number;
  'successStatus.deleteDriveTree': number;
  treePathParameter: string;
  /** The body of a refusal. */
  problem(message: string): object;
}

/** A request with a valid key and, if it has a body, an object in it. */
export interface Call {
  organizationId: string;
  ids: Record<string, string>;
  query: Query;
  body: Record<string, unknown>;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** What the operations stand on. */
export interface Parts {
  choices: Choices;
  rules: Rules;
  repository: Repository;
}

type Operation = (parts: Parts, call: Call) => Promise<Answer>;

const ok = (body: unknown): Answer => ({ status: 200, body });

/** The ten operations by method and path. */
export const operations: Record<string, Operation> = {
  'GET /agents': async ({ repository }, { organizationId }) => ok(await repository.listAgents(organizationId)),

  'POST /agents/:agentId/publish': async ({ repository, rules, choices }, { organizationId, ids, body }) => {
    const revisionId = rules.revisionId(body.revisionId);
    const published = await repository.publish(organizationId, ids.agentId ?? '', revisionId);
    return { status: choices['successStatus.publishAgentRevision'], body: published };
  },

  'POST /drives': async ({ repository, rules, choices }, { organizationId, body }) => {
    const input = { ...body, name: rules.name(body.name) };
    return { status: choices['successStatus.createDrive'], body: await repository.createDrive(organizationId, input) };
  },

  'GET /drives': async ({ repository, rules }, { organizationId, query }) => {
    const page = rules.page(query);
    const { drives, total } = await repository.listDrives(organizationId, page);
    return ok({ data: drives, pagination: { ...page, total } });
  },

  'GET /drives/:driveId/files/:fileId': async ({ repository }, { organizationId, ids }) =>
    ok(await repository.getFile(organizationId, ids.driveId ?? '', ids.fileId ?? '')),

  'PATCH /drives/:driveId/files/:fileId': async ({ repository, rules }, { organizationId, ids, body }) => {
    const path = rules.path(body.path);
    return ok(await repository.moveFile(organizationId, ids.driveId ?? '', ids.fileId ?? '', path));
  },

  'DELETE /drives/:driveId/items/tree': async ({ repository, rules, choices }, { organizationId, ids, query }) => {
    const path = rules.path(query[choices.treePathParameter]);
    const { jobId, documentCount } = await repository.deleteTree(organizationId, ids.driveId ?? '', path);
    return {
      status: choices['successStatus.deleteDriveTree'],
      body: { message: `Deleting ${path}`, jobId, documentCount },
    };
  },

  'POST /mcp-servers': async ({ repository, rules, choices }, { organizationId, body }) => {
    const input = { ...body, name: rules.name(body.name), url: rules.url(body.url) };
    return {
      status: choices['successStatus.createDrive'],
      body: await repository.createMcpServer(organizationId, input),
    };
  },

  'GET /mcp-servers': async ({ repository }, { organizationId }) => ok(await repository.listMcpServers(organizationId)),

  'GET /mcp-servers/:mcpServerId/tools': async ({ repository }, { organizationId, ids }) =>
    ok({ tools: await repository.listTools(organizationId, ids.mcpServerId ?? '') }),
};
