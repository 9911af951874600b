-- Times are ISO 8601 texts in UTC. Metadata is JSON.
CREATE TABLE organizations (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;

CREATE TABLE api_keys (
  sha256 TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations
) STRICT;

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations,
  name TEXT NOT NULL,
  description TEXT,
  -- The active revision; none before the first is published.
  published_revision_id TEXT REFERENCES revisions,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- The newest has the highest number.
CREATE TABLE revisions (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents,
  number INTEGER NOT NULL,
  UNIQUE (agent_id, number)
) STRICT;

CREATE TABLE drives (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE files (
  id TEXT PRIMARY KEY,
  drive_id TEXT NOT NULL REFERENCES drives,
  path TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('processing', 'ready', 'error')),
  modified_at TEXT NOT NULL,
  size INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  metadata TEXT NOT NULL,
  UNIQUE (drive_id, path)
) STRICT;

-- What was deleted, for whoever looks for a file later.
CREATE TABLE deletions (
  id TEXT PRIMARY KEY,
  drive_id TEXT NOT NULL REFERENCES drives,
  path TEXT NOT NULL,
  document_count INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE mcp_servers (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('sse', 'streamableHttp')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE mcp_tools (
  mcp_server_id TEXT NOT NULL REFERENCES mcp_servers,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  PRIMARY KEY (mcp_server_id, name)
) STRICT;
