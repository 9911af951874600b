import { agentsSound, breaks } from './checks.ts';
import type { Agent, Ctx, Machine } from './model.ts';
import { Refusal } from './model.ts';
import type { Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Demo, Variant } from './variant.ts';
import { after, around, must, should, wrap } from './variant.ts';

const unsound = breaks((t) => agentsSound(t));
const lists = (change: (all: Agent[], ctx: Ctx, m: Machine) => Agent[]) => (m: Machine) =>
  wrap(m, 'agents', (old) => (ctx) => change(old(ctx), ctx, m));
const isActive = (agent: Agent) => agent.activeRevisionId !== undefined;
const known = (t: Tester, agents: any[], index: number) =>
  agents.some((agent) => agent.id === t.org().agents[index]?.id);

const afterPublication =
  (index: number, revision = 1): Demo =>
  async (t) => {
    await t.publish(index, revision);
    return !known(t, await t.agents(), index);
  };

const lists41: Variant[] = [
  must(
    'agents-in-an-envelope',
    '4.1',
    'The agents come as an object with data and pagination in place of an array.',
    (m) =>
      after(m, 'listAgents', (a) => ({ ...a, body: { data: a.body, pagination: { limit: 20, offset: 0, total: 4 } } })),
    unsound,
  ),
  must(
    'agents-by-id',
    '4.1',
    'The agents come as an object with the ids as keys.',
    (m) => after(m, 'listAgents', (a) => ({ ...a, body: Object.fromEntries(a.body.map((x: any) => [x.id, x])) })),
    unsound,
  ),
  must(
    'agents-repeated-for-each-publication',
    '4.1',
    'The list is joined with the publications, so an agent published twice is listed twice.',
    lists((all, ctx) => {
      const { log } = ctx.org;
      return all.flatMap((agent) => {
        const times = log.filter((e) => e.type === 'RevisionPublished' && e.agentId === agent.id).length;
        return Array.from({ length: Math.max(times, 1) }, () => agent);
      });
    }),
    async (t) => {
      await t.publish(0, 0);
      await t.publish(0, 1);
      const ids = (await t.agents()).map((agent) => agent.id);
      return new Set(ids).size < ids.length;
    },
  ),
  must(
    'agents-joined-with-publications',
    '4.1',
    'An inner join with the publications hides agents that were never published.',
    lists((all) => all.filter(isActive)),
    unsound,
  ),
  must(
    'agents-lost-when-up-to-date',
    '4.1',
    'Agents without unpublished changes are not listed (the filter of the work list was left in).',
    lists((all) => all.filter((agent) => agent.hasChanges)),
    unsound,
  ),
  must(
    'agents-lost-by-publication',
    '4.1',
    'An agent vanishes from the list when a revision of it is published while the server runs.',
    (m) => {
      const gone = new Set<string>();
      after(m, 'publish', (a, ctx) => {
        gone.add(ctx.params.agentId ?? '');
        return a;
      });
      lists((all) => all.filter((agent) => !gone.has(agent.id)))(m);
    },
    afterPublication(0),
  ),
  must(
    'agents-capped-at-three',
    '4.1',
    'The list shows the three agents updated last.',
    lists((all) => [...all].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, 3)),
    unsound,
  ),
  must(
    'agents-without-the-first',
    '4.1',
    'The list starts with the second agent (an offset that counts from one).',
    lists((all) => all.slice(1)),
    unsound,
  ),
  must(
    'agents-of-everyone',
    '4.1',
    'The agents of all organizations are listed.',
    lists((_all, _ctx, m) => m.orgs.flatMap((org) => [...org.view.agents.values()])),
    unsound,
  ),
  must(
    'published-agents-of-everyone',
    '4.1',
    'Published agents of other organizations are listed too (they count as public).',
    lists((all, ctx, m) => {
      const others = m.orgs.filter((org) => org !== ctx.org);
      return [...all, ...others.flatMap((org) => [...org.view.agents.values()].filter(isActive))];
    }),
    async (t) => {
      await t.publish(0, 0, 1);
      return (await t.agents()).some((agent) => agent.id === t.org(1).agents[0]?.id);
    },
  ),
  must(
    'second-organization-sees-agents-of-first',
    '4.1',
    'The second organization gets the agents of the first one as well.',
    lists((all, ctx, m) => (ctx.org.index === 1 ? [...all, ...(m.orgs[0]?.view.agents.values() ?? [])] : all)),
    breaks((t) => agentsSound(t, 1)),
  ),
  must(
    'agents-newer-by-one-list',
    '4.1',
    'After a publication the next list answers 304 without a body.',
    (m) => {
      let fresh = false;
      after(m, 'publish', (a) => {
        fresh = true;
        return a;
      });
      after(m, 'listAgents', (a) => {
        if (!fresh) return a;
        fresh = false;
        return { status: 304, raw: '' };
      });
    },
    async (t) => {
      await t.publish(0, 0);
      return (await t.call('GET', '/agents')).status === 304;
    },
  ),
  must(
    'agents-with-206',
    '4.1',
    'The agents list is answered with 206.',
    (m) => after(m, 'listAgents', (a) => ({ ...a, status: 206 })),
    unsound,
  ),
  must(
    'agents-list-gone-for-one-header',
    '4.1',
    'With a bearer token the agents list is empty.',
    lists((all, ctx) => (ctx.via === 'bearer' ? [] : all)),
    async (t) => !known(t, (await t.call('GET', '/agents', { via: 'bearer' })).body ?? [], 0),
  ),
  must(
    'agents-as-json-lines',
    '4.1',
    'The agents come one JSON object to a line, without an array.',
    (m) => after(m, 'listAgents', (a) => ({ ...a, raw: a.body.map((agent: any) => JSON.stringify(agent)).join('\n') })),
    unsound,
  ),
  must(
    'agents-as-a-json-text',
    '4.1',
    'The body is encoded twice: a JSON string that holds the JSON of the list.',
    (m) => after(m, 'listAgents', (a) => ({ ...a, body: JSON.stringify(a.body) })),
    unsound,
  ),
  must(
    'agents-share-an-id',
    '4.1',
    'The last agent is shown with the id of the first one (a loop variable that is kept).',
    (m) =>
      after(m, 'listAgents', (a) => {
        const last = a.body.length - 1;
        return { ...a, body: a.body.map((x: any, n: number) => (n === last ? { ...x, id: a.body[0].id } : x)) };
      }),
    unsound,
  ),
];

function refusePublication(when: (agent: Agent, ctx: Ctx) => boolean): (m: Machine) => void {
  return (m) =>
    around(m, 'publish', (old, ctx) => {
      const agent = m.findAgent(ctx, ctx.params.agentId ?? '');
      if (agent && when(agent, ctx)) throw new Refusal(500, 'locked', 'Lock wait timeout exceeded');
      return old(ctx);
    });
}

const publishFails =
  (agent: number, revision: number, first?: number): Demo =>
  async (t) => {
    if (first !== undefined) await t.publish(agent, first);
    return !ok(await t.publish(agent, revision));
  };

const publishing: Variant[] = [
  must(
    'publishing-crashes-without-a-published-revision',
    '4.2',
    'The first publication of an agent answers 500, because the previous revision is read from nothing.',
    (m) =>
      around(m, 'publish', (old, ctx) => {
        const agent = m.findAgent(ctx, ctx.params.agentId ?? '');
        if (agent && !isActive(agent)) throw new TypeError('previous revision is undefined');
        return old(ctx);
      }),
    publishFails(0, 0),
  ),
  must(
    'publishing-reads-another-field',
    '4.2',
    'The revision is read from the field revision_id, so revisionId is not seen.',
    (m) =>
      wrap(m, 'readInput', (old) => (ctx) => {
        old(ctx);
        if (ctx.op === 'publish') ctx.input = { ...ctx.input, revisionId: ctx.input.revision_id };
      }),
    publishFails(0, 0),
  ),
  should(
    'publishing-one-agent-at-a-time',
    '4.2',
    'A lock that is never released: after the first publication no other agent can be published.',
    (m) => {
      let holder = '';
      refusePublication((agent) => {
        holder ||= agent.id;
        return holder !== agent.id;
      })(m);
    },
    async (t) => {
      await t.publish(0, 0);
      return !ok(await t.publish(1, 1));
    },
  ),
  must(
    'publishing-gives-a-new-creation-time',
    '4.2',
    'A publication replaces the record of the agent, with a new creation time.',
    (m) =>
      wrap(m, 'project', (old) => (org, event) => {
        old(org, event);
        const agent = event.type === 'RevisionPublished' ? org.view.agents.get(event.agentId) : undefined;
        if (agent) org.view.agents.set(agent.id, { ...agent, createdAt: m.now() });
      }),
    async (t) => {
      const id = t.org().agents[0]?.id;
      const read = async () => (await t.agents()).find((agent) => agent.id === id)?.createdAt;
      const before = await read();
      await t.publish(0, 0);
      return (await read()) !== before;
    },
  ),
  must(
    'publishing-gives-a-new-agent-id',
    '4.2',
    'A publication makes a copy of the agent with an id of its own; the old id is gone.',
    (m) =>
      wrap(m, 'project', (old) => (org, event) => {
        old(org, event);
        const agent = event.type === 'RevisionPublished' ? org.view.agents.get(event.agentId) : undefined;
        if (!agent) return;
        org.view.agents.delete(agent.id);
        const id = m.newId('agt');
        org.view.agents.set(id, { ...agent, id });
      }),
    async (t) => {
      await t.publish(0, 0);
      return !known(t, await t.agents(), 0);
    },
  ),
  should(
    'publishing-marks-all-agents',
    '2',
    'An UPDATE without its WHERE: every agent of the organization is shown as published after one publication.',
    (m) => {
      const all = new Set<string>();
      after(m, 'publish', (a, ctx) => {
        all.add(ctx.org.id);
        return a;
      });
      wrap(m, 'showAgent', (old) => (a, ctx) => {
        const shown = old(a, ctx);
        return all.has(ctx.org.id) ? { ...shown, isPublished: true } : shown;
      });
    },
    async (t) => {
      const count = async () => (await t.agents()).filter((agent) => agent.isPublished).length;
      const before = await count();
      await t.publish(0, 0);
      return (await count()) > before + 1;
    },
  ),
  should(
    'publishing-unpublishes-the-others',
    '2',
    'Only one agent of the organization can be published: the others lose their flag.',
    (m) =>
      wrap(m, 'project', (old) => (org, event) => {
        if (event.type === 'RevisionPublished') {
          for (const [id, { activeRevisionId: _a, ...agent }] of org.view.agents) org.view.agents.set(id, agent);
        }
        old(org, event);
      }),
    async (t) => {
      await t.publish(0, 0);
      await t.publish(1, 1);
      const id = t.org().agents[0]?.id;
      return (await t.agents()).find((agent) => agent.id === id)?.isPublished === false;
    },
  ),
];

export const agentFaults: readonly Variant[] = [...lists41, ...publishing];
