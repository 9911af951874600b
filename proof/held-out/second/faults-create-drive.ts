import assert from 'node:assert/strict';
import { breaks, driveCreation, drivesSound } from './checks.ts';
import type { Ctx, Machine } from './model.ts';
import { Refusal } from './model.ts';
import { nap } from './server.ts';
import type { Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Demo, Variant } from './variant.ts';
import { after, around, must, should, wrap } from './variant.ts';

const S = '4.3';
const creates = (name: string, org = 0): Demo => breaks((t) => driveCreation(t, name, org));

/** Changes the input of an operation before it is decided upon. */
export function input(op: Ctx['op'], name: string, change: (value: any, ctx: Ctx) => unknown) {
  return (m: Machine) =>
    wrap(m, 'readInput', (old) => (ctx) => {
      old(ctx);
      if (ctx.op === op && typeof ctx.input[name] === 'string') {
        ctx.input = { ...ctx.input, [name]: change(ctx.input[name], ctx) };
      }
    });
}
const named = (change: (name: string) => string) => input('createDrive', 'name', change);

const names: Variant[] = [
  should(
    'drive-name-cut-at-32',
    S,
    'The name of a drive is cut at 32 characters.',
    named((n) => n.slice(0, 32)),
    creates('Contracts of the northern and southern regions'),
  ),
  must(
    'drive-name-ascii-only',
    S,
    'Letters outside ASCII become question marks.',
    named((n) => n.replace(/[^ -~]/g, '?')),
    creates('Müller & Söhne'),
  ),
  must(
    'drive-name-twice-encoded',
    S,
    'The body is read as Latin-1, so ü becomes two characters.',
    named((n) => Buffer.from(n).toString('latin1')),
    creates('Büro'),
  ),
  must(
    'drive-name-escaped-for-html',
    S,
    'The characters & and < are stored escaped for HTML.',
    named((n) => n.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    creates('Research & Development'),
  ),
  must(
    'drive-name-in-small-letters',
    S,
    'Names are stored in small letters.',
    named((n) => n.toLowerCase()),
    creates('Legal Department'),
  ),
  must(
    'drive-name-as-slug',
    S,
    'Blanks in names become hyphens.',
    named((n) => n.replaceAll(' ', '-')),
    creates('Legal Department'),
  ),
  must(
    'drive-name-without-emoji',
    S,
    'Characters outside the basic plane are dropped, as a three-byte UTF-8 column does.',
    named((n) => n.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
    creates('Launch 🚀 plans'),
  ),
  must(
    'drive-name-percent-decoded',
    S,
    'A name in the JSON body is percent-decoded.',
    named((n) => n.replace(/%[0-9A-Fa-f]{2}/g, (hex) => String.fromCharCode(Number.parseInt(hex.slice(1), 16)))),
    creates('Offer %20 of 100'),
  ),
  must(
    'drive-name-plus-as-blank',
    S,
    'A plus in a name becomes a blank.',
    named((n) => n.replaceAll('+', ' ')),
    creates('Sales+Marketing'),
  ),
  must(
    'drive-name-quotes-doubled',
    S,
    'An apostrophe is stored twice (escaped by hand and by the driver).',
    named((n) => n.replaceAll("'", "''")),
    creates("Anna's drive"),
  ),
  must(
    'drive-name-cut-at-a-dot',
    S,
    'What follows the last dot of a name is taken for an extension and dropped.',
    named((n) => n.replace(/(.)\.[^.]*$/, '$1')),
    creates('Release v2.1'),
  ),
  must(
    'drive-name-of-the-organization',
    S,
    'The drive is always called Untitled drive.',
    named(() => 'Untitled drive'),
    creates('Fresh drive'),
  ),
  must(
    'drive-name-right-in-the-answer-only',
    S,
    'The answer shows the name sent; what is stored is cut at 20 characters.',
    (m) =>
      wrap(m, 'append', (old) => (org, event) => {
        if (event.type !== 'DriveCreated') return old(org, event);
        old(org, { ...event, drive: { ...event.drive, name: event.drive.name.slice(0, 20) } });
      }),
    creates('Contracts of the northern region'),
  ),
  must(
    'drive-name-escapes-kept',
    S,
    'The name is cut out of the body by a regular expression, so JSON escapes stay as they are written.',
    (m) =>
      wrap(m, 'readInput', (old) => (ctx) => {
        old(ctx);
        const found = /"name"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(ctx.text);
        if (ctx.op === 'createDrive' && found) ctx.input = { ...ctx.input, name: found[1] };
      }),
    creates('The "new" drive'),
  ),
];

const storing: Variant[] = [
  must(
    'drive-not-stored',
    S,
    'The drive is answered and never stored.',
    (m) =>
      wrap(m, 'append', (old) => (org, event) => {
        if (event.type !== 'DriveCreated' || m.orgs.length < 2 || event.drive.createdAt < '2025') old(org, event);
      }),
    creates('Fresh drive'),
  ),
  must(
    'second-new-drive-not-stored',
    S,
    'The first drive an organization creates is stored, later ones fail silently in a transaction left open.',
    (m) => {
      const open = new Set<string>();
      wrap(m, 'append', (old) => (org, event) => {
        if (event.type !== 'DriveCreated' || event.drive.createdAt < '2025') return old(org, event);
        if (!open.has(org.id)) old(org, event);
        open.add(org.id);
      });
    },
    breaks(async (t) => {
      await driveCreation(t, 'First');
      await driveCreation(t, 'Second');
    }),
  ),
  must(
    'drive-created-twice',
    S,
    'A retry inside the server creates the drive a second time.',
    (m) =>
      after(m, 'createDrive', (a, ctx) => {
        const copy = { ...a.body, id: m.newId('drv') };
        m.append(ctx.org, { type: 'DriveCreated', drive: copy });
        return a;
      }),
    twoOfOne,
  ),
  must(
    'drive-created-twice-by-bearer',
    S,
    'With a bearer token the creation passes two routers and makes two drives.',
    (m) =>
      around(m, 'createDrive', async (old, ctx) => {
        if (ctx.via === 'bearer') await old(ctx);
        return old(ctx);
      }),
    async (t) => {
      const count = (await t.drives()).length;
      await t.call('POST', '/drives', { via: 'bearer', body: { name: 'Only one' } });
      return (await t.drives()).length === count + 2;
    },
  ),
  must(
    'drive-in-the-default-organization',
    S,
    'Every new drive belongs to the first organization.',
    (m) => around(m, 'createDrive', (old, ctx) => old({ ...ctx, org: m.orgs[0] ?? ctx.org })),
    creates('Fresh drive', 1),
  ),
  must(
    'drive-in-the-organization-of-the-body',
    '5',
    'The field organizationId of the body decides to whom a new drive belongs.',
    (m) =>
      around(m, 'createDrive', (old, ctx) =>
        old({ ...ctx, org: m.orgs.find((org) => org.id === ctx.input.organizationId) ?? ctx.org }),
      ),
    async (t) => {
      const organizationId = (await t.drives(1))[0]?.organizationId;
      const made = (await t.call('POST', '/drives', { body: { name: 'Smuggled', organizationId } })).body;
      return (await t.drives(1)).some((drive) => drive.id === made?.id);
    },
  ),
  must(
    'drive-shown-with-another-organization',
    S,
    'The answer to a creation names the other organization; the list names the right one.',
    (m) =>
      after(m, 'createDrive', (a, ctx) => {
        const other = m.orgs.find((org) => org !== ctx.org);
        return { ...a, body: { ...a.body, organizationId: other?.id } };
      }),
    creates('Fresh drive'),
  ),
  must(
    'drive-organization-lost',
    S,
    'The answer to a creation has no organizationId.',
    (m) =>
      after(m, 'createDrive', (a) => {
        const { organizationId: _o, ...body } = a.body;
        return { ...a, body };
      }),
    creates('Fresh drive'),
  ),
  must(
    'drive-answer-in-an-envelope',
    S,
    'The new drive stands under data in the answer.',
    (m) => after(m, 'createDrive', (a) => ({ ...a, body: { data: a.body } })),
    creates('Fresh drive'),
  ),
  must(
    'drive-created-without-content',
    S,
    'A creation is answered with 204 and a Location header.',
    (m) => after(m, 'createDrive', (a) => ({ status: 204, headers: { location: `/drives/${a.body.id}` } })),
    creates('Fresh drive'),
  ),
  must(
    'drive-answer-with-id-only',
    S,
    'The answer to a creation holds the id and nothing else.',
    (m) => after(m, 'createDrive', (a) => ({ ...a, body: { id: a.body.id } })),
    creates('Fresh drive'),
  ),
  must(
    'drive-answer-is-the-one-before',
    S,
    'The answer to a creation shows the newest drive of before (read before the commit).',
    (m) =>
      around(m, 'createDrive', async (old, ctx) => {
        const before = m.drives(ctx).at(-1);
        const answer = await old(ctx);
        return before ? { ...answer, body: m.showDrive(before, ctx) } : answer;
      }),
    creates('Fresh drive'),
  ),
  must(
    'drive-id-of-the-name',
    S,
    'The id is made of the name, so two drives with one name share an id.',
    (m) => idFrom(m, (ctx) => Buffer.from(ctx.input.name).toString('hex').slice(0, 16)),
    sameIds('Twins', 'Twins'),
  ),
  must(
    'drive-id-of-the-time',
    S,
    'The id is made of the time in steps of four seconds, so drives made shortly after each other share it.',
    (m) => idFrom(m, () => String(Math.floor(Date.now() / 4000))),
    sameIds('One', 'Two'),
  ),
  must(
    'drive-id-of-the-count',
    S,
    'The id is the number of drives, read before a short wait, so creations at the same time get the same.',
    (m) =>
      around(m, 'createDrive', async (old, ctx) => {
        const number = String(ctx.org.view.drives.size);
        await nap(m, 25);
        const id = `drv_${ctx.org.index}_${number}`;
        return rename(m, ctx, await old(ctx), id);
      }),
    async (t) => {
      const replies = await Promise.all(['A1', 'A2', 'A3'].map((name) => t.newDrive(name)));
      return new Set(replies.map((reply) => reply.body.id)).size < 3;
    },
  ),
  must(
    'drive-lost-among-simultaneous-ones',
    S,
    'Of drives created at the same moment only the last one is stored (the whole list is written back).',
    (m) =>
      around(m, 'createDrive', async (old, ctx) => {
        const before = new Map(ctx.org.view.drives);
        await nap(m, 25);
        ctx.org.view.drives = before;
        return old(ctx);
      }),
    async (t) => {
      const replies = await Promise.all(['A1', 'A2', 'A3'].map((name) => t.newDrive(name)));
      const ids = (await t.drives()).map((drive) => drive.id);
      return replies.some((reply) => !ids.includes(reply.body.id));
    },
  ),
  must(
    'drive-creation-time-of-each-reading',
    '2',
    'createdAt of a drive is the time of the answer, so it differs from one answer to the next.',
    (m) => wrap(m, 'showDrive', (old) => (d, ctx) => ({ ...old(d, ctx), createdAt: m.now() })),
    async (t) => {
      const first = (await t.drives())[0].createdAt;
      await new Promise((resolve) => setTimeout(resolve, 15));
      return (await t.drives())[0].createdAt !== first;
    },
  ),
  must(
    'drive-of-same-name-replaced',
    S,
    'A drive with a name that exists takes the place of the older one, which vanishes.',
    (m) =>
      wrap(m, 'append', (old) => (org, event) => {
        if (event.type === 'DriveCreated') {
          for (const [id, drive] of org.view.drives) if (drive.name === event.drive.name) org.view.drives.delete(id);
        }
        old(org, event);
      }),
    async (t) => {
      const first = (await t.newDrive('Doublet')).body;
      await t.newDrive('Doublet');
      return !(await t.drives()).some((drive) => drive.id === first.id);
    },
  ),
  must(
    'drive-forgotten-after-three-more',
    S,
    'New drives live in a cache for three; the fourth drives the first one out.',
    (m) => {
      const fresh: string[] = [];
      after(m, 'createDrive', (a, ctx) => {
        fresh.push(a.body.id);
        if (fresh.length > 3) ctx.org.view.drives.delete(fresh.shift() ?? '');
        return a;
      });
    },
    async (t) => {
      const first = (await t.newDrive('Number 1')).body;
      for (const n of [2, 3, 4]) await t.newDrive(`Number ${n}`);
      return !(await t.drives()).some((drive) => drive.id === first.id);
    },
  ),
  must(
    'drive-creation-fails-for-non-ascii',
    S,
    'A name with letters outside ASCII is stored, but the answer is cut by its length in characters and is no JSON.',
    (m) =>
      after(m, 'createDrive', (a) => {
        const text = JSON.stringify(a.body);
        return { ...a, raw: Buffer.from(text).subarray(0, text.length) };
      }),
    creates('Überblick 2025'),
  ),
  must(
    'drive-creation-refused-for-the-second-organization',
    S,
    'The second organization has no right to create drives (a role that was not migrated).',
    (m) =>
      around(m, 'createDrive', (old, ctx) => {
        if (ctx.org.index === 1) throw new Refusal(500, 'role', 'role is undefined');
        return old(ctx);
      }),
    async (t: Tester) => !ok(await t.newDrive('Fresh drive', 1)),
  ),
  must(
    'drive-in-both-organizations',
    '5',
    'A new drive is written to the partitions of both organizations.',
    (m) =>
      after(m, 'createDrive', (a, ctx) => {
        for (const org of m.orgs) {
          if (org !== ctx.org) m.append(org, { type: 'DriveCreated', drive: { ...a.body } });
        }
        return a;
      }),
    breaks(async (t) => {
      await driveCreation(t, 'Shared by mistake');
      assert.ok(await drivesSound(t));
    }),
  ),
];

async function twoOfOne(t: Tester): Promise<boolean> {
  await t.newDrive('Only one of these');
  return (await t.drives()).filter((drive) => drive.name === 'Only one of these').length === 2;
}

function rename(m: Machine, ctx: Ctx, answer: { status: number; body?: any }, id: string) {
  const drive = ctx.org.view.drives.get(answer.body.id);
  if (!drive) return answer;
  ctx.org.view.drives.delete(drive.id);
  const renamed = { ...drive, id };
  const key = ctx.org.view.drives.has(id) ? `${id} again ${m.newId('x')}` : id;
  ctx.org.view.drives.set(key, renamed);
  return { ...answer, body: m.showDrive(renamed, ctx) };
}

function idFrom(m: Machine, make: (ctx: Ctx) => string): void {
  around(m, 'createDrive', async (old, ctx) => rename(m, ctx, await old(ctx), `drv_${make(ctx)}`));
}

function sameIds(...both: readonly string[]): Demo {
  return async (t) => {
    const made: unknown[] = [];
    for (const name of both) made.push((await t.newDrive(name)).body.id);
    const again = (await t.newDrive(both[0] ?? '')).body.id;
    return made[0] === made[1] || made[1] === again;
  };
}

export const createDriveFaults: readonly Variant[] = [...names, ...storing];
