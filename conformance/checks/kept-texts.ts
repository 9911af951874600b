import { asJson, own, type Sentence, say } from '../../lib/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import { isSameUrl } from '../probing/created-values.ts';
import {
  type CreateOperation,
  type CreationBody,
  newBody,
  requireCreation,
  requireRoom,
  sendCreation,
  sharedCreation,
} from '../probing/creations.ts';
import { findById, repliesShowing } from '../probing/lists.ts';
import { numberShape } from '../probing/names.ts';
import { isServerError } from '../server-errors.ts';
import type { Session } from '../session.ts';
import { Inconclusive, Violated } from '../signals.ts';
import { expectSuccess, member } from '../target/expectations.ts';
import { requireShown } from './listed-creations.ts';

/** A name with unusual text appended is returned and listed as sent (4.3, 4.8). */
export async function expectNameKept(
  session: Session,
  operation: CreateOperation,
  unusual: string,
): Promise<Sentence | undefined> {
  await sharedCreation(session, operation, 'first');
  const { name: usual, ...rest } = newBody(session, operation);
  return expectKept(session, operation, { ...rest, name: `${usual} ${unusual}` }, 'name');
}

/** A name of digits stays a string with all its digits. */
export async function expectNumberKept(session: Session, operation: CreateOperation): Promise<Sentence | undefined> {
  await sharedCreation(session, operation, 'first');
  return expectKept(session, operation, { ...newBody(session, operation), name: session.newName(numberShape) }, 'name');
}

/** A URL is returned and listed as sent, or refused (4.8). */
export async function expectUrlKept(session: Session, url: string): Promise<Sentence | undefined> {
  await sharedCreation(session, 'createMcpServer', 'first');
  if (session.learned.acceptedUrl !== undefined) return say`Made-up URLs are refused, which is open.`;
  return expectKept(session, 'createMcpServer', { ...newBody(session, 'createMcpServer'), url }, 'url');
}

async function expectKept(
  session: Session,
  operation: CreateOperation,
  body: CreationBody,
  field: 'name' | 'url',
): Promise<Sentence | undefined> {
  const reply = await sendCreation(session, operation, body);
  if (isClientError(reply)) return say`Refused, which is open.`;
  if (field === 'url' && isServerError(reply))
    throw new Inconclusive('PREREQUISITE', say`The target fails on this URL.`, 'createMcpServer.no-server-error');
  if (!reply.isSuccess) await requireRoom(session, operation, reply);
  await expectSuccess(session, reply);
  const creation = requireCreation(operation, body, reply);
  const listing = await requireShown(session, [creation]);
  const listed = findById(listing, creation.id);
  const places = [
    { value: member(reply.json, field), shownIn: [reply] },
    // A list item should have the field, but need not.
    { value: member(listed, field) ?? body[field], shownIn: repliesShowing(listing, listed) },
  ];
  for (const { value, shownIn } of places) {
    const isKept = field === 'url' ? isSameUrl(value, body.url) : value === body[field];
    if (!isKept) throw new Violated(say`${own(field)}: ${asJson(body[field])}`, asJson(value), shownIn);
  }
  return undefined;
}
