// What a client does to see each fault of volume. True when the fault shows.
import type { Bench } from './client.ts';
import type { Proof } from './proofs-sequence.ts';

const data = async (t: Bench, query: string): Promise<any> => (await t.a.drives(query)).body?.data;
const names = (page: any): string => JSON.stringify((page ?? []).map((one: any) => one.id));
const make = async (t: Bench, n: number): Promise<any[]> => {
  const made: any[] = [];
  for (let i = 0; i < n; i++) made.push(await t.a.makeDrive(`Drive ${i}`));
  return made;
};
const register = async (t: Bench, n: number): Promise<any[]> => {
  const made: any[] = [];
  for (let i = 0; i < n; i++) made.push(await t.a.makeMcp(`Server ${i}`, `https://s${i}.example.com/mcp`));
  return made;
};
// A page must be the part of the whole list that its limit and offset say.
const wrongPage =
  (limit: number, offset: number, drives = 0): Proof =>
  async (t) => {
    await make(t, drives);
    const all = await data(t, '?limit=100&offset=0');
    return names(await data(t, `?limit=${limit}&offset=${offset}`)) !== names(all.slice(offset, offset + limit));
  };
const tooMany =
  (limit: number, drives: number, offset = 0): Proof =>
  async (t) => {
    await make(t, drives);
    return (await data(t, `?limit=${limit}&offset=${offset}`))?.length > Math.min(limit, 100);
  };
const lost = async (t: Bench, ids: string[], now: any[]): Promise<boolean> => {
  await t.settle();
  return ids.some((id) => !now.some((one) => one.id === id));
};
const repeated = (items: any[]): boolean => new Set(items.map((one) => one.id)).size < items.length;
const movesLost = async (t: Bench, n: number): Promise<boolean> => {
  const drive = t.A.drives[0];
  for (let i = 0; i < n; i++) {
    const { id } = drive.files[i]!;
    await t.a.move(drive.id, id, `/new/${i}.txt`);
    if ((await t.a.file(drive.id, id)).body.path !== `/new/${i}.txt`) return true;
  }
  return false;
};
const left = async (t: Bench, tree: string): Promise<boolean> => {
  await t.a.removeTree(t.A.drives[0].id, tree);
  await t.settle();
  return [...(await t.paths()).keys()].some((path) => path.startsWith(`${tree}/`));
};
const any = async (n: number, step: (i: number) => Promise<boolean>): Promise<boolean> => {
  for (let i = 0; i < n; i++) if (await step(i)) return true;
  return false;
};

export const volumeProofs: Record<string, Proof> = {
  'drives-from-the-sixteenth-on-are-not-listed': async (t) => {
    const made = await make(t, 14);
    return lost(
      t,
      made.map((one) => one.body.id),
      await t.allDrives(),
    );
  },
  'eleventh-mcp-server-pushes-the-first-out': async (t) => {
    await register(t, 8);
    return lost(
      t,
      t.A.mcps.map((one) => one.id),
      (await t.a.mcps()).body,
    );
  },
  'mcp-servers-from-the-ninth-on-are-not-listed': async (t) => {
    const made = await register(t, 6);
    return lost(
      t,
      made.map((one) => one.body.id),
      (await t.a.mcps()).body,
    );
  },
  'second-page-repeats-the-last-of-the-first': wrongPage(2, 2),
  'second-page-leaves-one-out': wrongPage(2, 2),
  'offset-counts-pages': wrongPage(2, 1),
  'offset-is-ignored-with-a-large-limit': wrongPage(100, 1),
  'offset-is-rounded-down-to-whole-pages': wrongPage(2, 1),
  'offset-from-eight-on-is-ignored': wrongPage(2, 8, 8),
  'page-from-an-offset-holds-one-too-many': tooMany(2, 0, 1),
  'limit-of-one-gives-two': tooMany(1, 0),
  'limits-over-ten-give-all': tooMany(11, 9),
  'limit-of-a-hundred-gives-more': tooMany(100, 98),
  'limit-over-a-hundred-gives-more-than-a-hundred': tooMany(200, 98),
  'pages-past-the-end-begin-anew': wrongPage(5, 4),
  'last-page-is-filled-up-from-the-start': wrongPage(3, 3),
  'empty-page-has-no-data': async (t) => !Array.isArray(await data(t, '?limit=5&offset=4')),
  'empty-page-has-no-pagination': async (t) => !(await t.a.drives('?limit=5&offset=4')).body.pagination,
  'empty-page-breaks': async (t) => (await t.a.drives('?limit=5&offset=4')).status === 500,
  'offset-is-told-as-a-string-on-later-pages': async (t) =>
    !Number.isInteger((await t.a.drives('?limit=1&offset=1')).body.pagination.offset),
  'total-is-a-string-from-ten-on': async (t) => {
    await make(t, 6);
    return !Number.isInteger((await t.a.drives('?limit=1')).body.pagination.total);
  },
  'drive-ids-repeat-after-eight': async (t) =>
    repeated((await make(t, 9)).map((one) => one.body)) && repeated(await t.allDrives()),
  'mcp-ids-repeat-after-five': async (t) => {
    await register(t, 6);
    return repeated((await t.a.mcps()).body);
  },
  'drives-on-later-pages-belong-to-another': async (t) =>
    (await data(t, '?limit=2&offset=2'))[0].organizationId !== (await data(t, '?limit=2'))[0].organizationId,
  'drives-on-later-pages-have-numeric-ids': async (t) => typeof (await data(t, '?limit=2&offset=2'))[0].id !== 'string',
  'eighth-drive-breaks': async (t) => (await make(t, 8))[7].status === 500,
  'sixth-registration-breaks': async (t) => (await register(t, 6))[5].status === 500,
  'fifth-publish-breaks': (t) =>
    any(6, async (i) => (await t.a.publish(t.A.agents[i % 5]!.id, t.A.agents[i % 5]!.revisionIds[1])).status === 500),
  'every-ninth-read-of-a-file-breaks': (t) =>
    any(12, async (i) => (await t.a.file(t.A.drives[0].id, t.A.drives[0].files[i]!.id)).status === 500),
  'sixth-move-is-lost': (t) => movesLost(t, 7),
  'fourth-deletion-is-lost': async (t) => {
    for (const tree of ['/reports-old', '/reports2', '/rep']) await t.a.removeTree(t.A.drives[0].id, tree);
    return left(t, '/media');
  },
  'deletion-stops-after-five-files': (t) => left(t, '/reports'),
  'deletion-spares-deep-directories': (t) => left(t, '/reports'),
  'deletion-reaches-the-first-level-only': (t) => left(t, '/reports'),
  'every-twelfth-answer-is-cut-off': (t) => any(13, async () => !(await t.a.agents()).json),
  'every-fifteenth-answer-is-a-page': (t) => any(16, async () => !(await t.a.agents()).json),
  'every-twentieth-request-is-unauthenticated': (t) => any(21, async () => (await t.a.agents()).status === 401),
  'fourth-and-fifth-tools-have-no-description': async (t) =>
    (await t.a.tools(t.A.mcps[0].id)).body.tools.some((one: any) => typeof one.description !== 'string'),
  'last-agent-has-flags-as-text': async (t) =>
    (await t.a.agents()).body.some((one: any) => typeof one.isPublished !== 'boolean'),
  'agents-stop-at-four': async (t) => {
    const ids = (await t.a.agents()).body.map((one: any) => one.id);
    return t.A.agents.some((one) => !ids.includes(one.id));
  },
  'mcp-types-from-the-sixth-on-are-http': async (t) => {
    await register(t, 3);
    return (await t.a.mcps()).body.some((one: any) => one.type === 'http');
  },
  'files-with-long-paths-have-sizes-as-text': async (t) =>
    [...(await t.paths()).values()].some((file) => !Number.isInteger(file.size)),
  'sixth-drive-is-stored-with-the-name-before': async (t) => {
    const made = await make(t, 6),
      now = await t.allDrives();
    return made.some((one) => now.find((two) => two.id === one.body.id)?.name !== one.body.name);
  },
  'total-is-the-size-of-the-page': async (t) => (await t.a.drives('?limit=2')).body.pagination.total < 3,
  'total-stops-at-ten': async (t) => {
    await make(t, 8);
    return (await t.a.drives('?limit=2')).body.pagination.total < 12;
  },
  'pagination-tells-the-default-limit': async (t) => (await t.a.drives('?limit=2')).body.pagination.limit !== 2,
  'pagination-tells-offset-zero': async (t) => (await t.a.drives('?limit=2&offset=1')).body.pagination.offset !== 1,
  'later-drives-lack-their-update-time': async (t) =>
    (await data(t, '?limit=2&offset=1')).some((one: any) => !one.updatedAt),
};
