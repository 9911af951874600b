import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Application } from '../base/application.ts';
import { Failure } from '../base/failure.ts';
import type { IdKind, Settings } from '../base/settings.ts';
import { around, insertBefore, type Json, legal, legalSetup, mapBody, type Variant, without } from '../variant.ts';

function ids(name: string, what: string, make: (kind: IdKind) => string): Variant {
  return legalSetup(name, '2', what, (settings) => {
    settings.newId = make;
  });
}

function times(name: string, what: string, write: (date: Date) => string): Variant {
  return legalSetup(name, '2', what, (settings) => {
    settings.timestamp = write;
  });
}

function treeParameter(parameter: string): Variant {
  return legalSetup(
    `tree-parameter-${parameter.toLowerCase().replace(/[^a-z]+/g, '-')}`,
    '4.7',
    `The path of a tree is sent as ${parameter}.`,
    (settings) => {
      settings.treePathParameter = parameter;
    },
  );
}

/** More fields in the objects of section 2. */
export function moreFields(app: Application, fields: (item: Json) => object): void {
  const change = (item: Json): Json => ({ ...item, ...fields(item) });
  around(app.serializers, 'agent', (write, row) => change(write(row)));
  around(app.serializers, 'drive', (write, row) => change(write(row)));
  around(app.serializers, 'file', (write, row) => change(write(row)));
  around(app.serializers, 'mcpServer', (write, row) => change(write(row)));
}

let counter = 1_000;
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ulid = (): string =>
  Array.from({ length: 26 }, (_, index) => base32[index === 0 ? randomInt(8) : randomInt(32)]).join('');
const shuffled = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
const noFraction = (date: Date): string => date.toISOString().replace(/\.\d+/, '');

export const dataVariants: readonly Variant[] = [
  // Ids
  ids('ids-are-uuids', 'Ids are UUIDs.', () => randomUUID()),
  ids('ids-are-digits', 'Ids are strings of digits that count up over all kinds.', () => String(++counter)),
  ids('ids-are-ulids', 'Ids are ULIDs.', ulid),
  ids('ids-are-long', 'Ids are 160 characters long.', () => randomBytes(80).toString('hex')),
  ids('ids-are-short', 'Ids have few characters.', () => (++counter).toString(36)),
  ids('ids-with-colons', 'Ids have the form kind:region:number.', (kind) => `${kind}:eu-1:${++counter}`),
  ids('ids-are-padded-base64', 'Ids are base64 of a global id, with equals signs.', (kind) =>
    Buffer.from(`${kind}:${++counter}:${kind === 'drv' ? 'x' : 'xy'}`)
      .toString('base64')
      .replaceAll('/', '_')
      .replaceAll('+', '-'),
  ),
  ids(
    'ids-with-dots-and-tildes',
    'Ids hold dots and tildes.',
    () => `${randomBytes(4).toString('hex')}.${++counter}~1`,
  ),
  ids(
    'ids-with-blanks',
    'Ids hold blanks and at signs, which have to be encoded in addresses.',
    (kind) => `${kind} @${++counter}`,
  ),

  // Times
  times('times-in-seconds', 'Times have no fraction.', noFraction),
  times('times-in-microseconds', 'Times have six digits of fraction.', (date) =>
    date.toISOString().replace('Z', '123Z'),
  ),
  times('times-in-nanoseconds', 'Times have nine digits of fraction.', (date) =>
    date.toISOString().replace('Z', '123456Z'),
  ),
  times('times-with-zero-offset', 'Times have the offset +00:00 instead of Z.', (date) =>
    date.toISOString().replace('Z', '+00:00'),
  ),
  times('times-trim-zeros', 'The zeros at the end of a fraction are left out.', (date) =>
    date.toISOString().replace(/\.?0+Z$/, 'Z'),
  ),
  times('times-in-microseconds-with-offset', 'Times have six digits of fraction and the offset +00:00.', (date) =>
    date.toISOString().replace('Z', '042+00:00'),
  ),
  legal(
    'updated-a-little-after-created',
    '2',
    'A new drive or server is updated a second time when it is set up, so that updatedAt is later than createdAt.',
    (app) => {
      const later = (date: Date): Date => new Date(date.getTime() + 12);
      around(app.drives, 'insert', (insert, row) => insert({ ...row, updatedAt: later(row.updatedAt) }));
      around(app.mcpServers, 'insert', (insert, row) => insert({ ...row, updatedAt: later(row.updatedAt) }));
    },
  ),
  legalSetup('clock-two-minutes-behind', '2', 'The clock of the server is two minutes behind.', (settings) => {
    settings.now = () => new Date(Date.now() - 120_000);
  }),

  // The parameter of 4.7
  ...['directory', 'prefix', 'treePath', 'dir', 'folder_path', 'root'].map(treeParameter),

  // More fields, and what optional ones hold
  legal('objects-with-links', '2', 'Objects carry links.', (app) =>
    moreFields(app, (item) => ({ _links: { self: `/v0.1/things/${item.id}` } })),
  ),
  legal(
    'objects-with-versions',
    '2',
    'Objects carry a version, a deletion time that is null, and who made them.',
    (app) => moreFields(app, () => ({ version: 3, deletedAt: null, createdBy: 'user_1' })),
  ),
  legal('drive-with-usage', '4.3', 'Drives tell how many files they hold and an owner object.', (app) =>
    around(app.serializers, 'drive', (drive, row) => ({
      ...drive(row),
      fileCount: app.db.files.count({ driveId: row.id }),
      organization: { id: row.organizationId },
    })),
  ),
  legal('server-with-secrets-hint', '4.8', 'Servers tell their health and which headers they need.', (app) =>
    around(app.serializers, 'mcpServer', (server, row) => ({
      ...server(row),
      status: 'unknown',
      requiredHeaders: [],
      toolCount: null,
    })),
  ),
  legal('tools-with-schemas', '4.10', 'Tools come with their input schema and annotations.', (app) =>
    around(app.serializers, 'tool', (tool, row) => ({
      ...tool(row),
      title: row.name,
      inputSchema: { type: 'object', properties: {} },
      annotations: null,
    })),
  ),
  legal('tools-with-cursor', '4.10', 'The tools come with a cursor that is null and the id of their server.', (app) =>
    mapBody(app, 'listTools', (body, context) => ({
      ...body,
      nextCursor: null,
      serverId: context.params['mcpServerId'],
    })),
  ),
  legal('tools-without-texts', '4.10', 'Some tools have an empty description.', (app) =>
    around(app.serializers, 'tool', (tool, row) => ({
      ...tool(row),
      description: row.name.length % 2 ? '' : row.description,
    })),
  ),
  legal('agents-with-revisions', '4.1', 'Agents tell their active revision and their model.', (app) =>
    around(app.serializers, 'agent', (agent, row) => ({
      ...agent(row),
      activeRevisionId: row.activeRevisionId,
      model: 'large',
    })),
  ),
  legal('agents-without-texts', '2', 'The description of every agent is empty.', (app) =>
    around(app.serializers, 'agent', (agent, row) => ({ ...agent(row), description: '' })),
  ),
  legal('files-with-sums', '4.5', 'Files carry check sums, their drive and a download address.', (app) =>
    around(app.serializers, 'file', (file, row) => ({
      ...file(row),
      sha256: 'ab'.repeat(32),
      driveId: row.driveId,
      downloadUrl: null,
    })),
  ),
  legal('files-without-texts', '2', 'description and summary of all files are empty and metadata has no keys.', (app) =>
    around(app.serializers, 'file', (file, row) => ({ ...file(row), description: '', summary: '', metadata: {} })),
  ),
  legal('files-with-rich-metadata', '2', 'metadata holds nested objects, lists, numbers and nulls.', (app) =>
    around(app.serializers, 'file', (file, row) => ({
      ...file(row),
      metadata: { ...row.metadata, exif: { gps: [1.5, null] }, kind: 'folder', '': 0 },
    })),
  ),
  legal('files-of-unknown-size', '2', 'The size of files that are not ready is 0.', (app) =>
    around(app.serializers, 'file', (file, row) => ({ ...file(row), size: row.status === 'ready' ? row.size : 0 })),
  ),
  legal('content-type-with-charset', '2', 'The content type of files carries a parameter.', (app) =>
    around(app.serializers, 'file', (file, row) => ({
      ...file(row),
      contentType: `${row.contentType}; charset=binary`,
    })),
  ),
  legal('all-files-ready', '3', 'All files are ready.', (app) => {
    app.db.files.update({}, { status: 'ready' });
  }),
  legal('summary-left-out-while-processing', '2', 'A file has no field summary before it is ready.', (app) =>
    around(app.serializers, 'file', (file, row) =>
      row.status === 'ready' ? file(row) : without(file(row), 'summary'),
    ),
  ),
  legal('pagination-with-more', '4.4', 'pagination also has hasMore, page and the address of the next page.', (app) =>
    around(app.serializers, 'pagination', (pagination, page, total) => ({
      ...pagination(page, total),
      hasMore: page.offset + page.limit < total,
      page: Math.floor(page.offset / page.limit) + 1,
      next: null,
    })),
  ),
  legal(
    'drive-list-with-meta',
    '4.4',
    'Beside data and pagination there are a meta object and a list of errors.',
    (app) => mapBody(app, 'listDrives', (body) => ({ object: 'list', ...body, meta: { took: 3 }, errors: [] })),
  ),

  // Order
  legal('drives-newest-first', '4.4', 'The newest drive comes first.', (app) =>
    around(app.drives, 'page', (_page, organizationId, limit, offset) =>
      app.db.drives
        .select({ where: { organizationId } })
        .reverse()
        .slice(offset, offset + limit),
    ),
  ),
  legal('drives-by-name', '4.4', 'Drives are sorted by name and then by id.', (app) =>
    around(app.drives, 'page', (_page, organizationId, limit, offset) =>
      app.db.drives.select({
        where: { organizationId },
        orderBy: (a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
        limit,
        offset,
      }),
    ),
  ),
  legal('drives-by-id', '4.4', 'Drives are sorted by id.', (app) =>
    around(app.drives, 'page', (_page, organizationId, limit, offset) =>
      app.db.drives.select({ where: { organizationId }, orderBy: (a, b) => (a.id < b.id ? -1 : 1), limit, offset }),
    ),
  ),
  legal('unpaged-lists-in-any-order', '4.9', 'Agents, servers and tools come in another order each time.', (app) => {
    around(app.agents, 'list', (list, organizationId) => shuffled(list(organizationId)));
    around(app.mcpServers, 'list', (list, organizationId) => shuffled(list(organizationId)));
    around(app.mcpServers, 'tools', (tools, serverId) => shuffled(tools(serverId)));
  }),
  legal('agents-latest-update-first', '4.1', 'The agent that was updated last comes first.', (app) =>
    around(app.agents, 'list', (list, organizationId) =>
      list(organizationId).sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime()),
    ),
  ),

  // Defaults
  ...[1, 2, 50, 100].map((limit) =>
    legalSetup(`default-limit-${limit}`, '4.4', `The default of limit is ${limit}.`, (settings: Settings) => {
      settings['pagingDefaults.limit'] = limit;
    }),
  ),
  legal(
    'limit-clamped',
    '8',
    'A limit or offset out of range is brought into the range, and pagination tells what counts.',
    (app) =>
      around(app.pageRule, 'integer', (_integer, _name, text, fallback, least, most) => {
        const value = Number(text ?? fallback);
        return Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : fallback;
      }),
  ),
  legal('limit-out-of-range-is-the-default', '8', 'A limit or offset out of range is ignored.', (app) =>
    around(app.pageRule, 'integer', (integer, name, text, fallback, least, most) => {
      try {
        return integer(name, text, fallback, least, most);
      } catch {
        return fallback;
      }
    }),
  ),

  // Other clients at work
  legal(
    'others-create-drives',
    '4.4',
    'Another client of the organization creates drives all the while, and total grows.',
    (app) => {
      const owners = app.db.organizations.select();
      let left = 30;
      app.timers.every(70, () => {
        if (left-- > 0) for (const { id } of owners) app.driveService.create(id, `Drive of somebody ${left}`);
      });
    },
  ),
  legal(
    'others-create-and-drop-drives',
    '4.4',
    'Drives of another client come at the end of the list and go again.',
    (app) => {
      const owners = app.db.organizations.select();
      app.timers.every(60, () => {
        for (const { id } of owners) {
          const drive = app.driveService.create(id, 'Temporary');
          app.timers.after(40, () => app.db.drives.delete({ id: drive.id }));
        }
      });
    },
  ),
  legal('others-register-servers', '4.9', 'Another client registers MCP servers all the while.', (app) => {
    const owners = app.db.organizations.select();
    let left = 40;
    app.timers.every(60, () => {
      if (left-- > 0)
        for (const { id } of owners)
          app.mcpServerService.register(id, 'Another', `https://another-${left}.example.org/mcp`);
    });
  }),
  legal('others-add-and-edit-agents', '4.1', 'Somebody edits agents all the while, and adds some.', (app) => {
    let turn = 0;
    const agents = app.db.agents.select();
    app.timers.every(80, () => {
      const agent = agents[turn++ % agents.length];
      if (!agent) return;
      app.db.agents.update(
        { id: agent.id },
        { hasChanges: turn % 2 === 0, description: `Edited ${turn} times`, updatedAt: app.settings.now() },
      );
      if (turn < 12)
        app.db.agents.insert({
          ...agent,
          id: app.settings.newId('agt'),
          name: `Agent ${turn}`,
          activeRevisionId: null,
        });
    });
  }),
  legal(
    'files-are-processed-meanwhile',
    '3',
    'Files in processing become ready or end in error while others start anew.',
    (app) =>
      app.timers.every(90, () => {
        for (const file of app.db.files.select()) {
          const status =
            file.status === 'processing'
              ? Math.random() < 0.5
                ? 'ready'
                : 'error'
              : Math.random() < 0.1
                ? 'processing'
                : file.status;
          app.files.update(file.id, { status, summary: status === 'ready' ? 'A summary' : '' });
        }
      }),
  ),

  // Later than at once
  legalSetup(
    'deletion-in-the-background',
    '4.7',
    'Files of a deleted tree vanish 200 ms after the answer 202.',
    (settings) => {
      settings.settleMs = 300;
      settings.successStatus.deleteTree = 202;
    },
    (app) => around(app.files, 'delete', (deleteThem, doomed) => app.timers.after(200, () => deleteThem(doomed))),
  ),
  legalSetup(
    'deletion-file-by-file',
    '4.7',
    'Files of a deleted tree vanish one after the other within 400 ms.',
    (settings) => {
      settings.settleMs = 500;
    },
    (app) =>
      around(app.files, 'delete', (deleteThem, doomed) =>
        doomed.forEach((id, index) => app.timers.after((400 * index) / doomed.length, () => deleteThem([id]))),
      ),
  ),
  legalSetup(
    'new-drives-listed-later',
    '4.4',
    'New drives show in the list after 150 ms.',
    (settings) => {
      settings.settleMs = 250;
    },
    (app) =>
      around(app.drives, 'insert', (insert, row) => {
        app.timers.after(150, () => insert(row));
        return row;
      }),
  ),
  legalSetup(
    'new-servers-listed-later',
    '4.9',
    'New MCP servers show in the list after 150 ms.',
    (settings) => {
      settings.settleMs = 250;
    },
    (app) =>
      around(app.mcpServers, 'insert', (insert, row) => {
        app.timers.after(150, () => insert(row));
        return row;
      }),
  ),
  legalSetup(
    'publication-in-the-background',
    '4.2',
    'A publication is accepted with 202 and shows on the agent after 150 ms.',
    (settings) => {
      settings.settleMs = 250;
      settings.successStatus.publishRevision = 202;
    },
    (app) =>
      around(app.agents, 'activate', (activate, agentId, revisionId, at) =>
        app.timers.after(150, () => activate(agentId, revisionId, at)),
      ),
  ),
  legalSetup(
    'moves-read-from-a-replica',
    '4.5',
    'Reads of files come from a replica that follows moves after 120 ms.',
    (settings) => {
      settings.settleMs = 250;
    },
    (app) => {
      const before = new Map<string, { body: Json; until: number }>();
      around(app.fileService, 'move', (move, organizationId, driveId, fileId, path) => {
        const body = app.serializers.file(app.fileService.get(organizationId, driveId, fileId));
        const moved = move(organizationId, driveId, fileId, path);
        before.set(fileId, { body, until: Date.now() + 120 });
        return moved;
      });
      mapBody(app, 'getFile', (body) => {
        const old = before.get(body.id);
        return old && old.until > Date.now() ? old.body : body;
      });
    },
  ),
];

/** Used by the combinations. */
export const formats = { noFraction, ulid };

export function refuseUnknownQuery(app: Application): void {
  insertBefore(app, 'body', (context, next) => {
    const known =
      context.operation === 'listDrives'
        ? ['limit', 'offset']
        : context.operation === 'deleteTree'
          ? [app.settings.treePathParameter]
          : [];
    if ([...context.query.keys()].some((key) => !known.includes(key)))
      throw new Failure('invalid', 'Unknown parameter');
    return next();
  });
}
