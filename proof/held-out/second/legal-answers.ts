import { gzipSync } from 'node:zlib';
import { base32 } from './machine.ts';

import type { Answer, Ctx, Machine, Op, Refusal } from './model.ts';
import type { Variant } from './variant.ts';
import { after, afterEach, field, legal, wrap } from './variant.ts';

export const status = (op: Op, code: number) => (m: Machine) => after(m, op, (a) => ({ ...a, status: code }));
export const refusals = (make: (r: Refusal, ctx: Ctx) => unknown) => (m: Machine) =>
  wrap(m, 'refuse', (old) => (ctx, r) => ({ ...old(ctx, r), body: make(r, ctx) }));
export const codes = (map: Record<string, number>) => (m: Machine) =>
  wrap(m, 'refuse', (old) => (ctx, r) => {
    const answer = old(ctx, r);
    return { ...answer, status: map[r.code] ?? answer.status };
  });
export const ids = (make: (kind: string) => string) => (m: Machine) => {
  m.newId = make;
};
export const headers = (extra: Record<string, string>) => (m: Machine) =>
  wrap(m, 'finish', (old) => async (ctx, a) => {
    const answer = await old(ctx, a);
    return { ...answer, headers: { ...extra, ...answer.headers } };
  });
export const extra =
  (show: 'showAgent' | 'showDrive' | 'showFile' | 'showServer' | 'showTool', more: object) => (m: Machine) =>
    wrap(m, show, (old: any) => (item: any, ctx: Ctx) => ({ ...old(item, ctx), ...more }));
const counter = (first: number): ((kind: string) => string) => {
  let last = first;
  return () => {
    last += 1;
    return String(last);
  };
};
const ordered = (key: 'drives' | 'agents' | 'servers', sort: (a: any, b: any) => number) => (m: Machine) =>
  wrap(m, key, (old: any) => (ctx: Ctx) => [...old(ctx)].sort(sort));
const TIMES = [
  ['showAgent', ['createdAt', 'updatedAt']],
  ['showDrive', ['createdAt', 'updatedAt']],
  ['showFile', ['modifiedAt']],
  ['showServer', ['createdAt', 'updatedAt']],
] as const;
export const dates = (change: (value: string) => string) => (m: Machine) => {
  for (const [show, names] of TIMES)
    for (const name of names) field(show, name, (value) => (typeof value === 'string' ? change(value) : value))(m);
};
export const written = (change: (text: string, a: Answer) => Partial<Answer>) => (m: Machine) =>
  wrap(m, 'finish', (old) => async (ctx, given) => {
    const answer = await old(ctx, given);
    if (answer.status === 204 || answer.body === undefined || answer.raw !== undefined) return answer;
    const more = change(JSON.stringify(answer.body), answer);
    return { ...answer, ...more, headers: { ...answer.headers, ...more.headers } };
  });

const success: Variant[] = [
  legal('drive-created-with-200', '4', 'A new drive is answered with 200.', status('createDrive', 200)),
  legal('drive-created-with-202', '4', 'A new drive is answered with 202.', status('createDrive', 202)),
  legal('server-registered-with-200', '4', 'A new MCP server is answered with 200.', status('createServer', 200)),
  legal('server-registered-with-202', '4', 'A new MCP server is answered with 202.', status('createServer', 202)),
  legal('publication-with-204', '4', 'A publication is answered with 204 and no body.', (m) =>
    after(m, 'publish', () => ({ status: 204 })),
  ),
  legal('publication-with-202', '4', 'A publication is answered with 202 and a job.', (m) =>
    after(m, 'publish', () => ({ status: 202, body: { job: m.newId('job') } })),
  ),
  legal('publication-with-201', '4', 'A publication is answered with 201 and a record of it.', (m) =>
    after(m, 'publish', (a) => ({ status: 201, body: { publication: a.body } })),
  ),
  legal('publication-answers-the-agent', '4.2', 'A publication is answered with the agent.', (m) =>
    after(m, 'publish', (a, ctx) => {
      const agent = m.findAgent(ctx, ctx.params.agentId ?? '');
      return agent ? { ...a, body: m.showAgent(agent, ctx) } : a;
    }),
  ),
  legal('publication-answers-null', '4.2', 'A publication is answered with the JSON value null.', (m) =>
    after(m, 'publish', () => ({ status: 200, body: null })),
  ),
  legal('move-with-202', '4', 'A move is answered with 202.', status('moveFile', 202)),
  legal('file-with-203', '4', 'File metadata is answered with 203.', status('getFile', 203)),
  legal('drives-with-206', '4', 'Pages of drives are answered with 206.', status('listDrives', 206)),
  legal('tree-with-200', '4', 'A deletion is answered with 200.', status('deleteTree', 200)),
  legal('tree-with-201', '4', 'A deletion is answered with 201, because a job was made.', status('deleteTree', 201)),
];

const errors: Variant[] = [
  legal('errors-as-problems', '7', 'Errors are problem details with their own media type.', (m) => {
    refusals((r) => ({ type: 'about:blank', title: r.code, status: r.status, detail: r.message }))(m);
    wrap(m, 'refuse', (old) => (ctx, r) => ({
      ...old(ctx, r),
      headers: { 'content-type': 'application/problem+json' },
    }));
  }),
  legal(
    'errors-nested',
    '7',
    'Errors stand in an array of objects.',
    refusals((r) => ({ errors: [{ code: r.code, detail: r.message, path: null }] })),
  ),
  legal(
    'errors-as-texts',
    '7',
    'The body of an error is a JSON text.',
    refusals((r) => r.message),
  ),
  legal(
    'errors-empty-objects',
    '7',
    'The body of an error is an empty object.',
    refusals(() => ({})),
  ),
  legal('errors-without-body', '7', 'Errors have no body at all.', (m) =>
    wrap(m, 'refuse', (old) => (ctx, r) => ({ ...old(ctx, r), body: undefined })),
  ),
  legal(
    'errors-in-german',
    '7',
    'Error messages are in German.',
    refusals(() => ({ fehler: 'Das geht leider nicht – ungültige Anfrage' })),
  ),
  legal(
    'errors-with-numbers',
    '7',
    'Errors have numeric codes and a request id.',
    refusals((r) => ({ code: r.status * 100 + 7, requestId: base32(10) })),
  ),
  legal(
    'refusals-all-400',
    '7',
    'Everything that is wrong with a request, unknown things too, is 400 where the text leaves it open.',
    codes({
      bad_path: 400,
      bad_page: 400,
      bad_field: 400,
      no_drive: 400,
      no_file: 400,
      no_agent: 400,
      no_revision: 400,
    }),
  ),
  legal(
    'refusals-all-422',
    '7',
    'Everything that is wrong with a value is 422.',
    codes({ bad_page: 422, bad_json: 422, no_revision: 422 }),
  ),
  legal(
    'refusals-all-404',
    '7',
    'Paths and pages that are not possible are not found.',
    codes({ bad_path: 404, bad_page: 404 }),
  ),
  legal('pages-out-of-range-416', '8', 'A page out of range is answered with 416.', codes({ bad_page: 416 })),
  legal(
    'unknown-files-gone',
    '7',
    'Unknown files and drives are answered with 410.',
    codes({ no_file: 410, no_drive: 410 }),
  ),
  legal(
    'unknown-things-forbidden',
    '7',
    'Unknown drives, files and agents are answered with 403.',
    codes({ no_file: 403, no_drive: 403, no_agent: 403 }),
  ),
  legal('unknown-revision-conflict', '7', 'An unknown revision is a conflict.', codes({ no_revision: 409 })),
  legal('bad-paths-forbidden', '7', 'Paths with .. are answered with 403.', codes({ bad_path: 403 })),
  legal('unauthorized-with-challenge', '5', '401 comes with WWW-Authenticate.', (m) =>
    wrap(
      m,
      'refuse',
      (old) => (ctx, r) =>
        r.status === 401 ? { ...old(ctx, r), headers: { 'www-authenticate': 'Bearer realm="api"' } } : old(ctx, r),
    ),
  ),
];

const shapes: Variant[] = [
  legal(
    'ids-as-uuids',
    '2',
    'Ids are UUIDs.',
    ids(() => crypto.randomUUID()),
  ),
  legal('ids-as-digits', '2', 'Ids are texts of digits, counted over all kinds.', (m) => ids(counter(1000))(m)),
  legal(
    'ids-very-long',
    '2',
    'Ids have 96 characters.',
    ids((kind) => `${kind}-${base32(92)}`),
  ),
  legal('ids-short', '2', 'Ids have seven characters.', (m) => {
    const next = counter(0);
    ids((kind) => `${kind[0]}${base32(3)}${next(kind).padStart(3, '0')}`)(m);
  }),
  legal(
    'ids-with-dots-and-tildes',
    '2',
    'Ids contain dots, tildes and hyphens.',
    ids((kind) => `${kind}.${base32(6)}~${base32(4)}-${base32(2)}`),
  ),
  legal(
    'ids-in-mixed-case',
    '2',
    'Ids differ in the case of letters.',
    ids(() => Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString('base64url')),
  ),
  legal('ids-with-colons', '2', 'Ids look like urn:kind:number.', (m) => {
    const next = counter(70_000);
    ids((kind) => `urn:${kind}:${next(kind)}`)(m);
  }),
  legal('keys-long', '5', 'Keys have 200 characters.', (m) => {
    m.newKey = (n) => `sk-${n}-${base32(196)}`;
  }),
  legal('keys-with-signs', '5', 'Keys contain dots, hyphens and equals signs, as signed tokens do.', (m) => {
    m.newKey = () => `${base32(20)}.${base32(30)}-${base32(12)}_x==`;
  }),
  legal(
    'dates-with-offset-zero',
    '2',
    'Times end with +00:00 in place of Z.',
    dates((v) => v.replace('Z', '+00:00')),
  ),
  legal(
    'dates-without-fraction',
    '2',
    'Times have whole seconds.',
    dates((v) => v.replace(/\.\d+/, '')),
  ),
  legal(
    'dates-with-microseconds',
    '2',
    'Times have six digits after the point.',
    dates((v) => v.replace('Z', '417Z')),
  ),
  legal(
    'dates-with-nanoseconds',
    '2',
    'Times have nine digits after the point.',
    dates((v) => v.replace('Z', '000123Z')),
  ),
  legal(
    'agents-with-more-fields',
    '2',
    'Agents have more fields, nested ones too.',
    extra('showAgent', { model: { name: 'm', temperature: 0.2 }, tags: [], owner: null }),
  ),
  legal(
    'drives-with-more-fields',
    '2',
    'Drives have more fields.',
    extra('showDrive', { fileCount: 3, bytes: 1.5e12, archivedAt: null }),
  ),
  legal(
    'files-with-more-fields',
    '2',
    'Files have more fields.',
    extra('showFile', { checksum: 'b1946ac9', version: 3, parent: null, _links: { self: {} } }),
  ),
  legal(
    'servers-with-more-fields',
    '2',
    'MCP servers have more fields.',
    extra('showServer', { headers: {}, enabled: true, lastError: null }),
  ),
  legal(
    'tools-with-schemas',
    '4.10',
    'Tools show their input schema.',
    extra('showTool', { inputSchema: { type: 'object', properties: {} }, annotations: null }),
  ),
  legal('tools-with-cursor', '4.10', 'The tools stand beside a cursor that is null.', (m) =>
    after(m, 'listTools', (a) => ({ ...a, body: { ...a.body, nextCursor: null } })),
  ),
  legal('pagination-with-links', '4.4', 'The list of drives has links and a flag for more.', (m) =>
    after(m, 'listDrives', (a) => ({
      ...a,
      body: { ...a.body, links: { next: null }, pagination: { ...a.body.pagination, hasMore: false } },
    })),
  ),
  legal('deletion-with-more-fields', '4.7', 'The deletion answers more about its job.', (m) =>
    after(m, 'deleteTree', (a) => ({ ...a, body: { ...a.body, status: 'queued', eta: 0.3 } })),
  ),
  legal(
    'metadata-empty',
    '2',
    'metadata is always an empty object.',
    field('showFile', 'metadata', () => ({})),
  ),
  legal(
    'metadata-deep',
    '2',
    'metadata has arrays, numbers, null and deep objects.',
    field('showFile', 'metadata', () => ({ a: [1, { b: { c: [null, 'ü'] } }], 'x.y': -0.5 })),
  ),
  legal('texts-empty', '2', 'Descriptions and summaries are empty.', (m) => {
    field('showFile', 'description', () => '')(m);
    field('showFile', 'summary', () => '')(m);
    field('showAgent', 'description', () => '')(m);
  }),
  legal(
    'texts-large',
    '2',
    'Summaries have many lines and 40 kilobytes.',
    field('showFile', 'summary', () => 'Zeile – “line” \u2028 \\ / \t\n'.repeat(1200)),
  ),
  legal(
    'file-name-of-its-own',
    '2',
    'The name of a file is a title that does not follow its path.',
    field('showFile', 'name', (_v, f) => `Document ${f.id.slice(-4)}`),
  ),
  legal(
    'move-processes-again',
    '3',
    'A moved file is shown as processing.',
    field(
      'showFile',
      'status',
      () => 'processing',
      (f) => f.modifiedAt > '2025',
    ),
  ),
  legal('move-keeps-modified', '2', 'A move does not change modifiedAt.', (m) =>
    wrap(m, 'project', (old) => (org, e) => {
      const before = e.type === 'FileMoved' ? org.view.files.get(e.fileId) : undefined;
      old(org, before && e.type === 'FileMoved' ? { ...e, at: before.modifiedAt } : e);
    }),
  ),
  legal(
    'changes-stay-after-publication',
    '3',
    'hasChanges stays true when a revision is published.',
    field('showAgent', 'hasChanges', () => true),
  ),
  legal(
    'servers-all-sse',
    '2',
    'New MCP servers have the type sse.',
    field('showServer', 'type', () => 'sse'),
  ),
];

const wire: Variant[] = [
  legal(
    'json-with-charset',
    '1',
    'The content type names the charset.',
    headers({ 'content-type': 'application/json; charset=utf-8' }),
  ),
  legal(
    'json-type-in-capitals',
    '1',
    'The content type is spelled Application/JSON;Charset=UTF-8.',
    headers({ 'content-type': 'Application/JSON;Charset=UTF-8' }),
  ),
  legal(
    'json-indented',
    '1',
    'Bodies are indented and end with a line break.',
    written((_t, a) => ({ raw: `${JSON.stringify(a.body, null, 4)}\n` })),
  ),
  legal(
    'json-ascii-only',
    '1',
    'Letters outside ASCII are written as escapes.',
    written((t) => ({ raw: t.replace(/[^\0-~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) })),
  ),
  legal(
    'json-slashes-escaped',
    '1',
    'Slashes in texts are escaped.',
    written((t) => ({ raw: t.replaceAll('/', '\\/') })),
  ),
  legal('gzip-for-those-who-ask', '1', 'Answers are compressed when the client accepts gzip.', (m) =>
    wrap(m, 'finish', (old) => async (ctx, given) => {
      const a = await old(ctx, given);
      if (!/gzip/.test(String(ctx.headers['accept-encoding'])) || a.body === undefined || a.status === 204) return a;
      const raw = gzipSync(JSON.stringify(a.body));
      return { ...a, raw, headers: { ...a.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' } };
    }),
  ),
  legal('connections-closed', '1', 'Every connection is closed after its answer.', headers({ connection: 'close' })),
  legal('answers-in-chunks', '1', 'Bodies are sent in many small chunks.', (m) => {
    m.write = (res, _ctx, a) => {
      res.writeHead(a.status, { 'content-type': 'application/json', ...a.headers });
      const text = a.raw ?? (a.body === undefined || a.status === 204 ? '' : JSON.stringify(a.body));
      const whole = Buffer.from(text);
      for (let at = 0; at < whole.length; at += 97) res.write(whole.subarray(at, at + 97));
      res.end();
    };
  }),
  legal('headers-in-capitals', '1', 'Header names are in capitals and there are many.', (m) => {
    const plain = m.write;
    m.write = (res, ctx, a) =>
      plain(res, ctx, {
        ...a,
        headers: {
          'X-REQUEST-ID': m.newId('req'),
          'STRICT-TRANSPORT-SECURITY': 'max-age=1',
          'SET-COOKIE': 'lb=2; Path=/',
          ...a.headers,
        },
      });
  }),
  legal(
    'answers-with-etag',
    '1',
    'Answers have an ETag and are not to be stored.',
    headers({ etag: 'W/"1"', 'cache-control': 'no-store, private' }),
  ),
  legal('answers-at-random-speed', '1', 'Answers take from 0 to 150 milliseconds.', (m) =>
    wrap(m, 'finish', (old) => async (ctx, a) => {
      await new Promise<void>((resolve) => m.later((ctx.count * 37) % 150, resolve));
      return old(ctx, a);
    }),
  ),
  legal('creations-with-location', '4', 'Creations name the place of the new thing.', (m) =>
    afterEach(m, ['createDrive', 'createServer'], (a) => ({
      ...a,
      headers: { location: `${m.basePath}/x/${a.body.id}` },
    })),
  ),
  legal(
    'rate-limit-headers',
    '8',
    'Answers tell the rate limit.',
    headers({ 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599', 'retry-after-hint': 'none' }),
  ),
  legal(
    'drives-by-name',
    '4.4',
    'Drives are ordered by name.',
    ordered('drives', (a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id)),
  ),
  legal(
    'drives-newest-first',
    '4.4',
    'The newest drives come first.',
    ordered('drives', (a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id)),
  ),
  legal(
    'drives-by-id',
    '4.4',
    'Drives are ordered by id.',
    ordered('drives', (a, b) => (a.id < b.id ? -1 : 1)),
  ),
  legal(
    'agents-newest-first',
    '4.1',
    'Agents updated last come first.',
    ordered('agents', (a, b) => b.updatedAt.localeCompare(a.updatedAt)),
  ),
  legal('servers-in-no-order', '4.9', 'The order of MCP servers changes from one list to the next.', (m) => {
    let turn = 0;
    wrap(m, 'servers', (old) => (ctx) => {
      turn += 1;
      const all = old(ctx);
      const cut = turn % (all.length || 1);
      return [...all.slice(cut), ...all.slice(0, cut)];
    });
  }),
];

export const legalAnswers: readonly Variant[] = [...success, ...errors, ...shapes, ...wire];
