import assert from 'node:assert/strict';
import type { Application } from '../base/application.ts';
import { Failure } from '../base/failure.ts';
import { type Context, type OperationName, reply } from '../base/http.ts';
import { single } from '../base/middleware.ts';
import { type Answer, type Api, byId, ids, type Tester } from '../tester.ts';
import { around, aroundOperation, type Fault, insertBefore, must, should } from '../variant.ts';

/** When the caller is unknown on this operation, another organization is taken instead of a refusal. */
function withoutRefusal(
  app: Application,
  operation: OperationName,
  fallback: (context: Context) => string | undefined,
): void {
  around(app.authenticator, 'identify', (identify, context) => {
    try {
      return identify(context);
    } catch (refusal) {
      const organizationId = context.operation === operation ? fallback(context) : undefined;
      if (organizationId === undefined) throw refusal;
      return organizationId;
    }
  });
}

const firstOrganization = (app: Application): string => app.db.organizations.select({ limit: 1 })[0]?.id ?? '';
const driveOwner = (app: Application, context: Context): string | undefined =>
  app.db.drives.first({ id: context.params['driveId'] ?? '' })?.organizationId;
const hasKey = (context: Context): boolean =>
  context.headers['x-api-key'] !== undefined || context.headers.authorization !== undefined;

/** One of the two headers is not looked at on this operation. */
function deafTo(app: Application, operation: OperationName, header: 'x-api-key' | 'authorization'): void {
  insertBefore(app, 'authentication', (context, next) => {
    if (context.operation === operation) delete context.headers[header];
    return next();
  });
}

/** Refusals of this operation get another status. */
function refusalStatus(app: Application, status: number, applies: (context: Context) => boolean): void {
  around(app.authenticator, 'identify', (identify, context) => {
    try {
      return identify(context);
    } catch (refusal) {
      throw applies(context) ? new Failure('unauthenticated', 'Forbidden', status) : refusal;
    }
  });
}

async function accepted(answer: Promise<Answer>): Promise<void> {
  assert.equal((await answer).ok, true);
}

async function answers(answer: Promise<Answer>, status: number): Promise<void> {
  assert.equal((await answer).status, status);
}

const withKey = (t: Tester, key: string): Api => t.caller({ 'x-api-key': key });

export const authenticationFaults: readonly Fault[] = [
  must(
    'tools-open-without-key',
    '4.10',
    'The tools of an MCP server are answered to callers without a key.',
    (app) =>
      withoutRefusal(
        app,
        'listTools',
        (context) => app.db.mcpServers.first({ id: context.params['mcpServerId'] ?? '' })?.organizationId,
      ),
    (t) => accepted(t.anonymous.tools(t.serverId())),
  ),

  must(
    'publish-open-without-key',
    '5',
    'The publish route was added outside the authenticated route group.',
    (app) =>
      withoutRefusal(
        app,
        'publishRevision',
        (context) => app.db.agents.first({ id: context.params['agentId'] ?? '' })?.organizationId,
      ),
    (t) => accepted(t.anonymous.publish(t.agent().id, t.revision())),
  ),

  must(
    'file-metadata-open-without-key',
    '5',
    'Reading a file needs no key, as with a public bucket.',
    (app) => withoutRefusal(app, 'getFile', (context) => driveOwner(app, context)),
    (t) => accepted(t.anonymous.file(t.file().driveId, t.file().id)),
  ),

  must(
    'tree-deletion-open-without-key',
    '5',
    'Deleting a tree works without a key.',
    (app) => withoutRefusal(app, 'deleteTree', (context) => driveOwner(app, context)),
    (t) => accepted(t.anonymous.deleteTree(t.driveId(), '/guides')),
  ),

  must(
    'drive-list-defaults-to-first-organization',
    '5',
    'A drive list without a key shows the first organization.',
    (app) => withoutRefusal(app, 'listDrives', (context) => (hasKey(context) ? undefined : firstOrganization(app))),
    (t) => accepted(t.anonymous.drives()),
  ),

  must(
    'unknown-key-may-move-files',
    '5',
    'On the update route the key only has to be present, not to be known.',
    (app) => withoutRefusal(app, 'updateFile', (context) => (hasKey(context) ? driveOwner(app, context) : undefined)),
    (t) => accepted(t.stranger.move(t.file().driveId, t.file().id, '/stolen.md')),
  ),

  must(
    'unknown-bearer-token-creates-drives',
    '5',
    'An unknown bearer token falls back to the default tenant when a drive is created.',
    (app) =>
      withoutRefusal(app, 'createDrive', (context) =>
        context.headers.authorization ? firstOrganization(app) : undefined,
      ),
    (t) => accepted(t.caller({ authorization: 'Bearer unknown' }).createDrive('Mine')),
  ),

  must(
    'agents-without-key-empty-list',
    '5',
    'Without a key the agents query runs for no organization and answers 200 with an empty list.',
    (app) => withoutRefusal(app, 'listAgents', (context) => (hasKey(context) ? undefined : 'none')),
    (t) => accepted(t.anonymous.agents()),
  ),

  must(
    'empty-key-header-is-accepted',
    '5',
    'An empty X-API-Key header counts as the default organization.',
    (app) =>
      around(app.authenticator, 'identify', (identify, context) =>
        context.headers['x-api-key'] === '' ? firstOrganization(app) : identify(context),
      ),
    (t) => accepted(t.caller({ 'x-api-key': '' }).servers()),
  ),

  must(
    'mcp-list-deaf-to-x-api-key',
    '5',
    'The list of MCP servers only knows the bearer header.',
    (app) => deafTo(app, 'listMcpServers', 'x-api-key'),
    (t) => answers(t.one.servers(), 401),
  ),

  must(
    'tree-deletion-deaf-to-x-api-key',
    '5',
    'Deleting a tree only knows the bearer header.',
    (app) => deafTo(app, 'deleteTree', 'x-api-key'),
    (t) => answers(t.one.deleteTree(t.driveId(), '/guides'), 401),
  ),

  must(
    'tools-deaf-to-bearer',
    '5',
    'The tools route only knows X-API-Key.',
    (app) => deafTo(app, 'listTools', 'authorization'),
    (t) => answers(t.oneBearer.tools(t.serverId()), 401),
  ),

  must(
    'create-drive-deaf-to-bearer',
    '5',
    'Creating a drive only knows X-API-Key.',
    (app) => deafTo(app, 'createDrive', 'authorization'),
    (t) => answers(t.oneBearer.createDrive('Mine'), 401),
  ),

  must(
    'gateway-strips-authorization-on-patch',
    '5',
    'A proxy in front forwards PATCH without its Authorization header.',
    (app) => deafTo(app, 'updateFile', 'authorization'),
    (t) => answers(t.oneBearer.move(t.file().driveId, t.file().id, '/moved.md'), 401),
  ),

  must(
    'key-compared-without-case',
    '5',
    'The key column has a collation that ignores case.',
    (app) =>
      around(
        app.apiKeys,
        'ownerOf',
        (_ownerOf, key) =>
          app.db.apiKeys.first((row) => row.secret.toLowerCase() === key.toLowerCase())?.organizationId,
      ),
    (t) => accepted(withKey(t, t.key.toUpperCase()).agents()),
  ),

  must(
    'key-compared-by-prefix',
    '5',
    'Keys are looked up by their first characters and never compared in full.',
    (app) =>
      around(
        app.apiKeys,
        'ownerOf',
        (_ownerOf, key) =>
          app.db.apiKeys.first((row) => key.length >= 8 && row.secret.slice(0, 8) === key.slice(0, 8))?.organizationId,
      ),
    (t) => accepted(withKey(t, `${t.key}x`).drives()),
  ),

  must(
    'key-matched-by-like',
    '5',
    'Keys are compared as LIKE with the sent key as prefix, so that a cut key is good too.',
    (app) =>
      around(
        app.apiKeys,
        'ownerOf',
        (_ownerOf, key) => app.db.apiKeys.first((row) => row.secret.startsWith(key))?.organizationId,
      ),
    (t) => accepted(withKey(t, t.key.slice(0, -1)).agents()),
  ),

  must(
    'key-cache-by-last-characters',
    '5',
    'Known keys are cached under their last six characters.',
    (app) => {
      const cache = new Map<string, string>();
      around(app.apiKeys, 'ownerOf', (ownerOf, key) => {
        const owner = cache.get(key.slice(-6)) ?? ownerOf(key);
        if (owner) cache.set(key.slice(-6), owner);
        return owner;
      });
    },
    async (t) => {
      await accepted(t.one.agents());
      await accepted(withKey(t, `wrong-${t.key.slice(-6)}`).agents());
    },
  ),

  must(
    'bearer-always-first-organization',
    '5',
    'A bearer key is checked, but the request then acts for the first organization.',
    (app) =>
      around(app.authenticator, 'identify', (identify, context) => {
        const organizationId = identify(context);
        return context.headers['x-api-key'] === undefined ? firstOrganization(app) : organizationId;
      }),
    async (t) => assert.deepEqual(ids((await t.twoBearer.agents()).body), ids((await t.one.agents()).body)),
  ),

  must(
    'bearer-token-pattern-without-dots',
    '5',
    'The pattern for bearer tokens only knows letters, digits and dashes.',
    (app) =>
      around(
        app.authenticator,
        'keyIn',
        (keyIn, headers) =>
          single(headers['x-api-key']) ??
          (/^Bearer [\w-]+$/.test(headers.authorization ?? '') ? keyIn(headers) : undefined),
      ),
    (t) => answers(t.twoBearer.agents(), 401),
  ),

  must(
    'missing-key-403-on-tools',
    '7',
    'The tools endpoint answers 403 when no key is sent.',
    (app) => refusalStatus(app, 403, (context) => context.operation === 'listTools' && !hasKey(context)),
    (t) => answers(t.anonymous.tools(t.serverId()), 403),
  ),

  must(
    'invalid-key-403-on-tools',
    '7',
    'The tools endpoint answers 403 to a key that is unknown.',
    (app) => refusalStatus(app, 403, (context) => context.operation === 'listTools' && hasKey(context)),
    (t) => answers(t.stranger.tools(t.serverId()), 403),
  ),

  must(
    'unknown-key-crashes',
    '5',
    'An unknown key finds no row and the code that reads its organization fails with 500.',
    (app) => refusalStatus(app, 500, hasKey),
    (t) => answers(t.stranger.tools(t.serverId()), 500),
  ),

  must(
    'invalid-key-400-on-tools',
    '4.10',
    'A key that does not look like one is a bad request for the tools endpoint.',
    (app) =>
      refusalStatus(
        app,
        400,
        (context) => context.operation === 'listTools' && (app.authenticator.keyIn(context.headers)?.length ?? 99) < 20,
      ),
    (t) => answers(t.stranger.tools(t.serverId()), 400),
  ),

  must(
    'unknown-server-404-before-401',
    '4.10',
    'The tools endpoint looks for the server before it looks for the key.',
    (app) =>
      refusalStatus(
        app,
        404,
        (context) =>
          context.operation === 'listTools' && !app.db.mcpServers.first({ id: context.params['mcpServerId'] ?? '' }),
      ),
    (t) => answers(t.anonymous.tools('unknown'), 404),
  ),

  must(
    'missing-key-redirects-to-login',
    '5',
    'A session middleware sends callers without a key to a login page.',
    (app) =>
      insertBefore(app, 'authentication', (context, next) =>
        hasKey(context) ? next() : reply(302, undefined, { location: '/login' }),
      ),
    (t) => answers(t.anonymous.drives(), 302),
  ),

  must(
    'refusal-cached-by-url',
    '5',
    'The gateway caches a refusal by its address for a while and gives it to good callers too.',
    (app) => {
      const refused = new Map<string, number>();
      insertBefore(app, 'authentication', async (context, next) => {
        const url = `${context.method} ${context.path}`;
        if ((refused.get(url) ?? 0) > Date.now()) throw new Failure('unauthenticated', 'Authentication required');
        try {
          return await next();
        } catch (error) {
          if (error instanceof Failure && error.kind === 'unauthenticated') refused.set(url, Date.now() + 2_000);
          throw error;
        }
      });
    },
    async (t) => {
      await answers(t.stranger.tools(t.serverId()), 401);
      await answers(t.one.tools(t.serverId()), 401);
    },
  ),

  must(
    'organization-remembered-by-connection',
    '5',
    'The key is only read on the first request of a kept-alive connection.',
    (app) => {
      const known = new WeakMap<object, string>();
      around(app.authenticator, 'identify', (identify, context) => {
        const organizationId = known.get(context.connection) ?? identify(context);
        known.set(context.connection, organizationId);
        return organizationId;
      });
    },
    async (t) => {
      await t.one.agents();
      let mixed = false;
      for (let round = 0; round < 5 && !mixed; round++)
        mixed = byId((await t.two.agents()).body, t.agent().id) !== undefined;
      assert.ok(mixed);
    },
  ),

  must(
    'organization-in-shared-variable',
    '5',
    'The organization of a request is kept in a variable that all requests share while the name is checked.',
    (app) => {
      let current = '';
      aroundOperation(app, 'createDrive', async (next, context) => {
        current = context.organizationId;
        await app.timers.sleep(15);
        return next({ ...context, organizationId: current });
      });
    },
    async (t) => {
      const created = await Promise.all([
        t.one.createDrive('a'),
        t.two.createDrive('b'),
        t.one.createDrive('c'),
        t.two.createDrive('d'),
      ]);
      assert.notDeepEqual(
        created.map((answer) => answer.body.organizationId),
        [0, 1, 0, 1].map((index) => t.facts.organizations[index as 0 | 1].id),
      );
    },
  ),

  should(
    'any-authorization-scheme',
    '5',
    'The scheme of the Authorization header is not looked at; a reader expects that only Bearer carries a key.',
    (app) =>
      around(app.authenticator, 'keyIn', (keyIn, headers) => keyIn(headers) ?? headers.authorization?.split(' ')[1]),
    (t) => accepted(t.caller({ authorization: `Basic ${t.key}` }).agents()),
  ),

  should(
    'missing-key-403-on-creation',
    '5',
    'Creating an MCP server without a key is answered 403; section 5 says 401 for all, though it is shown for the tools only.',
    (app) => refusalStatus(app, 403, (context) => context.operation === 'createMcpServer'),
    (t) => answers(t.anonymous.createServer('a', 'https://a.example'), 403),
  ),

  should(
    'invalid-key-404-on-files',
    '5',
    'A file is hidden with 404 from callers with an unknown key; section 5 says 401 for all, though it is shown for the tools only.',
    (app) => refusalStatus(app, 404, (context) => context.operation === 'getFile'),
    (t) => answers(t.stranger.file(t.file().driveId, t.file().id), 404),
  ),

  should(
    'missing-key-400-on-publish',
    '5',
    'A missing key header is a validation error when publishing; section 5 says 401 for all, though it is shown for the tools only.',
    (app) => refusalStatus(app, 400, (context) => context.operation === 'publishRevision' && !hasKey(context)),
    (t) => answers(t.anonymous.publish(t.agent().id, t.revision()), 400),
  ),
];
