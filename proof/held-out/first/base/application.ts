import { Database } from './database.ts';
import type { Context, Handler, Middleware, OperationName, Reply } from './http.ts';
import { Authenticator, standardPipeline } from './middleware.ts';
import { standardOperations } from './operations.ts';
import {
  AgentRepository,
  ApiKeyRepository,
  DriveRepository,
  FileRepository,
  McpServerRepository,
} from './repositories.ts';
import { Router } from './router.ts';
import { PageRule, PathRule } from './rules.ts';
import { Serializers } from './serializers.ts';
import { AgentService, DriveService, FileService, McpServerService } from './services.ts';
import type { Settings } from './settings.ts';
import { Timers } from './timers.ts';

export interface Encoded {
  headers: Record<string, string>;
  bytes: Buffer;
}

/** Wires the parts of the server. Every part is a public property, so that a variant can replace or wrap it. */
export class Application {
  settings: Settings;
  db = new Database();
  timers = new Timers();
  router = new Router();
  pathRule = new PathRule();
  treePathRule = new PathRule();
  pageRule: PageRule;
  serializers: Serializers;
  apiKeys: ApiKeyRepository;
  agents: AgentRepository;
  drives: DriveRepository;
  files: FileRepository;
  mcpServers: McpServerRepository;
  authenticator: Authenticator;
  agentService: AgentService;
  driveService: DriveService;
  fileService: FileService;
  mcpServerService: McpServerService;
  pipeline: Middleware[];
  operations: Record<OperationName, Handler>;

  constructor(settings: Settings) {
    this.settings = settings;
    this.pageRule = new PageRule(settings);
    this.serializers = new Serializers(settings);
    this.apiKeys = new ApiKeyRepository(this.db);
    this.agents = new AgentRepository(this.db);
    this.drives = new DriveRepository(this.db);
    this.files = new FileRepository(this.db);
    this.mcpServers = new McpServerRepository(this.db);
    this.authenticator = new Authenticator(this.apiKeys);
    this.agentService = new AgentService(settings, this.agents);
    this.driveService = new DriveService(settings, this.drives);
    this.fileService = new FileService(settings, this.driveService, this.files);
    this.mcpServerService = new McpServerService(settings, this.mcpServers);
    this.pipeline = standardPipeline(this);
    this.operations = standardOperations(this);
  }

  /** Runs a request through the pipeline to its operation. */
  handle(context: Context): Promise<Reply> {
    const step = async (index: number): Promise<Reply> => {
      const middleware = this.pipeline[index];
      return middleware ? middleware.run(context, () => step(index + 1)) : this.operations[context.operation](context);
    };
    return step(0);
  }

  encode(answer: Reply, _context: Context): Encoded {
    if (answer.body === undefined) return { headers: {}, bytes: Buffer.alloc(0) };
    return { headers: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(answer.body)) };
  }
}
