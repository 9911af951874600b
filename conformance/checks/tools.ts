import { say } from '../../openapi/reading/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { mcpServerIds, unknownId } from '../probing/fixtures.ts';
import { isNumber, isUuid, unknownLike } from '../probing/unknown-ids.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { describeReply, inconclusive, isBusy } from '../target/expectations.ts';
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
  const [known] = await mcpServerIds(session).catch(() => []);
  const madeUp = { id: unknownId(session), isWellFormed: false };
  if (known === undefined) return [madeUp];
  return [{ id: unknownLike(session, known), isWellFormed: isUuid(known) || isNumber(known) }, madeUp];
}
