import { say } from '../../lib/sentence.ts';
import type { FileFixture } from '../config/settings.ts';
import type { Session } from '../session.ts';
import { Inconclusive, type Violated } from '../signals.ts';
import { member, requireNoOtherClient } from '../target/expectations.ts';
import { readFile } from './file-moves.ts';

/** A file that is not where it must be, and what that shows if no other client has moved it. */
export interface Misplaced {
  file: FileFixture;
  violation: Violated;
}

// A client that moves the file now and then hardly interferes between move and reading this often.
const mostAttempts = 3;

/** The runs in which a file was misplaced at every attempt: their targets misplace files. */
const confirmed = new WeakSet<Session>();

/**
 * Moves files and looks for them, again while one is misplaced. Throws the violation if that happens each time, and
 * {@link Inconclusive} if another client may have moved the file: the file changes while the run does nothing, or a
 * later attempt succeeds.
 */
export async function requirePlaced(
  session: Session,
  attempt: (isAgain: boolean) => Promise<Misplaced | undefined>,
): Promise<void> {
  for (let count = 1; ; count++) {
    const misplaced = await attempt(count > 1);
    if (misplaced === undefined && count > 1) throw movedByAnother();
    if (misplaced === undefined) return;
    if (confirmed.has(session)) throw misplaced.violation;
    await requireLeftAlone(session, misplaced.file);
    if (count < mostAttempts) continue;
    confirmed.add(session);
    throw misplaced.violation;
  }
}

/** A file was misplaced, but not at every attempt. */
export function movedByAnother(): Inconclusive {
  return new Inconclusive('QUIET', say`A file was elsewhere some of the time: another client seems to move it.`);
}

/** Throws {@link Inconclusive} if a file changes its place while the run does nothing. */
export async function requireLeftAlone(session: Session, file: FileFixture): Promise<void> {
  await requireNoOtherClient('Files keep moving', async () => {
    const { json } = await readFile(session, file);
    // A client that always moves it to the same path only changes its time.
    return [member(json, 'path'), member(json, 'modifiedAt')];
  });
}
