/** The tables. A deleted file stays as a row with its time of deletion. */
export const schema = `
CREATE TABLE organizations (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL);
CREATE TABLE api_keys (key text PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations);
CREATE TABLE agents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE revisions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  agent_id uuid NOT NULL REFERENCES agents,
  number integer NOT NULL,
  UNIQUE (agent_id, number)
);
CREATE TABLE publications (
  agent_id uuid PRIMARY KEY REFERENCES agents,
  revision_id uuid NOT NULL REFERENCES revisions
);
CREATE TABLE drives (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organizations,
  name varchar(255) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TYPE file_status AS ENUM ('processing', 'ready', 'error');
CREATE TABLE files (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  drive_id uuid NOT NULL REFERENCES drives,
  name text NOT NULL,
  path text NOT NULL,
  status file_status NOT NULL,
  size bigint NOT NULL,
  content_type text NOT NULL,
  description text,
  summary text,
  metadata jsonb NOT NULL,
  modified_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX file_paths ON files (drive_id, path) WHERE deleted_at IS NULL;
CREATE TABLE jobs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  drive_id uuid NOT NULL REFERENCES drives,
  path text NOT NULL,
  document_count integer NOT NULL
);
CREATE TABLE mcp_servers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organizations,
  name varchar(255) NOT NULL,
  url text NOT NULL,
  type text NOT NULL DEFAULT 'streamableHttp' CHECK (type IN ('sse', 'streamableHttp')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE tools (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  mcp_server_id uuid NOT NULL REFERENCES mcp_servers ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL
);
`;
