import { asJson, type Sentence, say } from '../../openapi/reading/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { type Check, checksOf } from '../check.ts';
import { type CreateOperation, creationKinds, requireCreation, sharedCreation } from '../probing/creations.ts';
import { sameName, sameUrl } from '../probing/repeated-creations.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { idOf, requireSuccess } from '../target/expectations.ts';
import { requireShown } from './listed-creations.ts';

const first = { createDrive: 'firstDrive', createMcpServer: 'firstMcpServer' } as const;
const namesake = { createDrive: 'driveNamesake', createMcpServer: 'mcpServerNamesake' } as const;

/** Creations with a name or a URL that is taken: refused, or a further thing beside the first (4.3, 4.8). */
export const repeatedCreationChecks: readonly Check[] = [
  ...(['createDrive', 'createMcpServer'] as const).map((operation) => {
    const { list, noun } = creationKinds[operation];
    return checksOf(list, 'list')(
      'namesake-kept',
      `Creates a ${noun} with the name of an earlier one, and looks for both in the list.`,
      (session) => expectBoth(session, operation),
      { needs: ['writes'], effects: { shared: [first[operation], namesake[operation]] } },
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
    throw new Violated(say`a refusal, or another id`, say`id: ${asJson(idOf(reply.json))}`, [earlier.reply, reply]);
  }
  await requireShown(session, [earlier, later]);
  return undefined;
}

// An answer with the id of the earlier one says that nothing was registered.
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
