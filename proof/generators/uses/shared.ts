/** What a generated client is called with. */
export interface Target {
  baseUrl: string;
  key: string;
  ids: { agentId: string; revisionId: string; driveId: string; fileId: string; mcpServerId: string };
}

/** What came of it. */
export interface Used {
  /** How many operations answered as the generated types say. */
  calls: number;
  /** How many answers a generated validator accepted. */
  validations: number;
}

/** Compiles only where the generator gave a type: not for `any`, `unknown` or `void`. */
export function typed<T extends object>(value: 0 extends 1 & T ? never : T): T {
  return value as T;
}

/** The fields that every use reads, so that hollow types do not compile. */
export interface Seen {
  agents: readonly { id: string; isPublished: boolean }[];
  published: { id: string; isPublished: boolean };
  drive: { id: string; name: string };
  page: { data: readonly { id: string }[]; pagination: { total: number } };
  file: { id: string; status: 'processing' | 'ready' | 'error' };
  moved: { id: string; path: string };
  deletion: { jobId: string; documentCount: number };
  server: { id: string; type: 'sse' | 'streamableHttp' };
  servers: readonly { id: string }[];
  tools: { tools: readonly { name: string; description: string }[] };
}

/** The inputs of all uses. */
export const input = {
  name: 'Field reports',
  page: { limit: 1, offset: 1 },
  moveTo: '/made by a client/ü.txt',
  tree: '/made by a client',
  server: { name: 'Tracker', url: 'https://mcp.example.com/issues' },
};

/** Throws unless the answers are those to the inputs. The number of operations that answered. */
export function judge(seen: Seen, { ids }: Target): number {
  const { agents, published, drive, page, file, moved, deletion, server, servers, tools } = seen;
  const facts: Record<keyof Seen, boolean> = {
    agents: agents.some(({ id, isPublished }) => id === ids.agentId && typeof isPublished === 'boolean'),
    published: published.id === ids.agentId && published.isPublished,
    drive: drive.name === input.name,
    page: page.data.length === input.page.limit && page.pagination.total > 1,
    file: file.id === ids.fileId && file.status.length > 0,
    moved: moved.id === ids.fileId && moved.path === input.moveTo,
    deletion: deletion.jobId.length > 0 && deletion.documentCount === 1,
    server: server.id.length > 0 && server.type.length > 0,
    servers: servers.some(({ id }) => id === server.id),
    tools: tools.tools.some(({ name }) => name.length > 0),
  };
  const wrong = Object.entries(facts).flatMap(([name, isRight]) => (isRight ? [] : [name]));
  if (wrong.length > 0) throw new Error(`wrong answers: ${wrong.join(', ')}`);
  return Object.keys(facts).length;
}

/** Throws unless each validator accepts its answer. How many did. */
export function validate(pairs: readonly (readonly [{ parse(value: unknown): unknown }, unknown])[]): number {
  for (const [schema, value] of pairs) schema.parse(value);
  return pairs.length;
}

/** The answer, or the error that the client returns beside it. */
export function present<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`no answer: ${JSON.stringify(error)}`);
  return data;
}

/** The answer of a success, where a client types an answer by its status. */
export function success<A extends { status: number; data?: unknown }, S extends number>(
  answer: A,
  status: S,
): Extract<A, { status: S }>['data'] {
  if (answer.status !== status) throw new Error(`status ${answer.status}: ${JSON.stringify(answer.data)}`);
  return answer.data as Extract<A, { status: S }>['data'];
}
