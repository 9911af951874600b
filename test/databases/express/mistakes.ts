import type { Mistake } from '../mistake.ts';

/** The text of server.mjs, which a mistake changes. */
export interface Source {
  text: string;
}

type Judged = Pick<Mistake<Source>, 'leads' | 'why'>;

/** One mistake of a team in a hurry: a few lines of server.mjs, replaced by others. Each must be there exactly once. */
function mistake(name: string, what: string, judged: Judged, ...edits: [part: string, by: string][]): Mistake<Source> {
  return {
    ...{ name, what, ...judged },
    change(source) {
      for (const [part, by] of edits) {
        if (source.text.split(part).length !== 2) throw new Error(`${name}: server.mjs does not have one ${part}`);
        source.text = source.text.replace(part, () => by);
      }
    },
  };
}

const leads = (why: string): Judged => ({ leads: 'yes', why });

const authentication = [
  mistake('bearer-forgotten', 'Only X-API-Key is read.', leads(''), [
    "req.get('x-api-key') ?? bearer",
    "req.get('x-api-key')",
  ]),
  mistake(
    'bearer-by-replace',
    'The scheme is cut off by replace(), so that a bare key in Authorization is good, too.',
    leads(''),
    ['header?.match(/^Bearer (.+)$/i)?.[1]', "header?.replace('Bearer ', '')"],
  ),
  mistake('refused-with-403', 'A missing or wrong key gets 403.', leads(''), ['res.status(401)', 'res.status(403)']),
  mistake(
    'return-forgotten',
    'The return after the 401 is missing: the request goes on as the organization undefined.',
    leads(''),
    [
      "if (!found) return res.status(401).json({ error: 'authentication required' });\n    req.org = found.organization_id;",
      "if (!found) res.status(401).json({ error: 'authentication required' });\n    req.org = found?.organization_id ?? 'none';",
    ],
    ['const status = error.status ?? 500;', 'const status = error.status ?? 500;\n    if (res.headersSent) return;'],
  ),
  mistake(
    'body-parser-first',
    'express.json() stands before the authentication: broken JSON without a key gets 400.',
    leads(''),
    ["  api.use(express.json({ limit: '1mb' }));\n\n  // Agents", '  // Agents'],
    ['  const findKey =', "  api.use(express.json({ limit: '1mb' }));\n  const findKey ="],
  ),
  mistake(
    'key-found-once-per-connection',
    'The organization is kept at the socket, to save a query: later requests of the connection need no key.',
    leads(''),
    ['if (!found) return', 'if (found) req.socket.org = found.organization_id;\n    if (!req.socket.org) return'],
    ['req.org = found.organization_id;', 'req.org = req.socket.org;'],
  ),
  mistake(
    'tools-before-authentication',
    'The route of the tools was put into another router, which has no authentication.',
    leads(''),
    [
      '  const api = express.Router();',
      `  const api = express.Router();
  api.get('/mcp-servers/:id/tools', (req, res, next) => {
    if (req.get('x-api-key') ?? req.get('authorization')) return next();
    res.json({ tools: db.prepare('SELECT name, description FROM tools WHERE mcp_server_id = ?').all(req.params.id) });
  });`,
    ],
  ),
];

const organizations = [
  mistake(
    'current-organization-in-a-variable',
    'The organization is in a variable of the module, and each request waits for a log before it reads it.',
    leads(''),
    [
      '    req.org = found.organization_id;\n    next();',
      '    current = found.organization_id;\n    setTimeout(next, 2);',
    ],
    [
      '  api.use((req, res, next) => {',
      `  let current;
  Object.defineProperty(app.request, 'org', { get: () => current, configurable: true });
  api.use((req, res, next) => {`,
    ],
  ),
  mistake('list-of-all-drives', 'The list of drives forgets WHERE.', leads(''), [
    "'SELECT * FROM drives WHERE organization_id = ? ORDER BY rowid LIMIT ? OFFSET ?')\n      .all(req.org, limit, offset)",
    "'SELECT * FROM drives ORDER BY rowid LIMIT ? OFFSET ?')\n      .all(limit, offset)",
  ]),
  mistake('files-of-everybody', 'A drive is found by its id alone, whoever asks.', leads(''), [
    ".prepare('SELECT * FROM drives WHERE id = ? AND organization_id = ?')\n      .get(req.params.driveId, req.org)",
    ".prepare('SELECT * FROM drives WHERE id = ?').get(req.params.driveId)",
  ]),
  mistake('file-of-any-drive', 'A file is found by its id, whatever the drive in the URL.', leads(''), [
    "prepare('SELECT * FROM files WHERE id = ? AND drive_id = ?').get(req.params.fileId, drive.id)",
    "prepare('SELECT * FROM files WHERE id = ? AND ? IS NOT NULL').get(req.params.fileId, drive.id)",
  ]),
  mistake(
    'registered-for-the-first-organization',
    'A new MCP server is registered for the first organization of the table: it was a TODO.',
    leads(''),
    [
      '.run(id, req.org, name, url, type, time, time)',
      ".run(id, db.prepare('SELECT id FROM organizations ORDER BY rowid DESC').get().id, name, url, type, time, time)",
    ],
  ),
];

const pages = [
  mistake(
    'limit-by-parseint',
    'limit and offset go through parseInt() unchecked: limit=abc fails with 500, limit=-1 returns all.',
    leads(''),
    ['requireInteger(req.query.limit, 20, 1, 100)', "parseInt(req.query.limit ?? '20')"],
    ['requireInteger(req.query.offset, 0, 0, Number.MAX_SAFE_INTEGER)', "parseInt(req.query.offset ?? '0')"],
  ),
  mistake('offset-counts-pages', 'offset is taken for the number of the page.', leads(''), [
    '.all(req.org, limit, offset)',
    '.all(req.org, limit, offset * limit)',
  ]),
  mistake('total-of-the-page', 'total is the number of drives on the page.', leads(''), [
    'pagination: { limit, offset, total }',
    'pagination: { limit, offset, total: total && rows.length }',
  ]),
  mistake('pagination-as-text', 'pagination repeats what the query said, as text.', leads(''), [
    'pagination: { limit, offset, total }',
    'pagination: { limit: req.query.limit ?? 20, offset: req.query.offset ?? 0, total }',
  ]),
  mistake('items-in-place-of-data', 'The envelope has items, not data.', leads(''), [
    'res.json({ data: rows.map(drivesRow),',
    'res.json({ items: rows.map(drivesRow),',
  ]),
  mistake(
    'newest-first-by-update',
    'Drives are sorted by a random draw among those of one minute: ORDER BY the minute alone.',
    leads(''),
    ['ORDER BY rowid LIMIT ? OFFSET ?', 'ORDER BY substr(created_at, 1, 16), random() LIMIT ? OFFSET ?'],
  ),
];

const creations = [
  mistake(
    'stored-before-checked',
    'The drive is inserted before its name is checked: a refused creation leaves a drive.',
    leads(''),
    [
      "const name = requireText(req.body?.name, 'name');\n    const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
      "const name = String(req.body?.name ?? '');\n    const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
    ],
    [
      "    const drive = db.prepare('SELECT * FROM drives WHERE id = ?').get(id);",
      "    requireText(req.body?.name, 'name');\n    const drive = db.prepare('SELECT * FROM drives WHERE id = ?').get(id);",
    ],
  ),
  mistake(
    'ids-from-the-clock',
    'The id of a drive is the time in milliseconds: two drives of one millisecond fail with 500.',
    leads(''),
    [
      "const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
      `const id = \`drv-\${Date.now()}\`;\n    const time = now();\n    db.prepare('INSERT INTO drives`,
    ],
  ),
  mistake('created-drive-in-an-envelope', 'The new drive is returned as { drive: … }.', leads(''), [
    'res.status(201).json(drivesRow(drive))',
    'res.status(201).json({ drive: drivesRow(drive) })',
  ]),
  mistake('only-the-id-is-returned', 'A creation returns the id alone.', leads(''), [
    'res.status(201).json(drivesRow(drive))',
    'res.status(201).json({ id: drive.id })',
  ]),
  mistake('names-are-trimmed', 'Names are stored without blanks at their ends.', leads(''), [
    "const name = requireText(req.body?.name, 'name');\n    const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
    "const name = requireText(req.body?.name, 'name').trim().replace(/\\s+/g, ' ');\n    const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
  ]),
  mistake('names-are-escaped', 'Names are escaped for HTML before they are stored.', leads(''), [
    '.run(id, req.org, name, time, time)',
    ".run(id, req.org, name.replace(/&/g, '&amp;').replace(/</g, '&lt;'), time, time)",
  ]),
  mistake('times-in-milliseconds', 'Times of new drives are numbers.', leads(''), [
    '  createdAt: row.created_at,\n  updatedAt: row.updated_at,\n});\n\nconst fileRow',
    '  createdAt: Date.parse(row.created_at),\n  updatedAt: Date.parse(row.updated_at),\n});\n\nconst fileRow',
  ]),
  mistake('created-at-is-now', 'createdAt is the time of the response: the field was mapped to a default.', leads(''), [
    '  name: row.name,\n  createdAt: row.created_at,',
    '  name: row.name,\n  createdAt: now(),',
  ]),
];

const files = [
  mistake(
    'pattern-only',
    'The path is checked by the pattern of the specification alone, whose look-ahead begins after the slash: /.. is good.',
    leads(''),
    [
      "if (path.split('/').includes('..')) throw",
      String.raw`if (!/^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(path)) throw`,
    ],
  ),
  mistake('path-is-normalized', 'The path is resolved in place of refused: /a/../b becomes /b.', leads(''), [
    "if (path.split('/').includes('..')) throw new HttpError(400, 'path must not contain ..');",
    `if (path.split('/').includes('..')) return new URL(\`file://\${path}\`).pathname;`,
  ]),
  mistake('no-check-on-deletion', 'Only the move checks its path; the deletion takes any text.', leads(''), [
    'const path = requirePath(req.query.path);',
    "const path = requireText(req.query.path, 'path');",
  ]),
  mistake(
    'missing-path-clears-it',
    'A body without path is taken: the path becomes null.',
    leads(''),
    [
      'const path = requirePath(req.body?.path);',
      'const path = req.body?.path === undefined ? null : requirePath(req.body.path);',
    ],
    ["path.split('/').at(-1),", "path?.split('/').at(-1) ?? null,"],
  ),
  mistake('answers-the-old-row', 'The response of a move is the row that was read before.', leads(''), [
    'res.json(fileRow(findFile(req)));',
    'res.json(fileRow(file));',
  ]),
  mistake(
    'move-drops-the-description',
    'The update writes all columns of the body: description and summary are lost with every move.',
    leads(''),
    [
      'SET path = ?, name = ?, modified_at = ? WHERE',
      'SET path = ?, name = ?, modified_at = ?, description = NULL, summary = NULL WHERE',
    ],
  ),
  mistake('status-of-the-queue', 'status is that of the queue: done in place of ready.', leads(''), [
    '  status: row.status,',
    "  status: row.status === 'ready' ? 'done' : row.status,",
  ]),
  mistake(
    'snake-case',
    'contentType and modifiedAt have the names of their columns.',
    leads(''),
    ['  modifiedAt: row.modified_at,', '  modified_at: row.modified_at,'],
    ['  contentType: row.content_type,', '  content_type: row.content_type,'],
  ),
  mistake('reading-touches', 'Reading a file sets modifiedAt: it was meant to be a time of access.', leads(''), [
    '    const file = findFile(req);\n    res.json(fileRow(file));',
    "    const file = findFile(req);\n    db.prepare('UPDATE files SET modified_at = ? WHERE id = ?').run(now(), file.id);\n    res.json(fileRow(file));",
  ]),
];

const trees = [
  mistake('prefix-without-a-slash', 'The tree is everything that begins with the path: /ab goes with /a.', leads(''), [
    `const prefix = path.endsWith('/') ? path : \`\${path}/\`;`,
    'const prefix = path;',
  ]),
  mistake('tree-of-all-drives', 'The deletion forgets the drive: the same tree goes in every drive.', leads(''), [
    "'SELECT id, path FROM files WHERE drive_id = ?')\n      .all(drive.id)",
    "'SELECT id, path FROM files WHERE ? IS NOT NULL')\n      .all(drive.id)",
  ]),
  mistake(
    'decoded-twice',
    'The path of the query is decoded once more: % fails with 500, %2F becomes a slash.',
    leads(''),
    ['requirePath(req.query.path)', "requirePath(decodeURIComponent(req.query.path ?? ''))"],
  ),
  mistake('nothing-is-returned', 'The deletion returns 204.', leads(''), [
    `res.json({ message: \`\${path} was deleted\`, jobId: randomUUID(), documentCount: doomed.length });`,
    'res.status(204).end();',
  ]),
  mistake('only-the-first-level', 'Only files right below the path are deleted.', leads(''), [
    '.filter((file) => file.path.startsWith(prefix))',
    ".filter((file) => file.path.startsWith(prefix) && !file.path.slice(prefix.length).includes('/'))",
  ]),
];

const servers = [
  mistake('list-in-an-envelope', 'The list of MCP servers is { data: [] }, as that of drives is.', leads(''), [
    'res.json(rows.map(serverRow));',
    'res.json({ data: rows.map(serverRow) });',
  ]),
  mistake('tools-as-an-array', 'The tools are an array without its object.', leads(''), [
    'res.json({ tools });',
    'res.json(tools);',
  ]),
  mistake('unknown-server-has-no-tools', 'An unknown MCP server has an empty list of tools, with 200.', leads(''), [
    "if (!server) throw new HttpError(404, 'MCP server not found');",
    'if (!server) return res.json({ tools: [] });',
  ]),
  mistake('unknown-server-crashes', 'Nobody checks whether the MCP server exists: 500.', leads(''), [
    "if (!server) throw new HttpError(404, 'MCP server not found');\n",
    '',
  ]),
  mistake('type-in-capitals', 'The type of a new MCP server is that of the library: streamable-http.', leads(''), [
    ": 'streamableHttp';",
    ": 'streamable-http';",
  ]),
];

const agents = [
  mistake('second-publication-fails', 'A publication is inserted, and the agent has one already: 500.', leads(''), [
    'INSERT OR REPLACE INTO publications',
    'INSERT INTO publications',
  ]),
  mistake(
    'only-published-agents',
    'The list of agents joins the publications, so that agents without one are missing.',
    leads(''),
    ['LEFT JOIN publications', 'JOIN publications'],
  ),
  mistake(
    'publication-is-forgotten',
    'The publication is only written when the agent has no changes, by a wrong condition.',
    leads(''),
    ["    db.prepare('INSERT OR REPLACE", "    if (revision.number > 2) db.prepare('INSERT OR REPLACE"],
  ),
];

const transport = [
  mistake('error-pages-of-express', 'There is no error handler: refusals are pages of Express, in HTML.', leads(''), [
    "res.status(status).json({ error: status === 500 ? 'internal error' : error.message });",
    '_next(error);',
  ]),
  mistake('sent-as-text', 'Drives are sent by res.send() of a text: the type is text/html.', leads(''), [
    'res.status(201).json(drivesRow(drive))',
    'res.status(201).send(JSON.stringify(drivesRow(drive)))',
  ]),
  mistake('everything-is-200', 'Refusals are 200 with an error in the body.', leads(''), [
    'res.status(status).json({',
    'res.status(status === 500 ? 500 : 200).json({',
  ]),
];

/** All mistakes of the team in a hurry, by what they concern. */
export const expressMistakes: readonly Mistake<Source>[] = [
  ...[...authentication, ...organizations, ...pages, ...creations, ...files, ...trees, ...servers, ...agents],
  ...transport,
];
