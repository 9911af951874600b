// What a client does to see each fault of time. True when the fault shows.
import type { Bench } from './client.ts';
import type { Proof } from './proofs-sequence.ts';

const index = '/reports/index.md';
const inList = async (t: Bench, id: string): Promise<any> => (await t.allDrives()).find((one) => one.id === id);
const inMcps = async (t: Bench, id: string): Promise<any> => (await t.a.mcps()).body.find((one: any) => one.id === id);
const agent = async (t: Bench, n = 0): Promise<any> =>
  (await t.a.agents()).body.find((one: any) => one.id === t.A.agents[n]!.id);
const makeMcp = async (t: Bench): Promise<any> => (await t.a.makeMcp('Timed', 'https://timed.example.com/mcp')).body;
const makeDrive = async (t: Bench): Promise<any> => (await t.a.makeDrive('Timed')).body;
const moved = async (t: Bench): Promise<{ read(): Promise<any>; reply: any }> => {
  const id = await t.fileAt(index),
    drive = t.A.drives[0].id,
    reply = (await t.a.move(drive, id, '/x.md')).body;
  return { reply, read: async () => (await t.a.file(drive, id)).body };
};
const driveLater =
  (ms: number, bad: (later: any, made: any) => unknown): Proof =>
  async (t) => {
    const made = await makeDrive(t);
    await t.wait(ms);
    return bad(await inList(t, made.id), made);
  };
const mcpLater =
  (ms: number, bad: (later: any, made: any) => unknown): Proof =>
  async (t) => {
    const made = await makeMcp(t);
    await t.wait(ms);
    return bad(await inMcps(t, made.id), made);
  };
const removed = async (t: Bench, ms: number, path = '/media'): Promise<Map<string, any>> => {
  await t.a.removeTree(t.A.drives[0].id, path);
  await t.wait(ms);
  return t.paths();
};
const differs =
  (read: (t: Bench) => Promise<any>, pick: (value: any) => unknown): Proof =>
  async (t) => {
    const one = pick(await read(t));
    await t.wait(15);
    return JSON.stringify(one) !== JSON.stringify(pick(await read(t)));
  };
const beyond = 720;

export const timeProofs: Record<string, Proof> = {
  'new-drive-never-comes-into-the-list': driveLater(beyond, (later) => !later),
  'new-mcp-server-never-comes-into-the-list': mcpLater(beyond, (later) => !later),
  'new-drive-comes-after-five-seconds': driveLater(beyond, (later) => !later),
  'new-mcp-server-comes-after-five-seconds': mcpLater(beyond, (later) => !later),
  'new-drive-goes-after-a-second': driveLater(1300, (later) => !later),
  'new-mcp-server-goes-after-a-second': mcpLater(1300, (later) => !later),
  'move-is-undone-after-a-second': async (t) => {
    const file = await moved(t);
    await t.wait(1300);
    return (await file.read()).path !== '/x.md';
  },
  'deleted-tree-comes-back-after-a-second': async (t) => (await removed(t, 1300)).has('/media/logo.png'),
  'deletion-never-happens': async (t) => (await removed(t, beyond)).has('/media/logo.png'),
  'deletion-takes-five-seconds': async (t) => (await removed(t, beyond)).has('/media/logo.png'),
  'deletion-never-comes-to-its-second-half': async (t) =>
    [...(await removed(t, beyond, '/reports')).keys()].some((path) => path.startsWith('/reports/')),
  'deletion-takes-neighbours-a-little-later': async (t) =>
    !(await removed(t, beyond, '/reports')).has('/reports2/plan.txt'),
  'creation-time-of-drives-is-now': driveLater(30, (later, made) => later.createdAt !== made.createdAt),
  'creation-time-of-mcp-servers-follows-the-last-one': async (t) => {
    const before = await inMcps(t, t.A.mcps[0].id);
    await makeMcp(t);
    return (await inMcps(t, t.A.mcps[0].id)).createdAt !== before.createdAt;
  },
  'creation-time-of-a-drive-is-rounded-in-the-list': driveLater(0, (later, made) => later.createdAt !== made.createdAt),
  'creation-time-of-agents-drifts': differs(agent, (one) => one.createdAt),
  'creation-time-of-a-drive-moves-with-its-files': async (t) => {
    const before = await inList(t, t.A.drives[0].id);
    await moved(t);
    return (await inList(t, t.A.drives[0].id)).createdAt !== before.createdAt;
  },
  'creation-time-of-new-drives-is-long-ago': driveLater(
    0,
    (later) => Date.parse(later.createdAt) < Date.now() - 86_400_000,
  ),
  'creation-time-of-new-mcp-servers-is-next-year': mcpLater(
    0,
    (later) => Date.parse(later.createdAt) > Date.now() + 86_400_000,
  ),
  'reading-renews-a-file': differs(
    (t) => t.a.file(t.A.drives[0].id, t.A.drives[0].files[0].id),
    (one) => one.body.modifiedAt,
  ),
  'listing-renews-agents': differs(agent, (one) => one.updatedAt),
  'listing-renews-mcp-servers': differs(
    (t) => inMcps(t, t.A.mcps[0].id),
    (one) => one.updatedAt,
  ),
  'listing-renews-drives-on-the-page': differs(
    (t) => t.a.drives(),
    (one) => one.body.data,
  ),
  'reading-tools-renews-the-mcp-server': async (t) => {
    const before = await inMcps(t, t.A.mcps[0].id);
    await t.a.tools(before.id);
    return (await inMcps(t, before.id)).updatedAt !== before.updatedAt;
  },
  'deleted-file-answers-again-at-the-third-read': async (t) => {
    const id = await t.fileAt('/media/logo.png');
    await t.a.removeTree(t.A.drives[0].id, '/media');
    await t.settle();
    for (let n = 0; n < 3; n++) if ((await t.a.file(t.A.drives[0].id, id)).ok) return true;
    return false;
  },
  'new-drive-gets-its-final-id-later': driveLater(beyond, (later) => !later),
  'new-drive-is-renamed-later': driveLater(beyond, (later) => later.name !== 'Timed'),
  'mcp-server-changes-to-an-unknown-type': mcpLater(
    beyond,
    (later) => later.type !== 'sse' && later.type !== 'streamableHttp',
  ),
  'mcp-server-moves-to-another-organization-id': mcpLater(
    beyond,
    (later, made) => later.organizationId !== made.organizationId,
  ),
  'file-is-moving-for-a-while': async (t) => (await moved(t)).reply.status === 'moving',
  'file-is-deleting-for-a-while': async (t) => {
    const id = await t.fileAt('/media/logo.png');
    await t.a.removeTree(t.A.drives[0].id, '/media');
    return (await t.a.file(t.A.drives[0].id, id)).body.status === 'deleting';
  },
  'tools-are-gone-at-the-second-read': differs(
    (t) => t.a.tools(t.A.mcps[0].id),
    (one) => one.body.tools,
  ),
  'agent-is-away-for-two-seconds-after-a-publish': async (t) => {
    await t.a.publish(t.A.agents[0].id, t.A.agents[0].revisionIds[1]);
    await t.settle();
    return !(await agent(t));
  },
  'times-of-moved-files-carry-a-local-offset': async (t) => !/(Z|\+00:00)$/.test((await moved(t)).reply.modifiedAt),
  'times-of-published-agents-lack-their-zone': async (t) => {
    await t.a.publish(t.A.agents[0].id, t.A.agents[0].revisionIds[1]);
    return !/T.*Z$/.test((await agent(t)).updatedAt);
  },
  'times-of-new-drives-are-numbers-later': driveLater(beyond, (later) => typeof later.createdAt !== 'string'),
  'moved-file-is-gone-after-a-second': async (t) => {
    const file = await moved(t);
    await t.wait(1300);
    return !(await file.read())?.path;
  },
  'publish-fades-after-a-second': async (t) => {
    await t.a.publish(t.A.agents[4].id, t.A.agents[4].revisionIds[0]);
    await t.wait(1300);
    return !(await agent(t, 4)).isPublished;
  },
  'publish-never-shows': async (t) => {
    await t.a.publish(t.A.agents[4].id, t.A.agents[4].revisionIds[0]);
    await t.settle();
    return !(await agent(t, 4)).isPublished;
  },
  'update-time-lies-before-the-creation-time': driveLater(0, (later) => later.updatedAt < later.createdAt),
  'modification-time-lies-in-the-future': async (t) =>
    Date.parse((await moved(t)).reply.modifiedAt) > Date.now() + 86_400_000,
};
