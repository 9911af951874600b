import { randomUUID } from 'node:crypto';
import { Failure } from '../base/failure.ts';
import { reply } from '../base/http.ts';
import { around, aroundOperation, insertBefore, type Json, legalSetup, mapBody, type Variant } from '../variant.ts';
import { slow } from './answers.ts';
import { formats, moreFields, refuseUnknownQuery } from './data.ts';

/** Several legal choices together, as teams with different frameworks make them. */
export const teamVariants: readonly Variant[] = [
  legalSetup(
    'team-with-python',
    '4',
    'UUIDs, microseconds with +00:00, 422 with details, 200 for creations, unknown parameters ignored, default limit 10.',
    (settings) => {
      settings.newId = () => randomUUID();
      settings.timestamp = (date) => date.toISOString().replace('Z', '321+00:00');
      settings.failureStatus.invalid = 422;
      settings.failureBody = (kind, message) => ({ detail: [{ loc: ['body', 'path'], msg: message, type: kind }] });
      Object.assign(settings.successStatus, { createDrive: 200, createMcpServer: 200 });
      settings['pagingDefaults.limit'] = 10;
    },
  ),

  legalSetup(
    'team-with-rails',
    '4',
    'Ids of digits, newest first, errors by field with 422, 204 for publishing, request ids and a cookie.',
    (settings) => {
      let last = 41_000;
      settings.newId = () => String(++last);
      settings.failureStatus.invalid = 422;
      settings.failureBody = (_kind, message) => ({ errors: { base: [message] } });
    },
    (app) => {
      around(app.drives, 'page', (_page, organizationId, limit, offset) =>
        app.db.drives
          .select({ where: { organizationId } })
          .reverse()
          .slice(offset, offset + limit),
      );
      aroundOperation(app, 'publishRevision', async (next, context) => {
        await next(context);
        return reply(204);
      });
      insertBefore(app, 'errors', async (_context, next) => {
        const answer = await next();
        return {
          ...answer,
          headers: { ...answer.headers, 'x-request-id': randomUUID(), 'set-cookie': '_app=1; path=/' },
        };
      });
    },
  ),

  legalSetup(
    'team-with-dotnet',
    '4',
    'Problem objects, seven digits of fraction, 202 for deletions that take 200 ms, unknown trees 404, taken names 409.',
    (settings) => {
      settings.timestamp = (date) => date.toISOString().replace('Z', '4567Z');
      settings.failureBody = (kind, message, status) => ({ type: 'about:blank', title: kind, status, detail: message });
      settings.successStatus.deleteTree = 202;
      settings.settleMs = 300;
    },
    (app) => {
      around(app.fileService, 'deleteTree', (deleteIt, organizationId, driveId, directory) => {
        app.driveService.get(organizationId, driveId);
        if (app.files.inTree(driveId, directory).length === 0) throw new Failure('not-found', 'Directory not found');
        return deleteIt(organizationId, driveId, directory);
      });
      around(app.files, 'delete', (deleteThem, ids) => app.timers.after(200, () => deleteThem(ids)));
      around(app.driveService, 'create', (create, organizationId, name) => {
        if (app.db.drives.count({ organizationId, name })) throw new Failure('conflict', 'The name is taken');
        return create(organizationId, name);
      });
    },
  ),

  legalSetup(
    'team-with-java',
    '4',
    'Seconds without fraction, errors with path and time, foreign drives 403, strict about parameters, indented JSON.',
    (settings) => {
      settings.timestamp = formats.noFraction;
      settings.failureBody = (kind, message, status) => ({
        timestamp: new Date().toISOString(),
        status,
        error: kind,
        message,
        path: '/v0.1',
      });
    },
    (app) => {
      refuseUnknownQuery(app);
      around(app.driveService, 'get', (get, organizationId, id) => {
        if (!app.drives.find(organizationId, id)) throw new Failure('not-found', 'Forbidden', 403);
        return get(organizationId, id);
      });
      around(app, 'encode', (encode, answer, context) =>
        answer.body === undefined
          ? encode(answer, context)
          : {
              headers: { 'content-type': 'application/json;charset=UTF-8' },
              bytes: Buffer.from(JSON.stringify(answer.body, null, 2)),
            },
      );
    },
  ),

  legalSetup(
    'team-with-go',
    '4',
    'ULIDs, zeros at the end of fractions left out, plain text errors, clamped limits, another tree parameter, drives by name.',
    (settings) => {
      settings.newId = formats.ulid;
      settings.timestamp = (date) => date.toISOString().replace(/\.?0+Z$/, 'Z');
      settings.treePathParameter = 'dir';
    },
    (app) => {
      around(app.pageRule, 'integer', (_integer, _name, text, fallback, least, most) => {
        const value = Number(text ?? fallback);
        return Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : fallback;
      });
      around(app, 'encode', (encode, answer, context) =>
        answer.status >= 400
          ? { headers: { 'content-type': 'text/plain' }, bytes: Buffer.from('error\n') }
          : encode(answer, context),
      );
      around(app.drives, 'page', (_page, organizationId, limit, offset) =>
        app.db.drives.select({
          where: { organizationId },
          orderBy: (a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
          limit,
          offset,
        }),
      );
    },
  ),

  legalSetup(
    'team-with-events',
    '4',
    'Creations, publications and deletions are answered 202 and show after 150 ms; objects carry a revision count.',
    (settings) => {
      Object.assign(settings.successStatus, {
        createDrive: 202,
        createMcpServer: 202,
        publishRevision: 202,
        deleteTree: 202,
      });
      settings.settleMs = 280;
    },
    (app) => {
      around(app.drives, 'insert', (insert, row) => {
        app.timers.after(150, () => insert(row));
        return row;
      });
      around(app.mcpServers, 'insert', (insert, row) => {
        app.timers.after(150, () => insert(row));
        return row;
      });
      around(app.agents, 'activate', (activate, agentId, revisionId, at) =>
        app.timers.after(150, () => activate(agentId, revisionId, at)),
      );
      around(app.files, 'delete', (deleteThem, ids) => app.timers.after(150, () => deleteThem(ids)));
      moreFields(app, () => ({ eventNumber: 7 }));
    },
  ),

  legalSetup(
    'team-behind-a-gateway',
    '4',
    'HTML errors, 60 ms for each answer, connections closed, charset in content types, rate limit headers, publishing answers the agent.',
    () => {},
    (app) => {
      slow(app, () => 60);
      around(app, 'encode', (encode, answer, context) => {
        if (answer.status >= 400)
          return { headers: { 'content-type': 'text/html' }, bytes: Buffer.from(`<h1>${answer.status}</h1>`) };
        return { headers: { 'content-type': 'application/json; charset=utf-8' }, bytes: encode(answer, context).bytes };
      });
      insertBefore(app, 'errors', async (_context, next) => {
        const answer = await next();
        return { ...answer, headers: { ...answer.headers, connection: 'close', 'x-ratelimit-remaining': '1000' } };
      });
      mapBody(app, 'publishRevision', (_body, context) => {
        const agent = app.agents.find(context.organizationId, context.params['agentId'] ?? '');
        return agent ? app.serializers.agent(agent) : {};
      });
    },
  ),

  legalSetup(
    'team-with-strict-names',
    '4',
    'Plain names only, unique in any case, https servers only, paths without odd characters, all refused with 400 and no body.',
    (settings) => {
      settings.failureBody = () => undefined;
    },
    (app) => {
      const check = (broken: boolean): void => {
        if (broken) throw new Failure('invalid', 'Bad value');
      };
      around(app.driveService, 'create', (create, organizationId, name) => {
        check(
          !/^[\w .-]{1,80}$/.test(name) ||
            app.db.drives.count(
              (drive) => drive.organizationId === organizationId && drive.name.toLowerCase() === name.toLowerCase(),
            ) > 0,
        );
        return create(organizationId, name);
      });
      around(app.mcpServerService, 'register', (register, organizationId, name, url) => {
        check(!/^https:\/\/[^/:@]+\//.test(url) || !/^[\w .-]{1,80}$/.test(name));
        return register(organizationId, name, url);
      });
      around(app.fileService, 'move', (move, organizationId, driveId, fileId, path) => {
        check(/[\\<>:"|?*]|\/(\/|$)/.test(path));
        return move(organizationId, driveId, fileId, path);
      });
    },
  ),

  legalSetup(
    'busy-organization',
    '4',
    'Drives, servers and file states change all the while, lists come newest first, and more fields tell of it.',
    () => {},
    (app) => {
      const owners = app.db.organizations.select();
      let left = 15;
      app.timers.every(90, () => {
        if (left-- <= 0) return;
        for (const { id } of owners) {
          app.driveService.create(id, `Busy ${left}`);
          app.mcpServerService.register(id, `Busy ${left}`, `https://busy-${left}.example.org/mcp`);
        }
        for (const file of app.db.files.select({ where: { status: 'processing' }, limit: 2 }))
          app.files.update(file.id, { status: 'ready' });
      });
      around(app.mcpServers, 'list', (list, organizationId) => list(organizationId).reverse());
      moreFields(app, (item: Json) => ({ href: `/things/${item.id}`, lockedBy: null }));
    },
  ),
];
