// Profiles are changed in `src/workbench/profile-change.ts`, in code by `src/workbench/edge/mock-handle.ts`.
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Organization, Runtime } from '../domain/organizations.ts';
import { AppliedProfile, type ProfileRuntime } from './applied-profile.ts';

/** The profiles that are used, each compiled once. One that no organization uses any more is forgotten. */
export class AppliedProfiles {
  readonly #base: Omit<ProfileRuntime, 'profile'>;
  readonly #byProfile = new Map<string, WeakRef<AppliedProfile>>();
  // An organization keeps its runtime, and with it what uses it.
  readonly #byRuntime = new WeakMap<Runtime, AppliedProfile>();

  constructor(base: Omit<ProfileRuntime, 'profile'>) {
    this.#base = base;
  }

  /** The one of a profile. */
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

  /** The one that an organization was made for; undefined for an organization of another engine. */
  appliedTo({ runtime }: Organization): AppliedProfile | undefined {
    return this.#byRuntime.get(runtime);
  }
}

/** The choices that cannot differ between organizations: they are about calls that may belong to none. */
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
