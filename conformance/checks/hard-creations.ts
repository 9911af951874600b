import { asJson, own, say } from '../../lib/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import {
  type CreateOperation,
  type CreationBody,
  creationKinds,
  newBody,
  sendCreation,
  sharedCreation,
} from '../probing/creations.ts';
import { isComplete, type Listing, readList, repliesShowing } from '../probing/lists.ts';
import { hardTexts } from '../probing/odd-texts.ts';
import { requireNothingHidden } from '../probing/paging.ts';
import { createdSoFar } from '../probing/recorded.ts';
import type { Content } from '../request-parts.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { expectNoFailure, idOf, requireNoOtherClient } from '../target/expectations.ts';
import { poll } from '../target/poll.ts';
import type { Reply } from '../target/reply.ts';

/** A name is a string of any characters and length: refused or accepted, it must not make the server fail (4.3, 4.8). */
export async function expectOddNamesAnswered(session: Session, operation: CreateOperation): Promise<undefined> {
  await sharedCreation(session, operation, 'first');
  for (const text of Object.values(hardTexts)) {
    const { name, ...rest } = newBody(session, operation);
    await expectNoFailure(session, await sendCreation(session, operation, { ...rest, name: name + text }));
  }
}

/** Creations that most servers refuse, each for a different reason. An accepted one only adds a resource. */
function doubtful(session: Session, operation: CreateOperation): Content[] {
  const { name, ...rest } = newBody(session, operation);
  const bodies: Partial<Record<keyof CreationBody, unknown>>[] = [
    {},
    rest,
    ...['', null, 7, [name], { name }].map((value) => ({ ...rest, name: value })),
  ];
  if (operation === 'createMcpServer') {
    for (const url of ['', 'no url', 'ftp://mcp.example.com/', null, 7, [rest.url]]) bodies.push({ name, url });
    bodies.push({ name });
  }
  const whole = JSON.stringify({ name, ...rest });
  const raw = (body: string, contentType = 'application/json'): Content => ({ raw: { body, contentType } });
  return [...bodies.map((json): Content => ({ json })), raw(whole.slice(0, -1)), raw(whole, 'text/plain')];
}

/** A refused creation creates nothing, whatever is wrong with it. */
export async function expectRefusedCreateNothing(session: Session, operation: CreateOperation): Promise<undefined> {
  await sharedCreation(session, operation, 'first');
  const bodies = doubtful(session, operation);
  const made = await madeBy(session, operation, bodies);
  if (made === undefined) return;
  const { list, noun } = creationKinds[operation];
  await requireNoOtherClient('The list keeps growing', async () => idsIn(await readList(session, list)));
  for (const body of bodies) {
    const again = await madeBy(session, operation, [body]);
    if (again === undefined) continue;
    const expected = say`no new ${own(noun)}: the creation was refused with status ${again.refusals[0]?.status ?? 0}`;
    const actual = say`the list shows a new one: ${asJson(again.item)}`;
    throw new Violated(expected, actual, [...again.refusals, ...repliesShowing(again.listing, again.item)]);
  }
}

interface Made {
  refusals: Reply[];
  item: unknown;
  listing: Listing;
}

/** The new items in a list after some creations, except those of the successful ones. */
async function madeBy(
  session: Session,
  operation: CreateOperation,
  bodies: readonly Content[],
): Promise<Made | undefined> {
  const { list } = creationKinds[operation];
  const before = await readList(session, list);
  if (!isComplete(before)) await requireNothingHidden(session, before);
  const refusals: Reply[] = [];
  for (const body of bodies) {
    const reply = await sendCreation(session, operation, { name: '(sent in an unusual body)' }, body);
    if (isClientError(reply)) refusals.push(reply);
  }
  if (refusals.length === 0) return undefined;
  const known = new Set(idsIn(before));
  const { seen } = await poll(
    session.learned.delaysMs.creation * 1.5,
    () => readList(session, list),
    (listing) => newIn(session, operation, known, listing) !== undefined,
  );
  const item = newIn(session, operation, known, seen);
  return item === undefined ? undefined : { refusals, item, listing: seen };
}

function newIn(session: Session, operation: CreateOperation, known: ReadonlySet<string>, { items }: Listing): unknown {
  const made = new Set(createdSoFar(session, operation).map(({ reply }) => idOf(reply.json)));
  return items.find((item) => {
    const id = idOf(item);
    return id !== undefined && !known.has(id) && !made.has(id);
  });
}

function idsIn({ items }: Listing): string[] {
  return items.flatMap((item) => idOf(item) ?? []);
}
