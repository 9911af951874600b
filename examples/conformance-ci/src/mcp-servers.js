import { randomUUID } from 'node:crypto';
import { now } from './database.js';
import { notFound } from './errors.js';
import { objectOf, text } from './schemas.js';

const url = { ...text, pattern: '^[hH][tT][tT][pP][sS]?://[^\\0\\s\\p{Cs}]+$' };

export function addMcpServers(app, database) {
  const insert = database.prepare(`
    INSERT INTO mcp_servers (id, organization_id, name, url, type, created_at, updated_at)
    VALUES (:id, :organizationId, :name, :url, 'streamableHttp', :now, :now) RETURNING *`);
  const list = database.prepare('SELECT * FROM mcp_servers WHERE organization_id = ? ORDER BY created_at, rowid');
  const find = database.prepare(
    'SELECT id FROM mcp_servers WHERE id = :mcpServerId AND organization_id = :organizationId',
  );
  const listTools = database.prepare('SELECT name, description FROM mcp_tools WHERE mcp_server_id = ? ORDER BY rowid');

  const schema = { body: objectOf({ name: text, url }) };
  app.post('/mcp-servers', { schema }, ({ organizationId, body: { name, url } }, reply) => {
    reply.code(201);
    return toMcpServer(insert.get({ id: randomUUID(), organizationId, name, url, now: now() }));
  });

  app.get('/mcp-servers', ({ organizationId }) => list.all(organizationId).map(toMcpServer));

  app.get('/mcp-servers/:mcpServerId/tools', ({ organizationId, params: { mcpServerId } }) => {
    if (find.get({ organizationId, mcpServerId }) === undefined) throw notFound('MCP server');
    return { tools: listTools.all(mcpServerId) };
  });
}

function toMcpServer(row) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    url: row.url,
    type: row.type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
