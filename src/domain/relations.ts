import type { Violation } from '../../openapi/contract/schemas.ts';
import type { DeferredState } from './deferred.ts';
import { located } from './refusal.ts';
import type { Agent } from './resources.ts';
import type { Seed } from './seed.ts';
import type { OrganizationSnapshot, Snapshot } from './snapshot.ts';

// There may be very many ids, all of them wrong: only the first few wrong ones are described.
const mostListed = 1_000;

/** Finds repeated values and describes the first few. */
class Doubles<Entry extends { more?: number }> {
  readonly #seen = new Set<string>();
  readonly found: Entry[];

  /** `found` may have others in it already. */
  constructor(found: Entry[] = []) {
    this.found = found;
  }

  look(value: string, describe: () => Entry): void {
    if (!this.#seen.has(value)) this.#seen.add(value);
    else addBounded(this.found, describe);
  }
}

function addBounded<Entry extends { more?: number }>(found: Entry[], describe: () => Entry): void {
  const last = found[mostListed - 1];
  if (last === undefined) found.push(describe());
  else last.more = (last.more ?? 0) + 1;
}

/** An error in a seed. */
export interface SeedViolation {
  location: (string | number)[];
  message: string;
  /** How many more errors like this are not listed. */
  more?: number;
}

type Place = readonly (string | number)[];

/** A record in a list: what must not stand in the list twice. */
interface Listed {
  readonly id?: string;
  readonly path?: string;
}

/** What a seed and a snapshot say of an organization in the same way. */
interface Holder {
  readonly agents?: readonly (Listed & { readonly revisions?: readonly Listed[] })[];
  readonly drives?: readonly (Listed & { readonly files?: readonly (Listed & { readonly metadata?: unknown })[] })[];
  readonly mcpServers?: readonly Listed[];
}

/**
 * The lists of an organization. An id names one resource of its list, as in a database with a table for each kind: a
 * drive and an agent may have the same id, and so may files in two drives.
 */
function listsIn({ agents = [], drives = [], mcpServers = [] }: Holder): [at: Place, records: readonly Listed[]][] {
  return [
    [['agents'], agents],
    [['drives'], drives],
    [['mcpServers'], mcpServers],
    ...agents.map(({ revisions = [] }, a): [Place, readonly Listed[]] => [['agents', a, 'revisions'], revisions]),
    ...drives.map(({ files = [] }, d): [Place, readonly Listed[]] => [['drives', d, 'files'], files]),
  ];
}

/** The ids and the paths of files that stand in a list of an organization twice. */
function twiceIn<Entry extends { more?: number }>(
  organization: Holder,
  describe: (what: 'id' | 'path', value: string, location: Place) => Entry,
): Entry[] {
  const found: Entry[] = [];
  for (const [at, records] of listsIn(organization).filter(([, { length }]) => length > 1))
    for (const name of ['id', 'path'] as const) {
      const values = new Doubles<Entry>(found);
      for (const [index, { [name]: value }] of records.entries())
        if (value !== undefined) values.look(value, () => describe(name, value, [...at, index, name]));
    }
  return found;
}

const notFinite = 'must be a finite number, because JSON holds no other; write null or a string';

/** The numbers in the metadata of files that JSON cannot hold: a response would show null. */
function notFiniteIn<Entry extends { more?: number }>(
  { drives = [] }: Holder,
  describe: (location: Place) => Entry,
): Entry[] {
  const found: Entry[] = [];
  for (const [d, { files = [] }] of drives.entries())
    for (const [f, { metadata }] of files.entries())
      for (const at of placesNotFinite(metadata))
        addBounded(found, () => describe(['drives', d, 'files', f, 'metadata', ...at]));
  return found;
}

function* placesNotFinite(value: unknown): Generator<Place> {
  if (typeof value === 'number' && !Number.isFinite(value)) yield [];
  if (typeof value !== 'object' || value === null) return;
  for (const step of Array.isArray(value) ? value.keys() : Object.keys(value))
    for (const at of placesNotFinite((value as Record<string | number, unknown>)[step])) yield [step, ...at];
}

/** The same in the metadata of one file. */
export function metadataViolations(metadata: unknown): Violation[] {
  return [...placesNotFinite(metadata)].slice(0, mostListed).map((at) => notFiniteAt(['metadata', ...at]));
}

function notFiniteAt(at: Place): Violation {
  return { location: at.map(String), code: 'type', message: notFinite };
}

/**
 * Errors that the schema of seeds cannot express: duplicate keys, ids and paths, numbers that JSON cannot hold, reserved
 * names, and unknown revisions.
 */
export function validateSeedRelations(seed: Seed): SeedViolation[] {
  return [
    ...organizationsTwice(seed),
    ...seed.organizations.flatMap((organization, o) => {
      const inIt = (at: Place): SeedViolation['location'] => ['organizations', o, ...at];
      return [
        ...reservedIn(organization).map((field) => ({ location: inIt([field]), message: reserved })),
        ...twiceIn(organization, (what, value, at) => givenTwice(value, inIt(at), what)),
        ...notFiniteIn(organization, (at): SeedViolation => ({ location: inIt(at), message: notFinite })),
      ];
    }),
    ...keysTwice(seed),
    ...missingRevisions(seed),
  ];
}

function organizationsTwice({ organizations }: Seed): SeedViolation[] {
  const ids = new Doubles<SeedViolation>();
  for (const [o, { id }] of organizations.entries())
    if (id !== undefined) ids.look(id, () => givenTwice(id, ['organizations', o, 'id'], 'id'));
  return ids.found;
}

const reserved = 'must not be "self": in the admin API, that is the organization of the API key in the request';

function reservedIn(organization: { readonly id?: string; readonly name: string }): ('id' | 'name')[] {
  return (['id', 'name'] as const).filter((field) => organization[field] === 'self');
}

function givenTwice(value: string, location: (string | number)[], what: 'id' | 'path' | 'key'): SeedViolation {
  return { location, message: `the ${what} ${JSON.stringify(value)} is used twice; each must be unique` };
}

function keysTwice(seed: Seed): SeedViolation[] {
  const keys = new Doubles<SeedViolation>();
  for (const [o, organization] of seed.organizations.entries())
    for (const [k, value] of organization.keys.entries())
      keys.look(value, () => givenTwice(value, ['organizations', o, 'keys', k], 'key'));
  return keys.found;
}

function missingRevisions(seed: Seed): SeedViolation[] {
  return seed.organizations.flatMap((organization, o) =>
    (organization.agents ?? []).flatMap((agent, a) => {
      const count = agent.revisions?.length ?? 0;
      if (agent.published === undefined || agent.published <= count) return [];
      const message = `revision ${agent.published} does not exist; this agent has ${count}, counted from 1`;
      return [{ location: ['organizations', o, 'agents', a, 'published'], message }];
    }),
  );
}

/** Errors that the schema of snapshots cannot express: duplicate ids, keys and paths, unknown ids, creations listed twice, numbers, reserved names. */
export function validateSnapshot({ organizations, revokedKeys }: Snapshot): Violation[] {
  const at = (index: number, ...rest: string[]) => ['organizations', String(index), ...rest];
  const [ids, keys] = [new Doubles<Violation>(), new Doubles<Violation>()];
  for (const [index, { id }] of organizations.entries()) ids.look(id, () => doubled('an id', at(index, 'id')));
  for (const [index, each] of organizations.entries())
    for (const key of each.keys) keys.look(key, () => doubled('a key', at(index, 'keys')));
  for (const key of revokedKeys) keys.look(key, () => doubled('a key', ['revokedKeys']));
  return [
    ...ids.found,
    ...keys.found,
    ...organizations.flatMap((organization, index) => located(at(index), violationsIn(organization))),
  ];
}

/** The same errors in the snapshot of one organization. */
export function validateOrganization(organization: OrganizationSnapshot): Violation[] {
  const keys = new Doubles<Violation>();
  for (const key of organization.keys) keys.look(key, () => doubled('a key', ['keys']));
  return [...keys.found, ...violationsIn(organization)];
}

function violationsIn(organization: OrganizationSnapshot): Violation[] {
  const { agents, drives, mcpServers, listed, deferred } = organization;
  return [
    ...twiceIn(organization, (what, _, at) => doubled(what === 'id' ? 'an id' : 'a path', at.map(String))),
    ...reservedIn(organization).map((field) => ({ location: [field], code: 'reserved', message: reserved })),
    ...notFiniteIn(organization, notFiniteAt),
    ...notThere('agents', agents, listed.agents),
    ...notThere('drives', drives, listed.drives),
    ...notThere('mcpServers', mcpServers, listed.mcpServers),
    ...agents.flatMap((agent, index) => missingActive(agent, ['agents', String(index)])),
    ...listingViolations(deferred, listed),
  ];
}

function missingActive({ revisions, activeRevisionId }: Agent, at: string[]): Violation[] {
  const isThere = activeRevisionId === undefined || revisions.some(({ id }) => id === activeRevisionId);
  return isThere ? [] : [missing([...at, 'activeRevisionId'])];
}

// A creation that waits to be listed must not be in a list.
function listingViolations({ tasks }: DeferredState, listed: OrganizationSnapshot['listed']): Violation[] {
  const already = { listDrive: new Set(listed.drives), listMcpServer: new Set(listed.mcpServers) };
  const ids = new Doubles<Violation>();
  const listedOnes: Violation[] = [];
  for (const [index, { task }] of tasks.entries()) {
    if (task.kind === 'deleteFiles') continue;
    const location = ['deferred', 'tasks', String(index), 'task', 'id'];
    ids.look(task.id, () => doubled('an id', location));
    if (!already[task.kind].has(task.id)) continue;
    addBounded<Violation>(listedOnes, () => ({ location, code: 'unique', message: 'is already in its list' }));
  }
  return [...ids.found, ...listedOnes];
}

function notThere(kind: string, records: readonly { id: string }[], listed: readonly string[]): Violation[] {
  const known = new Set(records.map(({ id }) => id));
  const unknown: Violation[] = [];
  for (const id of listed) if (!known.has(id)) addBounded(unknown, () => missing(['listed', kind]));
  return unknown;
}

function missing(location: string[]): Violation {
  return { location, code: 'missing', message: 'names something that does not exist' };
}

// The value may be a key, so the message does not quote it.
function doubled(what: string, location: string[]): Violation {
  return { location, code: 'unique', message: `holds ${what} that is given twice` };
}
