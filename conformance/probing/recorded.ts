import type { OperationId } from '../../openapi/contract/operations.ts';
import { isObject, parseJson } from '../../openapi/reading/messages.ts';
import { decodeQuery } from '../../openapi/reading/query.ts';
import { say } from '../../openapi/reading/sentence.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { carries } from '../target/credentials.ts';
import { idOf, items, judgesShape, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { type CreateOperation, type CreationBody, creationKinds } from './creations.ts';
import type { ListOperation } from './lists.ts';

/** The organizations that the run knows, by the key that acts for them. */
export type Whose = 'own' | 'other';

/** Whose key a request carried; undefined if it carried none of the two. */
export function whoSent({ settings }: Session, { request }: Reply): Whose | undefined {
  if (!request.isAuthenticated) return undefined;
  if (carries(request.headers, settings.apiKey)) return 'own';
  return settings.otherApiKey !== undefined && carries(request.headers, settings.otherApiKey) ? 'other' : undefined;
}

/** The successful replies of an operation to the key of one organization so far. */
export function successesFor(session: Session, operation: OperationId, whose: Whose): Reply[] {
  return session.successesOf(operation).filter((reply) => whoSent(session, reply) === whose);
}

/** What a response of a list holds; a page of drives as well. */
export function listedIn({ request, json }: Reply): unknown[] {
  return items(request.operation === 'listDrives' ? member(json, 'data') : json);
}

/** An integer among the query parameters of a request that was sent once; undefined for anything else. */
export function sentInteger({ request }: Reply, name: string): number | undefined {
  const [, query = ''] = request.path.split(/\?(.*)/s);
  const values = decodeQuery(query).filter((pair) => pair.name === name);
  const [only] = values;
  return values.length === 1 && /^-?\d{1,9}$/.test(only?.value ?? '') ? Number(only?.value) : undefined;
}

/** The JSON object that a request carried. */
export function sentObject({ request }: Reply): Record<string, unknown> {
  const value = parseJson(request.body ?? '')?.value;
  return isObject(value) ? value : {};
}

/** A creation with a response that succeeded. */
export interface Created {
  operation: CreateOperation;
  whose: Whose;
  sent: Partial<Record<keyof CreationBody, unknown>>;
  reply: Reply;
}

/** Everything that the run created so far with a valid key. */
export function createdSoFar(session: Session, operation: CreateOperation): Created[] {
  return session.successesOf(operation).flatMap((reply) => {
    const whose = whoSent(session, reply);
    return whose === undefined ? [] : [{ operation, whose, sent: sentObject(reply), reply }];
  });
}

/** Whether a list has shown a key anything that the run created with it. That it does is a should (4.3, 4.4, 4.8, 4.9). */
export function hasShownCreations(session: Session, operation: CreateOperation, whose: Whose): boolean {
  const created = createdSoFar(session, operation).filter((one) => one.whose === whose);
  const ids = new Set(created.map(({ reply }) => idOf(reply.json)).filter((id) => id !== undefined));
  const replies = successesFor(session, creationKinds[operation].list, whose);
  return replies.some((reply) => listedIn(reply).some((item) => ids.has(idOf(item) ?? '')));
}

/**
 * Throws {@link Inconclusive} if no list has shown a key anything that the run created with it: then it cannot be said of
 * one creation that it is missing.
 */
export function requireShownCreations(session: Session, operation: CreateOperation, whose: Whose): void {
  if (hasShownCreations(session, operation, whose)) return;
  const { list, listed } = creationKinds[operation];
  throw new Inconclusive(
    'PREREQUISITE',
    say`The list shows nothing that the run created.`,
    listed,
    ...judgesShape(list),
  );
}

/** The operation that creates what a list shows. */
export function creationOf(list: ListOperation): CreateOperation | undefined {
  return (Object.keys(creationKinds) as CreateOperation[]).find((one) => creationKinds[one].list === list);
}

/** Whether one reply certainly shows the whole list: of drives, if a later page could hold more than it does. */
export function showsAll(session: Session, reply: Reply): boolean {
  if (!reply.isSuccess) return false;
  if (reply.request.operation !== 'listDrives') return true;
  const count = listedIn(reply).length;
  return (
    isFull(reply) && session.successesOf('listDrives').some((page) => isFull(page) && listedIn(page).length > count)
  );
}

/** Whether a page begins at the first drive, and was asked for a hundred. */
function isFull(reply: Reply): boolean {
  return sentInteger(reply, 'offset') === 0 && sentInteger(reply, 'limit') === 100;
}
