import { randomInt, randomUUID } from 'node:crypto';
import type { Check } from '../check.ts';
import { readList } from '../scene/lists.ts';
import { listedServers, unknownId } from '../scene/subjects.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { idOf, isBusy } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The tools of an MCP server (4.10). */
export const toolChecks: readonly Check[] = [
  {
    id: 'listMcpServerTools.unknown-server',
    operation: 'listMcpServerTools',
    phase: 'read',
    does: 'Lists the tools of an MCP server that does not exist: an id of the same form as the others, and a made-up one.',
    run: expect404,
  },
];

async function expect404(session: Session): Promise<void> {
  for (const { id, isWellFormed } of await unknownIds(session)) {
    const reply = await session.call('listMcpServerTools', { path: { mcpServerId: id } });
    if (reply.status === 404) continue;
    if (reply.failure !== undefined || isBusy(reply))
      throw new Unverified('TARGET', 'No answer that tells anything came.');
    if (!isWellFormed && isOpen(reply, id, session)) continue;
    throw new Violated('status 404', `status ${reply.status}`, [reply]);
  }
}

const malformed = [400, 422];

// For an id that may be malformed, 400 and 422 can be read as other words for "not found"; and the end of an id that
// nothing is known of may be no part of it.
function isOpen({ status, isSuccess }: Reply, id: string, session: Session): boolean {
  return malformed.includes(status) || (isSuccess && !id.includes(session.runId));
}

interface UnknownId {
  id: string;
  /** Whether it is certainly of the form that ids have on this target. */
  isWellFormed: boolean;
}

async function unknownIds(session: Session): Promise<UnknownId[]> {
  const known = await listedServers(session).catch(() => []);
  const { items } = await readList(session, 'listMcpServers').catch(() => ({ items: [] }));
  const like = known
    .slice(0, 1)
    .flatMap((id) => likeUnknown(id, [...known, ...items.flatMap((item) => idOf(item) ?? [])]));
  return [...like, { id: unknownId(session), isWellFormed: false }];
}

/** An id of the same form that the list does not show. Numbers may go on in other organizations: it is a far one. */
function likeUnknown(id: string, known: readonly string[]): UnknownId[] {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return [{ id: otherUuid(id), isWellFormed: true }];
  if (/^\d+$/.test(id)) return [{ id: farNumber(id), isWellFormed: true }];
  const candidates = [...'9876543210'].map((digit) => id.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, digit));
  const free = candidates.find((candidate) => !known.includes(candidate));
  return free === undefined ? [] : [{ id: free, isWellFormed: false }];
}

// Of the same version, and in the same case.
function otherUuid(id: string): string {
  const tail = randomUUID().slice(-12);
  return id.slice(0, -12) + (id === id.toUpperCase() ? tail.toUpperCase() : tail);
}

function farNumber(id: string): string {
  const length = Math.max(9, id.length);
  return Array.from({ length }, (_, index) => (index === 0 ? '1' : String(randomInt(10)))).join('');
}
