import type { Application } from '../base/application.ts';
import { Failure } from '../base/failure.ts';
import { type Context, type OperationName, reply } from '../base/http.ts';
import { around, aroundOperation, insertBefore, legal, type Variant } from '../variant.ts';
import { refuseUnknownQuery } from './data.ts';

/** Refuses an operation when a rule of this deployment is not kept. */
function refuse(
  name: string,
  section: string,
  what: string,
  operation: OperationName,
  status: number,
  broken: (context: Context, app: Application) => boolean,
): Variant {
  return legal(name, section, what, (app) =>
    aroundOperation(app, operation, (next, context) => {
      if (broken(context, app)) throw new Failure('invalid', what, status);
      return next(context);
    }),
  );
}

const text = (context: Context, field: string): string => String(context.input[field] ?? '');
const bodyFields: Partial<Record<OperationName, string[]>> = {
  publishRevision: ['revisionId'],
  createDrive: ['name'],
  updateFile: ['path'],
  createMcpServer: ['name', 'url'],
};

export const behaviourVariants: readonly Variant[] = [
  // Names and limits
  refuse(
    'drive-names-up-to-64',
    '4.3',
    'Names of drives longer than 64 characters are refused.',
    'createDrive',
    400,
    (context) => text(context, 'name').length > 64,
  ),
  refuse(
    'drive-names-from-three',
    '4.3',
    'Names of drives with fewer than three characters are refused.',
    'createDrive',
    422,
    (context) => text(context, 'name').length < 3,
  ),
  refuse(
    'drive-names-plain-characters',
    '4.3',
    'Names of drives may hold only ASCII letters, digits, blanks, dots, dashes and underscores.',
    'createDrive',
    400,
    (context) => !/^[\w .-]*$/.test(text(context, 'name')),
  ),
  refuse(
    'drive-names-in-basic-plane',
    '4.3',
    'Names of drives with emoji are refused.',
    'createDrive',
    400,
    (context) => /[\u{10000}-\u{10ffff}]/u.test(text(context, 'name')),
  ),
  refuse(
    'drive-names-unique',
    '4.3',
    'A name that another drive of the organization has is refused with 409.',
    'createDrive',
    409,
    (context, app) => app.db.drives.count({ organizationId: context.organizationId, name: text(context, 'name') }) > 0,
  ),
  refuse(
    'drive-names-unique-without-case',
    '4.3',
    'A name that another drive has in whatever case is refused with 400.',
    'createDrive',
    400,
    (context, app) =>
      app.db.drives.count(
        (drive) =>
          drive.organizationId === context.organizationId &&
          drive.name.toLowerCase() === text(context, 'name').toLowerCase(),
      ) > 0,
  ),
  refuse(
    'drive-names-without-outer-blanks',
    '4.3',
    'Names of drives with blanks at either end are refused.',
    'createDrive',
    400,
    (context) => text(context, 'name') !== text(context, 'name').trim(),
  ),
  refuse(
    'drive-quota-sixty',
    '8',
    'An organization may have 60 drives; further ones are refused with 403.',
    'createDrive',
    403,
    (context, app) => app.drives.count(context.organizationId) >= 60,
  ),
  refuse(
    'server-quota-thirty',
    '8',
    'An organization may have 30 MCP servers; further ones are refused with 402.',
    'createMcpServer',
    402,
    (context, app) => app.mcpServers.list(context.organizationId).length >= 30,
  ),
  refuse(
    'server-names-unique',
    '4.8',
    'A name that another server has is refused with 409.',
    'createMcpServer',
    409,
    (context, app) =>
      app.mcpServers.list(context.organizationId).some((server) => server.name === text(context, 'name')),
  ),
  refuse(
    'server-urls-unique',
    '4.8',
    'A URL that is already registered is refused with 409.',
    'createMcpServer',
    409,
    (context, app) => app.mcpServers.list(context.organizationId).some((server) => server.url === text(context, 'url')),
  ),
  refuse(
    'server-urls-https-only',
    '4.8',
    'URLs that are not https are refused.',
    'createMcpServer',
    400,
    (context) => !text(context, 'url').startsWith('https://'),
  ),
  refuse(
    'server-urls-not-local',
    '4.8',
    'URLs of this machine or of private networks are refused.',
    'createMcpServer',
    422,
    (context) => /\/\/(localhost|127\.|10\.|192\.168\.|\[)/.test(text(context, 'url')),
  ),
  refuse(
    'server-urls-without-port',
    '4.8',
    'URLs with a port or with user and password are refused.',
    'createMcpServer',
    400,
    (context) => /\/\/[^/]*[:@]/.test(text(context, 'url')),
  ),
  refuse(
    'paths-without-odd-characters',
    '4.6',
    'Paths with backslashes, control characters or any of <>:"|?* are refused.',
    'updateFile',
    400,
    (context) => /[\\<>:"|?*\u0000-\u001f]/.test(text(context, 'path')),
  ),
  refuse(
    'paths-up-to-200',
    '4.6',
    'Paths longer than 200 characters are refused.',
    'updateFile',
    414,
    (context) => text(context, 'path').length > 200,
  ),
  refuse(
    'paths-without-empty-segments',
    '4.6',
    'Paths with an empty segment, also at the end, are refused.',
    'updateFile',
    400,
    (context) => /\/(\/|$)/.test(text(context, 'path')),
  ),
  refuse(
    'same-path-refused',
    '4.6',
    'Moving a file to the path that it has is refused with 409.',
    'updateFile',
    409,
    (context, app) =>
      app.files.find(context.params['driveId'] ?? '', context.params['fileId'] ?? '')?.path === text(context, 'path'),
  ),
  refuse(
    'same-revision-refused',
    '4.2',
    'Publishing the revision that is active is refused with 409.',
    'publishRevision',
    409,
    (context, app) =>
      app.agents.find(context.organizationId, context.params['agentId'] ?? '')?.activeRevisionId ===
      text(context, 'revisionId'),
  ),
  legal('paths-may-be-shared', '4.6', 'Two files may have the same path.', (app) =>
    around(app.files, 'at', () => undefined),
  ),
  legal('drive-names-trimmed', '4.3', 'Blanks around the name of a drive are trimmed.', (app) =>
    around(app.driveService, 'create', (create, organizationId, name) => create(organizationId, name.trim())),
  ),

  // Unknown and missing input
  legal('unknown-fields-refused', '4', 'Bodies with unknown fields are refused.', (app) => {
    for (const [operation, fields] of Object.entries(bodyFields) as [OperationName, string[]][]) {
      aroundOperation(app, operation, (next, context) => {
        if (Object.keys(context.input).some((field) => !fields.includes(field)))
          throw new Failure('invalid', 'Unknown field');
        return next(context);
      });
    }
  }),
  legal('unknown-parameters-refused', '4', 'Unknown query parameters are refused.', refuseUnknownQuery),
  legal(
    'json-content-type-required',
    '4',
    'Bodies without the content type application/json are refused with 415.',
    (app) =>
      insertBefore(app, 'body', (context, next) => {
        if (context.rawBody.length && !/^application\/json\b/.test(context.headers['content-type'] ?? ''))
          throw new Failure('invalid', 'Unsupported media type', 415);
        return next();
      }),
  ),
  legal('drive-without-name-is-untitled', '4.3', 'A drive without a name is called "Untitled drive".', (app) =>
    aroundOperation(app, 'createDrive', (next, context) =>
      next(context.input['name'] === undefined ? { ...context, input: { name: 'Untitled drive' } } : context),
    ),
  ),
  legal(
    'server-without-name-has-its-host',
    '4.8',
    'A server without a name is called after the host of its URL.',
    (app) =>
      aroundOperation(app, 'createMcpServer', (next, context) => {
        const { name, url } = context.input;
        return next(
          name === undefined && typeof url === 'string' && URL.canParse(url)
            ? { ...context, input: { name: new URL(url).hostname, url } }
            : context,
        );
      }),
  ),
  legal('publish-without-revision-takes-latest', '4.2', 'Without revisionId the latest revision is published.', (app) =>
    aroundOperation(app, 'publishRevision', (next, context) => {
      const latest = app.db.revisions.select({ where: { agentId: context.params['agentId'] ?? '' } }).at(-1)?.id;
      return next(
        context.input['revisionId'] === undefined && latest ? { ...context, input: { revisionId: latest } } : context,
      );
    }),
  ),
  legal(
    'move-without-path-changes-nothing',
    '4.6',
    'An update without path is answered with the file as it is.',
    (app) =>
      aroundOperation(app, 'updateFile', (next, context) =>
        'path' in context.input
          ? next(context)
          : reply(
              200,
              app.serializers.file(
                app.fileService.get(
                  context.organizationId,
                  context.params['driveId'] ?? '',
                  context.params['fileId'] ?? '',
                ),
              ),
            ),
      ),
  ),
  legal(
    'more-fields-heeded',
    '4.6',
    'An update may also set the description, and a server may be created with its type.',
    (app) => {
      aroundOperation(app, 'updateFile', (next, context) => {
        const { description } = context.input;
        const fileId = context.params['fileId'] ?? '';
        if (
          typeof description === 'string' &&
          app.fileService.get(context.organizationId, context.params['driveId'] ?? '', fileId)
        )
          app.files.update(fileId, { description });
        return next(context);
      });
      aroundOperation(app, 'createMcpServer', async (next, context) => {
        const answer = await next(context);
        const { type } = context.input;
        if (type !== 'sse' && type !== 'streamableHttp') return answer;
        app.db.mcpServers.update({ id: (answer.body as { id: string }).id }, { type });
        return { ...answer, body: { ...(answer.body as object), type } };
      });
    },
  ),

  // Callers and routes
  legal('key-also-in-query', '5', 'The key may also be sent as the query parameter api_key.', (app) =>
    around(app.authenticator, 'identify', (identify, context) => {
      const key = context.query.get('api_key');
      return identify(
        key && !context.headers['x-api-key']
          ? { ...context, headers: { ...context.headers, 'x-api-key': key } }
          : context,
      );
    }),
  ),
  legal('authorization-before-x-api-key', '5', 'If both headers are there, Authorization counts.', (app) =>
    around(app.authenticator, 'identify', (identify, context) =>
      identify(
        context.headers.authorization
          ? { ...context, headers: { ...context.headers, 'x-api-key': undefined } }
          : context,
      ),
    ),
  ),
  legal('preflight-answered', '4', 'OPTIONS is answered 204 on any route, without a key.', (app) =>
    insertBefore(app, 'routing', (context, next) =>
      context.method === 'OPTIONS' ? reply(204, undefined, { allow: 'GET, POST, PATCH, DELETE' }) : next(),
    ),
  ),
  legal('trailing-slash-accepted', '4', 'A slash at the end of an address is overlooked.', (app) =>
    insertBefore(app, 'routing', (context, next) => {
      context.path = context.path.replace(/(.)\/$/, '$1');
      return next();
    }),
  ),
  legal('single-drives-readable', '1', 'A single drive can be read at GET /drives/{driveId} too.', (app) =>
    insertBefore(app, 'routing', (context, next) => {
      const id = context.method === 'GET' ? /^\/drives\/([^/]+)$/.exec(context.path)?.[1] : undefined;
      return id
        ? reply(
            200,
            app.serializers.drive(app.driveService.get(app.authenticator.identify(context), decodeURIComponent(id))),
          )
        : next();
    }),
  ),

  // Publishing
  legal('publish-leaves-has-changes', '3', 'Publishing does not touch hasChanges.', (app) =>
    around(app.agents, 'activate', (_activate, agentId, activeRevisionId, updatedAt) => {
      app.db.agents.update({ id: agentId }, { activeRevisionId, updatedAt });
    }),
  ),
  legal(
    'publish-of-old-revision-has-changes',
    '3',
    'hasChanges is true when an older revision than the latest is published.',
    (app) =>
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        activate(agentId, revisionId, at);
        const latest = app.db.revisions.select({ where: { agentId } }).at(-1)?.id;
        app.db.agents.update({ id: agentId }, { hasChanges: latest !== revisionId });
      }),
  ),
  legal('publish-leaves-updated-at', '4.2', 'Publishing does not touch updatedAt.', (app) =>
    around(app.agents, 'activate', (activate, agentId, revisionId, at) =>
      activate(agentId, revisionId, app.db.agents.first({ id: agentId })?.updatedAt ?? at),
    ),
  ),
  legal(
    'all-agents-have-changes',
    '3',
    'hasChanges is true for all agents, also after publishing, as somebody always edits.',
    (app) => around(app.serializers, 'agent', (agent, row) => ({ ...agent(row), hasChanges: true })),
  ),

  // Files and trees
  legal('move-leaves-modified-at', '4.6', 'A move does not touch modifiedAt.', (app) =>
    around(app.files, 'update', (update, id, { modifiedAt: _unused, ...changes }) => update(id, changes)),
  ),
  legal('move-starts-processing', '3', 'A moved file is processed anew, and ready after a moment.', (app) =>
    around(app.files, 'update', (update, id, changes) => {
      update(id, { ...changes, status: 'processing' });
      app.timers.after(120, () => update(id, { status: 'ready' }));
    }),
  ),
  legal('move-finds-new-content-type', '4.6', 'The content type follows the extension of the new path.', (app) =>
    around(app.files, 'update', (update, id, changes) =>
      update(id, {
        ...changes,
        contentType: changes.path?.endsWith('.md')
          ? 'text/markdown'
          : changes.path?.endsWith('.txt')
            ? 'text/plain'
            : 'application/octet-stream',
      }),
    ),
  ),
  legal('unknown-tree-404', '4.7', 'A tree without files is answered 404.', (app) =>
    around(app.fileService, 'deleteTree', (deleteIt, organizationId, driveId, directory) => {
      app.driveService.get(organizationId, driveId);
      if (app.files.inTree(driveId, directory).length === 0) throw new Failure('not-found', 'Directory not found');
      return deleteIt(organizationId, driveId, directory);
    }),
  ),
  legal('tree-message-localized', '4.7', 'The message of a deletion is in another language.', (app) =>
    around(app.serializers, 'deletion', (deletion, job) => ({
      ...deletion(job),
      message: `${job.documentCount} Dokumente werden gelöscht …`,
    })),
  ),
  legal(
    'tree-message-empty',
    '4.7',
    'The message of a deletion is empty, and there are an estimate and a state.',
    (app) =>
      around(app.serializers, 'deletion', (deletion, job) => ({
        ...deletion(job),
        message: '',
        state: 'queued',
        estimatedSeconds: 0.5,
      })),
  ),
  legal('job-ids-are-digits', '4.7', 'jobId is a string of digits.', (app) => {
    let last = 40;
    around(app.serializers, 'deletion', (deletion, job) => ({ ...deletion(job), jobId: String(++last) }));
  }),

  // Servers
  legal('new-servers-are-sse', '4.8', 'All new servers have the type sse.', (app) =>
    around(app.mcpServers, 'insert', (insert, row) => insert({ ...row, type: 'sse' })),
  ),
  legal('new-servers-are-streamable', '4.8', 'All new servers have the type streamableHttp.', (app) =>
    around(app.mcpServers, 'insert', (insert, row) => insert({ ...row, type: 'streamableHttp' })),
  ),
  legal(
    'tools-of-unreachable-server-502',
    '4.10',
    'The tools of a server that cannot be reached are answered 502.',
    (app) => {
      const reachable = new Set(app.db.mcpServers.select().map((server) => server.id));
      around(app.mcpServers, 'tools', (tools, serverId) => {
        if (!reachable.has(serverId)) throw new Failure('internal', 'The server does not answer', 502);
        return tools(serverId);
      });
    },
  ),
  legal(
    'tools-of-new-server-424',
    '4.10',
    'The tools of a server that was never connected are answered 424.',
    (app) => {
      const connected = new Set(app.db.mcpServers.select().map((server) => server.id));
      around(app.mcpServers, 'tools', (tools, serverId) => {
        if (!connected.has(serverId)) throw new Failure('internal', 'Not connected', 424);
        return tools(serverId);
      });
    },
  ),
  legal('new-server-has-tools', '4.10', 'A new server has a tool at once, a ping that every server gets.', (app) =>
    around(app.mcpServers, 'tools', (tools, serverId) => [
      ...tools(serverId),
      { id: `${serverId}-ping`, serverId, name: 'ping', description: 'Answers with pong' },
    ]),
  ),
];
