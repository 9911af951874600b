import { joined, say } from '../../lib/sentence.ts';
import { type Check, checksOf } from '../check.ts';
import { listsInTurn } from '../probing/both-organizations.ts';
import { type ListOperation, ownersNamed } from '../probing/lists.ts';
import { successfulReplies } from '../probing/operations.ts';
import { listedIn, successesFor, type Whose } from '../probing/recorded.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { judgesShape } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { expectNothingShared } from './organizations.ts';

const owning = ['listDrives', 'listMcpServers'] as const;

/** The owners of the items in every list of the run, whatever its query (4.4, 4.9, 5.3). */
export const everyListChecks: readonly Check[] = [
  ...(['listAgents', ...owning] as const).map((operation) =>
    checksOf(operation, 'judge')(
      'hides-other-organization.each-answer',
      'Compares all lists read with the keys of both organizations, and looks for items in both.',
      (session) => expectOwnItems(session, operation),
      { needs: ['otherKey'], effects: { perhaps: ['driveOfEachOrganization'] } },
    ),
  ),
  ...owning.map((operation) =>
    checksOf(operation, 'judge')(
      'items-name-one-organization.each-answer',
      'Compares the owners in all lists read with one key.',
      (session) => expectOneOwner(session, operation),
    ),
  ),
  checksOf('listMcpServers', 'judge')(
    'same-organization-as-drives',
    'Compares the owners of the listed MCP servers with those of the listed drives.',
    expectSameAsDrives,
  ),
];

async function expectOwnItems(session: Session, operation: ListOperation): Promise<void> {
  await successfulReplies(session, operation);
  await listsInTurn(session, operation);
  // Other requests set a limit: the drives of one organization may fill the page before those of the other.
  const callers = operation === 'listDrives' ? [session.own, session.other] : [];
  for (const credentials of callers) await session.call(operation, { credentials, query: {} });
  const [own, other] = (['own', 'other'] as const).map((whose) => successesFor(session, operation, whose));
  await expectNothingShared(session, { own: own ?? [], other: other ?? [] });
}

/** The owners that all lists name to a key, each with the last list that names it. */
function ownersIn(session: Session, operation: ListOperation, whose: Whose): Map<string, Reply> {
  const replies = successesFor(session, operation, whose);
  return new Map(replies.flatMap((reply) => [...ownersNamed(listedIn(reply))].map((owner) => [owner, reply] as const)));
}

async function expectOneOwner(session: Session, operation: ListOperation): Promise<void> {
  await successfulReplies(session, operation);
  for (const whose of ['own', 'other'] as const) {
    const owners = ownersIn(session, operation, whose);
    if (owners.size < 2) continue;
    const expected = say`one organizationId in all lists for one key`;
    throw new Violated(expected, say`${owners.size}: ${joined(owners.keys())}`, [...new Set(owners.values())]);
  }
}

// Several owners in one list are reported by a different check.
async function expectSameAsDrives(session: Session): Promise<void> {
  for (const operation of owning) await successfulReplies(session, operation);
  const onlyOwner = (operation: ListOperation, whose: Whose) => {
    const [owner, ...more] = ownersIn(session, operation, whose);
    return more.length === 0 ? owner : undefined;
  };
  let areCompared = false;
  for (const whose of ['own', 'other'] as const) {
    const [drives, servers] = [onlyOwner('listDrives', whose), onlyOwner('listMcpServers', whose)];
    if (drives === undefined || servers === undefined) continue;
    areCompared = true;
    if (drives[0] === servers[0]) continue;
    const expected = say`the organizationId of the drives: ${drives[0]}`;
    throw new Violated(expected, say`${servers[0]}`, [drives[1], servers[1]]);
  }
  if (areCompared) return;
  const callers = (['own', 'other'] as const).flatMap((whose) => owning.map((operation) => ({ operation, whose })));
  const several = callers.filter(({ operation, whose }) => ownersIn(session, operation, whose).size > 1);
  if (several.length > 0) {
    const judges = several.map(({ operation }) => `${operation}.items-name-one-organization.each-answer`);
    throw new Inconclusive('PREREQUISITE', say`A list names several owners.`, ...new Set(judges));
  }
  const unowned = owning.flatMap((operation) => judgesShape(operation));
  throw new Inconclusive('DATA', say`There are no drives and MCP servers with an owner to compare.`, ...unowned);
}
