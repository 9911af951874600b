// The service as a team in a hurry writes it: one file, Express, SQLite. mistakes.ts changes single lines of it.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express from 'express';

export const schema = `
  CREATE TABLE organizations (id TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE api_keys (key TEXT PRIMARY KEY, organization_id TEXT);
  CREATE TABLE agents (id TEXT PRIMARY KEY, organization_id TEXT, name TEXT, description TEXT, created_at TEXT, updated_at TEXT);
  CREATE TABLE revisions (id TEXT PRIMARY KEY, agent_id TEXT, number INTEGER);
  CREATE TABLE publications (agent_id TEXT PRIMARY KEY, revision_id TEXT);
  CREATE TABLE drives (id TEXT PRIMARY KEY, organization_id TEXT, name TEXT, created_at TEXT, updated_at TEXT);
  CREATE TABLE files (id TEXT PRIMARY KEY, drive_id TEXT, name TEXT, path TEXT, status TEXT, modified_at TEXT, size INTEGER,
    content_type TEXT, description TEXT, summary TEXT, metadata TEXT);
  CREATE TABLE mcp_servers (id TEXT PRIMARY KEY, organization_id TEXT, name TEXT, url TEXT, type TEXT, created_at TEXT, updated_at TEXT);
  CREATE TABLE tools (id TEXT PRIMARY KEY, mcp_server_id TEXT, name TEXT, description TEXT);
`;

export function openDatabase() {
  const db = new DatabaseSync(':memory:');
  db.exec(schema);
  return db;
}

const now = () => new Date().toISOString();

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const drivesRow = (row) => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const fileRow = (row) => ({
  kind: 'file',
  id: row.id,
  name: row.name,
  path: row.path,
  status: row.status,
  modifiedAt: row.modified_at,
  size: row.size,
  contentType: row.content_type,
  ...(row.description !== null && { description: row.description }),
  ...(row.summary !== null && { summary: row.summary }),
  metadata: JSON.parse(row.metadata ?? '{}'),
});

const serverRow = (row) => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  url: row.url,
  type: row.type,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

function requireText(value, field) {
  if (typeof value !== 'string' || value.length === 0) throw new HttpError(400, `${field} is required`);
  return value;
}

function requirePath(value) {
  const path = requireText(value, 'path');
  if (!path.startsWith('/')) throw new HttpError(400, 'path must start with /');
  if (path.split('/').includes('..')) throw new HttpError(400, 'path must not contain ..');
  if (/[\r\n\u2028\u2029]/.test(path)) throw new HttpError(400, 'path must be one line');
  return path;
}

function requireInteger(value, fallback, min, max) {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) throw new HttpError(400, 'limit or offset is invalid');
  return number;
}

export function createApp(db) {
  const app = express();
  app.disable('x-powered-by');
  const api = express.Router();

  const findKey = db.prepare('SELECT organization_id FROM api_keys WHERE key = ?');

  api.use((req, res, next) => {
    const header = req.get('authorization');
    const bearer = header?.match(/^Bearer (.+)$/i)?.[1];
    const key = req.get('x-api-key') ?? bearer;
    const found = key === undefined ? undefined : findKey.get(key);
    if (!found) return res.status(401).json({ error: 'authentication required' });
    req.org = found.organization_id;
    next();
  });

  api.use(express.json({ limit: '1mb' }));

  // Agents

  api.get('/agents', (req, res) => {
    const rows = db
      .prepare(
        `SELECT agents.*, publications.revision_id AS published,
           (SELECT id FROM revisions WHERE agent_id = agents.id ORDER BY number DESC LIMIT 1) AS latest
         FROM agents LEFT JOIN publications ON publications.agent_id = agents.id
         WHERE organization_id = ? ORDER BY agents.created_at`,
      )
      .all(req.org);
    res.json(
      rows.map((row) => ({
        id: row.id,
        name: row.name,
        description: row.description ?? '',
        isPublished: row.published !== null,
        hasChanges: row.published !== row.latest,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
      })),
    );
  });

  api.post('/agents/:agentId/publish', (req, res) => {
    const revisionId = requireText(req.body?.revisionId, 'revisionId');
    const agent = db
      .prepare('SELECT * FROM agents WHERE id = ? AND organization_id = ?')
      .get(req.params.agentId, req.org);
    if (!agent) throw new HttpError(404, 'agent not found');
    const revision = db.prepare('SELECT * FROM revisions WHERE id = ? AND agent_id = ?').get(revisionId, agent.id);
    if (!revision) throw new HttpError(404, 'revision not found');
    db.prepare('INSERT OR REPLACE INTO publications (agent_id, revision_id) VALUES (?, ?)').run(agent.id, revisionId);
    db.prepare('UPDATE agents SET updated_at = ? WHERE id = ?').run(now(), agent.id);
    res.json({ published: true });
  });

  // Drives

  api.post('/drives', (req, res) => {
    const name = requireText(req.body?.name, 'name');
    const id = randomUUID();
    const time = now();
    db.prepare('INSERT INTO drives VALUES (?, ?, ?, ?, ?)').run(id, req.org, name, time, time);
    const drive = db.prepare('SELECT * FROM drives WHERE id = ?').get(id);
    res.status(201).json(drivesRow(drive));
  });

  api.get('/drives', (req, res) => {
    const limit = requireInteger(req.query.limit, 20, 1, 100);
    const offset = requireInteger(req.query.offset, 0, 0, Number.MAX_SAFE_INTEGER);
    const rows = db
      .prepare('SELECT * FROM drives WHERE organization_id = ? ORDER BY rowid LIMIT ? OFFSET ?')
      .all(req.org, limit, offset);
    const { total } = db.prepare('SELECT count(*) AS total FROM drives WHERE organization_id = ?').get(req.org);
    res.json({ data: rows.map(drivesRow), pagination: { limit, offset, total } });
  });

  function findDrive(req) {
    const drive = db
      .prepare('SELECT * FROM drives WHERE id = ? AND organization_id = ?')
      .get(req.params.driveId, req.org);
    if (!drive) throw new HttpError(404, 'drive not found');
    return drive;
  }

  function findFile(req) {
    const drive = findDrive(req);
    const file = db.prepare('SELECT * FROM files WHERE id = ? AND drive_id = ?').get(req.params.fileId, drive.id);
    if (!file) throw new HttpError(404, 'file not found');
    return file;
  }

  api.get('/drives/:driveId/files/:fileId', (req, res) => {
    const file = findFile(req);
    res.json(fileRow(file));
  });

  api.patch('/drives/:driveId/files/:fileId', (req, res) => {
    const path = requirePath(req.body?.path);
    const file = findFile(req);
    const taken = db.prepare('SELECT id FROM files WHERE drive_id = ? AND path = ?').get(file.drive_id, path);
    if (taken && taken.id !== file.id) throw new HttpError(409, 'path is taken');
    db.prepare('UPDATE files SET path = ?, name = ?, modified_at = ? WHERE id = ?').run(
      path,
      path.split('/').at(-1),
      now(),
      file.id,
    );
    res.json(fileRow(findFile(req)));
  });

  api.delete('/drives/:driveId/items/tree', (req, res) => {
    const path = requirePath(req.query.path);
    const drive = findDrive(req);
    const prefix = path.endsWith('/') ? path : `${path}/`;
    const doomed = db
      .prepare('SELECT id, path FROM files WHERE drive_id = ?')
      .all(drive.id)
      .filter((file) => file.path.startsWith(prefix));
    for (const file of doomed) db.prepare('DELETE FROM files WHERE id = ?').run(file.id);
    res.json({ message: `${path} was deleted`, jobId: randomUUID(), documentCount: doomed.length });
  });

  // MCP servers

  api.post('/mcp-servers', (req, res) => {
    const name = requireText(req.body?.name, 'name');
    const url = requireText(req.body?.url, 'url');
    if (!URL.canParse(url)) throw new HttpError(400, 'url is not a URL');
    const id = randomUUID();
    const type = url.endsWith('/sse') ? 'sse' : 'streamableHttp';
    const time = now();
    db.prepare('INSERT INTO mcp_servers VALUES (?, ?, ?, ?, ?, ?, ?)').run(id, req.org, name, url, type, time, time);
    const server = db.prepare('SELECT * FROM mcp_servers WHERE id = ?').get(id);
    res.status(201).json(serverRow(server));
  });

  api.get('/mcp-servers', (req, res) => {
    const rows = db.prepare('SELECT * FROM mcp_servers WHERE organization_id = ? ORDER BY rowid').all(req.org);
    res.json(rows.map(serverRow));
  });

  api.get('/mcp-servers/:mcpServerId/tools', (req, res) => {
    const server = db
      .prepare('SELECT * FROM mcp_servers WHERE id = ? AND organization_id = ?')
      .get(req.params.mcpServerId, req.org);
    if (!server) throw new HttpError(404, 'MCP server not found');
    const tools = db.prepare('SELECT name, description FROM tools WHERE mcp_server_id = ?').all(server.id);
    res.json({ tools });
  });

  api.use((_req, res) => res.status(404).json({ error: 'not found' }));

  app.use('/v0.1', api);

  app.use((error, _req, res, _next) => {
    const status = error.status ?? 500;
    res.status(status).json({ error: status === 500 ? 'internal error' : error.message });
  });

  return app;
}
