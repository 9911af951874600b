import { type Judgement, type Mistake, notFound, partly, yes } from '../mistake.ts';

/** The text of server.mjs, which a mistake changes. */
export interface Source {
  text: string;
}

/** One mistake of a team in a hurry: a few lines of server.mjs, replaced by others. Each must be there exactly once. */
function mistake(
  name: string,
  what: string,
  judged: Judgement,
  ...edits: [part: string, by: string][]
): Mistake<Source> {
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

const authentication = [
  mistake(
    'bearer-forgotten',
    'Only X-API-Key is read.',
    yes('The request carries the key in Authorization, and gets 401; all ten operations have the same finding.'),
    ["req.get('x-api-key') ?? bearer", "req.get('x-api-key')"],
  ),
  mistake(
    'bearer-by-replace',
    'The scheme is cut off by replace(), so that a bare key in Authorization is good, too.',
    yes('A key without a scheme was accepted, and the request shows it; a warning by level.'),
    ['header?.match(/^Bearer (.+)$/i)?.[1]', "header?.replace('Bearer ', '')"],
  ),
  mistake(
    'refused-with-403',
    'A missing or wrong key gets 403.',
    yes('A request without a key gets 403 in place of 401. It fails for the tools, and only warns elsewhere.'),
    ['res.status(401)', 'res.status(403)'],
  ),
  mistake(
    'return-forgotten',
    'The return after the 401 is missing: the request goes on as the organization undefined.',
    notFound(
      'Nothing can find it: the client gets its 401, and what a request does for no organization shows in no response.',
    ),
    [
      "if (!found) return res.status(401).json({ error: 'authentication required' });\n    req.org = found.organization_id;",
      "if (!found) res.status(401).json({ error: 'authentication required' });\n    req.org = found?.organization_id ?? 'none';",
    ],
    ['const status = error.status ?? 500;', 'const status = error.status ?? 500;\n    if (res.headersSent) return;'],
  ),
  mistake(
    'body-parser-first',
    'express.json() stands before the authentication: broken JSON without a key gets 400.',
    yes('A body that breaks off, sent without a key, gets 400 in place of 401; a warning by level.'),
    ["  api.use(express.json({ limit: '1mb' }));\n\n  // Agents", '  // Agents'],
    ['  const findKey =', "  api.use(express.json({ limit: '1mb' }));\n  const findKey ="],
  ),
  mistake(
    'key-found-once-per-connection',
    'The organization is kept at the socket, to save a query: later requests of the connection need no key.',
    partly(
      'A request without a key succeeds beside others with one. That an earlier one had the key is said in a later finding.',
    ),
    ['if (!found) return', 'if (found) req.socket.org = found.organization_id;\n    if (!req.socket.org) return'],
    ['req.org = found.organization_id;', 'req.org = req.socket.org;'],
  ),
  mistake(
    'tools-before-authentication',
    'The route of the tools was put into another router, which has no authentication.',
    yes('Tools are listed for an empty key. All findings are of this one operation.'),
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
    yes('Lists were asked for at the same time with two keys, and both callers got that of one organization.'),
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
  mistake(
    'list-of-all-drives',
    'The list of drives forgets WHERE.',
    yes('Both organizations find the same drive in their lists.'),
    [
      "'SELECT * FROM drives WHERE organization_id = ? ORDER BY rowid LIMIT ? OFFSET ?')\n      .all(req.org, limit, offset)",
      "'SELECT * FROM drives ORDER BY rowid LIMIT ? OFFSET ?')\n      .all(limit, offset)",
    ],
  ),
  mistake(
    'files-of-everybody',
    'A drive is found by its id alone, whoever asks.',
    yes('A tree of another organization was deleted. Two more findings show the same for reading and for moving.'),
    [
      ".prepare('SELECT * FROM drives WHERE id = ? AND organization_id = ?')\n      .get(req.params.driveId, req.org)",
      ".prepare('SELECT * FROM drives WHERE id = ?').get(req.params.driveId)",
    ],
  ),
  mistake(
    'file-of-any-drive',
    'A file is found by its id, whatever the drive in the URL.',
    yes('The file was read under a drive of the other organization, so the drive in the URL counts for nothing.'),
    [
      "prepare('SELECT * FROM files WHERE id = ? AND drive_id = ?').get(req.params.fileId, drive.id)",
      "prepare('SELECT * FROM files WHERE id = ? AND ? IS NOT NULL').get(req.params.fileId, drive.id)",
    ],
  ),
  mistake(
    'registered-for-the-first-organization',
    'A new MCP server is registered for the first organization of the table: it was a TODO.',
    partly(
      'The new server is missing from the list. That it belongs to another organization is said in the second finding.',
    ),
    [
      '.run(id, req.org, name, url, type, time, time)',
      ".run(id, db.prepare('SELECT id FROM organizations ORDER BY rowid DESC').get().id, name, url, type, time, time)",
    ],
  ),
];

const pages = [
  mistake(
    'limit-by-parseint',
    'limit and offset go through parseInt() unchecked: limit=abc fails with 500, and limit=-1 returns all.',
    yes('pagination repeats limit=101, so nothing checks the bounds. More warnings show limit=-1, limit=0 and a 500.'),
    ['requireInteger(req.query.limit, 20, 1, 100)', "parseInt(req.query.limit ?? '20')"],
    ['requireInteger(req.query.offset, 0, 0, Number.MAX_SAFE_INTEGER)', "parseInt(req.query.offset ?? '0')"],
  ),
  mistake(
    'offset-counts-pages',
    'offset is taken for the number of the page.',
    yes('At offset=1 and limit=100 the page is empty, in place of one drive less.'),
    ['.all(req.org, limit, offset)', '.all(req.org, limit, offset * limit)'],
  ),
  mistake(
    'total-of-the-page',
    'total is the number of drives on the page.',
    notFound(
      'Nothing is broken: what total counts is open, and the number of drives on the page is one reading of it.',
    ),
    ['pagination: { limit, offset, total }', 'pagination: { limit, offset, total: total && rows.length }'],
  ),
  mistake(
    'pagination-as-text',
    'pagination repeats what the query said, as text.',
    yes('limit must be an integer, and the text "100" is shown.'),
    [
      'pagination: { limit, offset, total }',
      'pagination: { limit: req.query.limit ?? 20, offset: req.query.offset ?? 0, total }',
    ],
  ),
  mistake(
    'items-in-place-of-data',
    'The envelope has items, not data.',
    yes('data is required, and the response shows items.'),
    ['res.json({ data: rows.map(drivesRow),', 'res.json({ items: rows.map(drivesRow),'],
  ),
  mistake(
    'order-by-the-minute',
    'Drives are ordered by the minute of their creation alone; those of one minute come in any order.',
    notFound(
      'Nothing is broken: no order is stated. The checks that compare pages see that the order changes, and do not apply.',
    ),
    ['ORDER BY rowid LIMIT ? OFFSET ?', 'ORDER BY substr(created_at, 1, 16), random() LIMIT ? OFFSET ?'],
  ),
];

const creations = [
  mistake(
    'stored-before-checked',
    'The drive is inserted before its name is checked: a refused creation leaves a drive.',
    yes('The creation was refused with 400, and the list shows a new drive; a warning by level.'),
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
    partly(
      'A creation gets 500 beside others. That it takes two in one millisecond is for the reader to guess. Found by chance: not in every run.',
    ),
    [
      "const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
      `const id = \`drv-\${Date.now()}\`;\n    const time = now();\n    db.prepare('INSERT INTO drives`,
    ],
  ),
  mistake(
    'created-drive-in-an-envelope',
    'The new drive is returned as { drive: … }.',
    yes('id is required, and the response shows the object around the drive.'),
    ['res.status(201).json(drivesRow(drive))', 'res.status(201).json({ drive: drivesRow(drive) })'],
  ),
  mistake(
    'only-the-id-is-returned',
    'A creation returns the id alone.',
    yes('organizationId is required, and the response has the id alone.'),
    ['res.status(201).json(drivesRow(drive))', 'res.status(201).json({ id: drive.id })'],
  ),
  mistake(
    'white-space-is-collapsed',
    'Names are trimmed, which is legal, and all white space in them becomes one blank.',
    yes('The name that was sent has a tab and a line break, and the one that came has a blank.'),
    [
      "const name = requireText(req.body?.name, 'name');\n    const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
      "const name = requireText(req.body?.name, 'name').trim().replace(/\\s+/g, ' ');\n    const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
    ],
  ),
  mistake(
    'names-are-escaped',
    'Names are escaped for HTML before they are stored.',
    yes('A name with & was sent, and one with &amp; came.'),
    [
      '.run(id, req.org, name, time, time)',
      ".run(id, req.org, name.replace(/&/g, '&amp;').replace(/</g, '&lt;'), time, time)",
    ],
  ),
  mistake(
    'times-in-milliseconds',
    'Times of new drives are numbers.',
    yes('createdAt must be a string, and the number is shown.'),
    [
      '  createdAt: row.created_at,\n  updatedAt: row.updated_at,\n});\n\nconst fileRow',
      '  createdAt: Date.parse(row.created_at),\n  updatedAt: Date.parse(row.updated_at),\n});\n\nconst fileRow',
    ],
  ),
  mistake(
    'created-at-is-now',
    'createdAt is the time of the response: the field was mapped to a default.',
    yes('createdAt of one drive was another one when it was created, and both times are shown.'),
    ['  name: row.name,\n  createdAt: row.created_at,', '  name: row.name,\n  createdAt: now(),'],
  ),
];

const crashes = [
  mistake(
    'unread-body-crashes',
    'req.body is undefined for a body that is not declared as JSON, and nobody expects it: 500.',
    yes('Status 500, and the request shows Content-Type: text/plain; a warning by level.'),
    [
      "req.body?.name, 'name');\n    const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
      "req.body.name, 'name');\n    const id = randomUUID();\n    const time = now();\n    db.prepare('INSERT INTO drives",
    ],
  ),
  mistake(
    'unknown-drive-crashes',
    'Nobody checks whether the drive exists and belongs to the caller: 500.',
    yes('Status 500, and the URL has an id that does not exist; a warning by level.'),
    ["    if (!drive) throw new HttpError(404, 'drive not found');\n", ''],
  ),
  mistake(
    'unknown-file-crashes',
    'Nobody checks whether the file exists, or still does: 500.',
    yes('Status 500, and the URL has an id that does not exist; a warning by level.'),
    ["    if (!file) throw new HttpError(404, 'file not found');\n", ''],
  ),
  mistake(
    'taken-name-crashes',
    'Names of drives are unique in an organization, and a name that is taken fails with 500.',
    partly('The creation that gets 500 is shown, but not the one before that has its name. A warning by level.'),
    [
      'CREATE TABLE drives (id TEXT PRIMARY KEY, organization_id TEXT, name TEXT, created_at TEXT, updated_at TEXT)',
      'CREATE TABLE drives (id TEXT PRIMARY KEY, organization_id TEXT, name TEXT, created_at TEXT, updated_at TEXT, UNIQUE (organization_id, name))',
    ],
  ),
];

const files = [
  mistake(
    'pattern-only',
    'The path is checked by the pattern of the specification alone, whose look-ahead begins after the slash: /.. is good.',
    yes('A deletion of "/.." was accepted. The next finding shows the same for a move.'),
    [
      "if (path.split('/').includes('..')) throw",
      String.raw`if (!/^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(path)) throw`,
    ],
  ),
  mistake(
    'path-is-normalized',
    'The path is resolved in place of refused: /a/../b becomes /b.',
    yes('A path with /../ was accepted, and the response names the resolved one.'),
    [
      "if (path.split('/').includes('..')) throw new HttpError(400, 'path must not contain ..');",
      `if (path.split('/').includes('..')) return new URL(\`file://\${path}\`).pathname;`,
    ],
  ),
  mistake(
    'no-check-on-deletion',
    'Only the move checks its path; the deletion takes any text.',
    yes('A deletion of a path without a slash at its beginning was accepted. All findings are of the deletion.'),
    ['const path = requirePath(req.query.path);', "const path = requireText(req.query.path, 'path');"],
  ),
  mistake(
    'missing-path-clears-it',
    'A body without path is taken: the path becomes null.',
    partly(
      'A file is read whose name is null; the move without a path that made it so is not shown. A warning by level.',
    ),
    [
      'const path = requirePath(req.body?.path);',
      'const path = req.body?.path === undefined ? null : requirePath(req.body.path);',
    ],
    ["path.split('/').at(-1),", "path?.split('/').at(-1) ?? null,"],
  ),
  mistake(
    'answers-the-old-row',
    'The response of a move is the row that was read before.',
    yes('The response of the first move has the path from before it.'),
    ['res.json(fileRow(findFile(req)));', 'res.json(fileRow(file));'],
  ),
  mistake(
    'move-drops-the-description',
    'The update writes all columns of the body: description and summary are lost with every move.',
    yes('The description is there before the move, and absent after it; a warning by level.'),
    [
      'SET path = ?, name = ?, modified_at = ? WHERE',
      'SET path = ?, name = ?, modified_at = ?, description = NULL, summary = NULL WHERE',
    ],
  ),
  mistake(
    'status-of-the-queue',
    'status is that of the queue: done in place of ready.',
    yes('status must be one of three values, and "done" is shown.'),
    ['  status: row.status,', "  status: row.status === 'ready' ? 'done' : row.status,"],
  ),
  mistake(
    'snake-case',
    'contentType and modifiedAt have the names of their columns.',
    yes(
      'modifiedAt and contentType are missing, and the response shows modified_at and content_type; a warning by level.',
    ),
    ['  modifiedAt: row.modified_at,', '  modified_at: row.modified_at,'],
    ['  contentType: row.content_type,', '  content_type: row.content_type,'],
  ),
  mistake(
    'reading-touches',
    'Reading a file sets modifiedAt: it was meant to be a time of access.',
    yes('modifiedAt differs between two readings of a file that nothing has moved.'),
    [
      '    const file = findFile(req);\n    res.json(fileRow(file));',
      "    const file = findFile(req);\n    db.prepare('UPDATE files SET modified_at = ? WHERE id = ?').run(now(), file.id);\n    res.json(fileRow(file));",
    ],
  ),
];

const trees = [
  mistake(
    'prefix-without-a-slash',
    'The tree is everything that begins with the path: /ab goes with /a.',
    yes('Both paths are shown: /…/tree was deleted, and /…/tree-2/beside.md is gone.'),
    [`const prefix = path.endsWith('/') ? path : \`\${path}/\`;`, 'const prefix = path;'],
  ),
  mistake(
    'tree-of-all-drives',
    'The deletion forgets the drive: the same tree goes in every drive.',
    yes('A file at the same path is gone, and the message names its drive, which is not that of the deletion.'),
    [
      "'SELECT id, path FROM files WHERE drive_id = ?')\n      .all(drive.id)",
      "'SELECT id, path FROM files WHERE ? IS NOT NULL')\n      .all(drive.id)",
    ],
  ),
  mistake(
    'decoded-twice',
    'The path of the query is decoded once more: % fails with 500, %2F becomes a slash.',
    yes(
      'The directory with %41%2F in its name keeps its file. The second finding shows a file gone below the decoded name.',
    ),
    ['requirePath(req.query.path)', "requirePath(decodeURIComponent(req.query.path ?? ''))"],
  ),
  mistake(
    'nothing-is-returned',
    'The deletion returns 204.',
    yes('An object was expected, and the response has no body.'),
    [
      `res.json({ message: \`\${path} was deleted\`, jobId: randomUUID(), documentCount: doomed.length });`,
      'res.status(204).end();',
    ],
  ),
  mistake(
    'only-the-first-level',
    'Only files right below the path are deleted.',
    yes('The file at /…/tree/a/b/deep.md is still there after /…/tree was deleted.'),
    [
      '.filter((file) => file.path.startsWith(prefix))',
      ".filter((file) => file.path.startsWith(prefix) && !file.path.slice(prefix.length).includes('/'))",
    ],
  ),
];

const servers = [
  mistake(
    'list-in-an-envelope',
    'The list of MCP servers is { data: [] }, as that of drives is.',
    yes('The response must be an array, and the object with data is shown.'),
    ['res.json(rows.map(serverRow));', 'res.json({ data: rows.map(serverRow) });'],
  ),
  mistake(
    'tools-as-an-array',
    'The tools are an array without its object.',
    yes('The response must be an object that has tools, and an array is shown.'),
    ['res.json({ tools });', 'res.json(tools);'],
  ),
  mistake(
    'unknown-server-has-no-tools',
    'An unknown MCP server has an empty list of tools, with 200.',
    yes(
      'An id that does not exist gets 200 in place of 404. That a server of another organization does follows from it.',
    ),
    ["if (!server) throw new HttpError(404, 'MCP server not found');", 'if (!server) return res.json({ tools: [] });'],
  ),
  mistake(
    'unknown-server-crashes',
    'Nobody checks whether the MCP server exists: 500.',
    yes('An id that does not exist gets 500 in place of 404.'),
    ["if (!server) throw new HttpError(404, 'MCP server not found');\n", ''],
  ),
  mistake(
    'type-of-the-library',
    'The type of a new MCP server is that of the library: streamable-http.',
    yes('type must be sse or streamableHttp, and "streamable-http" is shown.'),
    [": 'streamableHttp';", ": 'streamable-http';"],
  ),
];

const agents = [
  mistake(
    'second-publication-fails',
    'A publication is inserted, and the agent has one already: 500.',
    yes('The same publication succeeded before, and fails with 500 from then on.'),
    ['INSERT OR REPLACE INTO publications', 'INSERT INTO publications'],
  ),
  mistake(
    'only-published-agents',
    'The list of agents joins the publications, so that agents without one are missing.',
    partly(
      'The declared agent is missing from the list. The second finding says that it appears when it is published.',
    ),
    ['LEFT JOIN publications', 'JOIN publications'],
  ),
  mistake(
    'publication-is-forgotten',
    'The publication is only written when the agent has no changes, by a wrong condition.',
    yes('The publication gets 200, and isPublished stays false; a warning by level.'),
    ["    db.prepare('INSERT OR REPLACE", "    if (revision.number > 2) db.prepare('INSERT OR REPLACE"],
  ),
];

const transport = [
  mistake(
    'error-pages-of-express',
    'There is no error handler: refusals are pages of Express, in HTML.',
    yes('The body of a 400 is not JSON, and the page is shown; a warning by level.'),
    [
      "res.status(status).json({ error: status === 500 ? 'internal error' : error.message });",
      // In this environment Express does not print each of them.
      "app.set('env', 'test');\n    _next(error);",
    ],
  ),
  mistake(
    'sent-as-text',
    'Drives are sent by res.send() of a text: the type is text/html.',
    yes('JSON was expected as the Content-Type, and text/html came; a warning by level.'),
    ['res.status(201).json(drivesRow(drive))', 'res.status(201).send(JSON.stringify(drivesRow(drive)))'],
  ),
  mistake(
    'everything-is-200',
    'Refusals are 200 with an error in the body.',
    partly('A file has no id: the response shows an error with status 200, which is for the reader to see.'),
    ['res.status(status).json({', 'res.status(status === 500 ? 500 : 200).json({'],
  ),
];

/** All mistakes of the team in a hurry, by what they concern. */
export const expressMistakes: readonly Mistake<Source>[] = [
  ...[
    ...authentication,
    ...organizations,
    ...pages,
    ...creations,
    ...crashes,
    ...files,
    ...trees,
    ...servers,
    ...agents,
  ],
  ...transport,
];
