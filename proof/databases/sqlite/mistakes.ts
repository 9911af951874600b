import { setTimeout } from 'node:timers/promises';
import { type Mistake, rewrite } from '../mistake.ts';
import { Refusal } from '../shared/refusal.ts';
import { connect, isDuplicate } from './connection.ts';
import { newId } from './repository.ts';
import type { SqliteParts } from './start.ts';

const below = `substr(path, 1, length(:directory) + 1) = :directory || '/'`;
const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
const auditMs = 5;

/** Mistakes on SQLite. */
export const sqliteMistakes: readonly Mistake<SqliteParts>[] = [
  {
    name: 'tree-like-wildcards',
    what: 'The tree is found by LIKE with the path as it is: _ and % match other names, and so does another case.',
    change: ({ sql }) => rewrite(sql, 'markTree', below, `path LIKE :directory || '/%'`),
    leads: 'yes',
    why: 'Both paths are shown: a directory with % was deleted, and a file is gone where only the % fits. That it is LIKE follows.',
  },
  {
    name: 'tree-like-ignores-case',
    what: 'The wildcards are escaped, but LIKE of SQLite ignores case: /Plans goes with /plans.',
    change: ({ sql }) => {
      const escaped = `replace(replace(replace(:directory, '!', '!!'), '_', '!_'), '%', '!%')`;
      rewrite(sql, 'markTree', below, `path LIKE ${escaped} || '/%' ESCAPE '!'`);
    },
    leads: 'yes',
    why: 'Both paths are shown, and they differ in letter case only; a warning by level.',
  },
  {
    name: 'tree-glob-wildcards',
    what: 'The tree is found by GLOB, which respects case, with the path as it is: *, ? and [ match other names.',
    change: ({ sql }) => rewrite(sql, 'markTree', below, `path GLOB :directory || '/*'`),
    leads: 'yes',
    why: 'Both paths are shown: the directory with brackets, ? and * keeps its file. The second check shows a file gone that the brackets match.',
  },
  {
    name: 'root-tree-deletes-nothing',
    what: 'The root is taken for a directory like others, and its files are looked for below "//".',
    change: ({ sql }) => rewrite(sql, 'markTree', below, `:directory <> '' AND ${below}`),
    leads: 'not found',
    why: 'Needs a deletion of /, which no run should send to a drive that is not its own; no operation fills a new drive.',
  },
  {
    name: 'keys-collate-nocase',
    what: 'All texts of the key table have COLLATE NOCASE, so that a key in another case is good.',
    change: (parts) => rewrite(parts, 'schema', 'key TEXT PRIMARY KEY', 'key TEXT COLLATE NOCASE PRIMARY KEY'),
    leads: 'yes',
    why: 'The key that was accepted is named: the own one in another letter case. Each operation has a finding; they are grouped.',
  },
  {
    name: 'move-by-concatenation',
    what: 'The new path is put into the SQL text: an apostrophe ends it, and the statement fails with 500.',
    change: (parts) => {
      const { moveFile } = parts.repository;
      const safe = parts.sql.moveFile;
      parts.repository.moveFile = (organizationId, driveId, fileId, path) => {
        parts.sql.moveFile = safe.replace(':path', () => `'${path}'`);
        return moveFile(organizationId, driveId, fileId, path);
      };
    },
    leads: 'yes',
    why: 'The path with quotes stands in the request, and the status is 500.',
  },
  {
    name: 'database-is-locked',
    what: 'Each creation has a connection of its own without a busy time-out, and waits for the audit log inside its transaction: parallel creations fail with "database is locked".',
    change: (parts) => {
      parts.connection.close();
      parts.connection = connect(parts.file, 0);
      parts.repository.createDrive = async (organizationId, { name }) => {
        const connection = connect(parts.file, 0);
        try {
          connection.exec('BEGIN IMMEDIATE');
          const row = connection.get(parts.sql.createDrive, { id: newId('drv'), organizationId, name });
          await setTimeout(auditMs);
          connection.exec('COMMIT');
          return parts.toJson.drive(row ?? {});
        } finally {
          connection.close();
        }
      };
    },
    leads: 'yes',
    why: 'It names the operation and the status, and that only requests that were sent at the same time failed.',
  },
  {
    name: 'jobs-of-another-status',
    what: 'Deletions are queued with a status that the worker does not look for, so nothing is ever deleted.',
    change: ({ sql }) => rewrite(sql, 'addJob', `'waiting'`, `'queued'`),
    leads: 'yes',
    why: 'The file is still there after the time to settle: the job was not done.',
  },
  {
    name: 'job-deletes-one-batch',
    what: 'The worker deletes one batch of two files and calls the job done.',
    change: ({ sql }) =>
      rewrite(sql, 'deleteFiles', 'job_id = :jobId', 'id IN (SELECT id FROM files WHERE job_id = :jobId LIMIT 2)'),
    leads: 'partly',
    why: 'A large tree was deleted together with a small one, and a file is still there. That the first files of the tree are gone is not said.',
  },
  {
    name: 'second-job-ignored',
    what: 'A drive may have one waiting job, and INSERT OR IGNORE drops a second one without a word.',
    change: (parts) => {
      parts.schema += `CREATE UNIQUE INDEX waiting_jobs ON jobs (drive_id) WHERE status = 'waiting';`;
      rewrite(parts.sql, 'addJob', 'INSERT INTO', 'INSERT OR IGNORE INTO');
    },
    leads: 'partly',
    why: 'A file of one of two trees is still there. That the two were deleted at the same time stands in the text of the check only. Found by chance: not in every run.',
  },
  {
    name: 'empty-drives-cleaned-up',
    what: 'After a deletion the worker tidies up every drive that has no file, new drives of all organizations with them.',
    change: (parts) => {
      rewrite(parts, 'schema', 'REFERENCES drives, status', 'REFERENCES drives ON DELETE CASCADE, status');
      parts.sql.tidyUp = 'DELETE FROM drives WHERE id NOT IN (SELECT drive_id FROM files)';
    },
    leads: 'partly',
    why: 'A drive that the run created is missing at the end. The second check says after what: the deletions.',
  },
  {
    name: 'shared-content-cascades',
    what: 'A deletion removes the contents of its files, and ON DELETE CASCADE takes every other file with the same content.',
    change: (parts) => {
      rewrite(parts, 'schema', 'REFERENCES contents', 'REFERENCES contents ON DELETE CASCADE');
      parts.sql.deleteFiles = 'DELETE FROM contents WHERE id IN (SELECT content_id FROM files WHERE job_id = :jobId)';
    },
    leads: 'partly',
    why: 'It names the deletion and the lost files, but not what they share with those of the tree; no exchange can show it.',
  },
  {
    name: 'total-of-all-organizations',
    what: 'count(*) has no WHERE, so that total counts the drives of all organizations.',
    change: ({ sql }) => rewrite(sql, 'countDrives', ' WHERE organization_id = :organizationId', ''),
    leads: 'yes',
    why: 'total and the length of the whole list are shown. Whose drives the others are is for the reader to guess.',
  },
  {
    name: 'offset-between',
    what: 'A page is cut by row numbers BETWEEN offset AND offset + limit: from the second page on it repeats a drive.',
    change: ({ sql }) => {
      sql.listDrives = `
        SELECT * FROM (
          SELECT *, row_number() OVER (ORDER BY created_at DESC, rowid DESC) AS number
          FROM drives WHERE organization_id = :organizationId
        ) WHERE number BETWEEN :offset AND :offset + :limit ORDER BY number`;
    },
    leads: 'yes',
    why: 'Two drives at limit=1: one too many on the page. The third check shows the repeated drive.',
  },
  {
    name: 'negative-limit-is-no-limit',
    what: 'limit is only capped at 100: for SQLite a negative one means all rows, and one that is no number fails with 500.',
    change: ({ rules }) => {
      rules.page = ({ limit = '20', offset = '0' }) => ({
        limit: Math.min(Number(limit), 100),
        offset: Number(offset),
      });
    },
    leads: 'yes',
    why: 'The value that was sent, the limit that pagination repeats and the number of drives are shown.',
  },
  {
    name: 'insert-or-replace',
    what: 'Names of drives are unique, and INSERT OR REPLACE replaces the older drive of that name.',
    change: (parts) => {
      parts.schema += 'CREATE UNIQUE INDEX drive_names ON drives (organization_id, name);';
      rewrite(parts.sql, 'createDrive', 'INSERT INTO', 'INSERT OR REPLACE INTO');
    },
    leads: 'yes',
    why: 'After a second drive of the same name the first one is missing; a warning by level.',
  },
  {
    name: 'names-unique-over-organizations',
    what: 'The unique index of names lacks the organization: a name that another organization uses is refused with 409.',
    change: (parts) => {
      parts.schema += 'CREATE UNIQUE INDEX drive_names ON drives (name);';
      const { createDrive } = parts.repository;
      parts.repository.createDrive = async (organizationId, input) => {
        return createDrive(organizationId, input).catch((error: unknown) => {
          throw isDuplicate(error) ? new Refusal(409, 'there is a drive with this name') : error;
        });
      };
    },
    leads: 'not found',
    why: 'Needs the same name created with both keys; a refusal is legal, since which names are accepted is open.',
  },
  {
    name: 'job-id-is-a-row-number',
    what: 'jobId is the row number of the job, a number.',
    change: (parts) => {
      const { deleteTree } = parts.repository;
      parts.repository.deleteTree = async (...request) => {
        const { jobId, documentCount } = await deleteTree(...request);
        return {
          jobId: parts.connection.get('SELECT rowid FROM jobs WHERE id = :jobId', { jobId })?.rowid,
          documentCount,
        };
      };
    },
    leads: 'yes',
    why: 'jobId must be a string; it is 1.',
  },
  {
    name: 'booleans-as-integers',
    what: 'SQLite has no booleans, and its 0 and 1 are returned unchanged.',
    change: ({ toJson }) => {
      const { agent } = toJson;
      toJson.agent = (row) => ({ ...agent(row), isPublished: row.is_published, hasChanges: row.has_changes });
    },
    leads: 'yes',
    why: 'isPublished must be a boolean; it is 0.',
  },
  {
    name: 'metadata-as-text',
    what: 'The JSON column is returned as a string, as SQLite stores it.',
    change: ({ toJson }) => {
      const { file } = toJson;
      toJson.file = (row) => ({ ...file(row), metadata: row.metadata });
    },
    leads: 'yes',
    why: 'metadata must be an object, and the text is shown.',
  },
  {
    name: 'times-of-sqlite',
    what: `New drives have the time of datetime('now'): a blank in place of T, and no zone.`,
    change: ({ sql }) => rewrite(sql, 'createDrive', now, `datetime('now')`),
    leads: 'yes',
    why: 'The value is shown next to a correct one.',
  },
  {
    name: 'names-in-string-columns',
    what: 'Names are in columns of type STRING, which SQLite takes for numbers: the name 007 becomes 7.',
    change: (parts) => rewrite(parts, 'schema', 'name TEXT', 'name STRING'),
    leads: 'yes',
    why: 'The name that was sent and the number that came are shown.',
  },
  {
    name: 'query-arrays',
    what: 'A query parameter that is sent twice is an array, which has no trim(): 500.',
    change: ({ rules }) => {
      const { page } = rules;
      rules.page = (query) => {
        const trimmed = Object.entries(query).map(([name, value]) => [name, (value as string).trim()]);
        return page(Object.fromEntries(trimmed));
      };
    },
    leads: 'yes',
    why: 'The URL with limit and offset sent twice is shown, and the status is 500; a warning by level.',
  },
  {
    name: 'server-list-cached',
    what: 'The list of MCP servers is cached for a minute, and a registration does not empty the cache.',
    change: ({ repository }) => {
      const { listMcpServers } = repository;
      const cached = new Map<string, { list: unknown[]; until: number }>();
      repository.listMcpServers = async (organizationId) => {
        const known = cached.get(organizationId);
        if (known !== undefined && known.until > Date.now()) return known.list;
        const list = await listMcpServers(organizationId);
        cached.set(organizationId, { list, until: Date.now() + 60_000 });
        return list;
      };
    },
    leads: 'partly',
    why: 'The new server is not in the list in time. That it is a cache is for the reader to guess.',
  },
  {
    name: 'lagging-replica',
    what: 'Every second list of drives comes from a copy of the database that is an hour old.',
    change: (parts) => {
      const { listDrives } = parts.repository;
      const copy = `${parts.file}.copy`;
      let lists = 0;
      parts.repository.listDrives = async (organizationId, page) => {
        if (lists++ === 0) parts.connection.exec(`VACUUM INTO '${copy}'`);
        if (lists % 2 === 1) return listDrives(organizationId, page);
        const primary = parts.connection;
        parts.connection = connect(copy);
        const listed = listDrives(organizationId, page);
        parts.connection.close();
        parts.connection = primary;
        return listed;
      };
    },
    leads: 'partly',
    why: 'A drive is missing that the list showed before. That every second list is an old one is for the reader to guess.',
  },
];
