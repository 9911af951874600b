import { sha256 } from './authentication.js';

const created = '2026-01-05T10:00:00.000Z';
const times = { created_at: created, updated_at: created };

/** Two organizations. The suite uses the data of the first, and must not see that of the second. */
export function insertSampleData(database) {
  const insert = (table, row) => {
    const names = Object.keys(row);
    const values = names.map((name) => `:${name}`);
    database.prepare(`INSERT INTO ${table} (${names}) VALUES (${values})`).run(row);
  };
  insertOrganization(insert, 'harbor', 'Harbor Works', 'Hb5tq9LrW2xKc8');
  insertOrganization(insert, 'quarry', 'Quarry Partners', 'Qy7wm3ZvN6pDf4');
}

function insertOrganization(insert, id, name, key) {
  insert('organizations', { id, name });
  insert('api_keys', { sha256: sha256(key), organization_id: id });
  insertAgent(insert, id, 'invoices', 'Reads invoices');
  insertAgent(insert, id, 'tickets', null);
  insertDrive(insert, id, 'handbook', ['/welcome.md', '/guides/setup.md', '/guides/faq.md']);
  // The suite deletes from these two.
  insertDrive(insert, id, 'scratch', numbered(16, '/notes/note'));
  insertDrive(insert, id, 'attic', numbered(3, '/old/note'));
  insertMcpServer(insert, id, 'calendar', 'sse', []);
  insertMcpServer(insert, id, 'desk', 'streamableHttp', ['search', 'create', 'close']);
}

function insertAgent(insert, organization, name, description) {
  const id = `${organization}-${name}`;
  insert('agents', { id, organization_id: organization, name, description, ...times });
  for (const number of [1, 2]) insert('revisions', { id: `${id}-${number}`, agent_id: id, number });
}

function insertDrive(insert, organization, name, paths) {
  const id = `${organization}-${name}`;
  insert('drives', { id, organization_id: organization, name, ...times });
  for (const [index, path] of paths.entries()) insert('files', fileRow(id, path, index));
}

function fileRow(driveId, path, index) {
  const id = `${driveId}-${index + 1}`;
  const status = ['ready', 'processing', 'error'][index % 3];
  const content = { size: 1_000 + index, content_type: 'text/markdown', metadata: '{"language":"en"}' };
  return { id, drive_id: driveId, path, status, modified_at: created, ...content };
}

function insertMcpServer(insert, organization, name, type, tools) {
  const id = `${organization}-${name}`;
  insert('mcp_servers', {
    id,
    organization_id: organization,
    name,
    url: `https://${name}.example.com/mcp`,
    type,
    ...times,
  });
  for (const tool of tools) insert('mcp_tools', { mcp_server_id: id, name: tool, description: `To ${tool} tickets` });
}

function numbered(count, path) {
  return Array.from({ length: count }, (_, index) => `${path}-${index + 1}.md`);
}
