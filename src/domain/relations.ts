import type { Violation } from '../../openapi/contract/schemas.ts';
import type { DeferredState } from './deferred.ts';
import { located } from './refusal.ts';
import type { Seed } from './seed.ts';
import type { OrganizationSnapshot, Snapshot } from './snapshot.ts';

// What the schemas of seeds and snapshots cannot express.

// There may be very many ids, all of them wrong: only the first few wrong ones are described.
const mostListed = 1_000;

type Place = readonly (string | number)[];

function addBounded(found: Violation[], place: Place, code: string, message: string): void {
  const last = found[mostListed - 1];
  if (last === undefined) found.push({ location: place.map(String), code, message });
  else last.more = (last.more ?? 0) + 1;
}

/** How to say that a value is given twice. */
type Say = (what: 'id' | 'path' | 'key', value: string) => string;

const quoting: Say = (what, value) => `the ${what} ${JSON.stringify(value)} is used twice; each must be unique`;
// The value may be a key, so it is not quoted.
const withoutValue: Say = (what) => `holds ${what === 'id' ? 'an' : 'a'} ${what} that is given twice`;

/** Adds the values that are given twice to `found`. */
function addTwice(
  found: Violation[],
  what: 'id' | 'path' | 'key',
  values: Iterable<readonly [value: string | undefined, at: Place]>,
  say: Say,
): Violation[] {
  const seen = new Set<string>();
  for (const [value, at] of values) {
    if (value === undefined) continue;
    if (seen.has(value)) addBounded(found, at, 'unique', say(what, value));
    seen.add(value);
  }
  return found;
}

/** A record in a list: what must not stand in the list twice. */
interface Listed {
  readonly id?: string;
  readonly path?: string;
}

/** What a seed and a snapshot say of an organization in the same way. */
interface Holder {
  readonly id?: string;
  readonly name: string;
  readonly agents?: readonly (Listed & { readonly revisions?: readonly Listed[] })[];
  readonly drives?: readonly (Listed & { readonly files?: readonly (Listed & { readonly metadata?: unknown })[] })[];
  readonly mcpServers?: readonly Listed[];
}

/** The errors that an organization of a seed and one of a snapshot can have alike. */
function violationsOfBoth(organization: Holder, say: Say): Violation[] {
  const reserved = (['id', 'name'] as const).filter((field) => organization[field] === 'self');
  const found: Violation[] = [];
  for (const [at, records] of listsIn(organization))
    for (const what of ['id', 'path'] as const) {
      const values = records.entries().map(([index, { [what]: value }]) => [value, [...at, index, what]] as const);
      addTwice(found, what, values, say);
    }
  return [
    ...reserved.map((field) => ({ location: [field], code: 'reserved', message: isReserved })),
    ...found,
    ...notFiniteIn(organization),
  ];
}

const isReserved = 'must not be "self": in the admin API, that is the organization of the API key in the request';

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

/** The numbers in the metadata of files that JSON cannot hold: a response would show null. */
function notFiniteIn({ drives = [] }: Holder): Violation[] {
  const found: Violation[] = [];
  for (const [d, { files = [] }] of drives.entries())
    for (const [f, { metadata }] of files.entries())
      addNotFinite(found, metadata, ['drives', d, 'files', f, 'metadata']);
  return found;
}

/** The same in the metadata of one file. */
export function metadataViolations(metadata: unknown): Violation[] {
  const found: Violation[] = [];
  addNotFinite(found, metadata, ['metadata']);
  return found;
}

const notFinite = 'must be a finite number, because JSON holds no other; write null or a string';

function addNotFinite(found: Violation[], value: unknown, at: Place): void {
  if (typeof value === 'number' && !Number.isFinite(value)) addBounded(found, at, 'type', notFinite);
  if (typeof value !== 'object' || value === null) return;
  for (const [step, inner] of Object.entries(value)) addNotFinite(found, inner, [...at, step]);
}

/** Duplicate keys, ids and paths, numbers that JSON cannot hold, reserved names, and unknown revisions in a seed. */
export function validateSeedRelations({ organizations }: Seed): Violation[] {
  const ids = organizations.map(({ id }, o) => [id, ['organizations', o, 'id']] as const);
  const keys = organizations.flatMap(({ keys }, o) =>
    keys.map((key, k) => [key, ['organizations', o, 'keys', k]] as const),
  );
  return [
    ...addTwice([], 'id', ids, quoting),
    ...organizations.flatMap((organization, o) =>
      located(['organizations', String(o)], violationsOfBoth(organization, quoting)),
    ),
    ...addTwice([], 'key', keys, quoting),
    ...missingRevisions(organizations),
  ];
}

function missingRevisions(organizations: Seed['organizations']): Violation[] {
  return organizations.flatMap(({ agents = [] }, o) =>
    agents.flatMap(({ published = 0, revisions = [] }, a) => {
      if (published <= revisions.length) return [];
      const message = `revision ${published} does not exist; this agent has ${revisions.length}, counted from 1`;
      return [{ location: ['organizations', String(o), 'agents', String(a), 'published'], code: 'missing', message }];
    }),
  );
}

/** Duplicate ids, keys and paths, unknown ids, creations listed twice, numbers and reserved names in a snapshot. */
export function validateSnapshot({ organizations, revokedKeys }: Snapshot): Violation[] {
  const ids = organizations.map(({ id }, o) => [id, ['organizations', o, 'id']] as const);
  const keys = organizations.flatMap((each, o) => each.keys.map((key) => [key, ['organizations', o, 'keys']] as const));
  const revoked = revokedKeys.map((key) => [key, ['revokedKeys']] as const);
  return [
    ...addTwice([], 'id', ids, withoutValue),
    ...addTwice([], 'key', [...keys, ...revoked], withoutValue),
    ...organizations.flatMap((organization, o) => located(['organizations', String(o)], violationsIn(organization))),
  ];
}

/** The same errors in the snapshot of one organization. */
export function validateOrganization(organization: OrganizationSnapshot): Violation[] {
  const keys = organization.keys.map((key) => [key, ['keys']] as const);
  return [...addTwice([], 'key', keys, withoutValue), ...violationsIn(organization)];
}

function violationsIn(organization: OrganizationSnapshot): Violation[] {
  const { agents, listed, deferred } = organization;
  const found: Violation[] = [];
  for (const kind of ['agents', 'drives', 'mcpServers'] as const) {
    const known = new Set<string>(organization[kind].map(({ id }) => id));
    for (const id of listed[kind]) if (!known.has(id)) addBounded(found, ['listed', kind], 'missing', missing);
  }
  for (const [index, { revisions, activeRevisionId }] of agents.entries())
    if (activeRevisionId !== undefined && !revisions.some(({ id }) => id === activeRevisionId))
      addBounded(found, ['agents', index, 'activeRevisionId'], 'missing', missing);
  return [...violationsOfBoth(organization, withoutValue), ...found, ...listingViolations(deferred, listed)];
}

const missing = 'names something that does not exist';

// A creation that waits to be listed must not be in a list.
function listingViolations({ tasks }: DeferredState, listed: OrganizationSnapshot['listed']): Violation[] {
  const already = { listDrive: new Set(listed.drives), listMcpServer: new Set(listed.mcpServers) };
  const waiting = tasks.flatMap(({ task }, index) =>
    task.kind === 'deleteFiles' ? [] : [{ ...task, at: ['deferred', 'tasks', index, 'task', 'id'] }],
  );
  const ids = waiting.map(({ id, at }) => [id, at] as const);
  const found: Violation[] = [];
  for (const { kind, id, at } of waiting)
    if (already[kind].has(id)) addBounded(found, at, 'unique', 'is already in its list');
  return [...addTwice([], 'id', ids, withoutValue), ...found];
}
