import { createHash } from 'node:crypto';
import { isRefusal, refuse } from '../../domain/refusal.ts';
import type { Resident } from '../../domain/store.ts';
import type { NewWorld } from '../../engine/worlds.ts';
import { type ControlHandler, done, findOrganization, gone } from './control.ts';

/** An organization as the control plane shows it: keys by their ids only. */
export function showOrganization({ organization, origin, keys }: Resident) {
  const { id, name, agents, drives, mcpServers } = organization;
  return {
    ...{ id, name, kind: origin.kind, keyIds: [...keys].map(keyIdOf) },
    holds: { agents: agents.size, drives: drives.size, mcpServers: mcpServers.size },
  };
}

/** The name of a key: it tells keys apart, and opens nothing. */
export function keyIdOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

export const listOrganizations: ControlHandler = (_, { engine }) => done(engine.store.residents.map(showOrganization));

export const openWorld: ControlHandler = ({ body }, { engine }) => {
  const opened = engine.worlds.open(body as NewWorld);
  if (isRefusal(opened)) return opened;
  const { resident, key, retired } = opened;
  return done({ organization: showOrganization(resident), key, retired }, 201);
};

export const getOrganization: ControlHandler = (input, context) => {
  const resident = findOrganization(input.path.organizationId ?? '', input, context);
  return 'refused' in resident ? resident : done(showOrganization(resident));
};

export const deleteOrganization: ControlHandler = (input, context) => {
  const resident = findOrganization(input.path.organizationId ?? '', input, context);
  if ('refused' in resident) return resident;
  context.faults.clear(resident.organization.id);
  context.engine.store.remove(resident);
  return gone;
};

export const issueKey: ControlHandler = (input, context) => {
  const resident = findOrganization(input.path.organizationId ?? '', input, context);
  if ('refused' in resident) return resident;
  const { store, worlds } = context.engine;
  const key = (input.body as { key?: string }).key ?? worlds.makeKey();
  if (store.ownerOf(key) !== undefined)
    return refuse('conflict', 'An organization has this key already. Choose another.');
  store.issue(resident, key);
  return done({ key, keyId: keyIdOf(key) }, 201);
};

export const revokeKey: ControlHandler = (input, context) => {
  const resident = findOrganization(input.path.organizationId ?? '', input, context);
  if ('refused' in resident) return resident;
  const key = [...resident.keys].find((one) => keyIdOf(one) === input.path.keyId);
  if (key === undefined)
    return refuse('notFound', 'The organization has no key with this id. Its keyIds are those it has.');
  context.engine.store.revoke(key);
  return gone;
};
