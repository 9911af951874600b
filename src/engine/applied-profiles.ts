// Profiles are changed in `src/workbench/profile-change.ts`, from code in `src/workbench/edge/mock-handle.ts`.
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Organization, Runtime } from '../domain/organizations.ts';
import { AppliedProfile, type ProfileRuntime } from './applied-profile.ts';

/** The profiles in use, each compiled once. Unused ones are dropped. */
export class AppliedProfiles {
  readonly #base: Omit<ProfileRuntime, 'profile'>;
  readonly #byProfile = new Map<string, WeakRef<AppliedProfile>>();
  // An organization holds its runtime, which keeps the applied profile alive.
  readonly #byRuntime = new WeakMap<Runtime, AppliedProfile>();

  constructor(base: Omit<ProfileRuntime, 'profile'>) {
    this.#base = base;
  }

  of(profile: Profile): AppliedProfile {
    const text = JSON.stringify(Object.entries(profile).sort());
    const known = this.#byProfile.get(text)?.deref();
    if (known !== undefined) return known;
    for (const [key, applied] of this.#byProfile) if (applied.deref() === undefined) this.#byProfile.delete(key);
    const applied = new AppliedProfile({ ...this.#base, profile });
    this.#byProfile.set(text, new WeakRef(applied));
    this.#byRuntime.set(applied.runtime, applied);
    return applied;
  }

  /** The applied profile of an organization; undefined if the organization belongs to a different engine. */
  appliedTo({ runtime }: Organization): AppliedProfile | undefined {
    return this.#byRuntime.get(runtime);
  }
}

/** The choices that cannot differ between organizations: they concern calls that may not belong to any. */
export const sharedChoices = [
  'cors',
  'bothAuthHeaders',
  'bearerSpelling',
  'wwwAuthenticate',
] as const satisfies (keyof Profile)[];

/** The profile of one organization, with the shared choices of the common profile. */
export function withShared(own: Profile, ofAll: Profile): Profile {
  return { ...own, ...Object.fromEntries(sharedChoices.map((id) => [id, ofAll[id]])) };
}
