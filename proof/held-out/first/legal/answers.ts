import { gzipSync } from 'node:zlib';
import type { Application } from '../base/application.ts';
import type { FailureKind } from '../base/failure.ts';
import { Failure } from '../base/failure.ts';
import { type Context, type OperationName, reply } from '../base/http.ts';
import {
  around,
  aroundOperation,
  insertBefore,
  type Json,
  legal,
  legalSetup,
  mapBody,
  type Variant,
} from '../variant.ts';

function status(name: string, section: string, operation: OperationName, code: number, what: string): Variant {
  return legalSetup(name, section, what, (settings) => {
    settings.successStatus[operation] = code;
  });
}

function failures(name: string, what: string, statuses: Partial<Record<FailureKind, number>>): Variant {
  return legalSetup(name, '7', what, (settings) => Object.assign(settings.failureStatus, statuses));
}

function failureBody(
  name: string,
  what: string,
  body: (kind: FailureKind, message: string, status: number) => unknown,
): Variant {
  return legalSetup(name, '7', what, (settings) => {
    settings.failureBody = body;
  });
}

function headers(name: string, what: string, make: (context: Context) => Record<string, string>): Variant {
  return legal(name, '4', what, (app) =>
    insertBefore(app, 'errors', async (context, next) => {
      const answer = await next();
      return { ...answer, headers: { ...make(context), ...answer.headers } };
    }),
  );
}

/** JSON written in another way. */
function writes(name: string, what: string, write: (body: unknown) => string, type = 'application/json'): Variant {
  return legal(name, '4', what, (app) =>
    around(app, 'encode', (encode, answer, context) =>
      answer.body === undefined
        ? encode(answer, context)
        : { headers: { 'content-type': type }, bytes: Buffer.from(write(answer.body)) },
    ),
  );
}

function errorsAs(name: string, what: string, type: string, write: (status: number) => string): Variant {
  return legal(name, '7', what, (app) =>
    around(app, 'encode', (encode, answer, context) =>
      answer.status >= 400
        ? { headers: { 'content-type': type }, bytes: Buffer.from(write(answer.status)) }
        : encode(answer, context),
    ),
  );
}

export function slow(app: Application, ms: () => number, operations?: OperationName[]): void {
  insertBefore(app, 'authentication', async (context, next) => {
    if (!operations || operations.includes(context.operation)) await app.timers.sleep(ms());
    return next();
  });
}

const turnAround = (body: Json): Json =>
  body && typeof body === 'object' && !Array.isArray(body)
    ? Object.fromEntries(
        Object.entries(body)
          .reverse()
          .map(([key, value]) => [key, turnAround(value)]),
      )
    : Array.isArray(body)
      ? body.map(turnAround)
      : body;

export const answerVariants: readonly Variant[] = [
  // Success
  status('create-drive-200', '4.3', 'createDrive', 200, 'A created drive is answered 200.'),
  status('create-server-200', '4.8', 'createMcpServer', 200, 'A created MCP server is answered 200.'),
  status(
    'create-server-202',
    '4.8',
    'createMcpServer',
    202,
    'A created MCP server is answered 202, as its connection is checked later.',
  ),
  status('publish-201', '4.2', 'publishRevision', 201, 'A publication is created with 201.'),
  status('delete-tree-202', '4.7', 'deleteTree', 202, 'A deletion is accepted with 202.'),
  status('move-202', '4.6', 'updateFile', 202, 'A move is answered 202 with the updated file.'),
  legal('publish-204', '4.2', 'A publication is answered 204 without a body.', (app) =>
    aroundOperation(app, 'publishRevision', async (next, context) => {
      await next(context);
      return reply(204);
    }),
  ),
  legal('publish-200-empty', '4.2', 'A publication is answered 200 with an empty body.', (app) =>
    aroundOperation(app, 'publishRevision', async (next, context) => {
      await next(context);
      return reply(200);
    }),
  ),
  legal('publish-plain-text', '4.2', 'A publication is answered with the plain text "published".', (app) => {
    around(app, 'encode', (encode, answer, context) =>
      context.operation === 'publishRevision' && answer.status < 300
        ? { headers: { 'content-type': 'text/plain' }, bytes: Buffer.from('published') }
        : encode(answer, context),
    );
  }),
  legal('publish-answers-the-agent', '4.2', 'A publication is answered with the agent.', (app) =>
    mapBody(app, 'publishRevision', (_body, context) => {
      const agent = app.agents.find(context.organizationId, context.params['agentId'] ?? '');
      return agent ? app.serializers.agent(agent) : {};
    }),
  ),
  legal('publish-answers-true', '4.2', 'A publication is answered with the JSON value true.', (app) =>
    mapBody(app, 'publishRevision', () => true),
  ),
  legal('create-drive-with-location', '4.3', 'A created drive comes with a Location header.', (app) =>
    aroundOperation(app, 'createDrive', async (next, context) => {
      const answer = await next(context);
      return { ...answer, headers: { location: `/v0.1/drives/${(answer.body as Json).id}` } };
    }),
  ),

  // Errors
  failures('validation-422', 'What cannot be validated is answered 422.', { invalid: 422 }),
  failures('validation-409', 'What cannot be validated is answered 409.', { invalid: 409 }),
  failures('conflict-400', 'A taken path is answered 400.', { conflict: 400 }),
  failures('conflict-422', 'Taken paths and bad input are both answered 422.', { conflict: 422, invalid: 422 }),
  failures('unknown-route-405', 'An unknown route is answered 405.', { 'unknown-route': 405 }),
  legal('unknown-file-410', '7', 'A file that is not there is answered 410.', (app) =>
    around(app.fileService, 'get', (get, organizationId, driveId, fileId) => {
      app.driveService.get(organizationId, driveId);
      if (!app.files.find(driveId, fileId)) throw new Failure('not-found', 'Gone', 410);
      return get(organizationId, driveId, fileId);
    }),
  ),
  legal(
    'foreign-and-unknown-drives-403',
    '7',
    'Drives that are unknown or of another organization are answered 403.',
    (app) =>
      around(app.driveService, 'get', (get, organizationId, id) => {
        if (!app.drives.find(organizationId, id)) throw new Failure('not-found', 'Forbidden', 403);
        return get(organizationId, id);
      }),
  ),
  legal(
    'unknown-agent-400',
    '7',
    'Publishing for an unknown agent or with an unknown revision is answered 400.',
    (app) =>
      around(app.agentService, 'publish', (publish, organizationId, agentId, revisionId) => {
        if (!app.agents.find(organizationId, agentId) || !app.agents.revision(agentId, revisionId))
          throw new Failure('invalid', 'Unknown revision');
        publish(organizationId, agentId, revisionId);
      }),
  ),
  failureBody('errors-as-problems', 'Errors are problem objects.', (kind, message, code) => ({
    type: `https://errors.example.com/${kind}`,
    title: message,
    status: code,
  })),
  failureBody('errors-as-detail', 'Errors have only a detail.', (_kind, message) => ({ detail: message })),
  failureBody('errors-as-detail-list', 'Errors are a list of details with their locations.', (kind, message) => ({
    detail: [{ loc: ['body'], msg: message, type: kind }],
  })),
  failureBody('errors-as-array', 'Errors are an array of messages.', (_kind, message) => [message]),
  failureBody('errors-as-text-value', 'Errors are a JSON string.', (_kind, message) => message),
  failureBody('errors-empty', 'Errors have no body.', () => undefined),
  failureBody('errors-null', 'The body of an error is null.', () => null),
  failureBody('errors-with-trace', 'Errors have a trace id, a time, and the status twice.', (kind, message, code) => ({
    success: false,
    status: code,
    statusCode: code,
    errorCode: kind.toUpperCase(),
    message,
    traceId: Math.random().toString(36).slice(2),
    timestamp: new Date().toISOString(),
  })),
  errorsAs(
    'errors-in-html',
    'Errors are pages of HTML, as a proxy makes them.',
    'text/html',
    (code) => `<html><body><h1>${code}</h1></body></html>`,
  ),
  errorsAs('errors-in-plain-text', 'Errors are plain text.', 'text/plain; charset=utf-8', (code) => `Error ${code}\n`),
  errorsAs(
    'errors-in-xml',
    'Errors are XML, as a gateway makes them.',
    'application/xml',
    (code) => `<Error><Code>${code}</Code></Error>`,
  ),
  legal('refusal-names-scheme', '7', 'A refusal has a WWW-Authenticate header.', (app) =>
    insertBefore(app, 'errors', async (_context, next) => {
      const answer = await next();
      return answer.status === 401 ? { ...answer, headers: { 'www-authenticate': 'Bearer realm="api"' } } : answer;
    }),
  ),
  legal('odd-ids-404-by-router', '7', 'An id with characters that no id has is answered 404, by the router.', (app) =>
    insertBefore(app, 'body', (context, next) => {
      if (Object.values(context.params).some((value) => !/^[\w-]+$/.test(value)))
        throw new Failure('unknown-route', 'No such endpoint');
      return next();
    }),
  ),

  // How JSON and headers are written
  writes('json-indented', 'JSON is indented.', (body) => `${JSON.stringify(body, null, 2)}\n`),
  writes('json-in-ascii', 'Other than ASCII characters are escaped in JSON.', (body) =>
    JSON.stringify(body).replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ),
  writes('json-escapes-slashes', 'Slashes and markup are escaped in JSON.', (body) =>
    JSON.stringify(body).replaceAll('/', '\\/').replaceAll('<', '\\u003c').replaceAll('&', '\\u0026'),
  ),
  writes(
    'json-with-charset',
    'The content type names the charset.',
    (body) => JSON.stringify(body),
    'application/json; charset=utf-8',
  ),
  writes('json-fields-in-other-order', 'The fields of all objects come in the reverse order.', (body) =>
    JSON.stringify(turnAround(body)),
  ),
  headers('no-store-headers', 'All answers forbid to be stored.', () => ({
    'cache-control': 'no-store',
    pragma: 'no-cache',
  })),
  headers('request-id-headers', 'All answers carry a request id and a server time.', () => ({
    'x-request-id': Math.random().toString(36).slice(2),
    'x-runtime': '0.003',
  })),
  headers('rate-limit-headers', 'All answers tell of a wide rate limit.', () => ({
    'ratelimit-limit': '100000',
    'ratelimit-remaining': '99999',
    'ratelimit-reset': '60',
  })),
  headers('cors-headers', 'All answers allow any origin.', () => ({
    'access-control-allow-origin': '*',
    vary: 'Origin',
  })),
  headers('session-cookie', 'All answers set a cookie that nobody needs.', () => ({
    'set-cookie': 'session=abc; Path=/; HttpOnly',
  })),
  headers('connection-closed-each-time', 'The connection is closed after each answer.', () => ({
    connection: 'close',
  })),
  headers('deprecation-headers', 'All answers announce that this version will end some day.', () => ({
    deprecation: 'true',
    sunset: 'Wed, 31 Dec 2098 00:00:00 GMT',
  })),
  headers('version-header', 'All answers name the version of the API description.', () => ({
    'api-version': '0.1.0',
    server: 'gateway',
  })),
  legal('gzip-when-asked', '4', 'Answers are compressed for callers who accept gzip.', (app) =>
    around(app, 'encode', (encode, answer, context) => {
      const { headers: plain, bytes } = encode(answer, context);
      if (!bytes.length || !String(context.headers['accept-encoding'] ?? '').includes('gzip'))
        return { headers: plain, bytes };
      return { headers: { ...plain, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }, bytes: gzipSync(bytes) };
    }),
  ),
  legal('etags-on-reads', '4.5', 'Files come with an ETag, and If-None-Match is heeded.', (app) =>
    aroundOperation(app, 'getFile', async (next, context) => {
      const answer = await next(context);
      const etag = `"${(answer.body as Json).modifiedAt}"`;
      return context.headers['if-none-match'] === etag
        ? reply(304, undefined, { etag })
        : { ...answer, headers: { etag } };
    }),
  ),

  // Pace
  legal('slow-120-ms', '4', 'Every answer takes 120 ms.', (app) => slow(app, () => 120)),
  legal('slow-writes', '4', 'Writes take 250 ms.', (app) =>
    slow(app, () => 250, ['createDrive', 'createMcpServer', 'updateFile', 'publishRevision']),
  ),
  legal('slow-tools', '4.10', 'Tools take 280 ms, as the MCP server is asked each time.', (app) =>
    slow(app, () => 280, ['listTools']),
  ),
  legal('uneven-pace', '4', 'Answers take between 0 and 90 ms, so that parallel ones come in another order.', (app) =>
    slow(app, () => Math.random() * 90),
  ),
  legal('one-request-at-a-time', '4', 'Requests are served one after the other, 15 ms each.', (app) => {
    let last: Promise<unknown> = Promise.resolve();
    insertBefore(app, 'errors', (_context, next) => {
      const turn = last.then(() => app.timers.sleep(15)).then(next);
      last = turn.catch(() => undefined);
      return turn;
    });
  }),
  legal('slow-at-first', '4', 'The first ten answers take 280 ms, as after a cold start.', (app) => {
    let left = 10;
    slow(app, () => (left-- > 0 ? 280 : 0));
  }),
];
