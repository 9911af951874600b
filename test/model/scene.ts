import type { Profile } from '../../src/index.ts';
import type { Call } from './call.ts';
import type { Outcome } from './outcome.ts';
import type { DriveState, OrganizationState, Picture } from './picture.ts';

/** A call with a valid key and valid input, and what there is when it is made. */
export interface Scene {
  call: Call;
  picture: Picture;
  profile: Profile;
  organization: OrganizationState;
}

/** What the model knows of one operation. */
export interface Expectation {
  /** What may become of the call. More than one outcome stands where the register is not exact. */
  outcomes(scene: Scene): Outcome[];
  /** These outcomes where the resource in the path is there, and that of an unknown one where it is not. */
  whenFound?(scene: Scene, outcomes: Outcome[]): Outcome[];
  /** Compares the body of a success, and brings the picture up to date. Throws when they differ. */
  succeeded(scene: Scene, body: unknown): void;
  /** Brings the picture up to date after a refusal that tells something. */
  refused?(scene: Scene, outcome: Outcome): void;
}

/** The outcome when the organization itself does not have a resource. */
export function absence(isOfAnother: boolean, { profile }: Scene, unknown: Outcome = 'not-found'): Outcome {
  return isOfAnother && profile.foreignResourceStatus === 'forbidden' ? 'forbidden' : unknown;
}

/** Whether another organization has a resource of this kind and id. */
export function isForeign(
  { picture, organization }: Scene,
  kind: 'agents' | 'drives' | 'servers',
  id?: string,
): boolean {
  const others = picture.organizations.filter((other) => other !== organization);
  return others.some((other) => other[kind].some((resource) => resource.id === id));
}

export function ownDrive({ call, organization }: Scene): DriveState | undefined {
  return organization.drives.find(({ id }) => id === call.params.driveId);
}

/** The outcome when the drive of the path is not the organization's own. */
export function driveAbsence(scene: Scene): Outcome {
  return absence(isForeign(scene, 'drives', scene.call.params.driveId), scene, 'unknown-drive');
}
