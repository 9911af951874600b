// What steps act on, and how they send.
import { say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { type CreateOperation, creationBody, creationKinds, leftoverNote, type Whose } from '../probing/creations.ts';
import { noteDeleted, pathIn, saysNoSuchFile, trackMove } from '../probing/files.ts';
import { Inconclusive } from '../run/signals.ts';
import { extensionOf, type MovableFile, noId } from '../safety/receipt.ts';
import { type Credentials, otherAuthHeader, validKey } from '../target/credentials.ts';
import { idOf } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';
import type { CallInput, Session } from '../target/session.ts';
import type { Part, Step } from './steps.ts';

/** A file that steps move. */
export interface WalkedFile extends MovableFile {
  /** The part of the walk that moves it. */
  part: Part;
  /** Whether it may be deleted: then it is never where another file must stay. */
  isDisposable: boolean;
  /** The paths to which it was moved, the latest last. */
  paths: string[];
  isGone: boolean;
}

/** Something that steps have created. */
interface Made {
  id: string;
  name: string;
  url: string | undefined;
}

/** What the steps of one walk act on. */
export interface Scene {
  session: Session;
  /** A new directory: below it, `/keep` is never deleted. */
  base: string;
  files: WalkedFile[];
  made: Record<CreateOperation, Record<Whose, Made[]>>;
  /** How many more may be created, and how many more requests may be sent. */
  left: Record<CreateOperation, Record<Whose, number>> & { requests: number };
  /** The MCP servers whose tools may be listed. */
  servers: string[];
  /** The files for which paths are meant that others could have as well. */
  owners: Map<string, WalkedFile>;
  /** The trees that were deleted, the latest last. */
  deleted: string[];
  /** Whether trees may be deleted. */
  mayDelete: boolean;
  /** Whether the target refuses unusual names. */
  isPlain: boolean;
  /** The callers that there are. */
  callers: readonly Whose[];
  /** Every reply, with the step that sent it, in order. */
  sent: { step: Step | undefined; reply: Reply }[];
}

/** Sends a request of a step, by the caller of the step unless another one is named. */
export async function ask(
  scene: Scene,
  step: Step,
  operation: OperationId,
  input: CallInput = {},
  whose: Whose = callerOf(scene, step),
): Promise<Reply> {
  if (scene.left.requests === 0)
    throw new Inconclusive('REQUESTS', say`The walk sent the requests that --walk allows.`);
  scene.left.requests--;
  const reply = await scene.session.ask(operation, { credentials: credentialsOf(scene, step, whose), ...input });
  scene.sent.push({ step, reply });
  return reply;
}

export function callerOf({ callers }: Scene, { by }: Step): Whose {
  return callers.includes(by) ? by : 'own';
}

function credentialsOf({ session }: Scene, { header }: Step, whose: Whose): Credentials {
  const { settings, learned } = session;
  const key = whose === 'own' ? settings.apiKey : (settings.otherApiKey ?? '');
  const isOther = learned.worksInBoth && header !== learned.authHeader;
  return validKey(key, isOther ? otherAuthHeader[learned.authHeader] : learned.authHeader);
}

/** Creates a drive or an MCP server, and notes what it leaves behind. A made-up URL is added if none is given. */
export async function create(
  scene: Scene,
  step: Step,
  operation: CreateOperation,
  body: { name: string; url?: string },
): Promise<void> {
  const { session, made, left } = scene;
  const whose = callerOf(scene, step);
  if (left[operation][whose] === 0) return;
  left[operation][whose]--;
  const { name } = body;
  const json = { ...creationBody(operation, name), ...body };
  const reply = await ask(scene, step, operation, { json });
  if (!reply.isSuccess) return;
  const id = idOf(reply.json) ?? noId;
  made[operation][whose].push({ id, name, url: json.url });
  if (operation === 'createMcpServer' && whose === 'own') scene.servers.push(id);
  session.receipt.note({ kind: creationKinds[operation].kind, id, name, note: leftoverNote(session, name) });
}

/** Moves a file of the first organization; `input` may change how. */
export async function move(
  scene: Scene,
  step: Step,
  file: WalkedFile,
  path: string,
  input: Omit<CallInput, 'path'> = {},
): Promise<Reply> {
  const { driveId, id } = file;
  const request = { path: { driveId, fileId: id }, json: { path }, ...input };
  const send = () => ask(scene, step, 'updateDriveFile', request, 'own');
  const reply = await trackMove(scene.session, file, path, send);
  if (reply.isSuccess) file.paths.push(pathIn(reply) ?? path);
  return reply;
}

/** Reads a file of the first organization. */
export async function read(scene: Scene, step: Step, file: WalkedFile): Promise<Reply> {
  const { driveId, id } = file;
  const reply = await ask(scene, step, 'getDriveFile', { path: { driveId, fileId: id } }, 'own');
  const path = pathIn(reply);
  if (path !== undefined) scene.session.files.setSeen(file, path);
  const wasDeleted = file.isDisposable && scene.deleted.some((tree) => isBelow(tree, file.paths.at(-1)));
  if (saysNoSuchFile(reply) && wasDeleted) {
    file.isGone = true;
    noteDeleted(scene.session, file);
  }
  return reply;
}

export function isBelow(tree: string, path = ''): boolean {
  return path.startsWith(`${tree}/`);
}

/** A new last segment of a path, with the extension of the file. */
export function segmentFor({ session }: Scene, { originalPath }: MovableFile, end: string): string {
  return `${session.newName()}${end}${extensionOf(originalPath)}`;
}
