import {
  agentsSound,
  breaks,
  driveCreation,
  drivesSound,
  fileSound,
  filesSound,
  serverCreation,
  serversSound,
  toolsSound,
} from './checks.ts';
import type { Tester } from './tester.ts';
import type { Variant } from './variant.ts';
import { after, field, must, without } from './variant.ts';

const agents = breaks((t) => agentsSound(t));
const drives = breaks((t) => drivesSound(t));
const files = breaks((t) => filesSound(t));
const servers = breaks((t) => serversSound(t));
const tools = breaks((t) => toolsSound(t));
const moved = breaks(async (t) => fileSound(await t.move('/moved/once more.txt', 2), t.fileId(2)));

const millis = (value: string) => Date.parse(value);
const shifted = (value: string, hours: number) =>
  new Date(Date.parse(value) + hours * 3_600_000).toISOString().slice(0, 19);

const times: Variant[] = [
  must(
    'drive-created-in-milliseconds',
    '2',
    'createdAt of drives is a number of milliseconds.',
    field('showDrive', 'createdAt', millis),
    drives,
  ),
  must(
    'drive-updated-in-seconds-as-text',
    '2',
    'updatedAt of drives is a text with the seconds since 1970.',
    field('showDrive', 'updatedAt', (v) => String(Math.floor(millis(v) / 1000))),
    drives,
  ),
  must(
    'drive-created-with-a-blank',
    '2',
    'createdAt of drives has a blank in place of the T, as a database prints it.',
    field('showDrive', 'createdAt', (v) => v.replace('T', ' ')),
    drives,
  ),
  must(
    'drive-updated-in-local-time',
    '2',
    'updatedAt of drives is in the time of Berlin, with its offset.',
    field('showDrive', 'updatedAt', (v) => `${shifted(v, 1)}+01:00`),
    drives,
  ),
  must(
    'drive-created-without-zone-at-creation-only',
    '2',
    'Only the answer to the creation of a drive shows createdAt without a zone.',
    field(
      'showDrive',
      'createdAt',
      (v) => v.slice(0, 19),
      (_d, ctx) => ctx.op === 'createDrive',
    ),
    breaks((t) => driveCreation(t)),
  ),
  must(
    'drive-updated-null-until-updated',
    '2',
    'updatedAt is null for a drive that was never updated.',
    field(
      'showDrive',
      'updatedAt',
      () => null,
      (d) => d.createdAt === d.updatedAt,
    ),
    breaks((t) => driveCreation(t)),
  ),
  must(
    'agent-created-as-http-date',
    '2',
    'createdAt of agents is in the format of HTTP headers.',
    field('showAgent', 'createdAt', (v) => new Date(v).toUTCString()),
    agents,
  ),
  must(
    'agent-updated-as-date-only',
    '2',
    'updatedAt of agents is the date without the time.',
    field('showAgent', 'updatedAt', (v) => v.slice(0, 10)),
    agents,
  ),
  must(
    'agent-updated-in-local-time-once-published',
    '2',
    'updatedAt of an agent has the offset of New York once the server has published a revision of it.',
    field(
      'showAgent',
      'updatedAt',
      (v) => `${shifted(v, -5)}-05:00`,
      (a) => a.updatedAt > '2025',
    ),
    breaks(async (t) => {
      await t.publish(0, 1);
      await agentsSound(t);
    }),
  ),
  must(
    'file-modified-as-seconds',
    '2',
    'modifiedAt of files is a number of seconds.',
    field('showFile', 'modifiedAt', (v) => Math.floor(millis(v) / 1000)),
    files,
  ),
  must(
    'file-modified-null-while-processing',
    '2',
    'modifiedAt is null as long as a file is being processed.',
    field(
      'showFile',
      'modifiedAt',
      () => null,
      (f) => f.status === 'processing',
    ),
    files,
  ),
  must(
    'file-modified-in-local-time-after-a-move',
    '2',
    'The answer to a move shows modifiedAt with the offset +05:30.',
    field(
      'showFile',
      'modifiedAt',
      (v) => `${shifted(v, 5.5)}+05:30`,
      (_f, ctx) => ctx.op === 'moveFile',
    ),
    moved,
  ),
  must(
    'file-modified-with-month-from-zero',
    '2',
    'modifiedAt is put together by hand with months that count from zero, so January is month 00.',
    (m) => {
      field('showFile', 'modifiedAt', (v) => {
        const at = new Date(v);
        return `${v.slice(0, 5)}${String(at.getUTCMonth()).padStart(2, '0')}-30${v.slice(10)}`;
      })(m);
    },
    breaks(async (t) => {
      await filesSound(t);
    }),
  ),
  must(
    'server-created-in-us-style',
    '2',
    'createdAt of MCP servers looks like 3/29/2024, 10:15:30 PM.',
    field('showServer', 'createdAt', (v) => new Date(v).toLocaleString('en-US', { timeZone: 'UTC' })),
    servers,
  ),
  must(
    'server-updated-empty',
    '2',
    'updatedAt of an MCP server is an empty text in the answer to its registration.',
    field(
      'showServer',
      'updatedAt',
      () => '',
      (_s, ctx) => ctx.op === 'createServer',
    ),
    breaks((t) => serverCreation(t)),
  ),
  must(
    'server-created-without-zone',
    '2',
    'createdAt of MCP servers has no zone.',
    field('showServer', 'createdAt', (v) => v.slice(0, 19)),
    servers,
  ),
];

const kinds: Variant[] = [
  must(
    'agent-published-as-number',
    '2',
    'isPublished is 1 or 0, as the database stores it.',
    field('showAgent', 'isPublished', Number),
    agents,
  ),
  must(
    'agent-changes-as-text',
    '2',
    'hasChanges is the text true or false.',
    field('showAgent', 'hasChanges', String),
    agents,
  ),
  must(
    'agent-changes-null-if-unpublished',
    '2',
    'hasChanges is null for agents that have no published revision.',
    field(
      'showAgent',
      'hasChanges',
      () => null,
      (a) => a.activeRevisionId === undefined,
    ),
    agents,
  ),
  must(
    'agent-published-as-a-date',
    '2',
    'isPublished holds the time of the publication when there was one while the server runs.',
    field(
      'showAgent',
      'isPublished',
      (_v, a) => a.updatedAt,
      (a) => a.updatedAt > '2025',
    ),
    breaks(async (t) => {
      await t.publish(1, 1);
      await agentsSound(t);
    }),
  ),
  must(
    'agent-ids-as-numbers',
    '2',
    'The ids of agents are numbers.',
    field('showAgent', 'id', (v) => Number.parseInt(v.slice(4, 9), 36)),
    agents,
  ),
  must(
    'agent-description-null-if-changed',
    '2',
    'The description of an agent with unpublished changes is null.',
    field(
      'showAgent',
      'description',
      () => null,
      (a) => a.hasChanges,
    ),
    agents,
  ),
  must(
    'agent-name-per-language',
    '2',
    'The name of an agent is an object with a text per language.',
    field('showAgent', 'name', (v) => ({ en: v })),
    agents,
  ),
  must(
    'drive-organization-as-object',
    '2',
    'organizationId of a drive is the whole organization as an object (an ORM that populates references).',
    field('showDrive', 'organizationId', (v) => ({ id: v })),
    drives,
  ),
  must(
    'drive-name-as-number',
    '2',
    'A drive whose name consists of digits shows it as a number.',
    field('showDrive', 'name', Number, (d) => /^\d+$/.test(d.name)),
    breaks((t) => driveCreation(t, '2025')),
  ),
  must(
    'drive-id-null-at-creation',
    '4.3',
    'The answer to the creation of a drive is built before the id is known: it is null.',
    field(
      'showDrive',
      'id',
      () => null,
      (_d, ctx) => ctx.op === 'createDrive',
    ),
    breaks((t) => driveCreation(t)),
  ),
  must(
    'file-kind-capital',
    '2',
    'kind is File.',
    field('showFile', 'kind', () => 'File'),
    files,
  ),
  must(
    'file-kind-document',
    '2',
    'kind of PDF files is document.',
    field(
      'showFile',
      'kind',
      () => 'document',
      (f) => f.contentType === 'application/pdf',
    ),
    files,
  ),
  must(
    'file-kind-folder-without-extension',
    '2',
    'kind is folder for a file whose name has no extension.',
    field(
      'showFile',
      'kind',
      () => 'folder',
      (f) => !f.name.includes('.'),
    ),
    breaks(async (t) => fileSound(await t.move('/Makefile', 1), t.fileId(1))),
  ),
  must(
    'file-status-in-capitals',
    '2',
    'status is written in capital letters.',
    field('showFile', 'status', (v) => v.toUpperCase()),
    files,
  ),
  must(
    'file-status-failed',
    '2',
    'A file that could not be processed has the status failed.',
    field(
      'showFile',
      'status',
      () => 'failed',
      (f) => f.status === 'error',
    ),
    files,
  ),
  must(
    'file-status-pending-after-a-move',
    '2',
    'After a move a file has the status pending.',
    field(
      'showFile',
      'status',
      () => 'pending',
      (f) => f.modifiedAt > '2025',
    ),
    moved,
  ),
  must(
    'file-size-as-text',
    '2',
    'size is a text, as drivers give big integers.',
    field('showFile', 'size', String),
    files,
  ),
  must(
    'file-size-with-fraction',
    '2',
    'size is given in megabytes with a fraction.',
    field('showFile', 'size', (v) => v / 1_048_576 + 0.01),
    files,
  ),
  must(
    'file-size-null-when-empty',
    '2',
    'size is null for an empty file.',
    field('showFile', 'size', (v) => v || null),
    files,
  ),
  must(
    'file-size-null-on-error',
    '2',
    'size is null for files that could not be processed.',
    field(
      'showFile',
      'size',
      () => null,
      (f) => f.status === 'error',
    ),
    files,
  ),
  must(
    'file-metadata-as-text',
    '2',
    'metadata is the JSON text of the object.',
    field('showFile', 'metadata', (v) => JSON.stringify(v)),
    files,
  ),
  must(
    'file-metadata-as-pairs',
    '2',
    'metadata is an array of keys and values.',
    field('showFile', 'metadata', (v) => Object.entries(v).map(([key, value]) => ({ key, value }))),
    files,
  ),
  must(
    'file-metadata-null-after-a-move',
    '2',
    'The answer to a move shows metadata as null.',
    field(
      'showFile',
      'metadata',
      () => null,
      (_f, ctx) => ctx.op === 'moveFile',
    ),
    moved,
  ),
  must(
    'file-summary-false-while-processing',
    '2',
    'summary is false as long as a file is being processed.',
    field(
      'showFile',
      'summary',
      () => false,
      (f) => f.status === 'processing',
    ),
    files,
  ),
  must(
    'file-description-null-if-empty',
    '2',
    'An empty description is null.',
    field('showFile', 'description', (v) => v || null),
    files,
  ),
  must(
    'file-content-type-as-object',
    '2',
    'contentType of text files is an object with type and charset.',
    field(
      'showFile',
      'contentType',
      (v) => ({ type: v, charset: 'utf-8' }),
      (f) => f.contentType.startsWith('text/'),
    ),
    files,
  ),
  must(
    'file-path-without-slash',
    '2',
    'path is shown relative to the drive, without the first slash.',
    field('showFile', 'path', (v) => v.slice(1)),
    files,
  ),
  must(
    'file-path-without-slash-at-the-root',
    '2',
    'A file in the root directory shows its path without the first slash.',
    field(
      'showFile',
      'path',
      (v) => v.slice(1),
      (f) => f.path.lastIndexOf('/') === 0,
    ),
    breaks(async (t) => fileSound(await t.move('/top.txt'), t.fileId())),
  ),
  must(
    'file-path-with-drive-id',
    '2',
    'path starts with the id of the drive in the second and later drives.',
    field(
      'showFile',
      'path',
      (v, f) => `${f.driveId}:${v}`,
      (f, ctx) => [...ctx.org.view.drives.keys()][0] !== f.driveId,
    ),
    files,
  ),
  must(
    'file-path-in-pieces',
    '2',
    'A path of more than six segments is shown as an array.',
    field(
      'showFile',
      'path',
      (v) => v.split('/'),
      (f) => f.path.split('/').length > 7,
    ),
    breaks(async (t) => fileSound(await t.move('/a/b/c/d/e/f/g/h/i.txt'), t.fileId())),
  ),
  must(
    'server-type-in-kebab',
    '2',
    'type is streamable-http.',
    field('showServer', 'type', (v) => (v === 'sse' ? v : 'streamable-http')),
    servers,
  ),
  must(
    'server-type-in-capitals',
    '2',
    'type is SSE for such servers.',
    field('showServer', 'type', (v) => (v === 'sse' ? 'SSE' : v)),
    servers,
  ),
  must(
    'server-type-unknown-at-creation',
    '2',
    'A new MCP server has the type unknown until its first use.',
    field(
      'showServer',
      'type',
      () => 'unknown',
      (s) => s.tools.length === 0,
    ),
    breaks((t) => serverCreation(t)),
  ),
  must(
    'server-type-null-for-http',
    '2',
    'type is null for MCP servers whose URL starts with http:.',
    field(
      'showServer',
      'type',
      () => null,
      (s) => s.url.startsWith('http:'),
    ),
    servers,
  ),
  must(
    'server-url-as-object',
    '2',
    'url is an object with host and path in the list of MCP servers.',
    field(
      'showServer',
      'url',
      (v) => ({ host: new URL(v).host, path: new URL(v).pathname }),
      (_s, ctx) => ctx.op === 'listServers',
    ),
    servers,
  ),
  must('tool-name-missing', '4.10', 'Tools have a title and no name.', without('showTool', 'name'), tools),
  must(
    'tool-description-missing-if-empty',
    '4.10',
    'A tool with an empty description has none at all.',
    without('showTool', 'description', (tool) => tool.description === ''),
    tools,
  ),
  must(
    'tool-description-null-if-empty',
    '4.10',
    'A tool with an empty description shows null.',
    field('showTool', 'description', (v) => v || null),
    tools,
  ),
  must(
    'tool-description-as-blocks',
    '4.10',
    'The description of a tool is an array of text blocks.',
    field('showTool', 'description', (v) => [{ type: 'text', text: v }]),
    tools,
  ),
];

const PLACES = [
  ['limit', 'pagination-limit-as-text', 'The limit in the pagination is the text of the query parameter.'],
  ['offset', 'pagination-offset-as-text', 'The offset in the pagination is the text of the query parameter.'],
] as const;

const pagination: Variant[] = [
  ...PLACES.map(([name, id, what]) =>
    must(
      id,
      '4.4',
      what,
      (m) =>
        after(m, 'listDrives', (a, ctx) => {
          const sent = ctx.query.get(name);
          const page = { ...a.body.pagination, ...(sent === null ? {} : { [name]: sent }) };
          return { ...a, body: { ...a.body, pagination: page } };
        }),
      drives,
    ),
  ),
  must(
    'pagination-total-null-on-later-pages',
    '4.4',
    'The total is counted for the first page only; on later pages it is null.',
    (m) =>
      after(m, 'listDrives', (a) => {
        const { pagination: page } = a.body;
        return { ...a, body: { ...a.body, pagination: { ...page, total: page.offset ? null : page.total } } };
      }),
    async (t: Tester) => (await t.page({ limit: 2, offset: 2 })).body?.pagination?.total === null,
  ),
  must(
    'pagination-total-missing',
    '4.4',
    'The pagination has hasMore in place of total.',
    (m) =>
      after(m, 'listDrives', (a) => {
        const { total, ...page } = a.body.pagination;
        return { ...a, body: { ...a.body, pagination: { ...page, hasMore: total > page.offset + page.limit } } };
      }),
    drives,
  ),
  must(
    'pagination-total-as-text',
    '4.4',
    'The total is a text, as a database driver gives a count.',
    (m) =>
      after(m, 'listDrives', (a) => ({
        ...a,
        body: { ...a.body, pagination: { ...a.body.pagination, total: String(a.body.pagination.total) } },
      })),
    drives,
  ),
  must(
    'pagination-beside-data',
    '4.4',
    'limit, offset and total stand beside data, not in a pagination object.',
    (m) => after(m, 'listDrives', (a) => ({ ...a, body: { data: a.body.data, ...a.body.pagination } })),
    drives,
  ),
  must(
    'drives-as-bare-array',
    '4.4',
    'The list of drives is a bare array.',
    (m) => after(m, 'listDrives', (a) => ({ ...a, body: a.body.data })),
    drives,
  ),
  must(
    'drives-under-items',
    '4.4',
    'The drives stand under items in place of data.',
    (m) => after(m, 'listDrives', (a) => ({ ...a, body: { items: a.body.data, pagination: a.body.pagination } })),
    drives,
  ),
  must(
    'drives-data-null-when-empty',
    '4.4',
    'data is null on a page without drives.',
    (m) =>
      after(m, 'listDrives', (a) => ({ ...a, body: { ...a.body, data: a.body.data.length ? a.body.data : null } })),
    async (t: Tester) => (await t.page({ limit: 5, offset: 500 })).body?.data === null,
  ),
];

export const fieldFaults: readonly Variant[] = [...times, ...kinds, ...pagination];
