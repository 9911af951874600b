import { asJson, type Sentence, say } from '../../lib/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { type Check, checksOf } from '../check.ts';
import { differenceFrom } from '../probing/created-values.ts';
import {
  type CreateOperation,
  creationKinds,
  requireCreation,
  sendCreation,
  sendNewCreation,
  sharedCreation,
} from '../probing/creations.ts';
import { findById, repliesShowing } from '../probing/lists.ts';
import { requireOtherOrganization } from '../probing/organizations.ts';
import { sameName, sameUrl } from '../probing/repeated-creations.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { idOf, requireSuccess } from '../target/expectations.ts';
import { requireShown } from './listed-creations.ts';

const first = { createDrive: 'firstDrive', createMcpServer: 'firstMcpServer' } as const;
const namesake = { createDrive: 'driveNamesake', createMcpServer: 'mcpServerNamesake' } as const;

/** Creations with a taken name or URL: refused, or a second resource besides the first (4.3, 4.8). */
export const repeatedCreationChecks: readonly Check[] = [
  ...(['createDrive', 'createMcpServer'] as const).map((operation) => {
    const { list, noun } = creationKinds[operation];
    return checksOf(list, 'list')(
      'namesake-kept',
      `Creates a new ${noun} with the name of an earlier one, and looks for both in the list.`,
      (session) => expectBoth(session, operation),
      { needs: ['writes'], effects: { shared: [first[operation], namesake[operation]] } },
    );
  }),
  ...(['createDrive', 'createMcpServer'] as const).map((operation) => {
    const { list, noun, effect, othersEffect } = creationKinds[operation];
    return checksOf(list, 'list')(
      'namesake-kept.other-organization',
      `Creates a new ${noun}, then the same one with the key of the other organization, and looks for the first in the list.`,
      (session) => expectKeptFromOther(session, operation),
      {
        needs: ['writes', 'otherKey'],
        effects: { [effect]: 1, [othersEffect]: 1, perhaps: ['driveOfEachOrganization'] },
      },
    );
  }),
  checksOf('listMcpServers', 'list')(
    'same-url-listed',
    'Registers the URL of an earlier MCP server under another name, and looks for the new one in the list.',
    expectSameUrlListed,
    { needs: ['writes'], effects: { mcpServers: 1, shared: ['firstMcpServer'] } },
  ),
];

const refused = say`Refused, which is open.`;

async function expectBoth(session: Session, operation: CreateOperation): Promise<Sentence | undefined> {
  const earlier = await sharedCreation(session, operation, 'first');
  const reply = await sameName(session, operation);
  if (isClientError(reply)) return refused;
  requireSuccess(reply, `${operation}.is-served`);
  const later = requireCreation(operation, earlier.sent, reply);
  if (later.id === earlier.id) {
    const expected = say`a new one with its own id, or an error response: the name is taken`;
    const actual = say`the earlier one with this name, ${asJson(idOf(reply.json))}: nothing was created`;
    throw new Violated(expected, actual, [earlier.reply, reply]);
  }
  await requireShown(session, [earlier, later]);
  return undefined;
}

async function expectKeptFromOther(session: Session, operation: CreateOperation): Promise<Sentence | undefined> {
  await requireOtherOrganization(session);
  const { sent, reply } = await sendNewCreation(session, operation);
  const ours = requireCreation(operation, sent, reply);
  await requireShown(session, [ours]);
  const theirs = await sendCreation(session, operation, sent, { credentials: session.other });
  if (isClientError(theirs)) return refused;
  requireSuccess(theirs, `${operation}.is-served`);
  const listing = await requireShown(session, [ours]);
  const shown = findById(listing, ours.id);
  const difference = differenceFrom({ ...sent }, shown);
  if (difference === undefined) return undefined;
  throw new Violated(difference.expected, difference.actual, [theirs, ...repliesShowing(listing, shown)]);
}

// A response with the earlier id means that nothing was registered.
async function expectSameUrlListed(session: Session): Promise<Sentence | undefined> {
  const earlier = await sharedCreation(session, 'createMcpServer', 'first');
  const { sent, reply } = await sameUrl(session);
  if (isClientError(reply)) return refused;
  requireSuccess(reply, 'createMcpServer.is-served');
  const later = requireCreation('createMcpServer', sent, reply);
  if (later.id === earlier.id) return say`The response shows the earlier MCP server, which is open.`;
  await requireShown(session, [later]);
  return undefined;
}
