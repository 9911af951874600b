// What a client does to see each fault of a sequence. True when the fault shows.
import type { Bench } from './client.ts';

export type Proof = (t: Bench) => Promise<unknown>;
const index = '/reports/index.md';
const pathNow = async (t: Bench, id: string, drive = 0): Promise<string> =>
  (await t.a.file(t.A.drives[drive]!.id, id)).body?.path;
const agent = async (t: Bench, id: string): Promise<any> => (await t.a.agents()).body.find((one: any) => one.id === id);
const listed = async (t: Bench, id: string): Promise<boolean> => (await t.allDrives()).some((one) => one.id === id);

// Moves the index file along these paths; gives all replies and what is read at the end.
async function moves(t: Bench, ...paths: string[]): Promise<{ id: string; drive: string; replies: any[]; end: any }> {
  const drive = t.A.drives[0].id,
    id = await t.fileAt(index),
    replies: any[] = [];
  for (const path of paths) replies.push(await t.a.move(drive, id, path));
  return { id, drive, replies, end: (await t.a.file(drive, id)).body };
}
async function publishAll(t: Bench, n: number, ...revisions: number[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const r of revisions)
    statuses.push((await t.a.publish(t.A.agents[n]!.id, t.A.agents[n]!.revisionIds[r]!)).status);
  return statuses;
}
const remove = async (t: Bench, path: string, drive = 0): Promise<void> => {
  await t.a.removeTree(t.A.drives[drive]!.id, path);
  await t.settle();
};
const has = async (t: Bench, path: string, drive = 0): Promise<boolean> => (await t.paths(drive)).has(path);

export const sequenceProofs: Record<string, Proof> = {
  'move-back-is-lost': async (t) => (await moves(t, '/x/a.md', index)).end.path !== index,
  'move-back-answers-the-middle-path': async (t) => (await moves(t, '/x/a.md', index)).replies[1].body.path !== index,
  'second-move-of-a-file-is-lost': async (t) => (await moves(t, '/x/a.md', '/x/b.md')).end.path !== '/x/b.md',
  'repeated-move-breaks': async (t) => (await moves(t, '/x/a.md', '/x/a.md')).replies[1].status === 500,
  'move-takes-a-neighbour-along': async (t) => {
    const two = await t.fileAt('/reports/drafts/two.md');
    await t.a.move(t.A.drives[0].id, await t.fileAt('/reports/drafts/one.md'), '/x/one.md');
    return (await pathNow(t, two)) !== '/reports/drafts/two.md';
  },
  'second-move-answers-a-new-id': async (t) => {
    const seen = await moves(t, '/x/a.md', '/x/b.md');
    return seen.replies[1].body.id !== seen.id;
  },
  'twice-moved-file-cannot-be-read': async (t) => {
    const seen = await moves(t, '/x/a.md', '/x/b.md');
    return !(await t.a.file(seen.drive, seen.id)).ok;
  },
  'moved-twice-goes-back-when-listed': async (t) => {
    const seen = await moves(t, '/x/a.md', '/x/b.md');
    await t.a.drives();
    return (await pathNow(t, seen.id)) !== '/x/b.md';
  },
  'next-move-brings-a-deleted-tree-back': async (t) => {
    await remove(t, '/media');
    await moves(t, '/x/a.md');
    return has(t, '/media/logo.png');
  },
  'new-drive-brings-a-deleted-tree-back': async (t) => {
    await remove(t, '/media');
    await t.a.makeDrive('later');
    return has(t, '/media/logo.png');
  },
  'deleted-file-can-be-moved-back-to-life': async (t) => {
    const id = await t.fileAt('/media/logo.png');
    await remove(t, '/media');
    return (await t.a.move(t.A.drives[0].id, id, '/x/logo.png')).ok && (await t.a.file(t.A.drives[0].id, id)).ok;
  },
  'second-deletion-undoes-the-first': async (t) => {
    await remove(t, '/media');
    const gone = !(await has(t, '/media/logo.png'));
    await remove(t, '/media');
    return gone && has(t, '/media/logo.png');
  },
  'deletion-follows-the-old-path': async (t) => {
    const { id } = await moves(t, '/x/a.md');
    await remove(t, '/reports');
    return (await pathNow(t, id)) !== '/x/a.md';
  },
  'deletion-spares-files-moved-in': async (t) => {
    const { id } = await moves(t, '/media/in.md');
    await remove(t, '/media');
    return (await pathNow(t, id)) === '/media/in.md';
  },
  'deletion-of-a-parent-after-its-child-does-nothing': async (t) => {
    await remove(t, '/reports/2024');
    await remove(t, '/reports');
    return has(t, index);
  },
  'second-deletion-in-a-drive-is-ignored': async (t) => {
    await remove(t, '/reports/2024');
    await remove(t, '/media');
    return has(t, '/media/logo.png');
  },
  'deletion-repeats-in-the-drive-deleted-from-before': async (t) => {
    await remove(t, '/archive', 2);
    await remove(t, '/notes', 1);
    return !(await has(t, '/notes/a.txt', 2));
  },
  'emptied-drive-leaves-the-list': async (t) => {
    await remove(t, '/', 2);
    return !(await listed(t, t.A.drives[2].id));
  },
  'move-into-a-deleted-directory-breaks': async (t) => {
    await remove(t, '/media');
    return (await moves(t, '/media/new.md')).replies[0].status === 500;
  },
  'publishing-the-first-revision-again-breaks': async (t) => (await publishAll(t, 4, 0, 1, 0))[2] === 500,
  'published-agent-stands-twice': async (t) => {
    await publishAll(t, 0, 1, 2);
    const ids = (await t.a.agents()).body.map((one: any) => one.id);
    return new Set(ids).size < ids.length;
  },
  'second-publish-drops-the-agent': async (t) => {
    await publishAll(t, 0, 1, 2);
    return !(await agent(t, t.A.agents[0].id));
  },
  'publish-renews-the-creation-time': async (t) => {
    const before = await agent(t, t.A.agents[0].id);
    await publishAll(t, 0, 1);
    return (await agent(t, t.A.agents[0].id)).createdAt !== before.createdAt;
  },
  'published-agent-is-listed-under-its-revision': async (t) => {
    await publishAll(t, 0, 1);
    return !(await agent(t, t.A.agents[0].id));
  },
  'publish-after-a-refused-publish-breaks': async (t) => {
    await t.a.publish(t.A.agents[0].id, 'no-such-revision');
    return (await publishAll(t, 0, 1))[0]! >= 500;
  },
  'drives-of-one-name-share-an-id': async (t) => {
    await t.a.makeDrive('same');
    await t.a.makeDrive('same');
    const ids = (await t.allDrives()).map((one) => one.id);
    return new Set(ids).size < ids.length;
  },
  'repeated-name-hides-the-earlier-drive': async (t) => {
    const made = await t.a.makeDrive('A');
    await t.a.makeDrive('B');
    await t.a.makeDrive('A');
    return !(await listed(t, made.body.id));
  },
  'new-drive-renews-the-times-of-older-ones': async (t) => {
    const before = await t.allDrives();
    await t.a.makeDrive('new');
    const after = await t.allDrives();
    return before.some((one) => after.find((two) => two.id === one.id)?.createdAt !== one.createdAt);
  },
  'new-drive-renames-the-one-before': async (t) => {
    const made = await t.a.makeDrive('A');
    await t.a.makeDrive('B');
    return (await t.allDrives()).find((one) => one.id === made.body.id)?.name !== 'A';
  },
  'same-url-replaces-the-mcp-server': async (t) => {
    const made = await t.a.makeMcp('one', 'https://u.example.com/mcp');
    await t.a.makeMcp('two', 'https://u.example.com/mcp');
    return !(await t.a.mcps()).body.some((one: any) => one.id === made.body.id);
  },
  'same-name-keeps-the-later-mcp-server-out': async (t) => {
    await t.a.makeMcp('one', 'https://u.example.com/mcp');
    const made = await t.a.makeMcp('one', 'https://v.example.com/mcp');
    await t.settle();
    return !(await t.a.mcps()).body.some((one: any) => one.id === made.body.id);
  },
  'new-mcp-server-hides-the-tools-of-the-oldest': async (t) => {
    await t.a.tools(t.A.mcps[0].id);
    await t.a.makeMcp('one', 'https://u.example.com/mcp');
    return (await t.a.tools(t.A.mcps[0].id)).status === 404;
  },
  'every-second-list-lacks-the-last-mcp-server': async (t) =>
    (await t.a.mcps()).body.length !== (await t.a.mcps()).body.length,
  'moved-file-shows-its-old-path-at-every-second-read': async (t) => {
    const seen = await moves(t, '/x/a.md');
    return (await pathNow(t, seen.id)) !== seen.end.path;
  },
  'refused-move-is-stored': async (t) => (await moves(t, '/reports/../x.md')).end.path !== index,
  'move-after-a-refused-move-is-lost': async (t) => (await moves(t, '/../x.md', '/x/a.md')).end.path !== '/x/a.md',
  'refused-deletion-happens-with-the-next-one': async (t) => {
    await remove(t, '/reports/../media');
    await remove(t, '/reports/2024');
    return !(await has(t, '/media/logo.png'));
  },
  'refused-limit-empties-the-next-list': async (t) => {
    await t.a.drives('?limit=0');
    return (await t.a.drives()).body.data.length === 0;
  },
  'creation-after-a-broken-body-repeats-the-name-before': async (t) => {
    await t.a.makeDrive('A');
    await t.a.send('POST', '/drives', '{"name": "B"');
    return (await t.a.makeDrive('C')).body.name !== 'C';
  },
  'refused-path-passes-at-the-second-try': async (t) => {
    const seen = await moves(t, '/reports/../x.md', '/reports/../x.md');
    return seen.replies[1].ok;
  },
  'tools-double-at-every-read': async (t) =>
    (await t.a.tools(t.A.mcps[0].id)).body.tools.length !== (await t.a.tools(t.A.mcps[0].id)).body.tools.length,
  'drive-after-an-mcp-server-is-not-listed': async (t) => {
    await t.a.makeMcp('one', 'https://u.example.com/mcp');
    const made = await t.a.makeDrive('A');
    await t.settle();
    return !(await listed(t, made.body.id));
  },
  'publishing-back-unpublishes': async (t) => {
    await publishAll(t, 4, 0, 1, 0);
    await t.settle();
    return !(await agent(t, t.A.agents[4].id)).isPublished;
  },
  'publishing-one-agent-unpublishes-the-one-before': async (t) => {
    await publishAll(t, 4, 0);
    await publishAll(t, 0, 1);
    await t.settle();
    return !(await agent(t, t.A.agents[4].id)).isPublished;
  },
  'refused-revision-publishes-the-agent': async (t) => {
    await t.a.publish(t.A.agents[4].id, 'no-such-revision');
    return (await agent(t, t.A.agents[4].id)).isPublished;
  },
  'second-move-turns-the-modification-time-back': async (t) => {
    const seen = await moves(t, '/x/a.md', '/x/b.md');
    return seen.replies[1].body.modifiedAt < seen.replies[0].body.modifiedAt;
  },
};
