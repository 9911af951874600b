import type { IncomingHttpHeaders } from 'node:http';
import type { Application } from './application.ts';
import { Failure } from './failure.ts';
import { type Context, type Middleware, reply } from './http.ts';
import type { ApiKeyRepository } from './repositories.ts';

export class Authenticator {
  keys: ApiKeyRepository;

  constructor(keys: ApiKeyRepository) {
    this.keys = keys;
  }

  /** The key that a request carries in either of the two headers of section 5. */
  keyIn(headers: IncomingHttpHeaders): string | undefined {
    return single(headers['x-api-key']) ?? /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  }

  identify(context: Context): string {
    const key = this.keyIn(context.headers);
    const organizationId = key ? this.keys.ownerOf(key) : undefined;
    if (organizationId === undefined) throw new Failure('unauthenticated', 'Authentication required');
    return organizationId;
  }
}

export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** The pipeline of the base server; the handler of the operation stands behind the last one. */
export function standardPipeline(app: Application): Middleware[] {
  return [
    {
      name: 'errors',
      run: async (_context, next) => {
        try {
          return await next();
        } catch (error) {
          const failure = error instanceof Failure ? error : new Failure('internal', 'Internal error');
          const status = failure.status ?? app.settings.failureStatus[failure.kind];
          return reply(status, app.settings.failureBody(failure.kind, failure.message, status));
        }
      },
    },
    {
      name: 'routing',
      run: (context, next) => {
        const match = app.router.match(context.method, context.path);
        if (!match) throw new Failure('unknown-route', 'No such endpoint');
        Object.assign(context, match);
        return next();
      },
    },
    {
      name: 'authentication',
      run: (context, next) => {
        context.organizationId = app.authenticator.identify(context);
        return next();
      },
    },
    {
      name: 'body',
      run: (context, next) => {
        context.input = parseObject(context.rawBody);
        return next();
      },
    },
  ];
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Answered below, like any other value that is not an object.
  }
  throw new Failure('invalid', 'The body must be a JSON object');
}
