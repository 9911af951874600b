// What a client does to see each fault about callers. True when the fault shows.
import type { Bench, Caller } from './client.ts';
import type { Proof } from './proofs-sequence.ts';

const index = '/reports/index.md';
const ids = (answer: any): string[] =>
  (Array.isArray(answer.body) ? answer.body : (answer.body?.data ?? [])).map((one: any) => one.id);
const short = (t: Bench, via: 'x-api-key' | 'bearer' = 'x-api-key'): Caller => t.as(t.a.key.slice(0, -3), via);
const organization = async (caller: Caller): Promise<string> => (await caller.mcps()).body[0].organizationId;
// Does the stranger see more than 401?
const served =
  (n: number | string) =>
  async (t: Bench): Promise<boolean> => {
    const file = t.A.drives[0].files[0].id,
      drive = t.A.drives[0].id;
    const calls: Record<string, () => Promise<any>> = {
      'agents.list': () => t.nobody.agents(),
      'agents.publish': () => t.nobody.publish(t.A.agents[4].id, t.A.agents[4].revisionIds[0]),
      'drives.create': () => t.nobody.makeDrive('x'),
      'drives.list': () => t.nobody.drives(),
      'files.get': () => t.nobody.file(drive, file),
      'files.move': () => t.nobody.move(drive, file, '/x.txt'),
      'tree.delete': () => t.nobody.removeTree(drive, '/media'),
      'mcp.create': () => t.nobody.makeMcp('x', 'https://x.example.com/mcp'),
      'mcp.list': () => t.nobody.mcps(),
      'mcp.tools': () => t.nobody.tools(t.A.mcps[0].id),
    };
    return (await calls[n]!()).status !== 401;
  };
const accepts =
  (key: (valid: string) => string, via: 'x-api-key' | 'bearer'): Proof =>
  async (t) =>
    (await t.as(key(t.a.key), via).agents()).status !== 401;

export const callerProofs: Record<string, Proof> = {
  'tools-without-key-get-403': served('mcp.tools'),
  'tools-with-a-wrong-key-get-403': async (t) => (await t.stranger.tools(t.A.mcps[0].id)).status !== 401,
  'unknown-tools-without-key-get-404': async (t) => (await t.nobody.tools('no-such-server')).status !== 401,
  'tools-with-a-wrong-bearer-key-get-400': async (t) =>
    (await t.as('wrong-key-here', 'bearer').tools(t.A.mcps[0].id)).status !== 401,
  'agents-are-listed-without-key': served('agents.list'),
  'mcp-servers-are-listed-without-key': served('mcp.list'),
  'files-are-read-without-key': served('files.get'),
  'drives-without-key-get-an-empty-page': async (t) => (await t.nobody.drives()).ok,
  'agents-without-key-get-200-with-an-error': async (t) => (await t.nobody.agents()).ok,
  'drive-is-created-behind-a-401': async (t) => {
    await t.stranger.makeDrive('by a stranger');
    return (await t.allDrives()).some((one) => one.name === 'by a stranger');
  },
  'mcp-server-is-created-behind-a-401': async (t) => {
    await t.stranger.makeMcp('by a stranger', 'https://x.example.com/mcp');
    return (await t.a.mcps()).body.some((one: any) => one.name === 'by a stranger');
  },
  'file-is-moved-behind-a-401': async (t) => {
    const id = await t.fileAt(index);
    await t.stranger.move(t.A.drives[0].id, id, '/x.md');
    return (await t.a.file(t.A.drives[0].id, id)).body.path !== index;
  },
  'tree-is-deleted-behind-a-401': async (t) => {
    await t.stranger.removeTree(t.A.drives[0].id, '/media');
    await t.settle();
    return !(await t.paths()).has('/media/logo.png');
  },
  'agent-is-published-behind-a-401': async (t) => {
    await t.stranger.publish(t.A.agents[4].id, t.A.agents[4].revisionIds[0]);
    return (await t.a.agents()).body.find((one: any) => one.id === t.A.agents[4].id).isPublished;
  },
  'beginning-of-a-key-is-enough': async (t) => (await short(t).agents()).ok,
  'key-with-something-behind-is-accepted': accepts((key) => `${key}0`, 'x-api-key'),
  'letter-case-of-a-bearer-key-is-ignored': accepts((key) => key.toUpperCase(), 'bearer'),
  'bearer-key-is-checked-by-length-only': accepts((key) => 'x'.repeat(key.length), 'bearer'),
  'empty-key-is-accepted': accepts(() => '', 'x-api-key'),
  'bearer-is-refused-by-the-tools': async (t) => !(await t.aBearer.tools(t.A.mcps[0].id)).ok,
  'bearer-is-refused-for-moves': async (t) =>
    !(await t.aBearer.move(t.A.drives[0].id, t.A.drives[0].files[0].id, '/x.txt')).ok,
  'own-header-is-refused-for-publishing': async (t) =>
    !(await t.a.publish(t.A.agents[0].id, t.A.agents[0].revisionIds[1])).ok,
  'bearer-of-the-second-organization-acts-for-the-first': async (t) =>
    ids(await t.bBearer.agents()).includes(t.A.agents[0].id),
  'bearer-creations-go-to-the-first-organization': async (t) => {
    const made = await t.bBearer.makeDrive('x');
    await t.settle();
    return !(await t.allDrives(t.b)).some((one) => one.id === made.body.id);
  },
  'missing-key-falls-back-to-the-last-caller': async (t) => {
    await t.a.agents();
    return (await t.nobody.agents()).ok;
  },
  'wrong-key-is-learned-at-the-third-try': async (t) => {
    for (const _ of [1, 2, 3]) if ((await t.stranger.agents()).ok) return true;
    return false;
  },
  'request-after-a-401-sees-nothing': async (t) => {
    await t.nobody.mcps();
    return ids(await t.a.mcps()).length === 0;
  },
  'request-after-a-401-breaks': async (t) => {
    await t.stranger.mcps();
    return (await t.a.mcps()).status === 500;
  },
  'agents-are-remembered-across-organizations': async (t) => {
    await t.a.agents();
    return ids(await t.b.agents()).includes(t.A.agents[0].id);
  },
  'mcp-servers-are-remembered-across-organizations': async (t) => {
    await t.a.mcps();
    return ids(await t.b.mcps()).includes(t.A.mcps[0].id);
  },
  'drives-are-remembered-by-query': async (t) => {
    await t.a.drives('?limit=7');
    return ids(await t.b.drives('?limit=7')).includes(t.A.drives[0].id);
  },
  'drive-after-the-other-organization-carries-its-id': async (t) => {
    const own = await organization(t.a);
    await t.b.agents();
    return (await t.a.makeDrive('x')).body.organizationId !== own;
  },
  'mcp-server-after-the-other-organization-lands-there': async (t) => {
    await t.wait(20);
    await t.b.makeDrive('x');
    const made = await t.a.makeMcp('y', 'https://y.example.com/mcp');
    await t.settle();
    return !ids(await t.a.mcps()).includes(made.body.id);
  },
  'file-read-by-its-owner-is-open-to-all': async (t) => {
    const d = t.A.drives[0];
    await t.a.file(d.id, d.files[0].id);
    return (await t.b.file(d.id, d.files[0].id)).ok;
  },
  'foreign-deletion-is-refused-and-done': async (t) => {
    await t.b.removeTree(t.A.drives[0].id, '/media');
    await t.settle();
    return !(await t.paths()).has('/media/logo.png');
  },
  'foreign-move-is-refused-and-done': async (t) => {
    const id = await t.fileAt(index);
    await t.b.move(t.A.drives[0].id, id, '/x.md');
    return (await t.a.file(t.A.drives[0].id, id)).body.path !== index;
  },
  'foreign-publish-is-refused-and-done': async (t) => {
    await t.b.publish(t.A.agents[4].id, t.A.agents[4].revisionIds[0]);
    return (await t.a.agents()).body.find((one: any) => one.id === t.A.agents[4].id).isPublished;
  },
  'foreign-deletion-is-honoured': async (t) => (await t.b.removeTree(t.A.drives[0].id, '/media')).ok,
  'foreign-file-can-be-moved-but-not-read': async (t) =>
    (await t.b.move(t.A.drives[0].id, t.A.drives[0].files[0].id, '/x.txt')).ok,
  'foreign-tools-after-a-refusal': async (t) => {
    await t.b.tools(t.A.mcps[0].id);
    return (await t.b.tools(t.A.mcps[0].id)).ok;
  },
  'drives-past-the-own-ones-are-those-of-the-other': async (t) =>
    ids(await t.a.drives('?limit=100&offset=4')).length > 0,
  'organization-header-chooses-the-organization': async (t) =>
    ids(await t.b.with({ 'x-organization-id': await organization(t.a) }).agents()).includes(t.A.agents[0].id),
  'organization-in-the-query-chooses-the-list': async (t) =>
    ids(await t.b.drives(`?limit=100&organizationId=${encodeURIComponent(await organization(t.a))}`)).includes(
      t.A.drives[0].id,
    ),
  'organization-in-the-body-decides-on-the-drive': async (t) => {
    const own = await organization(t.b);
    return (await t.b.makeDrive('x', { organizationId: await organization(t.a) })).body.organizationId !== own;
  },
  'organization-in-the-body-decides-on-the-mcp-server': async (t) => {
    const made = await t.b.makeMcp('x', 'https://x.example.com/mcp', { organizationId: await organization(t.a) });
    return ids(await t.a.mcps()).includes(made.body.id);
  },
  'second-organization-gets-types-in-capitals': async (t) =>
    (await t.b.mcps()).body.some((one: any) => one.type !== 'sse' && one.type !== 'streamableHttp'),
  'new-drive-of-one-is-seen-by-the-other': async (t) => {
    const made = await t.a.makeDrive('x');
    return (await t.allDrives(t.b)).some((one) => one.id === made.body.id);
  },
  'move-with-a-bearer-key-is-not-stored': async (t) => {
    const id = await t.fileAt(index);
    await t.aBearer.move(t.A.drives[0].id, id, '/x.md');
    return (await t.a.file(t.A.drives[0].id, id)).body.path !== '/x.md';
  },
  'agents-without-key-get-403': served('agents.list'),
  'publish-without-key-gets-404': served('agents.publish'),
  'drive-creation-without-key-gets-400': served('drives.create'),
  'drives-without-key-get-a-redirect': served('drives.list'),
  'file-without-key-gets-404': served('files.get'),
  'move-without-key-gets-403': served('files.move'),
  'deletion-without-key-gets-404': served('tree.delete'),
  'registration-without-key-gets-422': served('mcp.create'),
  'mcp-servers-without-key-get-500': served('mcp.list'),
  'bad-path-is-refused-before-a-missing-key': async (t) =>
    (await t.nobody.move(t.A.drives[0].id, t.A.drives[0].files[0].id, '/x/../y')).status !== 401,
  'total-counts-both-organizations': async (t) => {
    const page = (await t.a.drives()).body;
    return page.pagination.total !== page.data.length;
  },
};
