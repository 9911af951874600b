/*
 * Many of everything (`--volume`): more drives than one page can show, fifty publications, and a tree of nine and more files.
 * The drives are there before the checks of lists run, so that those judge them too; the model judges all the rest.
 */
import type { Phase } from '../checks/check.ts';
import { sendNewCreation } from '../probing/creations.ts';
import { noteDeleted, readFile, saysNoSuchFile } from '../probing/files.ts';
import { sendPublication } from '../probing/fixtures.ts';
import { availableFiles, placeAt } from '../probing/placed-files.ts';
import { inParallel } from '../run/once.ts';
import { orNone } from '../run/signals.ts';
import { extensionOf, type MovableFile } from '../safety/receipt.ts';
import { currentClock } from '../target/clock.ts';
import { encodeName } from '../target/request-parts.ts';
import type { Session } from '../target/session.ts';
import { volume } from './limits.ts';

/** What is done before the checks of a phase. */
const before: Readonly<Partial<Record<Phase, (session: Session) => Promise<void>>>> = {
  create: createDrives,
  move: publish,
};

/** Does what a phase needs with `--volume`. */
export async function prepareVolume(session: Session, phase: Phase): Promise<void> {
  if (session.settings.volume) await orNone(before[phase]?.(session) ?? Promise.resolve());
}

async function createDrives(session: Session): Promise<void> {
  // The first one finds out which names the target accepts.
  const { reply } = await sendNewCreation(session, 'createDrive');
  if (!reply.isSuccess) return;
  await inParallel(Array.from({ length: volume.drives - 1 }), () => sendNewCreation(session, 'createDrive'));
}

async function publish(session: Session): Promise<void> {
  for (let count = 0; count < volume.publications; count++) await sendPublication(session);
  await session.call('listAgents');
}

/** Moves all disposable files that are left in one drive into a tree, deletes it, and reads them. */
export async function deleteFullTree(session: Session): Promise<void> {
  if (!session.settings.volume) return;
  await orNone(
    (async () => {
      const parameter = session.requireDestruction();
      const files = largestGroup((await availableFiles(session)).filter((file) => isThere(session, file)));
      if (files.length < volume.leastFiles) return;
      const tree = `/${session.newName()}`;
      for (const [index, file] of files.entries()) {
        const directory = index % 3 === 0 ? tree : `${tree}/${index % 3}`;
        await placeAt(session, file, `${directory}/${index}${extensionOf(file.originalPath)}`);
      }
      const query = `${encodeName(parameter)}=${encodeURIComponent(tree)}`;
      const { driveId } = files[0] as MovableFile;
      const reply = await session.call('deleteDriveTree', { path: { driveId }, query });
      if (!reply.isSuccess) return;
      await currentClock().sleep(session.settings.settleMs);
      for (const file of files) if (saysNoSuchFile(await readFile(session, file))) noteDeleted(session, file);
    })(),
  );
}

function isThere({ receipt }: Session, { id, driveId }: MovableFile): boolean {
  return receipt.find('deletedFile', id, driveId) === undefined;
}

function largestGroup(files: readonly MovableFile[]): readonly MovableFile[] {
  const groups = [...Map.groupBy(files, ({ driveId }) => driveId).values()];
  return groups.toSorted((one, other) => other.length - one.length)[0] ?? [];
}
