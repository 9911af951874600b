import { isDeepStrictEqual } from 'node:util';
import { find, readList } from '../scene/lists.ts';
import { publishedWell, sendPublication } from '../scene/publications.ts';
import { publishableAgent } from '../scene/subjects.ts';
import type { Session } from '../session.ts';
import { member, poll } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { isAccepted, type Observer, type Seen } from './observer.ts';
import { unknownLike } from './unknown.ts';

/** What a publication answers, and what it changes. */
export const publicationObservers: readonly Observer[] = [
  publishing('publishStatus', async (session) => (await publishedWell(session)).reply.status),
  publishing('publishBody', async (session) => seeBody(session, (await publishedWell(session)).reply)),
  publishing('republish', async (session) => (isAccepted(await publishedAgain(session)) ? 'accepted' : 'refused')),
  publishing('publishUnknownRevision', seeUnknownRevision),
  publishing('updatedAtAfterPublish', seeUpdatedAt),
  publishing('flagsAfterPublish', seeFlags),
];

function publishing(openPoint: Observer['openPoint'], see: Observer['see']): Observer {
  return { openPoint, phase: 'publish', effects: {}, see };
}

const bodiless = [204, 205];

function seeBody(session: Session, { status, hasBody, isJson, json, text }: Reply): Seen {
  if (bodiless.includes(status)) return undefined;
  if (!hasBody) return 'none';
  if (isJson && isDeepStrictEqual(json, {})) return 'emptyObject';
  const { id, revisionId } = publishableAgent(session);
  if (member(json, 'id') === id && member(json, 'isPublished') !== undefined) return 'agent';
  const isRevision = member(json, 'revisionId') === revisionId && member(json, 'agentId') === id;
  return isRevision && member(json, 'createdAt') !== undefined ? 'revision' : { other: text ?? 'no text' };
}

/** A publication of what was just published, whatever came of it. It is sent once in a run. */
export function publishedAgain(session: Session): Promise<Reply> {
  return session.once('published again', async () => {
    await publishedWell(session);
    return sendPublication(session);
  });
}

async function seeUnknownRevision(session: Session): Promise<Seen> {
  session.requireWrites();
  await publishedWell(session);
  const { id, revisionId } = publishableAgent(session);
  const json = { revisionId: unknownLike(session, revisionId) };
  const reply = await session.call('publishAgentRevision', { path: { agentId: id }, json });
  return isAccepted(reply) ? undefined : reply.status;
}

/** The agent before and after its publication, the latter as soon as the list shows that it is published. */
function shownPublication(session: Session): Promise<{ before: unknown; after: unknown }> {
  return session.once('shown publication', async () => {
    const { id } = publishableAgent(session);
    const { before } = await publishedWell(session);
    const { seen } = await poll(
      session.settings.settleMs,
      async () => find(await readList(session, 'listAgents'), id),
      (agent) => member(agent, 'isPublished') === true,
    );
    return { before: find({ items: before }, id), after: seen };
  });
}

async function seeUpdatedAt(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  const [was, is] = [member(before, 'updatedAt'), member(after, 'updatedAt')];
  if (was === undefined || is === undefined) return undefined;
  return was === is ? 'kept' : 'touched';
}

// Whether the revision is the newest one is not known. Only a flag that was false and is true tells of one choice alone.
async function seeFlags(session: Session): Promise<Seen> {
  const { before, after } = await shownPublication(session);
  return member(before, 'hasChanges') === false && member(after, 'hasChanges') === true ? 'derived' : undefined;
}
