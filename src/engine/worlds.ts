import type { Organization, World } from '../domain/organizations.ts';
import { createRandom, type Random } from '../domain/random.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Origin, Resident, Store } from '../domain/store.ts';
import { remake } from './restore.ts';

/** How worlds may be opened: organizations with a state of their own, beside those of the seed. */
export interface WorldRules {
  /** Whether any unknown key opens a world of its own. */
  hasOpenKeys: boolean;
  /** How many there may be; one more takes the place of the one that was idle for the longest time. */
  limit: number;
}

/** What a new world shall be. */
export interface NewWorld {
  name?: string | undefined;
  /** Absent: one is made up. */
  key?: string | undefined;
  /** The id or name of the organization of the seed that it begins as. Absent: the first. Null: it begins empty. */
  copyOf?: string | null | undefined;
}

/** A world that was opened, and the ids of those that had to go for it. */
export interface OpenedWorld {
  resident: Resident;
  key: string;
  retired: readonly string[];
}

/** The parts of an engine that worlds are opened in. They change when the profile does. */
interface Surroundings {
  readonly world: World;
  readonly store: Store;
}

const rememberedKeys = 10_000;
const openable = /^[\x21-\x2b\x2d-\x7e]{1,256}$/;

/** Opens worlds, and retires the idle ones. */
export class Worlds {
  readonly rules: WorldRules;
  readonly #surroundings: Surroundings;
  #keys: Random;
  #count = 0;
  /** Keys of worlds that had to go, the latest ones. */
  readonly #retiredKeys = new Set<string>();
  /** What the first answer of a world has to say. */
  readonly #notices = new Map<Organization, Record<string, string>>();

  constructor(surroundings: Surroundings, rules: WorldRules) {
    this.#surroundings = surroundings;
    this.rules = rules;
    this.#keys = keyStream(surroundings.world);
  }

  /** Back to the start: the next made-up key is the first one again. */
  reset(): void {
    this.#keys = keyStream(this.#surroundings.world);
    this.#count = 0;
    this.#retiredKeys.clear();
    this.#notices.clear();
  }

  open({ name, key, copyOf }: NewWorld): OpenedWorld | Refusal {
    const { store } = this.#surroundings;
    if (key !== undefined && store.ownerOf(key) !== undefined) {
      return refuse('conflict', 'Another organization has this key. Choose another, or leave it out.');
    }
    const index = copyOf === null ? undefined : this.#templateIndex(copyOf);
    if (index !== undefined && index < 0) return refuse('notFound', this.#unknownTemplate());
    this.#count++;
    const chosen = key ?? this.makeKey();
    return this.#add(name ?? `World ${this.#count}`, chosen, index);
  }

  /** The world of a key that nobody knows: opened for it, where unknown keys may. */
  openFor(key: string): Organization | undefined {
    const { store } = this.#surroundings;
    if (!this.rules.hasOpenKeys || !openable.test(key) || store.isRevoked(key)) return undefined;
    const word = this.#retiredKeys.has(key) ? 'reopened' : 'opened';
    const { resident, retired } = this.#add(`World ${++this.#count}`, key, store.templates.size === 0 ? undefined : 0);
    this.#notices.set(resident.organization, {
      'x-world': word,
      ...(retired.length === 0 ? {} : { 'x-retired-worlds': retired.join(', ') }),
    });
    return resident.organization;
  }

  /** Why a key is not known, when it once was. */
  whyUnknown(key: string): string | undefined {
    if (this.#surroundings.store.isRevoked(key)) return 'The API key was revoked.';
    if (!this.#retiredKeys.has(key)) return undefined;
    return `The world of this API key was retired: there may be ${this.rules.limit}, and it was idle for the longest time.`;
  }

  /** The headers with which the first answer of a world says what happened. Given once. */
  takeNotice(organization: Organization): Record<string, string> | undefined {
    if (this.#notices.size === 0) return undefined;
    const notice = this.#notices.get(organization);
    this.#notices.delete(organization);
    return notice;
  }

  #add(name: string, key: string, index: number | undefined): OpenedWorld {
    const { store } = this.#surroundings;
    const retired = this.#retireIdle();
    const { organization, origin } = this.#make(name, key, index);
    store.put({ organization, origin, keys: [key] });
    return { resident: store.resident(organization.id) as Resident, key, retired };
  }

  // The same key begins the same world; but where its first owner lives on, or chance wills it, the id is taken.
  #make(name: string, key: string, index: number | undefined): { organization: Organization; origin: Origin } {
    const { store, world } = this.#surroundings;
    for (let attempt = 1; ; attempt++) {
      const streamName = attempt === 1 ? `world/${key}` : `world/${key}/${attempt}`;
      const origin: Origin = { kind: 'world', streamName, ...(index === undefined ? {} : { index }) };
      const organization = remake(store, world, name, origin);
      if (store.resident(organization.id) === undefined) return { organization, origin };
    }
  }

  #retireIdle(): string[] {
    const { store } = this.#surroundings;
    const excess = store.worldCount + 1 - this.rules.limit;
    if (excess <= 0) return [];
    const worlds = store.residents.filter(({ origin }) => origin.kind === 'world');
    const idle = worlds.sort((one, other) => one.lastUse - other.lastUse).slice(0, excess);
    for (const resident of idle) this.#retire(resident);
    return idle.map(({ organization }) => organization.id);
  }

  #retire(resident: Resident): void {
    for (const key of resident.keys) this.#retiredKeys.add(key);
    this.#notices.delete(resident.organization);
    this.#surroundings.store.remove(resident);
    for (const key of this.#retiredKeys) {
      if (this.#retiredKeys.size <= rememberedKeys) return;
      this.#retiredKeys.delete(key);
    }
  }

  #templateIndex(wanted: string | undefined): number | undefined {
    const { store } = this.#surroundings;
    if (wanted === undefined) return store.templates.size === 0 ? undefined : 0;
    const isMeant = ({ id, name }: Organization) => id === wanted || name === wanted;
    // Under the profile of now a template may have another id than the organization that came of it.
    const ofSeed = store.residents.find(({ origin, organization }) => origin.kind === 'seed' && isMeant(organization));
    return ofSeed?.origin.index ?? this.#templates().findIndex(isMeant);
  }

  #templates(): Organization[] {
    const { templates } = this.#surroundings.store;
    return templates.allBut(undefined);
  }

  #unknownTemplate(): string {
    const names = this.#templates().map(({ name }) => JSON.stringify(name));
    return `The seed has no such organization. It has ${names.join(', ')}; copyOf takes the id or the name of one.`;
  }

  /** A key that nobody has. */
  makeKey(): string {
    const { store } = this.#surroundings;
    for (;;) {
      const letters = Array.from({ length: 3 }, () => this.#keys.uint32().toString(36).padStart(7, '0')).join('');
      const key = `key-${letters}`;
      if (store.ownerOf(key) === undefined && !store.isRevoked(key)) return key;
    }
  }
}

function keyStream({ randomSeed }: World): Random {
  return createRandom(`${randomSeed}/keys`);
}
