import type { Check } from '../check.ts';
import { isBusy } from '../expectations.ts';
import type { Session } from '../session.ts';
import { Unverified, Violated } from '../signals.ts';
import { listedServers, unknownId } from '../subjects.ts';

/** The tools of an MCP server (4.10). */
export const toolChecks: readonly Check[] = [
  {
    id: 'listMcpServerTools.unknown-server',
    operation: 'listMcpServerTools',
    phase: 'read',
    does: 'Lists the tools of an MCP server that does not exist: an id like the others with its last character changed, and a made-up one.',
    run: expect404,
  },
];

async function expect404(session: Session): Promise<void> {
  for (const mcpServerId of await unknownIds(session)) {
    const reply = await session.call('listMcpServerTools', { path: { mcpServerId } });
    if (reply.status === 404) continue;
    if (reply.failure !== undefined || isBusy(reply))
      throw new Unverified('TARGET', 'No answer that tells anything came.');
    // For an id that cannot be one, 400 can be read as another word for "not found".
    if (reply.status === 400 && mcpServerId.endsWith('-none')) continue;
    throw new Violated('status 404', `status ${reply.status}`, [reply]);
  }
}

async function unknownIds(session: Session): Promise<string[]> {
  const known = await listedServers(session).catch(() => []);
  const [first] = known;
  const like = first === undefined ? undefined : otherLast(first, known);
  return [...(like === undefined ? [] : [like]), unknownId(session)];
}

/** An id of the same form: the last letter or digit is another one. */
function otherLast(id: string, known: readonly string[]): string | undefined {
  const candidates = [...'0123456789abcdef'].map((character) => id.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, character));
  return candidates.find((candidate) => candidate !== id && !known.includes(candidate));
}
