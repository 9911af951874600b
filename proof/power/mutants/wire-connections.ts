import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Mutant, WireFault } from '../mutant.ts';
import { wireTable } from './table.ts';
import { answerWith, operationIdOf, write } from './wire-faults.ts';

type KeyHeaders = Record<string, string>;

function keyHeadersOf({ headers }: IncomingMessage): KeyHeaders {
  const sent = ['x-api-key', 'authorization'].map((name) => [name, headers[name]]);
  return Object.fromEntries(sent.filter(([, value]) => typeof value === 'string'));
}

/** A key that was valid once lets later requests on its connection through to one operation, without a key. */
function rememberKeyFor(operationId: OperationId): WireFault {
  const remembered = new WeakMap<Socket, KeyHeaders>();
  return async (request, response, forward) => {
    const sent = keyHeadersOf(request);
    const isBare = Object.keys(sent).length === 0;
    const known = isBare && operationIdOf(request) === operationId ? remembered.get(request.socket) : undefined;
    const answer = await forward(known === undefined ? {} : { headers: known });
    if (!isBare && answer.status < 300) remembered.set(request.socket, sent);
    write(response, answer);
  };
}

/** Every second success becomes a 500. */
function failEverySecond(): WireFault {
  let asked = 0;
  const fail = answerWith(500, { 'content-type': 'application/json' }, '{"message":"Something went wrong"}');
  return async (request, response, forward) => {
    const answer = await forward();
    if (answer.status < 300 && asked++ % 2 === 1) await fail(request, response, forward);
    else write(response, answer);
  };
}

/** What is let through on such a connection, and what the mutant is called by. */
const letThrough: readonly { id: OperationId; slug: string; said: string }[] = [
  { id: 'listAgents', slug: 'agents', said: 'agents are listed' },
  { id: 'publishAgentRevision', slug: 'publications', said: 'revisions are published' },
  { id: 'createDrive', slug: 'creations', said: 'drives are created' },
  { id: 'listDrives', slug: 'drives', said: 'drives are listed' },
  { id: 'getDriveFile', slug: 'files', said: 'files are read' },
  { id: 'updateDriveFile', slug: 'moves', said: 'files are moved' },
  { id: 'deleteDriveTree', slug: 'deletions', said: 'trees are deleted' },
  { id: 'createMcpServer', slug: 'registrations', said: 'MCP servers are registered' },
  { id: 'listMcpServers', slug: 'servers', said: 'MCP servers are listed' },
  { id: 'listMcpServerTools', slug: 'tools', said: 'tools are listed' },
];

/** Connections that remember, and reads that come and go. */
export const wireConnections: readonly Mutant[] = [
  ...wireTable('status', {
    'listDrives.method-and-path > listDrives.is-served: every-second-page-fails': [
      'Every second page of drives is answered with 500.',
      failEverySecond,
    ],
  }),
  ...letThrough.map(
    ({ id, slug, said }): Mutant => ({
      id: `connection-remembers-key-for-${slug}`,
      class: 'authentication',
      place: 'wire',
      requirement: 'auth.no-key-is-not-let-through',
      check: `${id}.no-key-after-valid-key`,
      fault: `After a valid key, ${said} without one on the same connection.`,
      wire: () => rememberKeyFor(id),
    }),
  ),
];
