import type { OperationId } from '../../openapi/contract/operations.ts';
import { oncePerRun } from '../once.ts';
import type { CallInput, Session } from '../session.ts';
import { Inconclusive } from '../signals.ts';
import { invalidKey } from '../target/credentials.ts';
import { type CreateOperation, sendCreation } from './creations.ts';
import { unknownId } from './fixtures.ts';
import { operationUses, probe } from './operations.ts';

/** Invalid bodies: not JSON, or not an object. */
const badBodies = ['{', 'null'];

/** Query parameters sent twice: many programs turn them into arrays. */
const twice = 'limit=1&limit=2&offset=0&offset=1';

/**
 * Sends input that an operation must refuse (a key of odd characters, ids with a NUL, invalid bodies) and query
 * parameters sent twice. It names nothing that exists, and requests that could create or change something are sent only
 * if the run may write.
 */
export const sendBadInput = oncePerRun(async (session, operation: OperationId): Promise<void> => {
  const credentials = invalidKey(`'"%_\\;${session.runId}`, 'header');
  await probe(session, operation, { credentials }).catch(ignoreInconclusive);
  const { isRead = false, takesBody = false, parameters = [] } = session.operations.get(operation) ?? {};
  if (!isRead && !session.settings.allowWrites) return;
  const { harmless, unknown } = operationUses[operation];
  const ids = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, `${unknownId(session)}\0`]);
  const input: CallInput = { ...(harmless ?? unknown)?.(session), path: Object.fromEntries(ids) };
  if (ids.length > 0) await session.call(operation, input);
  if (operation === 'listDrives') await session.call(operation, { query: twice });
  if (takesBody) for (const body of badBodies) await sendBody(session, operation, body);
});

/** Requests that are wrong whoever sends them: they name nothing that exists, or break a rule. */
export function wrongRequests(session: Session, operation: OperationId): CallInput[] {
  const { takesBody = false, parameters = [] } = session.operations.get(operation) ?? {};
  const ids = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, unknownId(session)]);
  const path: Record<string, string> = Object.fromEntries(ids);
  const bodies: CallInput[] = takesBody ? wrongBodies : [];
  const inputs = [...bodies, ...(wrongInputs[operation]?.(session) ?? [])];
  if (inputs.length === 0) return ids.length === 0 ? [] : [{ path }];
  return inputs.map((input) => ({ path, ...input }));
}

const wrongBodies: CallInput[] = [
  { raw: { body: '{', contentType: 'application/json' } },
  { json: {} },
  { raw: { body: 'name=none', contentType: 'text/plain' } },
];

const wrongInputs: Partial<Record<OperationId, (session: Session) => CallInput[]>> = {
  listDrives: () => [{ query: 'limit=none' }, { query: { limit: 0, offset: -1 } }],
  updateDriveFile: () => [{ json: { path: '/../none' } }],
  deleteDriveTree: ({ settings }) => [{ query: { [settings.treePathParameter ?? 'path']: '/../none' } }, {}],
};

async function sendBody(session: Session, operation: OperationId, body: string): Promise<void> {
  const raw = { body, contentType: 'application/json' };
  const { harmless } = operationUses[operation];
  if (harmless !== undefined) await session.call(operation, { path: harmless(session).path ?? {}, raw });
  else await sendCreation(session, operation as CreateOperation, { name: '(none was sent)' }, { raw });
}

function ignoreInconclusive(error: unknown): void {
  if (!(error instanceof Inconclusive)) throw error;
}
