import type { Answer, Ctx, DriveFile, Machine } from './model.ts';
import { Refusal } from './model.ts';
import type { Reply, Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Variant } from './variant.ts';
import { after, around, field, should, wrap } from './variant.ts';

const paginated = (change: (page: any, answer: Answer, ctx: Ctx, m: Machine) => any) => (m: Machine) =>
  after(m, 'listDrives', (a, ctx) => ({
    ...a,
    body: { ...a.body, pagination: change({ ...a.body.pagination }, a, ctx, m) },
  }));
const drives = (org: { view: { drives: Map<string, unknown> } }) => org.view.drives.size;
const totalIs = async (t: Tester, expected: (shown: any, count: number) => boolean) => {
  const count = (await t.drives()).length;
  return expected((await t.page({ limit: 2, offset: 1 })).body.pagination, count);
};

const numbers: Variant[] = [
  should(
    'total-is-the-page',
    '4.4',
    'The total is the number of drives on the page.',
    paginated((p, a) => ({ ...p, total: a.body.data.length })),
    (t) => totalIs(t, (p, n) => p.total < n),
  ),
  should(
    'total-of-everyone',
    '4.4',
    'The total counts the drives of all organizations.',
    paginated((p, _a, _c, m) => ({ ...p, total: m.orgs.reduce((sum, org) => sum + drives(org), 0) })),
    (t) => totalIs(t, (p, n) => p.total > n),
  ),
  should(
    'total-without-the-skipped',
    '4.4',
    'The total counts from the offset on.',
    paginated((p) => ({ ...p, total: p.total - p.offset })),
    (t) => totalIs(t, (p, n) => p.total < n),
  ),
  should(
    'total-of-pages',
    '4.4',
    'The total is the number of pages.',
    paginated((p) => ({ ...p, total: Math.ceil(p.total / p.limit) })),
    (t) => totalIs(t, (p, n) => p.total < n),
  ),
  should(
    'total-not-renewed',
    '4.4',
    'The total is counted once and does not grow with new drives.',
    (m) => {
      const counts = new Map<string, number>();
      paginated((p, _a, ctx) => {
        const total = counts.get(ctx.org.id) ?? p.total;
        counts.set(ctx.org.id, total);
        return { ...p, total };
      })(m);
    },
    async (t) => {
      await t.drives();
      await t.newDrive('One more');
      return totalIs(t, (p, n) => p.total < n);
    },
  ),
  should(
    'total-negative-when-unknown',
    '4.4',
    'The total is -1 on pages with an offset.',
    paginated((p) => ({ ...p, total: p.offset ? -1 : p.total })),
    (t) => totalIs(t, (p) => p.total === -1),
  ),
  should(
    'pagination-limit-is-the-default',
    '4.4',
    'The pagination always shows the default limit, whatever was asked for and applied.',
    paginated((p) => ({ ...p, limit: 20 })),
    (t) => totalIs(t, (p) => p.limit === 20),
  ),
  should(
    'pagination-offset-is-the-next',
    '4.4',
    'The offset in the pagination is the one of the next page.',
    paginated((p) => ({ ...p, offset: p.offset + p.limit })),
    (t) => totalIs(t, (p) => p.offset === 3),
  ),
  should(
    'pagination-swapped',
    '4.4',
    'limit and offset are mixed up in the pagination.',
    paginated((p) => ({ ...p, limit: p.offset, offset: p.limit })),
    (t) => totalIs(t, (p) => p.limit === 1 && p.offset === 2),
  ),
];

const shift = (hours: number) => (value: string) => new Date(Date.parse(value) + hours * 3_600_000).toISOString();
const distance = (value: string) => Math.abs(Date.parse(value) - Date.now()) / 3_600_000;

const times: Variant[] = [
  should(
    'drive-created-in-local-time-called-utc',
    '2',
    'createdAt of a new drive is local time (seven hours behind) with a Z.',
    field('showDrive', 'createdAt', shift(-7), (d) => d.createdAt > '2025'),
    async (t) => distance((await t.newDrive('New')).body.createdAt) > 6,
  ),
  should(
    'drive-created-in-1970',
    '2',
    'createdAt of a new drive is in 1970: seconds are taken for milliseconds.',
    field(
      'showDrive',
      'createdAt',
      (v) => new Date(Date.parse(v) / 1000).toISOString(),
      (d) => d.createdAt > '2025',
    ),
    async (t) => (await t.newDrive('New')).body.createdAt.startsWith('1970'),
  ),
  should(
    'drive-updated-before-created',
    '2',
    'updatedAt of a drive is earlier than createdAt.',
    field('showDrive', 'updatedAt', (_v, d) => shift(-1)(d.createdAt)),
    async (t) => (await t.drives()).some((d) => d.updatedAt < d.createdAt),
  ),
  should(
    'server-created-tomorrow',
    '2',
    'createdAt of a new MCP server is a day ahead.',
    field('showServer', 'createdAt', shift(24), (s) => s.createdAt > '2025'),
    async (t) => distance((await t.newServer('New', 'https://tools.example.com/mcp')).body.createdAt) > 20,
  ),
  should(
    'agent-updated-before-created',
    '2',
    'updatedAt and createdAt of agents are mixed up.',
    (m) =>
      wrap(m, 'showAgent', (old) => (a, ctx) => ({ ...old(a, ctx), createdAt: a.updatedAt, updatedAt: a.createdAt })),
    async (t) => (await t.agents()).some((a) => a.updatedAt < a.createdAt),
  ),
];

const published = async (t: Tester, agent: number): Promise<unknown> => {
  const id = t.org().agents[agent]?.id;
  return (await t.agents()).find((item) => item.id === id)?.isPublished;
};
const noRevision = (m: Machine, change: (ctx: Ctx) => boolean): void =>
  around(m, 'publish', (old, ctx) => {
    const agent = m.findAgent(ctx, ctx.params.agentId ?? '');
    const id = ctx.input.revisionId;
    if (agent && typeof id === 'string' && !agent.revisionIds.includes(id) && change(ctx)) {
      return { status: 200, body: { activeRevisionId: id } };
    }
    return old(ctx);
  });

const publishing: Variant[] = [
  should(
    'publication-without-effect',
    '4.2',
    'A publication is answered with success, but the agent stays unpublished.',
    (m) =>
      wrap(
        m,
        'project',
        (old) => (org, e) => (e.type === 'RevisionPublished' && e.at > '2025' ? undefined : old(org, e)),
      ),
    async (t) => {
      await t.publish(0, 0);
      return (await published(t, 0)) === false;
    },
  ),
  should(
    'publication-seen-after-the-second',
    '4.2',
    'The flag isPublished is that of the state before the last publication.',
    (m) =>
      wrap(m, 'project', (old) => (org, e) => {
        const fresh = e.type === 'RevisionPublished' && e.at > '2025';
        const times = fresh
          ? org.log.filter((x) => x.type === 'RevisionPublished' && x.agentId === e.agentId).length
          : 2;
        if (times > 1) old(org, e);
      }),
    async (t) => {
      await t.publish(0, 0);
      return (await published(t, 0)) === false;
    },
  ),
  should(
    'publication-of-the-next-agent',
    '4.2',
    'The publication is booked on the next agent of the list.',
    (m) =>
      wrap(m, 'project', (old) => (org, e) => {
        if (e.type !== 'RevisionPublished' || e.at < '2025') return old(org, e);
        const ids = [...org.view.agents.keys()];
        old(org, { ...e, agentId: ids[(ids.indexOf(e.agentId) + 1) % ids.length] ?? e.agentId });
      }),
    async (t) => {
      await t.publish(0, 0);
      return (await published(t, 0)) === false;
    },
  ),
  should(
    'publication-undone-by-another',
    '4.2',
    'The second publication of an agent works as a toggle: the agent is unpublished again.',
    (m) =>
      wrap(m, 'project', (old) => (org, e) => {
        const before = e.type === 'RevisionPublished' ? org.view.agents.get(e.agentId) : undefined;
        old(org, e);
        if (e.type !== 'RevisionPublished' || !before?.activeRevisionId) return;
        const { activeRevisionId: _a, ...rest } = before;
        org.view.agents.set(rest.id, rest);
      }),
    async (t) => {
      await t.publish(0, 0);
      await t.publish(0, 1);
      return (await published(t, 0)) === false;
    },
  ),
  should(
    'publication-hidden-by-a-cache',
    '4.2',
    'The agents list is cached for good when it is read first.',
    (m) => {
      const cache = new Map<string, any>();
      wrap(m, 'agents', (old) => (ctx) => {
        const kept = cache.get(ctx.org.id) ?? old(ctx);
        cache.set(ctx.org.id, kept);
        return kept;
      });
    },
    async (t) => {
      await t.agents();
      await t.publish(0, 0);
      return (await published(t, 0)) === false;
    },
  ),
  should(
    'publication-lost-for-second-organization',
    '4.2',
    'Publications of the second organization are never projected.',
    (m) =>
      wrap(
        m,
        'project',
        (old) => (org, e) =>
          e.type === 'RevisionPublished' && e.at > '2025' && org.index === 1 ? undefined : old(org, e),
      ),
    async (t) => {
      await t.publish(0, 0, 1);
      const id = t.org(1).agents[0]?.id;
      return (await t.agents(1)).find((a) => a.id === id)?.isPublished === false;
    },
  ),
  should(
    'publication-of-an-unknown-revision',
    '4.2',
    'A revision that does not exist is published with success.',
    (m) => noRevision(m, () => true),
    async (t) =>
      ok(await t.call('POST', `/agents/${t.org().agents[0]?.id}/publish`, { body: { revisionId: 'rev_nothing' } })),
  ),
  should(
    'publication-of-the-revision-of-another',
    '4.2',
    'The revision of another agent is published with success.',
    (m) =>
      noRevision(m, (ctx) =>
        [...ctx.org.view.agents.values()].some((a) => a.revisionIds.includes(ctx.input.revisionId)),
      ),
    async (t) =>
      ok(
        await t.call('POST', `/agents/${t.org().agents[0]?.id}/publish`, {
          body: { revisionId: t.org().agents[1]?.revisionIds[0] },
        }),
      ),
  ),
  should(
    'publication-for-an-unknown-agent',
    '4.2',
    'Publishing for an agent that does not exist succeeds.',
    (m) =>
      around(m, 'publish', (old, ctx) =>
        m.findAgent(ctx, ctx.params.agentId ?? '') ? old(ctx) : { status: 200, body: { ok: true } },
      ),
    async (t) =>
      ok(
        await t.call('POST', '/agents/agt_nothing/publish', {
          body: { revisionId: t.org().agents[0]?.revisionIds[0] },
        }),
      ),
  ),
];

const crashes = (when: (ctx: Ctx, refusal: Refusal) => boolean) => (m: Machine) =>
  wrap(m, 'refuse', (old) => (ctx, refusal) => {
    const answer = old(ctx, refusal);
    return when(ctx, refusal) ? { ...answer, status: 500 } : answer;
  });
const is500 = async (reply: Promise<Reply>) => (await reply).status === 500;
const page = (m: Machine, when: (ctx: Ctx, refusal: Refusal) => boolean, raw: string, type: string): void =>
  wrap(m, 'refuse', (old) => (ctx, refusal) => {
    const answer = old(ctx, refusal);
    return when(ctx, refusal) ? { status: answer.status, raw, headers: { 'content-type': type } } : answer;
  });

const refusals: Variant[] = [
  should(
    'bad-path-crashes-a-move',
    '4.6',
    'A path with .. is a server error when a file is moved.',
    crashes((ctx, r) => ctx.op === 'moveFile' && r.code === 'bad_path'),
    (t) => is500(t.move('/a/../b')),
  ),
  should(
    'bad-path-crashes-a-deletion',
    '4.7',
    'A path without the first slash is a server error when a tree is deleted.',
    crashes((ctx, r) => ctx.op === 'deleteTree' && r.code === 'bad_path'),
    (t) => is500(t.del('reports')),
  ),
  should(
    'unknown-file-crashes',
    '4.5',
    'An unknown file is a server error.',
    crashes((ctx, r) => ctx.op === 'getFile' && r.status === 404),
    (t) => is500(t.call('GET', `/drives/${t.driveId()}/files/fil_nothing`)),
  ),
  should(
    'unknown-drive-crashes-a-deletion',
    '4.7',
    'A tree in an unknown drive is a server error.',
    crashes((ctx, r) => ctx.op === 'deleteTree' && r.status === 404),
    (t) => is500(t.call('DELETE', `/drives/drv_nothing/items/tree?${t.facts.treePathParameter}=/x`)),
  ),
  should(
    'unknown-agent-crashes',
    '4.2',
    'Publishing for an unknown agent is a server error.',
    crashes((ctx, r) => ctx.op === 'publish' && r.code === 'no_agent'),
    (t) => is500(t.call('POST', '/agents/agt_nothing/publish', { body: { revisionId: 'rev_x' } })),
  ),
  should(
    'broken-json-crashes',
    '1',
    'A body that is not JSON is a server error.',
    crashes((_ctx, r) => r.code === 'bad_json'),
    (t) => is500(t.call('POST', '/drives', { raw: '{"name":' })),
  ),
  should(
    'number-as-path-crashes',
    '4.6',
    'A path that is a number is a server error.',
    (m) =>
      wrap(m, 'pathAllowed', (old) => (p, ctx) => {
        if (typeof p !== 'string') throw new TypeError('path.startsWith is not a function');
        return old(p, ctx);
      }),
    (t) => is500(t.move(5)),
  ),
  should(
    'refusals-of-moves-in-html',
    '1',
    'A refused move is answered with an HTML page.',
    (m) =>
      page(
        m,
        (ctx, r) => ctx.op === 'moveFile' && r.status === 422,
        '<!doctype html><h1>Unprocessable</h1>',
        'text/html',
      ),
    async (t) => {
      const reply = await t.move('/a/../b');
      return reply.status === 422 && reply.body === undefined;
    },
  ),
  should(
    'no-key-in-plain-text',
    '5',
    'A request without a key is answered with 401 and plain text.',
    (m) => page(m, (_c, r) => r.status === 401, 'Unauthorized', 'text/plain'),
    async (t) => {
      const reply = await t.call('GET', '/agents', { via: 'none' });
      return reply.status === 401 && reply.body === undefined;
    },
  ),
  should(
    'unknown-server-in-html',
    '4.10',
    'An unknown MCP server is answered with 404 and an HTML page.',
    (m) =>
      page(
        m,
        (ctx, r) => ctx.op === 'listTools' && r.status === 404,
        '<html><body>Not Found</body></html>',
        'text/html; charset=utf-8',
      ),
    async (t) => {
      const reply = await t.call('GET', '/mcp-servers/mcp_nothing/tools');
      return reply.status === 404 && reply.body === undefined;
    },
  ),
];

const anyDrive = (op: Ctx['op']) => (m: Machine) =>
  wrap(
    m,
    'findFile',
    (old) => (ctx, d, id) => (ctx.op === op ? ctx.org.view.files.get(id) : undefined) ?? old(ctx, d, id),
  );
const counted = (change: (count: number, ctx: Ctx) => number) => (m: Machine) =>
  after(m, 'deleteTree', (a, ctx) => ({ ...a, body: { ...a.body, documentCount: change(a.body.documentCount, ctx) } }));
const countIs =
  (test: (count: number) => boolean) =>
  async (t: Tester): Promise<boolean> => {
    await t.plant(['/three/a', '/three/b', '/three/deep/c']);
    return test((await t.del('/three')).body.documentCount);
  };
const movedFile = (change: (file: DriveFile, others: DriveFile[]) => Partial<DriveFile>) => (m: Machine) =>
  wrap(m, 'project', (old) => (org, e) => {
    old(org, e);
    const file = e.type === 'FileMoved' ? org.view.files.get(e.fileId) : undefined;
    if (file) org.view.files.set(file.id, { ...file, ...change(file, [...org.view.files.values()]) });
  });
const changes = (name: string, path: string) => async (t: Tester) => {
  const before = (await t.get(1)).body[name];
  await t.move(path, 1);
  return JSON.stringify((await t.get(1)).body[name]) !== JSON.stringify(before);
};

const records: Variant[] = [
  should(
    'file-read-under-another-drive',
    '4.5',
    'A file can be read under any drive of its organization.',
    anyDrive('getFile'),
    async (t) => ok(await t.call('GET', `/drives/${t.driveId(1)}/files/${t.fileId()}`)),
  ),
  should(
    'file-moved-under-another-drive',
    '4.6',
    'A file can be moved under any drive of its organization.',
    anyDrive('moveFile'),
    async (t) => ok(await t.call('PATCH', `/drives/${t.driveId(1)}/files/${t.fileId()}`, { body: { path: '/x' } })),
  ),
  should(
    'count-of-the-whole-drive',
    '4.7',
    'documentCount is the number of files in the drive before the deletion.',
    (m) =>
      around(m, 'deleteTree', async (old, ctx) => {
        const documentCount = [...ctx.org.view.files.values()].filter((f) => f.driveId === ctx.params.driveId).length;
        const answer = await old(ctx);
        return { ...answer, body: { ...answer.body, documentCount } };
      }),
    countIs((n) => n > 3),
  ),
  should(
    'count-always-zero',
    '4.7',
    'documentCount is counted after the deletion and so always 0.',
    counted(() => 0),
    countIs((n) => n === 0),
  ),
  should(
    'count-negative',
    '4.7',
    'documentCount is the change of the number of files, so it is negative.',
    counted((n) => -n),
    countIs((n) => n < 0),
  ),
  should(
    'size-lost-by-a-move',
    '4.6',
    'A move sets the size of the file to 0.',
    movedFile(() => ({ size: 0 })),
    changes('size', '/moved.txt'),
  ),
  should(
    'description-lost-by-a-move',
    '4.6',
    'A move writes only the columns it knows: description, summary and metadata are emptied.',
    movedFile(() => ({ description: '', summary: '', metadata: {} })),
    changes('summary', '/moved.txt'),
  ),
  should(
    'metadata-of-another-after-a-move',
    '4.6',
    'After a move the file shows the metadata of the first file of the drive.',
    movedFile((f, all) => ({ metadata: all.find((x) => x.driveId === f.driveId)?.metadata ?? {} })),
    changes('metadata', '/moved.txt'),
  ),
];

export const softMoreFaults: readonly Variant[] = [...numbers, ...times, ...publishing, ...refusals, ...records];
