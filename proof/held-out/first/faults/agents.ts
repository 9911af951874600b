import assert from 'node:assert/strict';
import type { AgentRow } from '../base/database.ts';
import { Failure } from '../base/failure.ts';
import { type Answer, byId, ids, type Tester } from '../tester.ts';
import { around, aroundOperation, type Fault, mapBody, must, should, without } from '../variant.ts';

async function listed(t: Tester, index = 0): Promise<Answer['body']> {
  return byId((await t.one.agents()).body, t.agent(index).id);
}

async function publish(t: Tester, agent: number, revision: number): Promise<void> {
  assert.ok((await t.one.publish(t.agent(agent).id, t.revision(revision, agent))).ok, 'publish');
}

export const agentFaults: readonly Fault[] = [
  // 4.1 and the agent of section 2

  must(
    'agents-wrapped-in-data',
    '4.1',
    "The agents come as the data of an object, as a framework's resource collection does.",
    (app) => mapBody(app, 'listAgents', (body) => ({ data: body })),
    async (t) => assert.ok(Array.isArray((await t.one.agents()).body.data)),
  ),

  must(
    'agents-of-all-organizations',
    '4.1',
    'The agents query has lost its condition on the organization.',
    (app) => around(app.agents, 'list', () => app.db.agents.select()),
    async (t) => assert.ok(byId((await t.one.agents()).body, t.agent(0, 1).id)),
  ),

  must(
    'agents-only-published',
    '4.1',
    'Agents that were never published are left out by an inner join with their active revision.',
    (app) =>
      around(app.agents, 'list', (list, organizationId) =>
        list(organizationId).filter((agent) => agent.activeRevisionId),
      ),
    async (t) => assert.equal(await listed(t, 1), undefined),
  ),

  must(
    'agents-first-three',
    '4.1',
    'The list silently ends after three agents, the default page size of the query builder.',
    (app) => around(app.agents, 'list', (list, organizationId) => list(organizationId).slice(0, 3)),
    async (t) => assert.equal((await t.one.agents()).body.length, 3),
  ),

  must(
    'agents-cache-shared-by-url',
    '4.1',
    'Agent lists are cached for a while under their address alone, for all organizations.',
    (app) => {
      let cached: { body: unknown; until: number } | undefined;
      mapBody(app, 'listAgents', (body) => {
        if (!cached || cached.until < Date.now()) cached = { body, until: Date.now() + 1_000 };
        return cached.body;
      });
    },
    async (t) => {
      await t.one.agents();
      assert.ok(byId((await t.two.agents()).body, t.agent().id));
    },
  ),

  must(
    'agents-without-has-changes',
    '2',
    'The agents of the list lack hasChanges, which an older serializer did not know.',
    (app) => around(app.serializers, 'agent', (agent, row) => without(agent(row), 'hasChanges')),
    async (t) => assert.ok(!('hasChanges' in (await listed(t)))),
  ),

  must(
    'agent-flags-as-numbers',
    '2',
    'The flags come as 0 and 1, as the database driver reads them.',
    (app) =>
      around(app.serializers, 'agent', (agent, row) => ({
        ...agent(row),
        isPublished: row.activeRevisionId ? 1 : 0,
        hasChanges: Number(row.hasChanges),
      })),
    async (t) => assert.equal(typeof (await listed(t)).isPublished, 'number'),
  ),

  must(
    'never-published-is-null',
    '2',
    'isPublished is null for an agent that was never published.',
    (app) =>
      around(app.serializers, 'agent', (agent, row) => ({
        ...agent(row),
        isPublished: row.activeRevisionId ? true : null,
      })),
    async (t) => assert.equal((await listed(t, 1)).isPublished, null),
  ),

  must(
    'is-published-is-the-revision',
    '2',
    'isPublished carries the id of the published revision, because the expression was not turned into a boolean.',
    (app) =>
      around(app.serializers, 'agent', (agent, row) => ({ ...agent(row), isPublished: row.activeRevisionId ?? false })),
    async (t) => assert.equal(typeof (await listed(t)).isPublished, 'string'),
  ),

  must(
    'agent-times-in-seconds',
    '2',
    'Times of agents are seconds since 1970.',
    (app) =>
      around(app.serializers, 'agent', (agent, row) => ({
        ...agent(row),
        createdAt: Math.floor(row.createdAt.getTime() / 1000),
        updatedAt: Math.floor(row.updatedAt.getTime() / 1000),
      })),
    async (t) => assert.equal(typeof (await listed(t)).createdAt, 'number'),
  ),

  must(
    'unchanged-agent-updated-at-null',
    '2',
    'updatedAt is null for agents without a published revision.',
    (app) =>
      around(app.serializers, 'agent', (agent, row) =>
        row.activeRevisionId ? agent(row) : { ...agent(row), updatedAt: null },
      ),
    async (t) => assert.equal((await listed(t, 1)).updatedAt, null),
  ),

  must(
    'agent-description-as-object',
    '2',
    'The description is an object by language since the translation project.',
    (app) =>
      around(app.serializers, 'agent', (agent, row) => ({ ...agent(row), description: { en: row.description } })),
    async (t) => assert.equal(typeof (await listed(t)).description, 'object'),
  ),

  must(
    'agents-answer-206',
    '4.1',
    'The agents list is answered with 206, copied from a paged endpoint.',
    (app) => {
      app.settings.successStatus.listAgents = 206;
    },
    async (t) => assert.equal((await t.one.agents()).status, 206),
  ),

  must(
    'agents-one-object-per-line',
    '4.1',
    'The agents are streamed as one JSON object per line instead of an array.',
    (app) =>
      around(app, 'encode', (encode, answer, context) => {
        if (context.operation !== 'listAgents' || !Array.isArray(answer.body)) return encode(answer, context);
        const lines = answer.body.map((agent) => `${JSON.stringify(agent)}\n`).join('');
        return { headers: { 'content-type': 'application/x-ndjson' }, bytes: Buffer.from(lines) };
      }),
    async (t) => assert.equal((await t.one.agents()).body, undefined),
  ),

  must(
    'agents-encoded-twice',
    '4.1',
    'The agents list is a JSON string that holds JSON, because a cache stores it encoded.',
    (app) => mapBody(app, 'listAgents', (body) => JSON.stringify(body)),
    async (t) => assert.equal(typeof (await t.one.agents()).body, 'string'),
  ),

  must(
    'agents-by-id-in-an-object',
    '4.1',
    'The agents come as an object keyed by their ids.',
    (app) =>
      mapBody(app, 'listAgents', (body: AgentRow[]) => Object.fromEntries(body.map((agent) => [agent.id, agent]))),
    async (t) => assert.ok((await t.one.agents()).body[t.agent().id]),
  ),

  should(
    'agents-once-per-revision',
    '4.1',
    'A join repeats each agent for every revision of it; a list of agents has each agent once.',
    (app) =>
      around(app.agents, 'list', (list, organizationId) =>
        list(organizationId).flatMap((agent) =>
          app.db.revisions.select({ where: { agentId: agent.id } }).map(() => agent),
        ),
      ),
    async (t) => assert.ok(ids((await t.one.agents()).body).filter((id) => id === t.agent().id).length > 1),
  ),

  should(
    'agent-updated-before-created',
    '2',
    'The two times of an agent are mixed up; nothing is updated before it is created.',
    (app) =>
      around(app.serializers, 'agent', (agent, row) =>
        agent({ ...row, createdAt: row.updatedAt, updatedAt: row.createdAt }),
      ),
    async (t) => {
      const agent = await listed(t);
      assert.ok(Date.parse(agent.updatedAt) < Date.parse(agent.createdAt));
    },
  ),

  // 4.2

  must(
    'publish-reads-snake-case',
    '4.2',
    'The body field is read as revision_id, so that revisionId is missing.',
    (app) =>
      aroundOperation(app, 'publishRevision', (next, context) =>
        next({ ...context, input: { revisionId: context.input['revision_id'] } }),
      ),
    async (t) => assert.equal((await t.one.publish(t.agent().id, t.revision())).ok, false),
  ),

  must(
    'publish-only-latest-revision',
    '4.2',
    'Only the newest revision of an agent can be published.',
    (app) =>
      around(app.agents, 'revision', (revision, agentId, id) =>
        app.db.revisions.select({ where: { agentId } }).at(-1)?.id === id ? revision(agentId, id) : undefined,
      ),
    async (t) => assert.equal((await t.one.publish(t.agent().id, t.revision(0))).ok, false),
  ),

  must(
    'publish-once-per-agent',
    '4.2',
    'A unique index on publications lets an agent be published only once on this server.',
    (app) => {
      const published = new Set<string>();
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        if (published.has(agentId)) throw new Failure('internal', 'duplicate key');
        published.add(agentId);
        activate(agentId, revisionId, at);
      });
    },
    async (t) => {
      await publish(t, 0, 0);
      assert.equal((await t.one.publish(t.agent().id, t.revision(2))).ok, false);
    },
  ),

  must(
    'publish-refused-for-fresh-agents',
    '4.2',
    'An agent without an active revision cannot be published, because the code reads the id of the active one first.',
    (app) =>
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        if (app.db.agents.first({ id: agentId })?.activeRevisionId === null)
          throw new Failure('internal', 'null reference');
        activate(agentId, revisionId, at);
      }),
    async (t) => assert.equal((await t.one.publish(t.agent(3).id, t.revision(0, 3))).ok, false),
  ),

  must(
    'publish-activates-every-agent',
    '4.2',
    'The update lacks its condition, so that every agent of the organization counts as published.',
    (app) =>
      around(app.agents, 'activate', (_activate, agentId, revisionId) => {
        const organizationId = app.db.agents.first({ id: agentId })?.organizationId ?? '';
        app.db.agents.update({ organizationId }, { activeRevisionId: revisionId });
      }),
    async (t) => {
      await publish(t, 0, 0);
      assert.equal((await listed(t, 1)).isPublished, true);
    },
  ),

  must(
    'publish-unpublishes-other-agents',
    '2',
    'Only one agent of an organization stays published, though the others have a published revision.',
    (app) =>
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        const organizationId = app.db.agents.first({ id: agentId })?.organizationId ?? '';
        app.db.agents.update((agent) => agent.organizationId === organizationId && agent.id !== agentId, {
          activeRevisionId: null,
        });
        activate(agentId, revisionId, at);
      }),
    async (t) => {
      await publish(t, 1, 0);
      await publish(t, 2, 0);
      assert.equal((await listed(t, 1)).isPublished, false);
    },
  ),

  must(
    'published-agent-leaves-the-list',
    '4.1',
    'Publishing sets a state that the list of agents filters out.',
    (app) => {
      const published = new Set<string>();
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        published.add(agentId);
        activate(agentId, revisionId, at);
      });
      around(app.agents, 'list', (list, organizationId) =>
        list(organizationId).filter((agent) => !published.has(agent.id)),
      );
    },
    async (t) => {
      await publish(t, 0, 0);
      assert.equal(await listed(t), undefined);
    },
  ),

  must(
    'publish-answers-500-when-done',
    '4.2',
    'The event bus is down, and publishing fails with 500 after its work.',
    (app) =>
      aroundOperation(app, 'publishRevision', async (next, context) => {
        await next(context);
        throw new Failure('internal', 'event bus');
      }),
    async (t) => assert.equal((await t.one.publish(t.agent().id, t.revision())).status, 500),
  ),

  must(
    'publish-always-first-agent',
    '4.2',
    'The first agent of the organization is published whatever agent the path names.',
    (app) =>
      around(app.agentService, 'publish', (_publish, organizationId, _agentId, revisionId) => {
        const first = app.agents.list(organizationId)[0];
        if (first) app.agents.activate(first.id, revisionId, app.settings.now());
      }),
    async (t) => {
      await publish(t, 1, 0);
      assert.equal((await listed(t, 1)).isPublished, false);
    },
  ),

  must(
    'publish-only-with-put',
    '4.2',
    'The route was generated for PUT, and POST is unknown.',
    (app) => {
      for (const route of app.router.routes) if (route.operation === 'publishRevision') route.method = 'PUT';
    },
    async (t) => assert.equal((await t.one.publish(t.agent().id, t.revision())).ok, false),
  ),

  must(
    'fourth-publish-finds-no-connection',
    '4.2',
    'Each publish keeps a database connection, and the pool of three is empty at the fourth.',
    (app) => {
      let used = 0;
      aroundOperation(app, 'publishRevision', (next, context) => {
        if (++used > 3) throw new Failure('internal', 'no connection');
        return next(context);
      });
    },
    async (t) => {
      for (const revision of [0, 1, 2]) await publish(t, 0, revision);
      assert.equal((await t.one.publish(t.agent(1).id, t.revision(0, 1))).status, 500);
    },
  ),

  should(
    'publish-not-stored',
    '4.2',
    'The transaction is never committed: publishing is answered well and the agent stays unpublished, though it now has a published revision.',
    (app) => around(app.agents, 'activate', () => undefined),
    async (t) => {
      await publish(t, 1, 0);
      assert.equal((await listed(t, 1)).isPublished, false);
    },
  ),

  should(
    'second-publish-unpublishes',
    '4.2',
    'Publishing toggles: the second time the agent is unpublished, though a revision was just made active.',
    (app) => {
      const published = new Set<string>();
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        activate(agentId, revisionId, at);
        if (published.has(agentId)) app.db.agents.update({ id: agentId }, { activeRevisionId: null });
        else published.add(agentId);
      });
    },
    async (t) => {
      await publish(t, 1, 0);
      await publish(t, 1, 1);
      assert.equal((await listed(t, 1)).isPublished, false);
    },
  ),

  should(
    'publish-unknown-revision',
    '4.2',
    'Any revision id is accepted; what does not exist cannot become the active version.',
    (app) => around(app.agents, 'revision', (_revision, agentId, id) => ({ id, agentId, number: 0 })),
    async (t) => assert.ok((await t.one.publish(t.agent().id, 'no-such-revision')).ok),
  ),

  should(
    'publish-revision-of-other-agent',
    '4.2',
    'The revision is looked up without its agent; a revision of one agent is no version of another.',
    (app) => around(app.agents, 'revision', (_revision, _agentId, id) => app.db.revisions.first({ id })),
    async (t) => assert.ok((await t.one.publish(t.agent().id, t.revision(0, 1))).ok),
  ),

  should(
    'publish-unknown-agent',
    '4.2',
    'An update that meets no row is not an error; publishing for an agent that does not exist must fail somehow.',
    (app) =>
      around(app.agentService, 'publish', (publishIt, organizationId, agentId, revisionId) => {
        if (app.agents.find(organizationId, agentId)) publishIt(organizationId, agentId, revisionId);
      }),
    async (t) => assert.ok((await t.one.publish('no-such-agent', t.revision())).ok),
  ),

  should(
    'publish-for-foreign-agent',
    '4.2',
    'Agents are found by their id alone; every call is made on behalf of the authenticated organization.',
    (app) => around(app.agents, 'find', (_find, _organizationId, id) => app.db.agents.first({ id })),
    async (t) => assert.ok((await t.two.publish(t.agent().id, t.revision())).ok),
  ),

  should(
    'publish-copies-the-agent',
    '4.2',
    'Publishing inserts the active version as a further agent; no reader expects a new agent in the list.',
    (app) =>
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        activate(agentId, revisionId, at);
        const agent = app.db.agents.first({ id: agentId });
        if (agent) app.db.agents.insert({ ...agent, id: app.settings.newId('agt') });
      }),
    async (t) => {
      const before = (await t.one.agents()).body.length;
      await publish(t, 0, 0);
      assert.equal((await t.one.agents()).body.length, before + 1);
    },
  ),

  should(
    'publish-renews-created-at',
    '2',
    'Publishing writes the agent anew with another creation time; a creation time does not change.',
    (app) =>
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        activate(agentId, revisionId, at);
        app.db.agents.update({ id: agentId }, { createdAt: at });
      }),
    async (t) => {
      const before = await listed(t);
      await publish(t, 0, 0);
      assert.notEqual((await listed(t)).createdAt, before.createdAt);
    },
  ),

  should(
    'publish-wipes-the-name',
    '4.2',
    'Publishing saves the agent from the request body, which has no name or description; it only chooses the active version.',
    (app) =>
      around(app.agents, 'activate', (activate, agentId, revisionId, at) => {
        activate(agentId, revisionId, at);
        app.db.agents.update({ id: agentId }, { name: '', description: '' });
      }),
    async (t) => {
      const before = await listed(t);
      await publish(t, 0, 0);
      assert.notEqual((await listed(t)).name, before.name);
    },
  ),
];
