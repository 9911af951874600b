import { repeatChange } from '../domain/repeat-change.ts';
import type { Drive } from '../domain/resources.ts';
import { fromSnapshot, type OrganizationSnapshot } from '../domain/snapshot.ts';
import { Store, type Tenant } from '../domain/store.ts';
import type { Engine } from './engine.ts';
import { remake } from './restore.ts';
import type { Piece, SavedChange, SavedHead } from './saved-changes.ts';

type Gathered = Pick<OrganizationSnapshot, 'agents' | 'drives' | 'mcpServers' | 'listed'>;
type Change<Name extends SavedChange['do']> = Extract<SavedChange, { do: Name }>;

/** Brings an engine that was made from a saved head to the saved state, change by change. */
export class Repetition {
  readonly #engine: Engine;
  #gathered = nothingGathered();

  constructor(engine: Engine, { clock, revokedKeys, worlds }: SavedHead) {
    this.#engine = engine;
    engine.store = new Store([], engine.store.templates);
    for (const key of revokedKeys) engine.store.revoke(key);
    engine.tenants.restore(worlds);
    engine.clock.set(clock.fixedAtMs);
  }

  /** Carries out a change. Throws where the state cannot have it. */
  repeat(change: SavedChange): void {
    if ('in' in change) this.#repeatIn(this.#tenant(change.in), change);
    else if ('id' in change || change.do === 'revoke') this.#repeatOnStore(change);
    else if (change.do === 'clock') this.#engine.clock.set(change.fixedAtMs);
    else if (change.do === 'worlds') this.#engine.tenants.goOn(change);
    else if (change.do === 'make') this.#make(change);
    else if (change.do === 'gather') for (const piece of change.pieces) addPiece(this.#gathered, piece);
    else this.#put(change);
  }

  #repeatIn(tenant: Tenant, change: Extract<SavedChange, { in: string }>): void {
    if (change.do === 'use') this.#engine.store.noteUse(tenant, change.lastUse);
    else repeatChange(tenant.organization, change);
  }

  #repeatOnStore(change: Change<'remove' | 'issue' | 'revoke' | 'promise' | 'retire'>): void {
    const { store, tenants } = this.#engine;
    if (change.do === 'revoke') store.revoke(change.key);
    else if (change.do === 'promise') tenants.promise(change.id);
    else if (change.do === 'retire') tenants.rememberRetired(change.keys, change.id);
    else if (change.do === 'remove') store.remove(this.#tenant(change.id));
    else store.issue(this.#tenant(change.id), change.key);
  }

  #make({ made, pending }: Change<'make'>): void {
    const { store } = this.#engine;
    const { id, name, origin, ownProfile, ...kept } = made;
    const organization = remake(store, this.#engine.runtime, name, origin, id);
    if (organization?.id !== id) throw new Error(`The seed has nothing to make the organization ${id} from.`);
    for (const { drive, file } of pending) organization.ownFilesOf(drive).put(file);
    organization.isAsMade = true;
    store.put({ organization, origin, ...kept, ownProfile });
  }

  #put({ put: { ownProfile, ...put } }: Change<'put'>): void {
    // An earlier version may not have known all open points.
    const runtime = this.#engine.runtimeFor(ownProfile && { ...this.#engine.runtime.profile, ...ownProfile });
    const { keys, firstKeys, ...facts } = put;
    const tenant = fromSnapshot(runtime, { ...facts, keys: [...keys], firstKeys: [...firstKeys], ...this.#gathered });
    this.#gathered = nothingGathered();
    this.#engine.store.put({ ...tenant, ownProfile: ownProfile && runtime.profile });
  }

  #tenant(id: string): Tenant {
    const tenant = this.#engine.store.tenant(id);
    if (tenant === undefined) throw new Error(`There is no organization ${id}.`);
    return tenant;
  }
}

function nothingGathered(): Gathered {
  const listed = { agents: [], drives: [], mcpServers: [] };
  return { agents: [], drives: [], mcpServers: [], listed };
}

// The files of a drive come after it, and before the next one.
function addPiece(gathered: Gathered, piece: Piece): void {
  if ('listed' in piece) gathered.listed[piece.listed].push(piece.id);
  else if ('file' in piece) gathered.drives.at(-1)?.files.push(piece.file);
  else if (piece.of === 'drives')
    gathered.drives.push({ ...(piece.record as Omit<Drive, 'organizationId'>), files: [] });
  else gathered[piece.of].push(piece.record as never);
}
