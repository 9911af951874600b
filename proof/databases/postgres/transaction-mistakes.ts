import { setTimeout } from 'node:timers/promises';
import { type Mistake, rewrite } from '../mistake.ts';
import { type Query, queryOn } from './connections.ts';
import type { PostgresParts } from './start.ts';

const lookUpMs = 5;

/** Mistakes with transactions and the connections of the pool: when they begin and end, and what they see of each other. */
export const transactionMistakes: readonly Mistake<PostgresParts>[] = [
  {
    name: 'missing-commit',
    what: 'The transaction of a creation is never committed: the connection goes back to the pool, and only it shows the drive.',
    change: ({ repository, connections, sql, toJson }) => {
      repository.createDrive = async (organizationId, { name }) => {
        const client = await connections.pool.connect();
        await client.query('BEGIN');
        const { rows } = await queryOn(client)(sql.createDrive, { organizationId, name });
        client.release();
        return toJson.drive(rows[0] ?? {});
      };
    },
    leads: 'partly',
    why: 'A creation was answered with success and is missing in the list. Why only some are, and which connection shows them, is for the reader to guess.',
  },
  {
    name: 'no-rollback-after-error',
    what: 'A transaction that fails is not rolled back: the next request on its connection, an innocent one, fails with 500.',
    change: ({ connections }) => {
      connections.transaction = async (work) => {
        const client = await connections.pool.connect();
        try {
          await client.query('BEGIN');
          const result = await work(queryOn(client));
          await client.query('COMMIT');
          return result;
        } finally {
          client.release();
        }
      };
    },
    leads: 'no',
    why: 'A creation is missing in the list: the transaction in which it was made began with a refused request, which is not shown.',
  },
  {
    name: 'client-not-released',
    what: 'A transaction that is refused rolls back, but never gives its connection back: after eight refusals the pool is empty.',
    change: ({ connections }) => {
      connections.pool.options.connectionTimeoutMillis = 500;
      connections.transaction = async (work) => {
        const client = await connections.pool.connect();
        try {
          await client.query('BEGIN');
          const result = await work(queryOn(client));
          await client.query('COMMIT');
          client.release();
          return result;
        } catch (error) {
          await client.query('ROLLBACK');
          throw error;
        }
      };
    },
    leads: 'partly',
    why: 'Six operations fail on requests that otherwise succeed, so the server runs out of something. That refusals use it up is said further down, of one operation.',
  },
  {
    name: 'serializable-without-retry',
    what: 'A creation counts the drives for a quota in a serializable transaction, and nobody repeats it: parallel ones fail with 500.',
    change: ({ repository, connections, sql, toJson }) => {
      repository.createDrive = (organizationId, { name }) =>
        connections.transaction(async (query) => {
          await query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
          await query(sql.countDrives, { organizationId });
          const { rows } = await query(sql.createDrive, { organizationId, name });
          return toJson.drive(rows[0] ?? {});
        });
    },
    leads: 'yes',
    why: 'It names the operation and the status, and that only requests that were sent at the same time failed.',
  },
  {
    name: 'position-from-max',
    what: 'A new MCP server takes max(position) + 1, read before its URL is looked up: of parallel registrations all but one fail with 500.',
    change: (parts) => {
      const { connections, sql } = parts;
      const { createMcpServer } = parts.repository;
      parts.schema += 'ALTER TABLE mcp_servers ADD position integer, ADD UNIQUE (organization_id, position);';
      rewrite(sql, 'createMcpServer', 'url) VALUES (', 'url, position) VALUES (');
      rewrite(sql, 'createMcpServer', ':url)', ':url, :position)');
      parts.repository.createMcpServer = async (organizationId, input) => {
        const { rows } = await connections.query('SELECT max(position) AS last FROM mcp_servers');
        await setTimeout(lookUpMs);
        return createMcpServer(organizationId, Object.assign({ position: Number(rows[0]?.last) + 1 }, input));
      };
    },
    leads: 'yes',
    why: 'It names the operation and the status, and that only requests that were sent at the same time failed.',
  },
  {
    name: 'agents-of-an-old-snapshot',
    what: 'Agents are read on a connection of their own in a repeatable read transaction that never ends: the list stays as it was first.',
    change: ({ repository, connections, sql, toJson }) => {
      const begin = async (): Promise<Query> => {
        const client = await connections.pool.connect();
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
        return queryOn(client);
      };
      let reader: Promise<Query> | undefined;
      let turn: Promise<unknown> = Promise.resolve();
      repository.listAgents = async (organizationId) => {
        reader ??= begin();
        const query = await reader;
        const result = turn.then(() => query(sql.listAgents, { organizationId }));
        turn = result;
        return (await result).rows.map(toJson.agent);
      };
    },
    leads: 'partly',
    why: 'isPublished is still false after the publication. It cannot tell a stale list from a publication that was lost.',
  },
];
