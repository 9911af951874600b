// Legal servers that are unusual in one respect of their answers.
import { gzipSync } from 'node:zlib';
import {
  errors,
  extra,
  field,
  hash,
  headers,
  late,
  listed,
  order,
  refusal,
  set,
  slow,
  success,
  text,
  times,
} from './legal-parts.ts';
import type { Item } from './variant.ts';
import { makers } from './variant.ts';

const { legal } = makers('single');
const every = [
  'agents.list',
  'drives.create',
  'drives.list',
  'files.get',
  'files.move',
  'mcp.create',
  'mcp.list',
] as const;
const turned = (value: any): any =>
  Array.isArray(value)
    ? value.map(turned)
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, one]) => [key, turned(one)]),
        )
      : value;

export const legalAnswers: readonly Item[] = [
  // Status codes of success.
  legal('drive-creation-answers-200', '4.3', 'A drive creation is answered with 200.', success('drives.create', 200)),
  legal('drive-creation-answers-202', '4.3', 'A drive creation is answered with 202.', success('drives.create', 202)),
  legal('mcp-creation-answers-200', '4.8', 'A registration is answered with 200.', success('mcp.create', 200)),
  legal('mcp-creation-answers-202', '4.8', 'A registration is answered with 202.', success('mcp.create', 202)),
  legal('deletion-answers-200', '4.7', 'A tree deletion is answered with 200.', success('tree.delete', 200)),
  legal(
    'deletion-answers-201',
    '4.7',
    'A tree deletion is answered with 201, since it makes a job.',
    success('tree.delete', 201),
  ),
  legal(
    'publish-answers-204',
    '4.2',
    'A publish is answered with 204 and no body.',
    success('agents.publish', 204, () => undefined),
  ),
  legal(
    'publish-answers-201-without-body',
    '4.2',
    'A publish is answered with 201 and an empty body.',
    success('agents.publish', 201, () => undefined),
  ),
  legal(
    'publish-answers-202-with-a-job',
    '4.2',
    'A publish is answered with 202 and a job.',
    success('agents.publish', 202, () => ({ job: { id: 'j-1', state: 'queued' } })),
  ),
  legal(
    'publish-answers-null',
    '4.2',
    'A publish is answered with the JSON value null.',
    success('agents.publish', 200, () => null),
  ),
  legal(
    'publish-answers-an-array',
    '4.2',
    'A publish is answered with an array.',
    success('agents.publish', 200, (_ask, now) => [now]),
  ),
  legal(
    'publish-answers-a-plain-string',
    '4.2',
    'A publish is answered with a JSON string.',
    success('agents.publish', 200, () => 'published'),
  ),
  legal(
    'publish-says-published-false',
    '4.2',
    'The body of a successful publish carries fields that look like a failure.',
    success('agents.publish', 200, () => ({ error: null, success: false, id: 7 })),
  ),
  legal('file-answers-203', '4.5', 'File metadata is answered with 203.', success('files.get', 203)),
  legal('move-answers-201', '4.6', 'A move is answered with 201.', success('files.move', 201)),
  legal('move-answers-202', '4.6', 'A move is answered with 202.', success('files.move', 202)),
  legal('partial-pages-answer-206', '4.4', 'A page that is not the whole list of drives is answered with 206.', () => ({
    tell(reply, ask) {
      if (reply.ok && ask.op === 'drives.list' && reply.body.data.length < reply.body.pagination.total)
        reply.status = 206;
    },
  })),
  // Refusals.
  legal(
    'bad-paths-get-422',
    '7',
    'Paths that break the rule are refused with 422.',
    refusal(400, 422, 'files.move', 'tree.delete'),
  ),
  legal(
    'bad-paths-get-403',
    '7',
    'Paths that break the rule are refused with 403.',
    refusal(400, 403, 'files.move', 'tree.delete'),
  ),
  legal(
    'bad-paths-get-404',
    '7',
    'Paths that break the rule are refused with 404.',
    refusal(400, 404, 'files.move', 'tree.delete'),
  ),
  legal(
    'bad-limits-get-416',
    '7',
    'A limit or offset out of range is refused with 416.',
    refusal(400, 416, 'drives.list'),
  ),
  legal(
    'bad-limits-get-422',
    '7',
    'A limit or offset out of range is refused with 422.',
    refusal(400, 422, 'drives.list'),
  ),
  legal(
    'unknown-files-get-410',
    '7',
    'Unknown and deleted files are refused with 410.',
    refusal(404, 410, 'files.get', 'files.move'),
  ),
  legal(
    'unknown-things-get-403',
    '7',
    'Unknown drives, files and agents are refused with 403.',
    refusal(404, 403, 'files.get', 'files.move', 'tree.delete', 'agents.publish'),
  ),
  legal(
    'unknown-revisions-get-409',
    '7',
    'Unknown revisions and agents are refused with 409.',
    refusal(404, 409, 'agents.publish'),
  ),
  legal(
    'unknown-agents-get-422',
    '7',
    'Unknown revisions and agents are refused with 422.',
    refusal(404, 422, 'agents.publish'),
  ),
  legal(
    'errors-without-body',
    '7',
    'Refusals have no body.',
    errors(() => undefined),
  ),
  legal(
    'errors-are-problem-documents',
    '7',
    'Refusals are problem documents with their own content type.',
    errors((reply) => ({ type: 'about:blank', title: 'Refused', status: reply.status }), {
      'content-type': 'application/problem+json',
    }),
  ),
  legal(
    'errors-are-arrays',
    '7',
    'Refusals carry an array of errors.',
    errors((reply) => [{ code: reply.status, text: 'no' }]),
  ),
  legal(
    'errors-are-strings',
    '7',
    'Refusals carry a JSON string.',
    errors(() => 'refused'),
  ),
  legal(
    'errors-are-null',
    '7',
    'Refusals carry the JSON value null.',
    errors(() => null),
  ),
  legal(
    'errors-look-like-successes',
    '7',
    'Refusals carry empty data, tools and pagination, as a list would.',
    errors(() => ({ data: [], tools: [], pagination: { limit: 0, offset: 0, total: 0 }, id: 'none', message: 'no' })),
  ),
  legal(
    'errors-are-nested-and-long',
    '7',
    'Refusals carry a long nested body.',
    errors((reply) => ({
      errors: { http: { status: reply.status, notes: Array.from({ length: 300 }, (_, n) => `note ${n}`) } },
    })),
  ),
  legal('401-names-a-scheme', '5', 'A 401 carries a WWW-Authenticate header and no body.', () => ({
    tell(reply) {
      if (reply.status === 401) {
        reply.headers['www-authenticate'] = 'Bearer realm="platform", ApiKey';
        reply.body = undefined;
      }
    },
  })),
  // Orders.
  legal(
    'drives-newest-first',
    '4.4',
    'Drives are listed newest first, so that a new drive moves all others.',
    order((a, b) => b.item.createdAt.localeCompare(a.item.createdAt) || b.item.id.localeCompare(a.item.id)),
  ),
  legal(
    'drives-by-name',
    '4.4',
    'Drives are listed by name.',
    order((a, b) => a.item.name.localeCompare(b.item.name) || a.item.id.localeCompare(b.item.id)),
  ),
  legal(
    'drives-by-id-backwards',
    '4.4',
    'Drives are listed by id, backwards.',
    order((a, b) => b.item.id.localeCompare(a.item.id)),
  ),
  legal(
    'drives-in-scattered-order',
    '4.4',
    'Drives are listed in a fixed order without any visible rule.',
    order(
      (a, b) =>
        hash('o', a.item.id.charCodeAt(8) * 31 + a.item.id.charCodeAt(9)).localeCompare(
          hash('o', b.item.id.charCodeAt(8) * 31 + b.item.id.charCodeAt(9)),
        ) || a.item.id.localeCompare(b.item.id),
    ),
  ),
  legal(
    'mcp-servers-newest-first',
    '4.9',
    'MCP servers are listed newest first.',
    listed('mcp.list', (items) => items.reverse()),
  ),
  legal(
    'agents-in-another-order-each-time',
    '4.1',
    'The list of agents, which has no pages, starts with another agent each time.',
    () => {
      let n = 0;
      return {
        tell(reply, ask) {
          if (ask.op === 'agents.list' && reply.ok) {
            const by = ++n % reply.body.length;
            reply.body = [...reply.body.slice(by), ...reply.body.slice(0, by)];
          }
        },
      };
    },
  ),
  legal('tools-by-name-backwards', '4.10', 'Tools are listed backwards.', () => ({
    tell(reply, ask) {
      if (ask.op === 'mcp.tools' && reply.ok) reply.body.tools.reverse();
    },
  })),
  // Ids and keys.
  legal(
    'ids-are-digits',
    '2',
    'Ids are strings of digits.',
    set({
      makeId: (kind, n) =>
        String(hash(kind, n).charCodeAt(0)).padStart(3, '1') +
        String(100000 + n * 7) +
        String(kind.length) +
        String(kind.charCodeAt(0)),
    }),
  ),
  legal(
    'ids-are-uuids',
    '2',
    'Ids are UUIDs in capitals.',
    set({
      makeId: (kind, n) =>
        hash(kind, n)
          .toUpperCase()
          .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5'),
    }),
  ),
  legal(
    'ids-are-urns',
    '2',
    'Ids contain colons, dots and a tilde.',
    set({ makeId: (kind, n) => `urn:platform:${kind}.v1~${hash(kind, n).slice(0, 10)}` }),
  ),
  legal(
    'ids-are-long',
    '2',
    'Ids have 190 characters.',
    set({ makeId: (kind, n) => kind + hash(kind, n) + hash(kind, n) + hash(kind, n).slice(0, 62 - kind.length) }),
  ),
  legal(
    'ids-need-encoding',
    '2',
    'Ids contain characters that need encoding in an address.',
    set({ makeId: (kind, n) => `${kind} #${n}?+%é&=${hash(kind, n).slice(0, 6)}` }),
  ),
  legal(
    'ids-contain-a-slash',
    '2',
    'Ids contain an oblique stroke.',
    set({ makeId: (kind, n) => `${kind}/${hash(kind, n).slice(0, 12)}` }),
  ),
  legal(
    'ids-of-one-kind-look-alike',
    '2',
    'Ids of one kind differ only in their last characters, and some begin with the whole of another.',
    set({ makeId: (kind, n) => `${kind}-0000000000-${n}` }),
  ),
  legal(
    'keys-are-long-and-dotted',
    '5',
    'Keys are 400 characters long, in three parts.',
    set({
      makeKey: (n) =>
        Array.from({ length: 6 }, (_, i) => hash(`key ${i}`, n))
          .join('')
          .replace(/^(.{100})(.{180})/, '$1.$2.') + 'xY',
    }),
  ),
  legal(
    'keys-contain-signs',
    '5',
    'Keys contain the signs of base64.',
    set({ makeKey: (n) => `aB+/${Buffer.from(hash('key', n)).toString('base64').slice(0, 40)}/+Z==` }),
  ),
  // Times.
  legal(
    'times-with-an-offset-of-zero',
    '2',
    'Date-times end with +00:00.',
    times((time) => time.replace('Z', '+00:00')),
  ),
  legal(
    'times-in-whole-seconds',
    '2',
    'Date-times have no fraction.',
    times((time) => time.replace(/\.\d+Z$/, 'Z')),
  ),
  legal(
    'times-with-nanoseconds',
    '2',
    'Date-times have nine digits after the point.',
    times((time) => time.replace('Z', '000123Z').replace(/\.(\d{9})\d*Z/, '.$1Z')),
  ),
  legal(
    'times-with-one-digit',
    '2',
    'Date-times have one digit after the point.',
    times((time) => time.replace(/\.(\d)\d*Z$/, '.$1Z')),
  ),
  // Further fields.
  legal(
    'drives-with-further-fields',
    '2',
    'Drives carry further fields, among them null, path and kind.',
    extra(
      () => ({ deletedAt: null, kind: 'drive', path: 'no/slash', limit: 5, owner: { id: 1 } }),
      'drives.create',
      'drives.list',
    ),
  ),
  legal(
    'agents-with-further-fields',
    '2',
    'Agents carry their active revision and a number as version.',
    extra(() => ({ activeRevisionId: null, version: 12, tools: [] }), 'agents.list'),
  ),
  legal(
    'files-with-further-fields',
    '2',
    'Files carry a numeric driveId, times as numbers and links.',
    extra(
      (item) => ({ driveId: 77, createdAtMs: 5, _links: { self: item.id }, type: 'file' }),
      'files.get',
      'files.move',
    ),
  ),
  legal(
    'files-with-fields-of-other-kinds',
    '2',
    'Files carry fields that belong to other kinds: url, organizationId and isPublished.',
    extra(() => ({ url: '', organizationId: 5, isPublished: 'no', data: [], tools: {} }), 'files.get', 'files.move'),
  ),
  legal(
    'mcp-servers-with-further-fields',
    '2',
    'MCP servers carry a health check result, tools that are null and a numeric version.',
    extra(() => ({ lastSeen: null, healthy: false, tools: null, version: 3 }), 'mcp.create', 'mcp.list'),
  ),
  legal('tools-with-schemas', '4.10', 'Tools carry input schemas, and the object carries a cursor.', () => ({
    tell(reply, ask) {
      if (ask.op === 'mcp.tools' && reply.ok) {
        reply.body.nextCursor = null;
        for (const tool of reply.body.tools) tool.inputSchema = { type: 'object' };
      }
    },
  })),
  legal(
    'pages-with-further-fields',
    '4.4',
    'Pages carry links, and the pagination says whether there is more.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'drives.list' && reply.ok) {
          reply.body.links = { next: null };
          Object.assign(reply.body.pagination, { hasMore: false, page: 1, next: null });
        }
      },
    }),
  ),
  legal(
    'deletion-with-further-fields',
    '4.7',
    'The answer to a deletion carries the deleted paths and a state.',
    success('tree.delete', 202, (_ask, now) => ({ ...now, status: 'queued', errors: [], id: null })),
  ),
  // Headers and writing.
  legal(
    'json-with-charset',
    '4',
    'The content type names the charset.',
    headers({ 'content-type': 'application/json; charset=utf-8' }),
  ),
  legal(
    'json-type-in-capitals',
    '4',
    'The content type is written with capitals.',
    headers({ 'content-type': 'Application/JSON' }),
  ),
  legal(
    'answers-may-be-cached-by-tag',
    '4',
    'Answers carry a tag and a time of modification.',
    headers((_ask, reply) => ({
      etag: `"${hash(JSON.stringify(reply.body ?? ''), 1).slice(0, 12)}"`,
      'cache-control': 'no-cache',
      'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
    })),
  ),
  legal(
    'connections-close-after-each-answer',
    '4',
    'The server closes the connection after each answer.',
    headers({ connection: 'close' }),
  ),
  legal(
    'creations-have-a-location',
    '4',
    'Creations carry a Location that leads nowhere.',
    headers((ask, reply) =>
      reply.ok && (ask.op === 'drives.create' || ask.op === 'mcp.create') ? { location: '/elsewhere/1' } : {},
    ),
  ),
  legal(
    'answers-tell-about-rates',
    '8',
    'Answers tell that no requests remain, and go on answering.',
    headers({ 'x-ratelimit-remaining': '0', 'retry-after': '1', 'ratelimit-policy': '1;w=1' }),
  ),
  legal(
    'answers-set-a-cookie',
    '5',
    'Answers set a cookie and announce their end of life.',
    headers({ 'set-cookie': 'session=abc; HttpOnly', deprecation: 'true', sunset: 'Fri, 31 Dec 2027 23:59:59 GMT' }),
  ),
  legal('answers-are-compressed', '4', 'Answers are compressed for callers that allow it.', () => ({
    tell(reply, ask) {
      if (
        reply.body !== undefined &&
        reply.status !== 204 &&
        /\bgzip\b/.test(String(ask.headers['accept-encoding'] ?? ''))
      ) {
        reply.raw = gzipSync(JSON.stringify(reply.body));
        reply.headers['content-encoding'] = 'gzip';
      }
    },
  })),
  legal(
    'json-is-indented',
    '4',
    'JSON is written with tabs, line breaks and a line break at the end.',
    text((body) => `\n${JSON.stringify(body, null, '\t')}\r\n`),
  ),
  legal(
    'json-in-ascii',
    '4',
    'JSON is written in ASCII with escapes, also for the oblique stroke.',
    text((body) =>
      JSON.stringify(body).replace(
        /[\u007f-\uffff/]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  ),
  legal(
    'fields-backwards',
    '4',
    'Fields stand in the opposite order everywhere.',
    text((body) => JSON.stringify(turned(body))),
  ),
  legal('answers-are-slow', '4', 'Every answer takes 40 ms.', slow(40)),
  legal(
    'creations-are-slow',
    '4',
    'Creations and deletions take 400 ms.',
    slow(400, 'drives.create', 'mcp.create', 'tree.delete'),
  ),
  // Values.
  legal(
    'texts-are-empty',
    '2',
    'Descriptions and summaries are empty, sizes are 0 and metadata is empty.',
    field([...every], (item) => {
      if ('description' in item) item.description = '';
      if ('summary' in item) Object.assign(item, { summary: '', size: 0, metadata: {}, contentType: '' });
    }),
  ),
  legal(
    'sizes-are-huge',
    '2',
    'File sizes are beyond 32 bits.',
    field(['files.get', 'files.move'], (item) => {
      item.size += 5_000_000_000_000;
    }),
  ),
  legal('tools-have-empty-descriptions', '4.10', 'The descriptions of tools are empty.', () => ({
    tell(reply, ask) {
      if (ask.op === 'mcp.tools' && reply.ok) for (const tool of reply.body.tools) tool.description = '';
    },
  })),
  legal(
    'all-mcp-servers-are-sse',
    '2',
    'Every MCP server has the type sse, whatever its URL.',
    field(['mcp.create', 'mcp.list'], (item) => {
      item.type = 'sse';
    }),
  ),
  legal(
    'agents-always-have-changes',
    '3',
    'hasChanges stays true after a publish.',
    field(['agents.list'], (item) => {
      item.hasChanges = true;
    }),
  ),
  legal(
    'agents-never-have-changes',
    '3',
    'hasChanges is false for all agents, also for unpublished ones.',
    field(['agents.list'], (item) => {
      item.hasChanges = false;
    }),
  ),
  legal('default-limit-is-one', '4.4', 'Without a limit the list shows one drive.', set({ defaultLimit: 1 })),
  legal(
    'default-limit-is-a-hundred',
    '4.4',
    'Without a limit the list shows up to 100 drives.',
    set({ defaultLimit: 100 }),
  ),
  legal(
    'tree-parameter-has-an-odd-name',
    '4.7',
    'The query parameter of a deletion is named dir[path].',
    set({ treeParameter: 'dir[path]' }),
  ),
  legal(
    'deletion-counts-nothing-yet',
    '4.7',
    'The documentCount of a deletion is 0, since the job has not started.',
    success('tree.delete', 202, (_ask, now) => ({ ...now, documentCount: 0 })),
  ),
  legal(
    'deletion-says-an-empty-message',
    '4.7',
    'The message of a deletion is empty and the jobId is a number as a string.',
    success('tree.delete', 202, (ask, now) => ({
      ...now,
      message: '',
      jobId: String(now.jobId.length * 1000 + ask.n),
    })),
  ),
  legal(
    'mcp-urls-are-canonical',
    '4.8',
    'URLs of MCP servers are spelled canonically: small host, end stroke, no default port.',
    field(['mcp.create', 'mcp.list'], (item) => {
      item.url = new URL(item.url).href;
    }),
  ),
  // Effects that come later.
  legal('drives-are-listed-later', '4.4', 'A new drive stands in the list after 250 ms.', late(250, 'drive-created')),
  legal(
    'mcp-servers-are-listed-later',
    '4.9',
    'A new MCP server stands in the list after 250 ms.',
    late(250, 'mcp-known'),
  ),
  legal('trees-are-deleted-later', '4.7', 'The files of a tree are gone after 300 ms.', late(300, 'files-deleted')),
];
