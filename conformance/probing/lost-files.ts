import type { Sentence } from '../../lib/sentence.ts';
import { Inconclusive } from '../signals.ts';

/** The checks that fail if a deletion took a file that it must keep. */
const keeping = [
  'deleteDriveTree.file-beside-is-kept',
  'deleteDriveTree.file-beside-is-kept.*',
  'deleteDriveTree.*-deletes-nothing',
];

/** Why a check has too few disposable files. If the target deleted some that it must keep, other checks report that. */
export function tooFewFiles(reason: Sentence): Inconclusive {
  return new Inconclusive('DISPOSABLE_FILES', reason, ...keeping);
}
