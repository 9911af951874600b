/** The tables. Times are ISO texts, booleans 0 and 1, metadata is JSON text: SQLite has no types of its own for them. */
export const schema = `
CREATE TABLE organizations (id TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE api_keys (key TEXT PRIMARY KEY, organization_id TEXT NOT NULL REFERENCES organizations);
CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations,
  name TEXT NOT NULL,
  description TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE TABLE revisions (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL REFERENCES agents, number INTEGER NOT NULL);
CREATE TABLE publications (
  agent_id TEXT PRIMARY KEY REFERENCES agents,
  revision_id TEXT NOT NULL REFERENCES revisions
);
CREATE TABLE drives (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
-- What was uploaded, once for all files that hold it.
CREATE TABLE contents (
  id TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  UNIQUE (size, content_type)
);
CREATE TABLE jobs (id TEXT PRIMARY KEY, drive_id TEXT NOT NULL REFERENCES drives, status TEXT NOT NULL);
CREATE TABLE files (
  id TEXT PRIMARY KEY,
  drive_id TEXT NOT NULL REFERENCES drives,
  content_id TEXT NOT NULL REFERENCES contents,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  status TEXT NOT NULL,
  description TEXT,
  summary TEXT,
  metadata TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  -- The job that will delete it.
  job_id TEXT,
  UNIQUE (drive_id, path)
);
CREATE TABLE mcp_servers (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  type TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE TABLE tools (
  id TEXT PRIMARY KEY,
  mcp_server_id TEXT NOT NULL REFERENCES mcp_servers,
  name TEXT NOT NULL,
  description TEXT NOT NULL
);
`;
