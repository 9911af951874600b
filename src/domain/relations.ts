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
  readonly found: Entry[] = [];

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

/** Errors that the schema of seeds cannot express: duplicate keys, ids and paths, reserved names, and unknown revisions. */
export function validateSeedRelations(seed: Seed): SeedViolation[] {
  return [
    ...idsTwice(seed),
    ...keysTwice(seed),
    ...pathsTwice(seed),
    ...reservedNames(seed),
    ...missingRevisions(seed),
  ];
}

function reservedNames(seed: Seed): SeedViolation[] {
  const message = 'must not be "self": in the admin API, that is the organization of the API key in the request';
  return seed.organizations.flatMap((organization, o) =>
    (['id', 'name'] as const)
      .filter((field) => organization[field] === 'self')
      .map((field) => ({ location: ['organizations', o, field], message })),
  );
}

function givenTwice(value: string, location: (string | number)[], what: string): SeedViolation {
  return { location, message: `the ${what} ${JSON.stringify(value)} is used twice; each must be unique` };
}

function keysTwice(seed: Seed): SeedViolation[] {
  const keys = new Doubles<SeedViolation>();
  for (const [o, organization] of seed.organizations.entries())
    for (const [k, value] of organization.keys.entries())
      keys.look(value, () => givenTwice(value, ['organizations', o, 'keys', k], 'key'));
  return keys.found;
}

function idsTwice(seed: Seed): SeedViolation[] {
  const ids = new Doubles<SeedViolation>();
  const at: (string | number)[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      at.push(step);
      const inner = (value as Record<string | number, unknown>)[step];
      if (step === 'id') ids.look(String(inner), () => givenTwice(String(inner), [...at], 'id'));
      else if (step !== 'metadata') visit(inner);
      at.pop();
    }
  };
  visit(seed);
  return ids.found;
}

function pathsTwice(seed: Seed): SeedViolation[] {
  const found: SeedViolation[] = [];
  for (const [o, { drives = [] }] of seed.organizations.entries()) {
    for (const [d, { files = [] }] of drives.entries()) {
      const paths = new Doubles<SeedViolation>();
      for (const [f, { path }] of files.entries())
        paths.look(path, () => givenTwice(path, ['organizations', o, 'drives', d, 'files', f, 'path'], 'path'));
      found.push(...paths.found);
    }
  }
  return found;
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

/** Errors that the schema of snapshots cannot express: duplicate ids, keys and paths, unknown ids, creations listed twice. */
export function validateSnapshot({ organizations, revokedKeys }: Snapshot): Violation[] {
  const at = (index: number, ...rest: string[]) => ['organizations', String(index), ...rest];
  const keys = new Doubles<Violation>();
  for (const [index, each] of organizations.entries())
    for (const key of each.keys) keys.look(key, () => doubled('a key', at(index, 'keys')));
  for (const key of revokedKeys) keys.look(key, () => doubled('a key', ['revokedKeys']));
  return [
    ...valuesTwice(organizations, 'id', ['organizations']),
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
    ...recordViolations('agents', agents, listed.agents),
    ...recordViolations('drives', drives, listed.drives),
    ...recordViolations('mcpServers', mcpServers, listed.mcpServers),
    ...drives.flatMap(({ files }, index) => fileViolations(files, ['drives', String(index), 'files'])),
    ...agents.flatMap((agent, index) => revisionViolations(agent, ['agents', String(index)])),
    ...listingViolations(deferred, listed),
  ];
}

function revisionViolations({ revisions, activeRevisionId }: Agent, at: string[]): Violation[] {
  const isThere = activeRevisionId === undefined || revisions.some(({ id }) => id === activeRevisionId);
  return [
    ...valuesTwice(revisions, 'id', [...at, 'revisions']),
    ...(isThere ? [] : [missing([...at, 'activeRevisionId'])]),
  ];
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

function recordViolations(kind: string, records: readonly { id: string }[], listed: readonly string[]): Violation[] {
  const known = new Set(records.map(({ id }) => id));
  const unknown: Violation[] = [];
  for (const id of listed) if (!known.has(id)) addBounded(unknown, () => missing(['listed', kind]));
  return [...valuesTwice(records, 'id', [kind]), ...unknown];
}

function fileViolations(files: readonly { id: string; path: string }[], at: string[]): Violation[] {
  return [...valuesTwice(files, 'id', at), ...valuesTwice(files, 'path', at)];
}

function missing(location: string[]): Violation {
  return { location, code: 'missing', message: 'names something that does not exist' };
}

function valuesTwice<Name extends 'id' | 'path'>(
  records: readonly Readonly<Record<Name, string>>[],
  name: Name,
  at: readonly string[],
): Violation[] {
  const values = new Doubles<Violation>();
  for (const [index, record] of records.entries())
    values.look(record[name], () => doubled(name === 'id' ? 'an id' : 'a path', [...at, String(index), name]));
  return values.found;
}

// The value may be a key, so the message does not quote it.
function doubled(what: string, location: string[]): Violation {
  return { location, code: 'unique', message: `holds ${what} that is given twice` };
}
