import { callOp } from './checks.ts';
import type { Answer, Ctx, Machine, Op } from './model.ts';
import { Refusal } from './model.ts';
import type { CallOptions, Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Demo, Variant } from './variant.ts';
import { should, without, wrap } from './variant.ts';

/** Refuses, before the key is looked at, what `refusal` says. */
function before(refusal: (ctx: Ctx, m: Machine) => Refusal | undefined): (m: Machine) => void {
  return (m) =>
    wrap(m, 'authenticate', (old) => (ctx) => {
      const early = refusal(ctx, m);
      if (early) throw early;
      old(ctx);
    });
}
const known = (ctx: Ctx, m: Machine) => m.orgs.some((org) => org.key === m.readKey(ctx));
const answer401 = (when: (ctx: Ctx, m: Machine) => boolean, change: Partial<Answer>) => (m: Machine) =>
  wrap(m, 'refuse', (old) => (ctx, refusal) => {
    const answer = old(ctx, refusal);
    return refusal.status === 401 && when(ctx, m) ? { ...answer, ...change } : answer;
  });
const statusIs =
  (op: Op, status: number, options: (t: Tester) => CallOptions = () => ({ via: 'none' })): Demo =>
  async (t) =>
    (await callOp(t, op, options(t))).status === status;
const wrongKey = (t: Tester): CallOptions => ({ key: `${t.org().apiKey.slice(0, -3)}000` });
const noKey: CallOptions = { via: 'none' };

const order: Variant[] = [
  should(
    'wrong-key-is-forbidden',
    '5',
    'A wrong key is answered with 403 everywhere but on the tools route.',
    answer401((ctx, m) => ctx.op !== 'listTools' && !!m.readKey(ctx), { status: 403 }),
    statusIs('listDrives', 403, wrongKey),
  ),
  should(
    'no-key-is-forbidden-for-agents',
    '5',
    'The agents list answers 403 when no key is sent.',
    answer401((ctx) => ctx.op === 'listAgents', { status: 403 }),
    statusIs('listAgents', 403),
  ),
  should(
    'no-key-is-a-bad-request-for-drives',
    '5',
    'A missing key header is a bad request on the drives routes.',
    answer401((ctx, m) => ctx.path === '/drives' && !m.readKey(ctx), { status: 400 }),
    statusIs('createDrive', 400),
  ),
  should(
    'no-key-hides-servers',
    '5',
    'Without a key the list of MCP servers is not found.',
    answer401((ctx) => ctx.op === 'listServers', { status: 404 }),
    statusIs('listServers', 404),
  ),
  should(
    'no-key-redirects-from-drives',
    '5',
    'Without a key the list of drives redirects to the sign-in page.',
    answer401((ctx) => ctx.op === 'listDrives', { status: 302, headers: { location: '/login' } }),
    statusIs('listDrives', 302),
  ),
  should(
    'wrong-key-crashes-publishing',
    '5',
    'A wrong key is a server error on the publish route.',
    answer401((ctx, m) => ctx.op === 'publish' && !!m.readKey(ctx), { status: 500 }),
    statusIs('publish', 500, wrongKey),
  ),
  should(
    'wrong-bearer-is-a-bad-request-for-moves',
    '5',
    'A bearer token of another shape is a bad request when a file is moved.',
    answer401((ctx) => ctx.op === 'moveFile' && ctx.via === 'bearer', { status: 400 }),
    statusIs('moveFile', 400, (t) => ({ ...wrongKey(t), via: 'bearer' })),
  ),
  should(
    'unknown-drive-before-the-key',
    '5',
    'Unknown drives are answered with 404 before the key is checked.',
    before((ctx, m) => {
      const { driveId } = ctx.params;
      return driveId && !m.orgs.some((org) => org.view.drives.has(driveId))
        ? new Refusal(404, 'no_drive', 'No such drive')
        : undefined;
    }),
    async (t) => (await t.call('GET', '/drives/drv_none/files/fil_none', noKey)).status === 404,
  ),
  should(
    'unknown-agent-before-the-key',
    '5',
    'Unknown agents are answered with 404 before the key is checked.',
    before((ctx, m) => {
      const { agentId } = ctx.params;
      return agentId && !m.orgs.some((org) => org.view.agents.has(agentId))
        ? new Refusal(404, 'no_agent', 'No such agent')
        : undefined;
    }),
    async (t) =>
      (await t.call('POST', '/agents/agt_none/publish', { ...noKey, body: { revisionId: 'x' } })).status === 404,
  ),
  should(
    'bad-body-before-the-key',
    '5',
    'The body is parsed before the key is checked: broken JSON without a key is a bad request.',
    before((ctx, m) => {
      if (ctx.op !== 'createDrive') return undefined;
      try {
        m.readInput({ ...ctx });
        return undefined;
      } catch {
        return new Refusal(400, 'bad_json', 'Not JSON');
      }
    }),
    async (t) => (await t.call('POST', '/drives', { ...noKey, raw: '{"name":' })).status === 400,
  ),
  should(
    'missing-fields-before-the-key',
    '5',
    'The fields of a new MCP server are checked before the key.',
    before((ctx, m) => {
      if (ctx.op !== 'createServer' || known(ctx, m)) return undefined;
      const fine = ctx.text.includes('"name"') && ctx.text.includes('"url"');
      return fine ? undefined : new Refusal(422, 'bad_field', 'name and url are needed');
    }),
    async (t) => (await t.call('POST', '/mcp-servers', { ...noKey, body: {} })).status === 422,
  ),
  should(
    'bad-path-before-the-key',
    '5',
    'The path of a tree is checked before the key.',
    before((ctx, m) =>
      ctx.op === 'deleteTree' && !m.pathAllowed(m.treeOf(ctx), ctx)
        ? new Refusal(422, 'bad_path', 'Not allowed')
        : undefined,
    ),
    async (t) =>
      (await t.call('DELETE', `/drives/${t.driveId()}/items/tree?${t.facts.treePathParameter}=/../x`, noKey)).status ===
      422,
  ),
  should(
    'bad-limit-before-the-key',
    '5',
    'The limit is checked before the key.',
    before((ctx) => {
      const limit = Number(ctx.query.get('limit') ?? 1);
      return ctx.op === 'listDrives' && !(limit >= 1 && limit <= 100)
        ? new Refusal(400, 'bad_page', 'limit')
        : undefined;
    }),
    async (t) => (await t.call('GET', '/drives?limit=1000', noKey)).status === 400,
  ),
  should(
    'content-type-before-the-key',
    '5',
    'A body that is not announced as JSON is refused with 415 before the key is checked.',
    before((ctx) => {
      const type = ctx.headers['content-type'] ?? '';
      return ctx.method === 'PATCH' && !type.includes('json') ? new Refusal(415, 'type', 'JSON only') : undefined;
    }),
    async (t) =>
      (
        await t.call('PATCH', `/drives/${t.driveId()}/files/${t.fileId()}`, {
          ...noKey,
          raw: '{}',
          headers: { 'Content-Type': 'text/plain' },
        })
      ).status === 415,
  ),
  should(
    'empty-key-crashes-reading-a-file',
    '5',
    'An empty key is a server error when a file is read.',
    before((ctx) => {
      if (ctx.op === 'getFile' && ctx.headers['x-api-key'] === '') throw new RangeError('empty buffer');
      return undefined;
    }),
    statusIs('getFile', 500, () => ({ key: '' })),
  ),
];

const agentLacks = (name: string, what: string, when?: (a: any) => boolean): Variant =>
  should(
    `agent-without-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    '2',
    what,
    without('showAgent', name, when),
    async (t) => (await t.agents()).some((a) => !(name in a)),
  );
const fileLacks = (name: string, what: string, when?: (f: any, ctx: Ctx) => boolean): Variant =>
  should(
    `file-without-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    '2',
    what,
    without('showFile', name, when),
    async (t) => (await t.files()).some((f) => !(name in f)),
  );

const absent: Variant[] = [
  agentLacks('name', 'Agents are listed without their name.'),
  agentLacks(
    'isPublished',
    'Unpublished agents have no isPublished (undefined is dropped from the JSON).',
    (a) => !a.activeRevisionId,
  ),
  agentLacks('hasChanges', 'Agents without unpublished changes have no hasChanges.', (a) => !a.hasChanges),
  agentLacks('createdAt', 'Agents are listed without createdAt.'),
  agentLacks('updatedAt', 'Agents are listed without updatedAt.'),
  agentLacks('id', 'Agents are listed by name, without their id.'),
  fileLacks('path', 'Files do not show their path.'),
  fileLacks('status', 'Files that are ready show no status.', (f) => f.status === 'ready'),
  fileLacks('modifiedAt', 'Files do not show when they were modified.'),
  fileLacks('size', 'Empty files show no size.', (f) => f.size === 0),
  fileLacks('contentType', 'Files whose processing failed show no content type.', (f) => f.status === 'error'),
  fileLacks('kind', 'Files do not show their kind.'),
  fileLacks('name', 'Files do not show their name.'),
  should(
    'moved-file-without-path',
    '4.6',
    'The answer to a move shows the file without its path.',
    without('showFile', 'path', (_f, ctx) => ctx.op === 'moveFile'),
    async (t) => {
      const reply = await t.move('/moved.txt');
      return ok(reply) && !('path' in reply.body);
    },
  ),
  should(
    'listed-drive-without-organization',
    '4.4',
    'Listed drives have no organizationId.',
    without('showDrive', 'organizationId', (_d, ctx) => ctx.op === 'listDrives'),
    async (t) => (await t.drives()).some((d) => !('organizationId' in d)),
  ),
  should(
    'listed-server-without-type',
    '4.9',
    'Listed MCP servers have no type.',
    without('showServer', 'type', (_s, ctx) => ctx.op === 'listServers'),
    async (t) => (await t.servers()).some((s) => !('type' in s)),
  ),
  should(
    'listed-server-without-url',
    '4.9',
    'Listed MCP servers do not show their URL.',
    without('showServer', 'url', (_s, ctx) => ctx.op === 'listServers'),
    async (t) => (await t.servers()).some((s) => !('url' in s)),
  ),
];

const page = (
  name: string,
  section: string,
  what: string,
  query: string,
  make: (ctx: Ctx) => { limit: number; offset: number } | undefined,
): Variant =>
  should(
    name,
    section,
    what,
    (m) => wrap(m, 'page', (old) => (ctx) => make(ctx) ?? old(ctx)),
    async (t) => ok(await t.call('GET', `/drives?${query}`)),
  );
const limitOf = (ctx: Ctx) => ctx.query.get('limit');
const offsetOf = (ctx: Ctx) => Number(ctx.query.get('offset') ?? 0) || 0;

const bounds: Variant[] = [
  page('limit-zero-is-the-default', '8', 'A limit of 0 is taken for no limit given.', 'limit=0', (ctx) =>
    limitOf(ctx) === '0' ? { limit: 20, offset: offsetOf(ctx) } : undefined,
  ),
  page('limit-zero-is-an-empty-page', '8', 'A limit of 0 gives an empty page.', 'limit=0', (ctx) =>
    limitOf(ctx) === '0' ? { limit: 0, offset: 0 } : undefined,
  ),
  page('limit-above-100-is-100', '8', 'A limit above 100 is honoured as 100.', 'limit=250', (ctx) =>
    Number(limitOf(ctx)) > 100 ? { limit: 100, offset: offsetOf(ctx) } : undefined,
  ),
  page('limit-negative-is-positive', '8', 'A negative limit is turned around.', 'limit=-5', (ctx) =>
    Number(limitOf(ctx)) < 0 ? { limit: 5, offset: 0 } : undefined,
  ),
  page('limit-with-a-tail', '8', 'A limit is read as far as it is a number: 10abc is 10.', 'limit=10abc', (ctx) =>
    /^\d+[a-z]/.test(limitOf(ctx) ?? '') ? { limit: 10, offset: 0 } : undefined,
  ),
  page('limit-as-a-word-is-the-default', '8', 'A limit that is no number is ignored.', 'limit=many', (ctx) =>
    Number.isNaN(Number(limitOf(ctx))) ? { limit: 20, offset: 0 } : undefined,
  ),
  page('limit-with-a-fraction', '8', 'A limit of 2.5 is rounded.', 'limit=2.5', (ctx) =>
    limitOf(ctx)?.includes('.') ? { limit: Math.round(Number(limitOf(ctx))), offset: 0 } : undefined,
  ),
  page('offset-negative-is-zero', '8', 'A negative offset is taken for 0.', 'offset=-1', (ctx) =>
    offsetOf(ctx) < 0 ? { limit: 20, offset: 0 } : undefined,
  ),
  page('offset-as-a-word-is-zero', '8', 'An offset that is no number is ignored.', 'limit=5&offset=next', (ctx) =>
    Number.isNaN(Number(ctx.query.get('offset'))) ? { limit: 5, offset: 0 } : undefined,
  ),
  page(
    'offset-negative-counts-from-the-end',
    '8',
    'A negative offset counts from the end.',
    'limit=5&offset=-2',
    (ctx) => (offsetOf(ctx) < 0 ? { limit: 5, offset: 1 } : undefined),
  ),
  should(
    'limit-too-large-crashes',
    '8',
    'A limit above 100 is a server error.',
    (m) =>
      wrap(m, 'page', (old) => (ctx) => {
        if (Number(limitOf(ctx)) > 100) throw new Error('constraint violated');
        return old(ctx);
      }),
    async (t) => (await t.page({ limit: 101 })).status === 500,
  ),
  should(
    'offset-negative-crashes',
    '8',
    'A negative offset is a server error, raised by the database.',
    (m) =>
      wrap(m, 'page', (old) => (ctx) => {
        if (offsetOf(ctx) < 0) throw new Error('OFFSET must not be negative');
        return old(ctx);
      }),
    async (t) => (await t.page({ offset: -1 })).status === 500,
  ),
];

const everywhere = (kind: 'files' | 'drives' | 'agents' | 'servers', ctx: Ctx, m: Machine, id: string): any =>
  ctx.org.view[kind].get(id) ?? m.orgs.map((org) => org.view[kind].get(id)).find(Boolean);
const filePath = (t: Tester, org: number) => `/drives/${t.driveId(0, org)}/files/${t.fileId(0, 0, org)}`;
const anyFile = (op: Op, via?: string) => (m: Machine) =>
  wrap(m, 'findFile', (old) => (ctx, d, id) => {
    const wanted = ctx.op === op && (!via || ctx.via === via);
    const file = wanted ? everywhere('files', ctx, m, id) : undefined;
    return file?.driveId === d ? file : old(ctx, d, id);
  });

const crossing: Variant[] = [
  should(
    'files-of-others-readable',
    '1',
    'Files are looked up by their ids alone, so those of other organizations can be read.',
    anyFile('getFile'),
    async (t) => ok(await t.call('GET', filePath(t, 1))),
  ),
  should(
    'files-of-others-readable-by-bearer',
    '1',
    'With a bearer token the files of other organizations can be read.',
    anyFile('getFile', 'bearer'),
    async (t) => ok(await t.call('GET', filePath(t, 1), { via: 'bearer' })),
  ),
  should(
    'files-of-others-movable',
    '1',
    'Files of other organizations can be moved.',
    anyFile('moveFile'),
    async (t) => {
      await t.call('PATCH', filePath(t, 1), { body: { path: '/taken.txt' } });
      return (await t.get(0, 0, 1)).body.path === '/taken.txt';
    },
  ),
  should(
    'files-of-others-through-an-own-drive',
    '1',
    'Only the drive is checked: under an own drive the file of another organization can be read.',
    (m) =>
      wrap(
        m,
        'findFile',
        (old) => (ctx, d, id) =>
          old(ctx, d, id) ??
          (ctx.op === 'getFile' && m.findDrive(ctx, d)
            ? m.orgs
                .filter((o) => o !== ctx.org)
                .map((o) => o.view.files.get(id))
                .find(Boolean)
            : undefined),
      ),
    async (t) => ok(await t.call('GET', `/drives/${t.driveId()}/files/${t.fileId(0, 0, 1)}`)),
  ),
  should(
    'trees-of-others-deletable',
    '1',
    'Trees in drives of other organizations can be deleted.',
    (m) => wrap(m, 'findDrive', () => (ctx, id) => everywhere('drives', ctx, m, id)),
    async (t) => {
      await t.plant(['/theirs/a'], 0, 1);
      await t.call('DELETE', `/drives/${t.driveId(0, 1)}/items/tree?${t.facts.treePathParameter}=/theirs`);
      return !ok(await t.get(0, 0, 1));
    },
  ),
  should(
    'agents-of-others-publishable',
    '1',
    'Revisions of agents of other organizations can be published.',
    (m) => wrap(m, 'findAgent', () => (ctx, id) => everywhere('agents', ctx, m, id)),
    async (t) => {
      const agent = t.org(1).agents[0];
      return ok(await t.call('POST', `/agents/${agent?.id}/publish`, { body: { revisionId: agent?.revisionIds[0] } }));
    },
  ),
  should(
    'tools-of-others-readable',
    '1',
    'The tools of MCP servers of other organizations can be read.',
    (m) => wrap(m, 'findServer', () => (ctx, id) => everywhere('servers', ctx, m, id)),
    async (t) => ok(await t.call('GET', `/mcp-servers/${t.org(1).mcpServers[0]?.id}/tools`)),
  ),
  should(
    'tools-of-first-readable-by-second',
    '1',
    'The second organization can read the tools of the first one, not the other way round.',
    (m) => wrap(m, 'findServer', (old) => (ctx, id) => old(ctx, id) ?? m.orgs[0]?.view.servers.get(id)),
    async (t) => ok(await t.call('GET', `/mcp-servers/${t.org(0).mcpServers[0]?.id}/tools`, { org: 1 })),
  ),
];

export const softFaults: readonly Variant[] = [...order, ...absent, ...bounds, ...crossing];
