import { breaks, driveCreation, GOOD_URL, serverCreation, toolsSound } from './checks.ts';
import type { Machine } from './model.ts';
import { ok } from './tester.ts';
import type { Variant } from './variant.ts';
import { after, around, field, must, should, wrap } from './variant.ts';

/** Faults that need one step, or several, before they show. */
export const stepFaults: readonly Variant[] = [
  must(
    'valid-key-refused-after-a-wrong-one',
    '5',
    'After a wrong key the next request is refused with 401 too, although its key is valid (the result of the last lookup is kept).',
    (m) => {
      let failed = false;
      wrap(m, 'findOrg', (old) => (ctx) => {
        const org = old(ctx);
        const refused = failed && org !== undefined;
        failed = org === undefined && ctx.key !== undefined;
        return refused ? undefined : org;
      });
    },
    async (t) => {
      await t.call('GET', '/agents', { key: `${t.org().apiKey.slice(0, -3)}000` });
      return (await t.call('GET', '/agents')).status === 401;
    },
  ),
  must(
    'new-drives-lost-by-a-publication',
    '4.4',
    'A publication renews the read models from the last snapshot, so drives created since are not listed any more.',
    (m) =>
      after(m, 'publish', (a, ctx) => {
        for (const [id, drive] of ctx.org.view.drives) if (drive.createdAt > '2025') ctx.org.view.drives.delete(id);
        return a;
      }),
    async (t) => {
      const made = (await t.newDrive('Made before')).body;
      await t.publish(0, 0);
      return !(await t.drives()).some((drive) => drive.id === made.id);
    },
  ),
  must(
    'new-servers-lost-by-a-tree-deletion',
    '4.9',
    'The deletion of a tree also clears the cache that holds the MCP servers registered while the server runs.',
    (m) =>
      after(m, 'deleteTree', (a, ctx) => {
        for (const [id, server] of ctx.org.view.servers) if (server.createdAt > '2025') ctx.org.view.servers.delete(id);
        return a;
      }),
    async (t) => {
      const made = (await t.newServer('Made before', GOOD_URL)).body;
      await t.del('/nothing there');
      return !(await t.servers()).some((server) => server.id === made.id);
    },
  ),
  must(
    'tools-in-another-shape-from-the-cache',
    '4.10',
    'The first answer is right; from the second on, when the tools come from a cache, they are a bare array.',
    (m) => {
      const seen = new Set<string>();
      after(m, 'listTools', (a, ctx) => {
        const key = ctx.params.serverId ?? '';
        if (seen.has(key)) return { ...a, body: a.body.tools };
        seen.add(key);
        return a;
      });
    },
    breaks(async (t) => {
      await toolsSound(t);
      await toolsSound(t);
    }),
  ),
  must(
    'drive-times-from-the-cache-as-numbers',
    '2',
    'A drive that was listed before shows createdAt as a number of milliseconds in later lists.',
    (m) => {
      const seen = new Set<string>();
      field('showDrive', 'createdAt', (value, drive, ctx) => {
        if (ctx.op !== 'listDrives') return value;
        if (seen.has(drive.id)) return Date.parse(value);
        seen.add(drive.id);
        return value;
      })(m);
    },
    async (t) => {
      await t.drives();
      return (await t.drives()).some((drive) => typeof drive.createdAt === 'number');
    },
  ),
  must(
    'server-taken-over-by-its-url',
    '4.9',
    'A registration is an upsert by URL over all organizations: it takes the MCP server away from the one that had it.',
    (m) =>
      around(m, 'createServer', (old, ctx) => {
        for (const org of m.orgs) {
          for (const [id, server] of org.view.servers) {
            if (org !== ctx.org && server.url === ctx.input.url) org.view.servers.delete(id);
          }
        }
        return old(ctx);
      }),
    async (t) => {
      const theirs = (await t.newServer('Theirs', GOOD_URL, 1)).body;
      await t.newServer('Ours', GOOD_URL, 0);
      return !(await t.servers(1)).some((server) => server.id === theirs.id);
    },
  ),
  must(
    'drive-taken-over-by-its-name',
    '4.4',
    'A creation is an upsert by name over all organizations: the drive of that name vanishes from the other organization.',
    (m) =>
      around(m, 'createDrive', (old, ctx) => {
        for (const org of m.orgs) {
          for (const [id, drive] of org.view.drives) {
            if (org !== ctx.org && drive.name === ctx.input.name) org.view.drives.delete(id);
          }
        }
        return old(ctx);
      }),
    async (t) => {
      const theirs = (await t.newDrive('Marketing', 1)).body;
      await t.newDrive('Marketing', 0);
      return !(await t.drives(1)).some((drive) => drive.id === theirs.id);
    },
  ),
  must(
    'tree-by-bearer-deletes-nothing',
    '4.7',
    'With a bearer token the deletion job has no owner and ends without having done anything.',
    (m) => wrap(m, 'remove', (old) => (org, files, ctx) => (ctx.via === 'bearer' ? undefined : old(org, files, ctx))),
    async (t) => {
      await t.plant(['/by bearer/a']);
      const path = `/drives/${t.driveId()}/items/tree?${t.facts.treePathParameter}=/by%20bearer`;
      return ok(await t.call('DELETE', path, { via: 'bearer' })) && ok(await t.get());
    },
  ),
  must(
    'drive-listed-with-another-id',
    '4.4',
    'A new drive is listed with another id than its creation answered.',
    (m) =>
      field(
        'showDrive',
        'id',
        (id) => `${id}-1`,
        (drive, ctx) => drive.createdAt > '2025' && ctx.op === 'listDrives',
      )(m),
    breaks((t) => driveCreation(t)),
  ),
  must(
    'server-listed-under-its-first-name-only',
    '4.9',
    'The list shows the name of a new MCP server up to its first blank, the registration the whole name.',
    (m) =>
      field(
        'showServer',
        'name',
        (name) => name.split(' ')[0],
        (server, ctx) => server.createdAt > '2025' && ctx.op === 'listServers',
      )(m),
    breaks((t) => serverCreation(t, 'Two words')),
  ),
  must(
    'file-unreadable-after-its-second-move',
    '4.5',
    'A file that was moved twice is not found any more: its record is saved under the number of its version.',
    (m) => afterMoves(m, 2),
    async (t) => {
      await t.move('/one.txt');
      await t.move('/two.txt');
      return !ok(await t.get());
    },
  ),
  must(
    'deleted-file-back-after-three-lists',
    '4.7',
    'The third list of drives after a deletion brings the deleted files back (a sync that runs every third time).',
    (m) => {
      const gone = new Map<string, () => void>();
      let lists = 0;
      wrap(m, 'remove', (old) => (org, files, ctx) => {
        for (const file of files) gone.set(file.id, () => org.view.files.set(file.id, file));
        lists = 0;
        old(org, files, ctx);
      });
      after(m, 'listDrives', (a) => {
        lists += 1;
        if (lists === 3) for (const restore of gone.values()) restore();
        return a;
      });
    },
    async (t) => {
      await t.plant(['/soft/a']);
      await t.del('/soft');
      for (let n = 0; n < 3; n += 1) await t.page({ limit: 5 });
      return ok(await t.get());
    },
  ),
  should(
    'servers-name-their-organization-differently',
    '2',
    'organizationId of MCP servers is another text than organizationId of the drives of the same organization.',
    field('showServer', 'organizationId', (id) => `tenant:${id}`),
    async (t) => (await t.servers())[0]?.organizationId !== (await t.drives())[0]?.organizationId,
  ),
  should(
    'publication-flag-lost-by-a-registration',
    '2',
    'The registration of an MCP server resets isPublished of the agents that were published since the start.',
    (m) =>
      after(m, 'createServer', (a, ctx) => {
        for (const agent of ctx.org.view.agents.values()) if (agent.updatedAt > '2025') delete agent.activeRevisionId;
        return a;
      }),
    async (t) => {
      const id = t.org().agents[0]?.id;
      await t.publish(0, 0);
      await t.newServer('Fresh', GOOD_URL);
      return (await t.agents()).find((agent) => agent.id === id)?.isPublished === false;
    },
  ),
];

function afterMoves(m: Machine, limit: number): void {
  const moves = new Map<string, number>();
  after(m, 'moveFile', (a, ctx) => {
    const id = ctx.params.fileId ?? '';
    moves.set(id, (moves.get(id) ?? 0) + 1);
    if ((moves.get(id) ?? 0) >= limit) ctx.org.view.files.delete(id);
    return a;
  });
}
