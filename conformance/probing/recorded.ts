import { decodeQuery } from '../../lib/query.ts';
import { say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { isObject, parseJson } from '../../openapi/reading/messages.ts';
import type { Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { carries } from '../target/credentials.ts';
import { idOf, items, judgesShape, member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import { type CreateOperation, type CreationBody, creationKinds } from './creations.ts';
import type { ListOperation } from './lists.ts';

/** The organizations that the run knows, by the key that acts for them. */
export type Whose = 'own' | 'other';

/** Whose key a request carried; undefined if it carried neither. */
export function whoSent({ settings }: Session, { request }: Reply): Whose | undefined {
  if (!request.isAuthenticated) return undefined;
  if (carries(request.headers, settings.apiKey)) return 'own';
  return settings.otherApiKey !== undefined && carries(request.headers, settings.otherApiKey) ? 'other' : undefined;
}

/** The successful replies so far of an operation to one organization's key. */
export function successesFor(session: Session, operation: OperationId, whose: Whose): Reply[] {
  return session.successesOf(operation).filter((reply) => whoSent(session, reply) === whose);
}

/** The items in a list response or a page of drives. */
export function listedIn({ request, json }: Reply): unknown[] {
  return items(request.operation === 'listDrives' ? member(json, 'data') : json);
}

/** An integer query parameter of a request, if sent once; undefined otherwise. */
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

/** A successful creation. */
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

/** Whether a list has shown a key anything that the run created with it, which is a should (4.3, 4.4, 4.8, 4.9). */
export function hasShownCreations(session: Session, operation: CreateOperation, whose: Whose): boolean {
  const created = createdSoFar(session, operation).filter((one) => one.whose === whose);
  const ids = new Set(created.map(({ reply }) => idOf(reply.json)).filter((id) => id !== undefined));
  const replies = successesFor(session, creationKinds[operation].list, whose);
  return replies.some((reply) => listedIn(reply).some((item) => ids.has(idOf(item) ?? '')));
}

/**
 * Throws {@link Inconclusive} if no list has shown a key anything that the run created with it: then no single creation
 * can be called missing.
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

/** Whether one reply certainly shows the whole list. For drives: if some page held more items than this one. */
export function showsAll(session: Session, reply: Reply): boolean {
  if (!reply.isSuccess) return false;
  if (reply.request.operation !== 'listDrives') return true;
  const count = listedIn(reply).length;
  return (
    isFull(reply) && session.successesOf('listDrives').some((page) => isFull(page) && listedIn(page).length > count)
  );
}

/** Whether a page starts at the first drive, and a hundred were requested. */
function isFull(reply: Reply): boolean {
  return sentInteger(reply, 'offset') === 0 && sentInteger(reply, 'limit') === 100;
}
