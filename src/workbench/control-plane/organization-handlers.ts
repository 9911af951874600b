import { isRefusal, refuse } from '../../domain/refusal.ts';
import type { Tenant } from '../../domain/store.ts';
import type { TenantOptions } from '../../engine/tenants.ts';
import { type ControlContext, type ControlHandler, done, findTenant, forTenant, gone, partOf } from './control.ts';

/** An organization as the control plane shows it: keys by their ids only. */
export function showOrganization({ organization, origin, keys, ownProfile }: Tenant, context: ControlContext) {
  const { id, name, agents, drives, mcpServers } = organization;
  return {
    ...{ id, name, kind: origin.kind, keyIds: [...keys].map((key) => keyIdOf(key, context)) },
    holds: { agents: agents.size, drives: drives.size, mcpServers: mcpServers.size },
    hasOwnProfile: ownProfile !== undefined,
  };
}

/** All organizations, as several operations answer. */
export function showOrganizations(context: ControlContext) {
  return { organizations: context.engine.store.tenants.map((tenant) => showOrganization(tenant, context)) };
}

/** The id of a key: it distinguishes keys, and opens nothing. */
function keyIdOf(key: string, { digest }: ControlContext): string {
  return digest(key).slice(0, 12);
}

/** Organizations, worlds and their keys. */
export const organizationHandlers = {
  listOrganizations: (_, context) => done(showOrganizations(context).organizations),

  openWorld: (input, context) => {
    const sent = input.body as TenantOptions;
    const self = sent.copyOf === 'self' ? findTenant('self', input, context) : undefined;
    if (self !== undefined && isRefusal(self)) return self;
    const opened = context.engine.tenants.open(self === undefined ? sent : { ...sent, copyOf: self.organization.id });
    if (isRefusal(opened)) return opened;
    const { tenant, key, retired } = opened;
    return done({ organization: showOrganization(tenant, context), key, retired }, 201);
  },

  getOrganization: forTenant((tenant, _, context) => done(showOrganization(tenant, context))),

  deleteOrganization: forTenant((tenant, _, { faults, engine }) => {
    faults.clear(tenant.organization.id);
    engine.store.remove(tenant);
    return gone;
  }),

  listKeys: forTenant(({ keys }, { query }, context) =>
    done(partOf(keys, query).map((key) => ({ key, keyId: keyIdOf(key, context) }))),
  ),

  issueKey: forTenant((tenant, { body }, context) => {
    const { store, tenants } = context.engine;
    const { key = tenants.makeKey() } = body as { key?: string };
    if (store.ownerOf(key) !== undefined)
      return refuse('conflict', 'An organization already has this key. Choose another.');
    store.issue(tenant, key);
    return done({ key, keyId: keyIdOf(key, context) }, 201);
  }),

  revokeKey: forTenant((tenant, { path }, context) => {
    const key = [...tenant.keys].find((one) => keyIdOf(one, context) === path.keyId);
    if (key === undefined) return refuse('notFound', 'The organization has no key with this id. Its keyIds lists all.');
    context.engine.store.revoke(key);
    return gone;
  }),
} satisfies Record<string, ControlHandler>;
