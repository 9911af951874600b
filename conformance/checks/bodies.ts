import { own, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { type Check, checksOf } from '../check.ts';
import {
  type CreateOperation,
  creationKinds,
  newBody,
  requireAccepted,
  sendCreation,
  sharedCreation,
} from '../probing/creations.ts';
import { movableFile, newPath, sendMoveWithRetry } from '../probing/file-moves.ts';
import { firstMove, operationUses } from '../probing/operations.ts';
import type { Content } from '../request-parts.ts';
import type { Session } from '../session.ts';
import { Violated } from '../signals.ts';
import { describeReply, expectRefusal, inconclusive, isBusy, requireSuccess } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** A valid body, and how to send it differently. Plain ones like it were accepted before. */
interface Sendable {
  body: Readonly<Record<string, unknown>>;
  send(content: Content): Promise<Reply>;
}

type BodyOperation = CreateOperation | 'updateDriveFile';

/** Bodies of the requests that can be repeated: their media type, and the types of their fields (4). */
export const bodyChecks: readonly Check[] = (['createDrive', 'createMcpServer', 'updateDriveFile'] as const).flatMap(
  (operation) => {
    const check = checksOf(operation, operationUses[operation].phase);
    return [
      check(
        'charset-accepted',
        'Sends a valid body with the media type application/json; charset=utf-8.',
        (session) => expectCharsetAccepted(session, operation),
        effectsOf(operation),
      ),
      check(
        'wrong-types-refused',
        'Sends bodies whose fields are arrays or objects, and truncated JSON.',
        (session) => expectWrongTypesRefused(session, operation),
        operation === 'updateDriveFile' ? {} : { effects: { shared: [firstOf(operation)] } },
      ),
    ];
  },
);

function firstOf(operation: CreateOperation): 'firstDrive' | 'firstMcpServer' {
  return operation === 'createDrive' ? 'firstDrive' : 'firstMcpServer';
}

function effectsOf(operation: BodyOperation): Partial<Check> {
  if (operation === 'updateDriveFile') return {};
  return { effects: { [creationKinds[operation].effect]: 1, shared: [firstOf(operation)] } };
}

async function sendableOf(session: Session, operation: BodyOperation): Promise<Sendable> {
  if (operation === 'updateDriveFile') {
    requireSuccess((await firstMove(session)).reply, 'updateDriveFile.is-served');
    const file = await movableFile(session);
    const path = newPath(session, file);
    return { body: { path }, send: (content) => sendMoveWithRetry(session, file, path, content) };
  }
  await sharedCreation(session, operation, 'first');
  const body = newBody(session, operation);
  return { body: { ...body }, send: (content) => sendCreation(session, operation, body, content) };
}

// The parameter states the obvious: JSON is UTF-8.
async function expectCharsetAccepted(session: Session, operation: BodyOperation): Promise<void> {
  const { body, send } = await sendableOf(session, operation);
  const reply = await send({ raw: { body: JSON.stringify(body), contentType: 'application/json; charset=utf-8' } });
  if (reply.isSuccess) return;
  if (isBusy(reply) || reply.failure !== undefined) throw inconclusive(reply);
  // If the reason were a different one, a plain request would be refused too.
  const twin = await plainTwin(session, operation);
  if (operation === 'updateDriveFile') requireSuccess(twin, 'updateDriveFile.is-served');
  else requireAccepted(operation, twin);
  throw new Violated(say`a 2xx status: the body is declared as application/json`, describeReply(reply), [reply]);
}

async function plainTwin(session: Session, operation: BodyOperation): Promise<Reply> {
  if (operation !== 'updateDriveFile') return sendCreation(session, operation, newBody(session, operation));
  const file = await movableFile(session);
  return sendMoveWithRetry(session, file, newPath(session, file));
}

// A number or a boolean may be converted to text, which is open.
async function expectWrongTypesRefused(session: Session, operation: BodyOperation): Promise<void> {
  for (const wrong of [inArray, inObject]) {
    const { body, send } = await sendableOf(session, operation);
    const json = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, wrong(value)]));
    expectRefusal(await send({ json }), say`${own(fieldOf(operation))} was accepted: it is not a string`);
  }
  const { body, send } = await sendableOf(session, operation);
  const cut = JSON.stringify(body).slice(0, -1);
  expectRefusal(await send({ raw: { body: cut, contentType: 'application/json' } }), say`truncated JSON was accepted`);
}

const inArray = (value: unknown) => [value];
const inObject = (value: unknown) => ({ value });

function fieldOf(operation: OperationId): string {
  return operation === 'updateDriveFile' ? 'a path in an array or object' : 'a name in an array or object';
}
