import { isRefusal, refuse } from '../../domain/refusal.ts';
import type { Sandbox } from '../../domain/store.ts';
import type { SandboxOptions } from '../../engine/sandboxes.ts';
import { type ControlContext, type ControlHandler, done, findSandbox, forSandbox, gone, partOf } from './control.ts';

/** An organization as the admin API shows it: keys by their ids only. */
export function showOrganization({ organization, origin, keys, ownProfile }: Sandbox, context: ControlContext) {
  const { id, name, agents, drives, mcpServers } = organization;
  return {
    ...{ id, name, kind: origin.kind, keyIds: [...keys].map((key) => keyIdOf(key, context)) },
    holds: { agents: agents.size, drives: drives.size, mcpServers: mcpServers.size },
    hasOwnProfile: ownProfile !== undefined,
  };
}

export type ShownOrganization = ReturnType<typeof showOrganization>;

/** All organizations, as several operations return them. */
export function showOrganizations(context: ControlContext) {
  return { organizations: context.engine.store.sandboxes.map((sandbox) => showOrganization(sandbox, context)) };
}

/** The id of a key: it distinguishes keys but opens nothing. */
function keyIdOf(key: string, { digest }: ControlContext): string {
  return digest(key).slice(0, 12);
}

export const organizationHandlers = {
  listOrganizations: (_, context) => done(showOrganizations(context).organizations),

  openSandbox: (input, context) => {
    const sent = input.body as SandboxOptions;
    const self = sent.copyOf === 'self' ? findSandbox('self', input, context) : undefined;
    if (self !== undefined && isRefusal(self)) return self;
    const opened = context.engine.sandboxes.open(self === undefined ? sent : { ...sent, copyOf: self.organization.id });
    if (isRefusal(opened)) return opened;
    const { sandbox, key, retired } = opened;
    return done({ organization: showOrganization(sandbox, context), key, retired }, 201);
  },

  getOrganization: forSandbox((sandbox, _, context) => done(showOrganization(sandbox, context))),

  deleteOrganization: forSandbox((sandbox, _, { faults, engine }) => {
    faults.forget(sandbox.organization.id);
    engine.store.remove(sandbox);
    return gone;
  }),

  listKeys: forSandbox(({ keys }, { query }, context) =>
    done(partOf(keys, query).map((key) => ({ key, keyId: keyIdOf(key, context) }))),
  ),

  issueKey: forSandbox((sandbox, { body }, context) => {
    const { store, sandboxes } = context.engine;
    const { key = sandboxes.makeKey() } = body as { key?: string };
    if (store.ownerOf(key) !== undefined)
      return refuse('conflict', 'An organization already has this key. Choose a different one.');
    store.issue(sandbox, key);
    return done({ key, keyId: keyIdOf(key, context) }, 201);
  }),

  revokeKey: forSandbox((sandbox, { path }, context) => {
    const key = [...sandbox.keys].find((one) => keyIdOf(one, context) === path.keyId);
    if (key === undefined)
      return refuse('notFound', 'The organization has no key with this id. Its keyIds lists the ids of its keys.');
    context.engine.store.revoke(key);
    return gone;
  }),
} satisfies Record<string, ControlHandler>;
