import { randomInt, randomUUID } from 'node:crypto';
import { say } from '../../openapi/reading/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { mcpServerIds, unknownId } from '../probing/fixtures.ts';
import { readList } from '../probing/lists.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { describeReply, idOf, inconclusive, isBusy } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The tools of an MCP server (4.10). */
export const toolChecks: readonly Check[] = [
  checksOf('listMcpServerTools', 'read')(
    'unknown-server',
    'Lists the tools of an MCP server that does not exist: under an id of the same form as the others, and a made-up one.',
    expect404,
  ),
];

async function expect404(session: Session): Promise<void> {
  for (const { id, isWellFormed } of await unknownIds(session)) {
    const listTools = () => session.call('listMcpServerTools', { path: { mcpServerId: id } });
    const first = await listTools();
    // A connection may break once by chance.
    const reply = first.failure === undefined ? first : await listTools();
    if (reply.status === 404) continue;
    if (isBusy(reply)) throw inconclusive(reply);
    if (!isWellFormed && isOpen(session, reply, id)) continue;
    throw new Violated(say`status 404`, describeReply(reply), [reply]);
  }
}

// For a malformed id 400 and 422 can be read as "not found"; and a server may ignore the end of an id of unknown form.
function isOpen({ runId }: Session, { status, isSuccess }: Reply, id: string): boolean {
  return status === 400 || status === 422 || (isSuccess && !id.includes(runId));
}

interface UnknownId {
  id: string;
  /** Whether it certainly has the form of ids on this target. */
  isWellFormed: boolean;
}

async function unknownIds(session: Session): Promise<UnknownId[]> {
  const known = await mcpServerIds(session).catch(() => []);
  const { items } = await readList(session, 'listMcpServers').catch(() => ({ items: [] }));
  const all = [...known, ...items.flatMap((item) => idOf(item) ?? [])];
  return [...known.slice(0, 1).flatMap((id) => similarId(id, all)), { id: unknownId(session), isWellFormed: false }];
}

/** An id of the same form that the list does not show. A number is far off: other organizations may have the next ones. */
function similarId(id: string, known: readonly string[]): UnknownId[] {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return [{ id: otherUuid(id), isWellFormed: true }];
  if (/^\d+$/.test(id)) return [{ id: farNumber(id), isWellFormed: true }];
  const candidates = [...'9876543210'].map((digit) => id.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, digit));
  const free = candidates.find((candidate) => !known.includes(candidate));
  return free === undefined ? [] : [{ id: free, isWellFormed: false }];
}

// Of the same version, in the same case.
function otherUuid(id: string): string {
  const tail = randomUUID().slice(-12);
  return id.slice(0, -12) + (id === id.toUpperCase() ? tail.toUpperCase() : tail);
}

function farNumber(id: string): string {
  const length = Math.max(9, id.length);
  return Array.from({ length }, (_, index) => (index === 0 ? '1' : String(randomInt(10)))).join('');
}
