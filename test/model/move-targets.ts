import type { Presence } from './lag.ts';
import type { Outcome } from './outcome.ts';
import { fold, parentOf, presenceOfAny, presenceOfDirectory } from './paths.ts';
import type { DriveState, FileState } from './picture.ts';
import { ownDrive, type Scene } from './scene.ts';

/** What may become of a move to `path`, which is spelt as the profile spells it. */
export function moveOutcomes(scene: Scene, file: FileState, path: string): Outcome[] {
  const obstacles = [takenPath(scene, file, path), ...(path === file.path ? [] : forbiddenTarget(scene, path))];
  if (obstacles.includes('yes')) return ['conflict'];
  return obstacles.includes('maybe') ? ['success', 'conflict'] : ['success'];
}

function takenPath(scene: Scene, moving: FileState, path: string): Presence {
  if (scene.profile.pathConflict === 'replaced') return 'no';
  const { files } = ownDrive(scene) as DriveState;
  return presenceOfAny(
    files.filter((file) => file !== moving && fold(file.path, scene.profile) === fold(path, scene.profile)),
    scene.organization,
  );
}

// `/`, the path of a directory, and a directory that does not exist: below another file there is none.
function forbiddenTarget(scene: Scene, path: string): Presence[] {
  if (scene.profile.moveTargets === 'lenient') return [];
  if (path === '/') return ['yes'];
  const drive = ownDrive(scene) as DriveState;
  const parent = presenceOfDirectory(parentOf(path), drive, scene);
  return [presenceOfDirectory(path, drive, scene), opposite[parent]];
}

const opposite = { yes: 'no', no: 'yes', maybe: 'maybe' } as const;
