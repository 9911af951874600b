import { randomUUID } from 'node:crypto';
import type { Check } from '../check.ts';
import { readList } from '../scene/lists.ts';
import { listedServers, unknownId } from '../scene/subjects.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { idOf, isBusy } from '../target/expectations.ts';

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
    // For an id that may be malformed, 400 can be read as another word for "not found".
    if (reply.status === 400 && !isWellFormed) continue;
    throw new Violated('status 404', `status ${reply.status}`, [reply]);
  }
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

/** An id of the same form that the list does not show. */
function likeUnknown(id: string, known: readonly string[]): UnknownId[] {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return [{ id: randomUUID(), isWellFormed: true }];
  const isNumber = /^\d+$/.test(id);
  const candidates = [...'9876543210'].map((digit) => id.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, digit));
  const free = candidates.find((candidate) => !known.includes(candidate));
  return free === undefined ? [] : [{ id: free, isWellFormed: isNumber }];
}
