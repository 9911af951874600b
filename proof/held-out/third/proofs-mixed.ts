// What a client does to see each fault of combinations and each single fault. True when the fault shows.
import type { Bench, Caller, Side } from './client.ts';
import type { Proof } from './proofs-sequence.ts';

const index = '/reports/index.md';
const left = async (t: Bench, path: string, drive = 0, caller: Caller = t.a): Promise<Map<string, any>> => {
  await caller.removeTree(t.A.drives[drive]!.id, path);
  await t.settle();
  return t.paths(drive);
};
const moved = async (t: Bench, path: string, caller: Caller = t.a, from = index, more: object = {}): Promise<any> => {
  const id = await t.fileAt(from);
  return {
    id,
    answer: await caller.move(t.A.drives[0].id, id, path, more),
    now: (await t.a.file(t.A.drives[0].id, id)).body,
  };
};
const honoured =
  (path: string, bearer = false): Proof =>
  async (t) =>
    (await moved(t, path, bearer ? t.aBearer : t.a)).answer.ok;
const drives = async (t: Bench, query = ''): Promise<any> => (await t.a.drives(query)).body;
const ids = (items: any[]): string => JSON.stringify((items ?? []).map((one) => one.id));
const file = async (t: Bench): Promise<any> => (await t.a.file(t.A.drives[0].id, t.A.drives[0].files[0].id)).body;
const register = async (t: Bench, url: string, more: object = {}): Promise<any> => {
  const made = (await t.a.makeMcp('Mixed', url, more)).body;
  return { made, listed: (await t.a.mcps()).body.find((one: any) => one.id === made.id) };
};
const makeDrive = async (t: Bench, name: string, more: object = {}): Promise<any> => {
  const made = (await t.a.makeDrive(name, more)).body;
  return { made, listed: (await t.allDrives()).find((one) => one.id === made.id) };
};
const status =
  (query: string, bad: (status: number) => boolean): Proof =>
  async (t) =>
    bad((await t.a.drives(query)).status);
const ok = (code: number): boolean => code < 300,
  broken = (code: number): boolean => code >= 500;
const typed = (one: any): boolean => one.type === 'sse' || one.type === 'streamableHttp';
const pathsOfB = (t: Bench, side: Side): Promise<Map<string, any>> => t.paths(2, t.b, side);

export const mixedProofs: Record<string, Proof> = {
  'dots-at-the-beginning-are-honoured-in-moves': honoured('/../x.md'),
  'dots-at-the-end-are-honoured-in-moves': honoured('/reports/..'),
  'dots-in-the-middle-are-honoured-with-a-bearer-key': honoured('/reports/../x.md', true),
  'second-dots-after-a-harmless-name-are-honoured': honoured('/a..b/../x.md'),
  'lone-dots-delete-the-whole-drive': async (t) => (await left(t, '/..')).size === 0,
  'encoded-dots-are-honoured-in-deletions': async (t) =>
    (
      await t.a.send(
        'DELETE',
        `/drives/${encodeURIComponent(t.A.drives[0].id)}/items/tree?${t.facts.treePathParameter}=/reports/%2e%2e/media`,
      )
    ).ok,
  'relative-path-is-honoured-for-the-second-organization': async (t) =>
    (await t.b.move(t.B.drives[0].id, t.B.drives[0].files[0].id, 'x.txt')).ok,
  'relative-path-is-honoured-in-deletions': async (t) => !(await left(t, 'media')).has('/media/logo.png'),
  'unknown-directory-deletes-what-begins-alike': async (t) =>
    !(await left(t, '/reports-ol')).has('/reports-old/2019.txt'),
  'slash-at-the-end-deletes-what-begins-alike': async (t) => !(await left(t, '/reports/')).has('/reports2/plan.txt'),
  'deletion-takes-the-file-with-the-same-stem': async (t) => !(await left(t, '/reports')).has('/reports.txt'),
  'deletion-matches-anywhere-in-the-path': async (t) => {
    const { id } = await moved(t, '/keep/media/x.md');
    await left(t, '/media');
    return !(await t.a.file(t.A.drives[0].id, id)).ok;
  },
  'nested-deletion-takes-the-parent': async (t) =>
    !(await left(t, '/reports/2024/march')).has('/reports/2024/april.txt'),
  'root-deletion-spares-moved-files': async (t) => {
    await moved(t, '/keep/x.md');
    return (await left(t, '/')).size > 0;
  },
  'deletion-with-bearer-key-is-lost': async (t) => (await left(t, '/media', 0, t.aBearer)).has('/media/logo.png'),
  'deletion-in-the-second-drive-is-lost': async (t) => (await left(t, '/notes', 1)).has('/notes/a.txt'),
  'move-to-a-deep-path-breaks': async (t) => broken((await moved(t, '/a/b/c/d/e/x.md')).answer.status),
  'move-out-of-the-root-loses-the-file': async (t) => !(await moved(t, '/x/readme.md', t.a, '/readme.md')).now?.path,
  'move-to-the-name-of-a-moved-file-breaks': async (t) => {
    await moved(t, '/x.md');
    return broken((await moved(t, index, t.a, '/readme.md')).answer.status);
  },
  'move-with-an-id-in-the-body-changes-the-id': async (t) => {
    const seen = await moved(t, '/x.md', t.a, index, { id: 'chosen' });
    return seen.answer.ok && seen.answer.body.id !== seen.id;
  },
  'move-in-the-third-drive-is-lost': async (t) => {
    await t.b.move(t.B.drives[2].id, t.B.drives[2].files[0].id, '/x.bin');
    return !(await pathsOfB(t, t.B)).has('/x.bin');
  },
  'two-moves-at-once-lose-one': async (t) => {
    const d = t.A.drives[0];
    await Promise.all([0, 1].map((n) => t.a.move(d.id, d.files[n]!.id, `/x/${n}.txt`)));
    const now = await t.paths();
    return !(now.has('/x/0.txt') && now.has('/x/1.txt'));
  },
  'two-drives-at-once-share-an-id': async (t) => {
    const made = await Promise.all([0, 1].map((n) => t.a.makeDrive(`At once ${n}`)));
    return made[0]!.body.id === made[1]!.body.id;
  },
  'two-registrations-at-once-lose-one': async (t) => {
    await Promise.all([0, 1].map((n) => t.a.makeMcp(`At once ${n}`, `https://s${n}.example.com/mcp`)));
    await t.settle();
    return (await t.a.mcps()).body.filter((one: any) => one.name.startsWith('At once')).length < 2;
  },
  'id-in-the-body-is-taken-for-the-drive': async (t) => {
    await t.a.makeDrive('x', { id: t.A.drives[0].id });
    const all = await t.allDrives();
    return new Set(all.map((one) => one.id)).size < all.length;
  },
  'creation-time-in-the-body-is-taken': async (t) =>
    (await makeDrive(t, 'x', { createdAt: '2001-02-03T04:05:06.000Z' })).made.createdAt === '2001-02-03T04:05:06.000Z',
  'type-in-the-body-is-taken-unchecked': async (t) =>
    !typed((await register(t, 'https://x.example.com/mcp', { type: 'pigeon' })).made),
  'quotes-in-a-name-break-the-list': async (t) => {
    await t.a.makeDrive('The "big" one');
    return !(await t.a.drives()).json;
  },
  'foreign-letters-are-lost-in-the-list': async (t) =>
    (await makeDrive(t, 'Übersicht 概要')).listed.name !== 'Übersicht 概要',
  'query-of-a-url-is-lost': async (t) =>
    !(await register(t, 'https://x.example.com/mcp?team=1')).listed.url.includes('team=1'),
  'port-of-a-url-is-lost': async (t) =>
    !(await register(t, 'https://x.example.com:8443/mcp')).made.url.includes('8443'),
  'plain-http-url-has-no-type': async (t) => !typed((await register(t, 'http://x.example.com/mcp')).made),
  'long-name-breaks-in-the-second-organization': async (t) =>
    broken((await t.b.makeDrive('A drive with a rather long name for the whole team')).status),
  'bearer-key-with-limit-ignores-it': async (t) => (await t.aBearer.drives('?limit=2')).body.data.length > 2,
  'offset-without-limit-is-ignored': async (t) =>
    ids((await drives(t, '?offset=1')).data) === ids((await drives(t)).data),
  'parameters-in-the-other-order-change-places': async (t) =>
    ids((await drives(t, '?offset=1&limit=3')).data) !== ids((await drives(t, '?limit=3&offset=1')).data),
  'publish-of-an-unpublished-agent-with-its-last-revision-breaks': async (t) =>
    broken((await t.a.publish(t.A.agents[4].id, t.A.agents[4].revisionIds[2])).status),
  'tools-of-the-second-server-break-after-the-first': async (t) => {
    const [one, two] = t.A.mcps;
    await t.a.agents();
    const before = (await t.a.tools(two.id)).text;
    await t.a.agents();
    await t.a.tools(one.id);
    return (await t.a.tools(two.id)).text !== before;
  },
  'empty-tools-are-left-out': async (t) => {
    const all = (await t.a.mcps()).body,
      bare = all.find((one: any) => one.name === 'Bare');
    return !Array.isArray((await t.a.tools(bare.id)).body.tools);
  },
  'deletion-of-nothing-lacks-a-job': async (t) => {
    const answer = await t.a.removeTree(t.A.drives[0].id, '/nowhere');
    return answer.ok && typeof answer.body.jobId !== 'string';
  },
  'large-deletion-counts-as-text': async (t) =>
    !Number.isInteger((await t.a.removeTree(t.A.drives[0].id, '/reports')).body.documentCount),
  'limit-zero-is-served': status('?limit=0', ok),
  'negative-offset-is-served': status('?offset=-1', ok),
  'limit-that-is-no-number-is-served': status('?limit=abc', ok),
  'limit-over-a-hundred-is-cut-down': status('?limit=101', ok),
  'bad-path-breaks-in-moves': async (t) => broken((await moved(t, '/../x.md')).answer.status),
  'bad-path-breaks-in-deletions': async (t) => broken((await t.a.removeTree(t.A.drives[0].id, '/reports/..')).status),
  'bad-limit-breaks': status('?limit=101', broken),
  'unauthenticated-answer-is-a-page': async (t) => !(await t.nobody.agents()).json,
  'agents-come-in-an-object': async (t) => !Array.isArray((await t.a.agents()).body),
  'agents-answer-201': async (t) => (await t.a.agents()).status !== 200,
  'mcp-servers-come-in-an-object': async (t) => !Array.isArray((await t.a.mcps()).body),
  'tools-come-as-an-array': async (t) => Array.isArray((await t.a.tools(t.A.mcps[0].id)).body),
  'drives-come-as-an-array': async (t) => Array.isArray(await drives(t)),
  'unknown-mcp-server-has-no-tools': async (t) => (await t.a.tools('no-such-server')).status !== 404,
  'drive-creation-answers-204': async (t) => (await t.a.makeDrive('x')).status === 204,
  'deletion-answers-204': async (t) => (await t.a.removeTree(t.A.drives[0].id, '/media')).status === 204,
  'move-answers-only-the-path': async (t) => typeof (await moved(t, '/x.md')).answer.body.id !== 'string',
  'move-answers-the-file-before': async (t) => (await moved(t, '/x.md')).answer.body.path !== '/x.md',
  'file-kind-is-document': async (t) => (await file(t)).kind !== 'file',
  'file-path-has-no-slash': async (t) => !(await file(t)).path.startsWith('/'),
  'failed-file-has-status-failed': async (t) =>
    [...(await t.paths()).values()].some((one) => !['processing', 'ready', 'error'].includes(one.status)),
  'file-size-has-a-fraction': async (t) => !Number.isInteger((await file(t)).size),
  'new-drive-lacks-its-organization': async (t) => typeof (await t.a.makeDrive('x')).body.organizationId !== 'string',
  'new-mcp-server-lacks-its-type': async (t) => !typed((await t.a.makeMcp('x', 'https://x.example.com/mcp')).body),
  'agents-lack-descriptions': async (t) => (await t.a.agents()).body.some((one: any) => !('description' in one)),
  'files-lack-metadata': async (t) => !('metadata' in (await file(t))),
  'agents-lack-their-flags': async (t) => (await t.a.agents()).body.some((one: any) => !('hasChanges' in one)),
};
