import { type Mistake, rewrite } from '../mistake.ts';
import type { PostgresParts } from './start.ts';
import { transactionMistakes } from './transaction-mistakes.ts';

const below = `starts_with(path, :directory || '/')`;

/** Mistakes on PostgreSQL. */
export const postgresMistakes: readonly Mistake<PostgresParts>[] = [
  {
    name: 'organization-forgotten-in-read',
    what: 'The file is read without a look at the organization of its drive.',
    change: ({ sql }) => rewrite(sql, 'getFile', ' AND d.organization_id = :organizationId', ''),
    leads: 'yes',
    why: 'The file belongs to another organization, and the headline says so.',
  },
  {
    name: 'organization-in-session-setting',
    what: 'The organization is a setting of the session, but a pool gives each statement any session: parallel requests see the lists of each other.',
    change: ({ sql, repository, connections }) => {
      const { organizationOf } = repository;
      connections.pool.options.max = 3;
      repository.organizationOf = async (key) => {
        const id = await organizationOf(key);
        if (id !== undefined) await connections.query(`SELECT set_config('app.organization', :id, false)`, { id });
        return id;
      };
      for (const list of ['listAgents', 'listDrives', 'countDrives', 'listMcpServers'] as const) {
        rewrite(sql, list, ':organizationId', `current_setting('app.organization', true)::uuid`);
      }
    },
    leads: 'yes',
    why: 'The lists were asked for at the same time with two keys, and both got the items of one.',
  },
  {
    name: 'keys-by-ilike',
    what: 'Keys are compared by ILIKE: other case is good, and so are % and _.',
    change: ({ sql }) => rewrite(sql, 'organizationOf', 'key = :key', 'key ILIKE :key'),
    leads: 'yes',
    why: 'The key that was accepted is named: the own one in another letter case. Further groups show _ and % for a character.',
  },
  {
    name: 'tree-by-regular-expression',
    what: 'The tree is found by a regular expression with the path as it is: a dot matches everything, and ( fails with 500.',
    change: ({ sql }) => rewrite(sql, 'deleteFiles', below, `path ~ ('^' || :directory || '/')`),
    leads: 'yes',
    why: 'Both paths are shown: /…/v1.0_a was deleted, and the file below /…/v1x0_a is gone.',
  },
  {
    name: 'tree-by-range-in-locale-order',
    what: 'The tree is the range from "/a/" to "/a0", but the paths have a linguistic collation, which puts other cases and signs between.',
    change: (parts) => {
      rewrite(parts, 'schema', 'path text', 'path text COLLATE "und-x-icu"');
      rewrite(parts.sql, 'deleteFiles', below, `path >= :directory || '/' AND path < :directory || '0'`);
    },
    leads: 'partly',
    why: 'documentCount is larger than the tree. The next findings show what else is gone: names that differ in case or accents, which looks like a comparison without them, not like an order.',
  },
  {
    name: 'paths-as-citext',
    what: 'Paths are citext: /Plans goes with /plans, and both cannot exist side by side.',
    change: (parts) => {
      parts.schema = `CREATE EXTENSION citext; ${parts.schema}`;
      rewrite(parts, 'schema', 'path text', 'path citext');
      const escaped = String.raw`regexp_replace(:directory, '([%_\\])', '\\\1', 'g')`;
      rewrite(parts.sql, 'deleteFiles', below, `path LIKE ${escaped} || '/%'`);
    },
    leads: 'yes',
    why: 'Both paths are shown, and they differ in letter case only; a warning by level.',
  },
  {
    name: 'soft-delete-forgotten-in-move',
    what: 'The update of a path forgets that deleted files are only marked: they can still be moved.',
    change: ({ sql }) => rewrite(sql, 'moveFile', ' AND deleted_at IS NULL', ''),
    leads: 'yes',
    why: '"A deleted file was moved"; a warning by level.',
  },
  {
    name: 'deleted-paths-stay-taken',
    what: 'The unique index of paths counts deleted files: a path that was deleted once is taken for ever (409).',
    change: (parts) => rewrite(parts, 'schema', '(drive_id, path) WHERE deleted_at IS NULL', '(drive_id, path)'),
    leads: 'not found',
    why: 'Needs a move to the path of a deleted file; a refusal with 409 is legal, since which paths are accepted is open.',
  },
  ...transactionMistakes,
  {
    name: 'malformed-uuid',
    what: 'Ids go into the query as they are: one that is no UUID fails with 500.',
    change: (parts) => void Object.assign(parts, { isId: () => true }),
    leads: 'yes',
    why: 'The id of the request and the 500 are shown.',
  },
  {
    name: 'nul-in-text',
    what: 'Nobody looks for a NUL in names, which no text of PostgreSQL may have: 500.',
    change: ({ rules }) => {
      const { name } = rules;
      rules.name = (value) => (typeof value === 'string' && value.includes('\0') ? value : name(value));
    },
    leads: 'yes',
    why: 'The name with the NUL stands in the request, and the status is 500.',
  },
  {
    name: 'database-in-latin-1',
    what: 'The database was created with LATIN1: every other letter fails with 500.',
    change: (parts) => void Object.assign(parts, { encoding: 'LATIN1' }),
    leads: 'yes',
    why: 'The name in other scripts stands in the request, and the status is 500.',
  },
  {
    name: 'column-shorter-than-the-rule',
    what: 'Names may have 255 characters, but their columns have 64: longer ones fail with 500.',
    change: (parts) => rewrite(parts, 'schema', 'varchar(255)', 'varchar(64)'),
    leads: 'yes',
    why: 'The long name stands in the request, and the status is 500.',
  },
  {
    name: 'size-as-text',
    what: 'The client reads a bigint as text, and the size is returned as text.',
    change: ({ toJson }) => {
      const { file } = toJson;
      toJson.file = (row) => ({ ...file(row), size: row.size });
    },
    leads: 'yes',
    why: 'size must be an integer; it is "1000".',
  },
  {
    name: 'total-from-the-page',
    what: 'total is count(*) OVER () of the first row, and a page behind the last has no row: total is left out.',
    change: ({ repository, connections, sql, toJson }) => {
      rewrite(sql, 'listDrives', 'SELECT *', 'SELECT *, count(*) OVER ()::integer AS total');
      repository.listDrives = async (organizationId, page) => {
        const { rows } = await connections.query(sql.listDrives, { organizationId, ...page });
        return { drives: rows.map(toJson.drive), total: rows[0]?.total };
      };
    },
    leads: 'yes',
    why: 'pagination has no total, and the exchange is a page behind the last; a warning by level.',
  },
  {
    name: 'times-in-the-zone-of-the-session',
    what: 'Times of drives are made text with a Z at the end, but in the time zone of the session.',
    change: ({ connections, sql }) => {
      connections.pool.options.options = '-c TimeZone=America/New_York';
      const text = (column: string) => `(to_json(${column}::timestamp) #>> '{}') || 'Z' AS ${column}`;
      const columns = `id, organization_id, name, ${text('created_at')}, ${text('updated_at')}`;
      rewrite(sql, 'createDrive', '*', columns);
      rewrite(sql, 'listDrives', 'SELECT *', `SELECT ${columns}`);
    },
    leads: 'yes',
    why: 'Both times are shown; the difference is that of the zone.',
  },
  {
    name: 'order-with-ties',
    what: 'Drives are ordered by a time in whole seconds alone: of drives of one second each page has another order.',
    change: (parts) => {
      rewrite(parts, 'schema', 'timestamptz NOT NULL DEFAULT', 'timestamptz(0) NOT NULL DEFAULT');
      rewrite(parts.sql, 'listDrives', 'created_at, id', 'created_at');
    },
    leads: 'partly',
    why: 'A drive is missing in a walk. That drives of one second change places is for the reader to guess.',
  },
  {
    name: 'upsert-by-url',
    what: 'ON CONFLICT DO UPDATE on the URL: a second server with the same URL is the first one with another name.',
    change: (parts) => {
      parts.schema += 'CREATE UNIQUE INDEX server_urls ON mcp_servers (organization_id, url);';
      const update = 'ON CONFLICT (organization_id, url) DO UPDATE SET name = excluded.name, updated_at = now()';
      rewrite(parts.sql, 'createMcpServer', 'RETURNING', `${update} RETURNING`);
    },
    leads: 'partly',
    why: 'An MCP server has the name of a later registration. That both have the same URL is seen only in the requests.',
  },
  {
    name: 'publish-without-where',
    what: 'The publication lacks the condition on the agent: every agent of the organization gets the revision.',
    change: ({ sql }) =>
      rewrite(
        sql,
        'publish',
        'VALUES (:agentId, :revisionId)',
        'SELECT id, :revisionId FROM agents WHERE organization_id = :organizationId',
      ),
    leads: 'yes',
    why: 'Another agent has changed with the publication, and is shown.',
  },
  {
    name: 'revision-of-any-agent',
    what: 'The revision is looked up by its id alone: one of another agent can be published.',
    change: ({ sql }) => rewrite(sql, 'revision', ' AND agent_id = :agentId', ''),
    leads: 'yes',
    why: 'The revision of one agent was published for another one, and both are named; a warning by level.',
  },
];
