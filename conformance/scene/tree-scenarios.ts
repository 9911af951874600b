import type { FileFixture } from '../config/settings.ts';
import type { Session } from '../session.ts';
import type { CarrierName } from '../target/credentials.ts';
import { validKey } from '../target/credentials.ts';
import type { Reply } from '../target/reply.ts';
import type { MovableFile } from './movable-file.ts';
import { isGone, readFile } from './moves.ts';
import { knownFiles } from './subjects.ts';
import { awaitGone, type Place, type Planted, plant, plantElsewhere, sendPlainDeletion } from './trees.ts';

/** A tree that was planted and deleted, to be looked at by several checks. */
export interface DeletedTree extends Planted {
  /** The path that was deleted. */
  path: string;
  reply: Reply;
  /** A file at the same path in another drive, if one was left to put there. */
  elsewhere: MovableFile | undefined;
  /** The readings of files outside the tree that were there right before it was deleted, and are gone right after. */
  lost: Reply[];
}

const wholeScene: readonly Place[] = [
  { role: 'below', path: '/tree/below' },
  { role: 'prefix', path: '/tree-2/beside' },
  { role: 'deep', path: '/tree/a/b/deep', isOptional: true },
  { role: 'parent', path: '/parent', isOptional: true },
];

/** The first deletion of a tree with a key in one of the two headers; the one in the usual header has all roles. */
export function deletedTree(session: Session, carrier: CarrierName): Promise<DeletedTree> {
  return session.once(`deleted tree ${carrier}`, async () => {
    const isWhole = carrier === session.carrier;
    const planted = await plant(session, isWhole ? wholeScene : wholeScene.slice(0, 1));
    const path = `${planted.base}/tree`;
    const below = planted.paths.get('below') ?? `${path}/below`;
    const elsewhere = isWhole ? await plantElsewhere(session, planted.driveId, below) : undefined;
    const credentials = validKey(session.settings.apiKey, carrier);
    const present = isWhole ? await presentOutside(session, planted) : [];
    const reply = await sendPlainDeletion(session, planted.driveId, path, { credentials });
    const lost = reply.isSuccess ? await lostOf(session, planted, present) : [];
    return { ...planted, path, reply, elsewhere, lost };
  });
}

// Read right before: another client that deletes a file in between is hardly to be met.
async function presentOutside(session: Session, { files }: Planted): Promise<FileFixture[]> {
  const inTree = [files.get('below')?.id, files.get('deep')?.id];
  const others = knownFiles(session).filter(({ id }) => !inTree.includes(id));
  const readings = await readEach(session, others);
  return others.filter((_, index) => readings[index]?.isSuccess);
}

// Read once what had to be deleted is gone: the deletion is over then.
async function lostOf(session: Session, { files }: Planted, present: readonly FileFixture[]): Promise<Reply[]> {
  const below = files.get('below');
  if (present.length === 0 || below === undefined) return [];
  await awaitGone(session, below);
  return (await readEach(session, present)).filter(isGone);
}

// One after the other: how many requests a target takes at a time is open.
async function readEach(session: Session, files: readonly FileFixture[]): Promise<Reply[]> {
  const readings: Reply[] = [];
  for (const file of files) readings.push(await readFile(session, file));
  return readings;
}

/** The tree that requests which must not delete are aimed at. */
export interface GuardTree {
  driveId: string;
  base: string;
  path: string;
  file: MovableFile;
}

/** A tree with one file that is there for certain. How long a deletion takes on this target is known by then. */
export async function guardTree(session: Session): Promise<GuardTree> {
  await measureDeletion(session);
  for (let attempt = 1; ; attempt++) {
    const guard = await session.once(`guard tree ${attempt}`, () => plantGuard(session));
    if (!isGone(await readFile(session, guard.file))) return guard;
  }
}

async function measureDeletion(session: Session): Promise<void> {
  await session.once('deletion measured', async () => {
    const { reply, files } = await deletedTree(session, session.carrier);
    const below = files.get('below');
    if (reply.isSuccess && below !== undefined) await awaitGone(session, below);
  });
}

async function plantGuard(session: Session): Promise<GuardTree> {
  const { driveId, base, files } = await plant(session, [{ role: 'guard', path: '/tree/guard' }]);
  return { driveId, base, path: `${base}/tree`, file: files.get('guard') as MovableFile };
}
