import { type Answer, type Call, checkPath, integerValue, objectBody, queryValue, stringField } from './call.ts';
import { Refusal } from './refusal.ts';
import { driveView, fileView } from './views.ts';
import type { Drive, DriveFile } from './world.ts';

/** POST /drives */
export function createDrive(call: Call): Answer {
  const { world, organizationId, now } = call;
  const { choices } = world;
  const name = choices.name(stringField(call, objectBody(call), 'name', 'Untitled drive'));
  const id = world.nextId('drive');
  const listedAt = now + choices.settleMs;
  const drive: Drive = { id, organizationId, name, createdAt: Date.now(), listedAt, files: new Map() };
  world.drives.set(id, drive);
  return { status: choices.success.createDrive, body: driveView(choices, drive) };
}

/** `offset` has no upper bound: one beyond the safe integers would otherwise be written wrongly. */
function readOffset(call: Call): number {
  return Math.min(integerValue(call, 'offset', [0, Number.POSITIVE_INFINITY], 0), Number.MAX_SAFE_INTEGER);
}

/** GET /drives. `total` counts what the list can show, so it lags behind creations as the list does. */
export function listDrives(call: Call): Answer {
  const { choices, drives } = call.world;
  const limit = integerValue(call, 'limit', [1, 100], choices.defaultLimit);
  const offset = readOffset(call);
  const own = [...drives.values()].filter((drive) => drive.organizationId === call.organizationId);
  const listed = choices.order(own.filter((drive) => drive.listedAt <= call.now));
  const data = listed.slice(offset, offset + limit).map((drive) => driveView(choices, drive));
  const pagination = choices.dress({ limit, offset, total: listed.length });
  return { status: choices.success.listDrives, body: choices.dress({ data, pagination }) };
}

function ownDrive(call: Call): Drive {
  const [id = ''] = call.ids;
  const drive = call.world.drives.get(id);
  if (drive?.organizationId === call.organizationId) return drive;
  throw new Refusal(call.world.choices.refusal.unknownDrive, 'No such drive');
}

function ownFile(call: Call): { drive: Drive; file: DriveFile } {
  const drive = ownDrive(call);
  const file = drive.files.get(call.ids[1] ?? '');
  if (file !== undefined) return { drive, file };
  throw new Refusal(call.world.choices.refusal.unknownFile, 'No such file');
}

/** GET /drives/{driveId}/files/{fileId} */
export function getFile(call: Call): Answer {
  const { choices } = call.world;
  const { file } = ownFile(call);
  return { status: choices.success.getFile, body: fileView(choices, file, call.now) };
}

/** The odd variant lets two files share a path: only the id tells files apart. */
function refuseTakenPath(call: Call, drive: Drive, file: DriveFile, path: string): void {
  if (call.world.choices.variant === 'odd') return;
  const taken = drive.files.values().some((other) => other !== file && other.path === path);
  if (taken) throw new Refusal(call.world.choices.refusal.pathTaken, 'Another file has this path');
}

/** A move changes no content: the odd variant keeps `modifiedAt` and looks at the file again instead. */
function move(call: Call, file: DriveFile, path: string): void {
  const { variant, settleMs } = call.world.choices;
  file.path = path;
  file.name = path.split('/').findLast((segment) => segment !== '') ?? file.name;
  if (variant === 'odd') file.readyAt = call.now + settleMs;
  else file.modifiedAt = Date.now();
}

/** PATCH /drives/{driveId}/files/{fileId}. Without `path` the odd variant changes nothing. */
export function updateFile(call: Call): Answer {
  const { choices } = call.world;
  const { drive, file } = ownFile(call);
  const path = stringField(call, objectBody(call), 'path', undefined);
  if (path !== undefined) {
    refuseTakenPath(call, drive, file, checkPath(call, path));
    move(call, file, path);
  }
  return { status: choices.success.updateFile, body: fileView(choices, file, call.now) };
}

function treePath(call: Call): string {
  const { treePathParameter, refusal } = call.world.choices;
  const path = queryValue(call, treePathParameter);
  if (path === undefined) throw new Refusal(refusal.missingTreePath, `The query needs ${treePathParameter}`);
  return checkPath(call, path);
}

/** The tree holds what lies below the directory; a file with the very path of the directory is not in it. */
function isInTree(file: DriveFile, tree: string): boolean {
  return file.path.startsWith(`${tree.replace(/\/+$/, '')}/`);
}

/** Deletes only what was asked for: a file moved away in time stays, one moved in later stays too. */
function deleteFiles(drive: Drive, files: readonly DriveFile[], tree: string): void {
  for (const file of files) {
    if (isInTree(file, tree)) drive.files.delete(file.id);
  }
}

/** DELETE /drives/{driveId}/items/tree. The odd variant counts 0 for a tree that holds no file. */
export function deleteTree(call: Call): Answer {
  const { world } = call;
  const { choices } = world;
  const drive = ownDrive(call);
  const tree = treePath(call);
  const files = [...drive.files.values()].filter((file) => isInTree(file, tree));
  if (files.length === 0 && choices.variant === 'plain') throw new Refusal(choices.refusal.unknownTree, 'No such tree');
  world.later(call.now, () => deleteFiles(drive, files, tree));
  const message = choices.variant === 'odd' ? '' : 'Tree deleted';
  const body = choices.dress({ message, jobId: world.nextId('job'), documentCount: files.length });
  return { status: choices.success.deleteTree, body };
}
