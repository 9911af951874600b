import { say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { sharedCreation } from '../probing/creations.ts';
import { delisted } from '../probing/fixtures.ts';
import { findById, readList } from '../probing/lists.ts';
import { successfulReplies } from '../probing/operations.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { whoSent } from '../probing/recorded.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { idOf, items, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** The tools of existing MCP servers (4.10). */
export const toolListChecks: readonly Check[] = [
  checksOf('listMcpServerTools', 'list')(
    'created-server',
    'Lists the tools of a new MCP server until it is found.',
    expectNewFound,
    { needs: ['writes'], effects: { shared: ['firstMcpServer'] } },
  ),
  checksOf('listMcpServerTools', 'list')(
    'found-for-other-organization',
    'Lists the MCP servers of the other organization, and the tools of three of them, with its key.',
    expectFoundForOther,
    { needs: ['otherKey', 'otherMcpServer'], effects: { perhaps: ['driveOfEachOrganization'] } },
  ),
  checksOf('listMcpServerTools', 'judge')(
    'same-tools-each-time',
    'Compares all tool lists of each MCP server in the run.',
    expectSameTools,
  ),
];

// The response for an MCP server that the target cannot reach is open, but the server exists. Other checks judge only a success.
async function expectNewFound(session: Session): Promise<void> {
  const { id, reply: creation } = await sharedCreation(session, 'createMcpServer', 'first');
  const { seen } = await session.patience.settle(
    'tools',
    () => session.ask('listMcpServerTools', { path: { mcpServerId: id } }),
    ({ status }) => status !== 404,
  );
  if (seen.isSuccess) session.remember(seen);
  if (seen.status !== 404) return;
  if (findById(await readList(session, 'listMcpServers'), id) === undefined) throw new Inconclusive('QUIET', delisted);
  throw new Violated(say`any status but 404: the server was registered`, say`status 404`, [creation, seen]);
}

const mostAsked = 3;

async function expectFoundForOther(session: Session): Promise<void> {
  await requireOtherOrganization(session);
  const listing = await readList(session, 'listMcpServers', session.other);
  const ids = listing.items.flatMap((item) => idOf(item) ?? []).slice(0, mostAsked);
  if (ids.length === 0) throw new Inconclusive('DATA', say`The other organization has no MCP server.`);
  for (const id of ids) {
    const { seen } = await session.patience.settle(
      'tools',
      () => session.ask('listMcpServerTools', { path: { mcpServerId: id }, credentials: session.other }),
      ({ status }) => status !== 404,
    );
    if (seen.status !== 404) continue;
    if (findById(await readList(session, 'listMcpServers', session.other), id) === undefined) continue;
    const expected = say`any status but 404: the list shows the server`;
    throw new Violated(expected, say`status 404`, [...listing.replies, seen]);
  }
}

// An MCP server may change its tools once meanwhile, but not on every reading.
async function expectSameTools(session: Session): Promise<void> {
  const replies = await successfulReplies(session, 'listMcpServerTools');
  const byServer = Map.groupBy(replies, (reply) => `${whoSent(session, reply)} ${reply.request.path}`);
  for (const ofServer of byServer.values()) {
    const lists = Map.groupBy(ofServer, toolsIn);
    const [one = [], other = []] = [...lists.values()];
    if (lists.size > 2) {
      const actual = say`${lists.size} different lists in ${ofServer.length} readings`;
      throw new Violated(say`the same tools each time`, actual, [...one.slice(0, 1), ...other.slice(0, 1)]);
    }
  }
}

/** The tools in a response, without their order, as text to compare. */
function toolsIn({ json }: Reply): string {
  const tools = items(member(json, 'tools'));
  return JSON.stringify(tools.map((tool) => [member(tool, 'name'), member(tool, 'description')].map(String)).sort());
}
