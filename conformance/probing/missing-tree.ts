import { say } from '../../lib/sentence.ts';
import { oncePerRun } from '../once.ts';
import { Inconclusive } from '../signals.ts';
import { member } from '../target/expectations.ts';
import { awaitListed, sharedCreation } from './creations.ts';
import { findById } from './lists.ts';
import { sendDeletion } from './tree-deletions.ts';

/** A new drive of the run. The list must show it with that name: it must not be anybody else's drive. */
export const emptyDrive = oncePerRun(async (session): Promise<string> => {
  session.requireDestruction();
  const drive = await sharedCreation(session, 'createDrive', 'first');
  const { listing } = await awaitListed(session, [drive]);
  if (member(findById(listing, drive.id), 'name') === drive.sent.name) return drive.id;
  const reason = say`The list does not show the new drive under the id of the response.`;
  throw new Inconclusive('PREREQUISITE', reason, 'listDrives.created-drive', 'listDrives.created-drive-is-the-same');
});

/** A deletion of a nonexistent path in a new, empty drive. */
export const missingTree = oncePerRun(async (session) =>
  sendDeletion(session, await emptyDrive(session), `/${session.newName()}`),
);
