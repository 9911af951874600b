import { codes, dates, extra, headers, ids, refusals, status, written } from './legal-answers.ts';
import { busy, deletingLate, lagging, names, parameter, paths, slow, urls } from './legal-rules.ts';
import type { Machine } from './model.ts';
import type { Variant } from './variant.ts';
import { after, legal } from './variant.ts';

type Change = (m: Machine) => void;
const all =
  (...changes: Change[]): Change =>
  (m) => {
    for (const change of changes) change(m);
  };
const base =
  (path: string, limit: number, drives = 0): Change =>
  (m) => {
    m.basePath = path;
    m['pagingDefaults.limit'] = limit;
    m.extraDrives = drives;
  };
const emptyPublication: Change = (m) => after(m, 'publish', () => ({ status: 204 }));

export const legalTeams: readonly Variant[] = [
  legal(
    'team-rails',
    '4',
    'A team in the style of Rails: numeric ids, 422 with errors by field, 201, 204, charset in the content type.',
    all(
      base('/api/v0.1', 25),
      (m) => {
        let last = 500;
        ids(() => String(++last))(m);
      },
      refusals((r) => ({ errors: { base: [r.message] } })),
      codes({ bad_page: 422, bad_json: 400 }),
      emptyPublication,
      headers({ 'content-type': 'application/json; charset=utf-8', 'x-runtime': '0.01' }),
    ),
  ),
  legal(
    'team-spring',
    '4',
    'A team in the style of Spring: UUIDs, problem details, microseconds, 400 for all that is wrong.',
    all(
      base('/rest/v0.1', 20),
      ids(() => crypto.randomUUID()),
      refusals((r) => ({ timestamp: new Date().toISOString(), status: r.status, error: r.code, path: '/' })),
      codes({ bad_path: 400, bad_page: 400, bad_field: 400 }),
      dates((v) => v.replace('Z', '123Z')),
      status('createDrive', 200),
      status('createServer', 200),
    ),
  ),
  legal(
    'team-django',
    '4',
    'A team in the style of Django: +00:00 with microseconds, detail in errors, ASCII only, 20 a page.',
    all(
      base('/v0.1', 20),
      dates((v) => v.replace('Z', '000+00:00')),
      refusals((r) => ({ detail: r.message })),
      written((t) => ({ raw: t.replace(/[^\0-~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) })),
      codes({ bad_path: 400, bad_field: 400 }),
    ),
  ),
  legal(
    'team-go',
    '4',
    'A team in the style of Go: bodies end with a line break, short errors, nanoseconds, many drives.',
    all(
      base('/svc/v0.1', 50, 140),
      written((t) => ({ raw: `${t}\n` })),
      dates((v) => v.replace('Z', '000001Z')),
      refusals((r) => ({ error: r.message })),
      status('deleteTree', 200),
      parameter('dir'),
    ),
  ),
  legal(
    'team-queue',
    '4',
    'A team where all that is written goes through a queue: 202 everywhere and 300 ms until it is seen.',
    all(
      lagging(300, ['DriveCreated', 'ServerRegistered', 'RevisionPublished', 'FilesDeleted']),
      status('createDrive', 202),
      status('createServer', 202),
      status('publish', 202),
      status('moveFile', 202),
    ),
  ),
  legal(
    'team-replica',
    '4',
    'A team that reads from a replica 200 ms behind, with slow answers.',
    all(
      lagging(200, ['DriveCreated', 'ServerRegistered', 'RevisionPublished', 'FileMoved', 'FilesDeleted']),
      slow(40),
      parameter('folder'),
    ),
  ),
  legal(
    'team-strict',
    '4',
    'A strict team: identifiers as names, https under example.com only, no odd paths.',
    all(
      names((n) => /^[a-z][a-z0-9-]{2,30}$/.test(n)),
      urls((u) => /^https:\/\/[a-z.]*example\.com\//.test(u), 400),
      paths((p) => !/[\\?*:]|\/\/|\.\./.test(p)),
      codes({ bad_path: 400, bad_name: 400 }),
    ),
  ),
  legal(
    'team-generous',
    '4',
    'A team whose answers say a lot more than asked for.',
    all(
      extra('showAgent', { avatar: null, stats: { runs: 0 } }),
      extra('showDrive', { owner: { id: 'u1' }, quota: 1e12 }),
      extra('showFile', { thumbnails: [], acl: { read: ['*'] } }),
      extra('showServer', { auth: { kind: 'none' } }),
      extra('showTool', { inputSchema: {}, outputSchema: null }),
      headers({ 'x-trace': 'abc', 'content-language': 'en' }),
    ),
  ),
  legal(
    'team-gateway',
    '4',
    'A team behind a gateway: long base address, problem details for errors, cookies, connections closed.',
    all(
      base('/edge/prod-2/agents/v0.1', 10),
      headers({ via: '1.1 gateway', 'set-cookie': 'a=b; HttpOnly', connection: 'close' }),
      refusals((r) => ({ fault: { faultstring: r.message, detail: { errorcode: r.code } } })),
      slow(15),
    ),
  ),
  legal(
    'team-busy',
    '4',
    'A busy team: other clients at work, 60 drives at the start, deletions take 400 ms.',
    all(base('/b/v0.1', 30, 56), busy, deletingLate(400)),
  ),
  legal(
    'team-small',
    '4',
    'A small team: pages of two drives by default, short errors, deletions file by file.',
    all(
      base('/small/v0.1', 2),
      refusals((r) => r.code),
      deletingLate(10, 10),
      parameter('p'),
      status('createDrive', 200),
      emptyPublication,
    ),
  ),
  legal(
    'team-mongo',
    '4',
    'A team with hexadecimal object ids, extra fields with underscores and 410 for what is gone.',
    all(
      ids(() => Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString('hex')),
      extra('showDrive', { __v: 0 }),
      extra('showFile', { _rev: '1-a' }),
      codes({ no_file: 410 }),
      parameter('root'),
      refusals((r) => ({ ok: 0, errmsg: r.message })),
    ),
  ),
];
