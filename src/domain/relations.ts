import type { Violation } from '../../openapi/contract/schemas.ts';
import type { DeferredState } from './deferred.ts';
import { located } from './refusal.ts';
import type { Agent } from './resources.ts';
import type { Seed } from './seed.ts';
import type { OrganizationSnapshot, Snapshot } from './snapshot.ts';

interface Located<Step = string | number> {
  value: string;
  location: Step[];
}

/** The entries with a value that an earlier entry already has. */
function repeated<Entry extends { value: string }>(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ value }) => seen.has(value) || !seen.add(value));
}

/** An error of a seed. */
export interface SeedViolation {
  location: (string | number)[];
  message: string;
}

/** Errors that the schema of seeds cannot express: duplicate keys, ids and paths, and unknown revisions. */
export function validateSeedRelations(seed: Seed): SeedViolation[] {
  return [...idsTwice(seed), ...twice(keysOf(seed), 'key'), ...pathsTwice(seed), ...missingRevisions(seed)];
}

function twice(entries: readonly Located[], what: string): SeedViolation[] {
  return repeated(entries).map((entry) => givenTwice(entry, what));
}

function givenTwice({ value, location }: Located, what: string): SeedViolation {
  return { location, message: `the ${what} ${JSON.stringify(value)} is given twice; give each its own` };
}

function keysOf(seed: Seed): Located[] {
  return seed.organizations.flatMap((organization, o) =>
    organization.keys.map((value, k) => ({ value, location: ['organizations', o, 'keys', k] })),
  );
}

// The place of an id is written down only where it is wrong: there may be a million.
function idsTwice(seed: Seed): SeedViolation[] {
  const seen = new Set<string>();
  const again: Located[] = [];
  const at: (string | number)[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      at.push(step);
      const inner = (value as Record<string | number, unknown>)[step];
      if (step === 'id') note(String(inner));
      else if (step !== 'metadata') visit(inner);
      at.pop();
    }
  };
  const note = (value: string) => void (seen.has(value) ? again.push({ value, location: [...at] }) : seen.add(value));
  visit(seed);
  return again.map((entry) => givenTwice(entry, 'id'));
}

function pathsTwice(seed: Seed): SeedViolation[] {
  return seed.organizations.flatMap((organization, o) =>
    (organization.drives ?? []).flatMap(({ files }, d) => {
      if (files === undefined) return [];
      const at = ['organizations', o, 'drives', d, 'files'];
      return twice(
        files.map(({ path }, f) => ({ value: path, location: [...at, f, 'path'] })),
        'path',
      );
    }),
  );
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
  const ids = organizations.map(({ id }, index) => ({ value: id, location: at(index, 'id') }));
  const keys = organizations.flatMap((each, index) =>
    each.keys.map((value) => ({ value, location: at(index, 'keys') })),
  );
  const revoked = revokedKeys.map((value) => ({ value, location: ['revokedKeys'] }));
  return [
    ...doubled(ids, 'an id'),
    ...doubled([...keys, ...revoked], 'a key'),
    ...organizations.flatMap((organization, index) => located(at(index), violationsIn(organization))),
  ];
}

/** The same errors in the snapshot of one organization. */
export function validateOrganization(organization: OrganizationSnapshot): Violation[] {
  const keys = organization.keys.map((value) => ({ value, location: ['keys'] }));
  return [...doubled(keys, 'a key'), ...violationsIn(organization)];
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
  const located = revisions.map(({ id }, index) => ({
    value: id,
    location: [...at, 'revisions', String(index), 'id'],
  }));
  const isThere = activeRevisionId === undefined || revisions.some(({ id }) => id === activeRevisionId);
  return [...doubled(located, 'an id'), ...(isThere ? [] : [missing([...at, 'activeRevisionId'])])];
}

// A creation that is not listed yet is in no list.
function listingViolations({ tasks }: DeferredState, listed: OrganizationSnapshot['listed']): Violation[] {
  const already = { listDrive: listed.drives, listMcpServer: listed.mcpServers };
  const located = tasks.flatMap(({ task }, index) => {
    if (task.kind === 'deleteFiles') return [];
    const location = ['deferred', 'tasks', String(index), 'task', 'id'];
    return [{ value: task.id, location, isListed: already[task.kind].includes(task.id) }];
  });
  const listedOnes = located.filter(({ isListed }) => isListed);
  return [
    ...doubled(located, 'an id'),
    ...listedOnes.map(({ location }) => ({ location, code: 'unique', message: 'is already in its list' })),
  ];
}

function recordViolations(kind: string, records: readonly { id: string }[], listed: readonly string[]) {
  const known = new Set(records.map(({ id }) => id));
  const located = records.map(({ id }, index) => ({ value: id, location: [kind, String(index), 'id'] }));
  const unknown = listed.filter((id) => !known.has(id));
  return [...doubled(located, 'an id'), ...unknown.map(() => missing(['listed', kind]))];
}

function fileViolations(files: readonly { id: string; path: string }[], at: string[]): Violation[] {
  const located = (name: 'id' | 'path') =>
    files.map((file, index) => ({ value: file[name], location: [...at, String(index), name] }));
  return [...doubled(located('id'), 'an id'), ...doubled(located('path'), 'a path')];
}

function missing(location: string[]): Violation {
  return { location, code: 'missing', message: 'names something that does not exist' };
}

// Keys are among the values: the message quotes none.
function doubled(entries: readonly Located<string>[], what: string): Violation[] {
  const message = `holds ${what} that is given twice`;
  return repeated(entries).map(({ location }) => ({ location, code: 'unique', message }));
}
