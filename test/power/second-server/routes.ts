import { listAgents, publishAgent } from './agent-operations.ts';
import type { Answer, Call } from './call.ts';
import { createDrive, deleteTree, getFile, listDrives, updateFile } from './drive-operations.ts';
import { createMcpServer, listMcpServers, listTools } from './mcp-server-operations.ts';
import { Refusal } from './refusal.ts';

type Operation = (call: Call) => Answer;

/** A star stands for one id. */
const ROUTES: readonly (readonly [method: string, path: string, operation: Operation])[] = [
  ['GET', '/agents', listAgents],
  ['POST', '/agents/*/publish', publishAgent],
  ['POST', '/drives', createDrive],
  ['GET', '/drives', listDrives],
  ['GET', '/drives/*/files/*', getFile],
  ['PATCH', '/drives/*/files/*', updateFile],
  ['DELETE', '/drives/*/items/tree', deleteTree],
  ['POST', '/mcp-servers', createMcpServer],
  ['GET', '/mcp-servers', listMcpServers],
  ['GET', '/mcp-servers/*/tools', listTools],
];

/** The ids in the segments when they fit the path, else undefined. */
function match(path: string, segments: readonly string[]): string[] | undefined {
  const parts = path.split('/').slice(1);
  const fits = parts.length === segments.length && parts.every((part, at) => part === '*' || part === segments[at]);
  return fits ? segments.filter((_, at) => parts[at] === '*') : undefined;
}

/** Finds the operation, or refuses with 404 or 405. */
export function findOperation(method: string, segments: readonly string[]): { operation: Operation; ids: string[] } {
  const allowed: string[] = [];
  for (const [routeMethod, path, operation] of ROUTES) {
    const ids = match(path, segments);
    if (ids !== undefined && routeMethod === method) return { operation, ids };
    if (ids !== undefined) allowed.push(routeMethod);
  }
  if (allowed.length === 0) throw new Refusal(404, 'No such address');
  throw new Refusal(405, 'This method is not offered here', { allow: allowed.join(', ') });
}
