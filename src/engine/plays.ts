import type { Profile } from '../../openapi/contract/profile.ts';
import type { Organization, Runtime } from '../domain/organizations.ts';
import { Play, type PlayedRuntime } from './play.ts';

/** The profiles that are played, each compiled once. One that no organization plays any more is forgotten. */
export class Plays {
  readonly #base: Omit<PlayedRuntime, 'profile'>;
  readonly #byProfile = new Map<string, WeakRef<Play>>();
  // An organization keeps its runtime, and with it what plays it.
  readonly #byRuntime = new WeakMap<Runtime, Play>();

  constructor(base: Omit<PlayedRuntime, 'profile'>) {
    this.#base = base;
  }

  /** The one of a profile. */
  of(profile: Profile): Play {
    const text = JSON.stringify(Object.entries(profile).sort());
    const known = this.#byProfile.get(text)?.deref();
    if (known !== undefined) return known;
    for (const [key, play] of this.#byProfile) if (play.deref() === undefined) this.#byProfile.delete(key);
    const play = new Play({ ...this.#base, profile });
    this.#byProfile.set(text, new WeakRef(play));
    this.#byRuntime.set(play.runtime, play);
    return play;
  }

  /** The one that an organization was made for; undefined for an organization of another engine. */
  playing({ runtime }: Organization): Play | undefined {
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

/** A profile of one organization, with the shared choices of the one of all. */
export function withShared(own: Profile, ofAll: Profile): Profile {
  return { ...own, ...Object.fromEntries(sharedChoices.map((id) => [id, ofAll[id]])) };
}
