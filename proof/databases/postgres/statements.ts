const ofDrive = 'd.id = :driveId AND d.organization_id = :organizationId';

/** All SQL of the server, with named parameters. The oldest comes first. */
export const statements = {
  organizationOf: 'SELECT organization_id FROM api_keys WHERE key = :key',

  listAgents: `
    SELECT a.*, p.revision_id IS NOT NULL AS is_published, EXISTS (
      SELECT FROM revisions r WHERE r.agent_id = a.id AND r.number > coalesce(active.number, 0)
    ) AS has_changes
    FROM agents a
    LEFT JOIN publications p ON p.agent_id = a.id
    LEFT JOIN revisions active ON active.id = p.revision_id
    WHERE a.organization_id = :organizationId
    ORDER BY a.created_at, a.id`,

  lockAgent: 'SELECT id FROM agents WHERE id = :agentId AND organization_id = :organizationId FOR UPDATE',
  revision: 'SELECT id FROM revisions WHERE id = :revisionId AND agent_id = :agentId',
  publish: `
    INSERT INTO publications (agent_id, revision_id) VALUES (:agentId, :revisionId)
    ON CONFLICT (agent_id) DO UPDATE SET revision_id = excluded.revision_id`,
  touchAgent: 'UPDATE agents SET updated_at = clock_timestamp() WHERE id = :agentId',

  createDrive: 'INSERT INTO drives (organization_id, name) VALUES (:organizationId, :name) RETURNING *',
  listDrives: `
    SELECT * FROM drives WHERE organization_id = :organizationId
    ORDER BY created_at, id LIMIT :limit OFFSET :offset`,
  countDrives: 'SELECT count(*)::integer AS total FROM drives WHERE organization_id = :organizationId',
  lockDrive: `SELECT d.id FROM drives d WHERE ${ofDrive} FOR UPDATE`,

  getFile: `
    SELECT f.* FROM files f JOIN drives d ON d.id = f.drive_id
    WHERE f.id = :fileId AND ${ofDrive} AND f.deleted_at IS NULL`,
  moveFile: `
    UPDATE files SET path = :path, name = :name, modified_at = clock_timestamp()
    WHERE id = :fileId AND drive_id = :driveId AND deleted_at IS NULL RETURNING *`,
  touchDrive: 'UPDATE drives SET updated_at = clock_timestamp() WHERE id = :driveId',

  // The directory has no slash at its end, so the root is empty.
  deleteFiles: `
    UPDATE files SET deleted_at = clock_timestamp()
    WHERE drive_id = :driveId AND deleted_at IS NULL AND starts_with(path, :directory || '/')`,
  addJob: `
    INSERT INTO jobs (drive_id, path, document_count) VALUES (:driveId, :path, :documentCount) RETURNING id`,

  createMcpServer: `
    INSERT INTO mcp_servers (organization_id, name, url) VALUES (:organizationId, :name, :url) RETURNING *`,
  listMcpServers: 'SELECT * FROM mcp_servers WHERE organization_id = :organizationId ORDER BY created_at, id',
  mcpServer: 'SELECT id FROM mcp_servers WHERE id = :mcpServerId AND organization_id = :organizationId',
  listTools: 'SELECT name, description FROM tools WHERE mcp_server_id = :mcpServerId ORDER BY id',
};

export type Statements = typeof statements;
