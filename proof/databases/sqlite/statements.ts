const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
const ownDrive = 'drive_id IN (SELECT id FROM drives WHERE organization_id = :organizationId)';

/** All SQL of the server. The newest comes first. */
export const statements = {
  organizationOf: 'SELECT organization_id FROM api_keys WHERE key = :key',

  listAgents: `
    SELECT a.*, p.revision_id IS NOT NULL AS is_published, EXISTS (
      SELECT 1 FROM revisions r WHERE r.agent_id = a.id AND r.number > coalesce(active.number, 0)
    ) AS has_changes
    FROM agents a
    LEFT JOIN publications p ON p.agent_id = a.id
    LEFT JOIN revisions active ON active.id = p.revision_id
    WHERE a.organization_id = :organizationId
    ORDER BY a.created_at DESC, a.id`,

  revision: `
    SELECT r.id FROM revisions r JOIN agents a ON a.id = r.agent_id
    WHERE r.id = :revisionId AND a.id = :agentId AND a.organization_id = :organizationId`,
  publish: `
    INSERT INTO publications (agent_id, revision_id) VALUES (:agentId, :revisionId)
    ON CONFLICT (agent_id) DO UPDATE SET revision_id = excluded.revision_id`,

  createDrive: `
    INSERT INTO drives (id, organization_id, name, created_at, updated_at)
    VALUES (:id, :organizationId, :name, ${now}, ${now}) RETURNING *`,
  listDrives: `
    SELECT * FROM drives WHERE organization_id = :organizationId
    ORDER BY created_at DESC, rowid DESC LIMIT :limit OFFSET :offset`,
  countDrives: 'SELECT count(*) AS total FROM drives WHERE organization_id = :organizationId',
  drive: 'SELECT id FROM drives WHERE id = :driveId AND organization_id = :organizationId',

  getFile: `
    SELECT f.*, c.size, c.content_type FROM files f JOIN contents c ON c.id = f.content_id
    WHERE f.id = :fileId AND f.drive_id = :driveId AND f.${ownDrive}`,
  moveFile: `
    UPDATE files SET path = :path, name = :name, modified_at = ${now}
    WHERE id = :fileId AND drive_id = :driveId AND job_id IS NULL AND ${ownDrive}`,

  // The directory has no slash at its end, so the root is empty.
  markTree: `
    UPDATE files SET job_id = :jobId
    WHERE drive_id = :driveId AND job_id IS NULL AND substr(path, 1, length(:directory) + 1) = :directory || '/'`,
  addJob: `INSERT INTO jobs (id, drive_id, status) VALUES (:jobId, :driveId, 'waiting')`,
  nextJob: `SELECT id FROM jobs WHERE status = 'waiting' ORDER BY rowid LIMIT 1`,
  deleteFiles: 'DELETE FROM files WHERE job_id = :jobId',
  tidyUp: 'DELETE FROM contents WHERE id NOT IN (SELECT content_id FROM files)',
  endJob: `UPDATE jobs SET status = 'done' WHERE id = :jobId`,

  createMcpServer: `
    INSERT INTO mcp_servers (id, organization_id, name, url, type, created_at, updated_at)
    VALUES (:id, :organizationId, :name, :url, 'streamableHttp', ${now}, ${now}) RETURNING *`,
  listMcpServers: `
    SELECT * FROM mcp_servers WHERE organization_id = :organizationId ORDER BY created_at DESC, rowid DESC`,
  mcpServer: 'SELECT id FROM mcp_servers WHERE id = :mcpServerId AND organization_id = :organizationId',
  listTools: 'SELECT name, description FROM tools WHERE mcp_server_id = :mcpServerId ORDER BY rowid',
};

export type Statements = typeof statements;
