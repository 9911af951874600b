import { setTimeout } from 'node:timers/promises';
import type { Answer, Call } from '../../../src/engine/call.ts';
import type { Break, Engine, Mutant, WireFault } from '../mutant.ts';
import { asOrganization, changeCalls, onCallersOf, sentField, sentParameter } from './patch.ts';
import { organizationsOf } from './patch-store.ts';
import { bearerKey, headerKey } from './sent-keys.ts';
import { table, wireTable } from './table.ts';
import { write } from './wire-faults.ts';

type List = 'listAgents' | 'listDrives' | 'listMcpServers';

const cachedForMs = 300;

/** Answers a list out of a cache for some time. `keyOf`: what the cache knows it by; undefined where it is not asked. */
function cache(list: List, keyOf: (call: Call) => string | undefined): Break {
  const kept = new Map<string, { answer: Answer; untilMs: number }>();
  return onCallersOf(list, (call, sound) => {
    const key = keyOf(call);
    const known = key === undefined ? undefined : kept.get(key);
    if (known !== undefined && known.untilMs > performance.now()) return known.answer;
    const answer = sound.answer(call);
    if (key !== undefined) kept.set(key, { answer, untilMs: performance.now() + cachedForMs });
    return answer;
  });
}

function namedOrganization(engine: Engine, id: unknown) {
  return organizationsOf(engine).find((organization) => organization.id === id);
}

/** Acts for the organization that a call names, whoever calls. */
function obey(list: List | 'createDrive' | 'createMcpServer', idIn: (call: Call) => unknown): Break {
  return changeCalls(list, (call, caller, engine) =>
    asOrganization(engine, call, namedOrganization(engine, idIn(call)) ?? caller),
  );
}

const inQuery = (call: Call) => sentParameter(call, 'organizationId');
const inBody = (call: Call) => sentField(call, 'organizationId');

/** Servers that take one caller for another, by turns. */
const takenForAnother = table('isolation', 'engine', {
  'organization.lists-show-its-own > listAgents.own-list-each-time: agents-are-cached-by-url': [
    'GET /agents is answered from a cache that knows the URL only.',
    cache('listAgents', ({ query }) => query),
  ],
  'organization.lists-show-its-own > listDrives.own-list-each-time: drives-are-cached-by-url-and-x-api-key': [
    'GET /drives is answered from a cache that knows URL and X-API-Key, and all bearer callers share.',
    cache('listDrives', (call) => `${call.query} ${headerKey(call) ?? ''}`),
  ],
  'organization.lists-show-its-own > listMcpServers.own-list-each-time: mcp-servers-are-cached-for-bearer-callers': [
    'GET /mcp-servers with a bearer token is answered from a cache that all organizations share.',
    cache('listMcpServers', (call) => (bearerKey(call) === undefined ? undefined : 'all')),
  ],
  'organization.lists-show-its-own > listAgents.organization-not-chosen: agents-of-the-organization-in-a-header': [
    'GET /agents acts for the organization in X-Organization-Id, as behind a gateway that sets it.',
    obey('listAgents', ({ headers }) => headers['x-organization-id']),
  ],
  'organization.lists-show-its-own > listDrives.organization-not-chosen: drives-of-the-organization-in-the-query': [
    'GET /drives acts for the organization in the query, whose it ever is.',
    obey('listDrives', inQuery),
  ],
  'organization.lists-show-its-own > listMcpServers.organization-not-chosen: mcp-servers-of-the-organization-in-the-query':
    ['GET /mcp-servers acts for the organization in the query, whose it ever is.', obey('listMcpServers', inQuery)],
  'creations.belong-to-the-key > createDrive.organization-in-body: a-drive-belongs-to-the-organization-in-the-body': [
    'An organizationId in the body decides to whom a new drive belongs.',
    obey('createDrive', inBody),
  ],
  'creations.belong-to-the-key > createMcpServer.organization-in-body: an-mcp-server-belongs-to-the-organization-in-the-body':
    ['An organizationId in the body decides to whom a new MCP server belongs.', obey('createMcpServer', inBody)],
});

const whileMs = 15;

/** Keeps the key of a request in one variable for all while it does something else: the latest key counts. */
function shareKey(): WireFault {
  let latest: Record<string, string> = {};
  return async ({ headers }, response, forward) => {
    latest = { 'x-api-key': String(headers['x-api-key'] ?? ''), authorization: headers.authorization ?? '' };
    await setTimeout(whileMs);
    write(response, await forward({ headers: latest }));
  };
}

const crossed = wireTable('isolation', {
  'organization.lists-show-its-own > listAgents.own-list-at-once: agents-for-the-latest-caller': [
    'GET /agents acts for whoever called last, while it waits.',
    shareKey,
  ],
  'organization.lists-show-its-own > listDrives.own-list-at-once: drives-for-the-latest-caller': [
    'GET /drives acts for whoever called last, while it waits.',
    shareKey,
  ],
  'organization.lists-show-its-own > listMcpServers.own-list-at-once: mcp-servers-for-the-latest-caller': [
    'GET /mcp-servers acts for whoever called last, while it waits.',
    shareKey,
  ],
  'creations.belong-to-the-key > createDrive.own-organization-at-once: drives-created-for-the-latest-caller': [
    'A drive is created for whoever called last, while its name is checked.',
    shareKey,
  ],
  'creations.belong-to-the-key > createMcpServer.own-organization-at-once: mcp-servers-registered-for-the-latest-caller':
    ['An MCP server is registered for whoever called last, while its URL is checked.', shareKey],
});

/** Servers that act for another organization than that of the key. */
export const isolationOfCallers: readonly Mutant[] = [...takenForAnother, ...crossed];
