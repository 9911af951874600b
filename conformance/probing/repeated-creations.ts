import { oncePerRun } from '../once.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import type { Reply } from '../target/reply.ts';
import {
  type CreateOperation,
  type CreationBody,
  creationKinds,
  newBody,
  sendCreation,
  sharedCreation,
} from './creations.ts';
import { readList } from './lists.ts';

/** A creation with the name of an earlier one, whatever the result. */
export const sameName = oncePerRun(async (session, operation: CreateOperation): Promise<Reply> => {
  const { sent } = await sharedCreation(session, operation, 'first');
  const reply = await sendCreation(session, operation, { ...newBody(session, operation), name: sent.name });
  if (reply.isSuccess) {
    await readList(session, creationKinds[operation].list).catch((error: unknown) => {
      if (!(error instanceof Inconclusive)) throw error;
    });
  }
  return reply;
});

/** A registration of the URL of an earlier MCP server under a new name, whatever the result. */
export async function sameUrl(session: Session): Promise<{ sent: CreationBody; reply: Reply }> {
  const { url = '' } = (await sharedCreation(session, 'createMcpServer', 'first')).sent;
  const sent = { ...newBody(session, 'createMcpServer'), url };
  return { sent, reply: await sendCreation(session, 'createMcpServer', sent) };
}
