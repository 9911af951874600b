// The soundness walk: all ten operations, only what the specification states. It returns what is wrong.
import type { Answer, Bench, Caller, Side } from './client.ts';

const day = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)$/;
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && day.test(value) && !Number.isNaN(Date.parse(value));
const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isWhole = (value: unknown): boolean => Number.isInteger(value);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
type Shape = Record<string, (value: unknown) => boolean>;
const shapes: Record<string, Shape> = {
  agent: {
    id: isText,
    name: isText,
    description: isText,
    isPublished: isFlag,
    hasChanges: isFlag,
    createdAt: isTime,
    updatedAt: isTime,
  },
  drive: { id: isText, organizationId: isText, name: isText, createdAt: isTime, updatedAt: isTime },
  file: {
    kind: (v) => v === 'file',
    id: isText,
    name: isText,
    path: (v) => typeof v === 'string' && v.startsWith('/'),
    status: (v) => ['processing', 'ready', 'error'].includes(v as string),
    modifiedAt: isTime,
    size: isWhole,
    contentType: isText,
    description: isText,
    summary: isText,
    metadata: isObject,
  },
  mcp: {
    id: isText,
    organizationId: isText,
    name: isText,
    url: isText,
    type: (v) => v === 'sse' || v === 'streamableHttp',
    createdAt: isTime,
    updatedAt: isTime,
  },
  tool: { name: isText, description: isText },
};
const moving = new Set(['updatedAt', 'modifiedAt', 'status', 'isPublished', 'hasChanges']);

export async function walk(bench: Bench): Promise<string[]> {
  const wrong: string[] = [];
  const check = (fine: unknown, what: string): void => {
    if (!fine) wrong.push(what);
  };
  const shaped = (kind: string, value: any, where: string): void => {
    for (const [field, fits] of Object.entries(shapes[kind]!))
      check(value && fits(value[field]), `${where}: ${kind}.${field} is ${JSON.stringify(value?.[field])}`);
  };
  const unique = (items: any[], where: string): void =>
    check(new Set(items.map((one) => one.id)).size === items.length, `${where}: an id stands twice`);
  const same = (before: any, after: any, where: string, wholly: boolean): void => {
    for (const field of Object.keys(before))
      if (wholly || !moving.has(field))
        check(
          JSON.stringify(before[field]) === JSON.stringify(after?.[field]),
          `${where}: ${field} changed from ${JSON.stringify(before[field])} to ${JSON.stringify(after?.[field])}`,
        );
  };
  const accepted = (answer: Answer, where: string): void => check(answer.ok, `${where}: refused with ${answer.status}`);
  const refused = (answer: Answer, where: string): void =>
    check(answer.status >= 400 && answer.status < 500, `${where}: answered with ${answer.status}`);
  const json = (answer: Answer, where: string): void =>
    check(answer.json || answer.text === '', `${where}: the body is not JSON`);
  async function soon(where: string, test: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + bench.facts.settleMs;
    for (;;) {
      const last = Date.now() > end;
      if (await test()) return;
      if (last) {
        check(false, where);
        return;
      }
      await bench.wait(40);
    }
  }

  // Lists of both organizations, with both headers.
  const sides: [Caller, Caller, Side, Side, string][] = [
    [bench.a, bench.aBearer, bench.A, bench.B, 'first'],
    [bench.b, bench.bBearer, bench.B, bench.A, 'second'],
  ];
  const first: Record<string, any[]> = {};
  for (const [plain, bearer, own, other, label] of sides)
    for (const caller of [plain, bearer]) {
      const agents = await caller.agents();
      check(agents.status === 200 && Array.isArray(agents.body), `${label}: list of agents`);
      for (const one of agents.body) shaped('agent', one, label);
      unique(agents.body, `${label} agents`);
      for (const one of own.agents)
        check(
          agents.body.some((item: any) => item.id === one.id),
          `${label}: agent missing`,
        );
      for (const one of other.agents)
        check(!agents.body.some((item: any) => item.id === one.id), `${label}: agent of the other organization`);
      check(
        agents.body.some((one: any) => one.isPublished === false),
        `${label}: no unpublished agent`,
      );

      const all = await caller.drives('?limit=100&offset=0');
      check(all.ok && Array.isArray(all.body?.data) && isObject(all.body.pagination), `${label}: list of drives`);
      check(
        all.body.pagination.limit === 100 &&
          all.body.pagination.offset === 0 &&
          all.body.pagination.total === all.body.data.length,
        `${label}: pagination ${JSON.stringify(all.body.pagination)}`,
      );
      for (const one of all.body.data) shaped('drive', one, label);
      unique(all.body.data, `${label} drives`);
      for (const one of own.drives)
        check(
          all.body.data.some((item: any) => item.id === one.id),
          `${label}: drive missing`,
        );
      for (const one of other.drives)
        check(!all.body.data.some((item: any) => item.id === one.id), `${label}: drive of the other organization`);
      const paged: any[] = [];
      for (let offset = 0; offset < all.body.data.length + 2; offset += 2) {
        const page = await caller.drives(`?limit=2&offset=${offset}`);
        check(page.ok && page.body.data.length <= 2, `${label}: page at ${offset}`);
        check(
          page.body.pagination.limit === 2 &&
            page.body.pagination.offset === offset &&
            page.body.pagination.total === all.body.data.length,
          `${label}: pagination of the page at ${offset}`,
        );
        paged.push(...page.body.data);
      }
      check(
        JSON.stringify(paged.map((one) => one.id)) === JSON.stringify(all.body.data.map((one: any) => one.id)),
        `${label}: the pages do not make up the list`,
      );
      const usual = await caller.drives('');
      check(
        usual.ok &&
          usual.body.data.length <= 100 &&
          isWhole(usual.body.pagination.limit) &&
          isWhole(usual.body.pagination.offset) &&
          usual.body.pagination.total === all.body.data.length,
        `${label}: list of drives without parameters`,
      );

      const servers = await caller.mcps();
      check(servers.status === 200 && Array.isArray(servers.body), `${label}: list of MCP servers`);
      for (const one of servers.body) shaped('mcp', one, label);
      unique(servers.body, `${label} MCP servers`);
      for (const one of own.mcps) {
        check(
          servers.body.some((item: any) => item.id === one.id),
          `${label}: MCP server missing`,
        );
        const tools = await caller.tools(one.id);
        check(
          tools.status === 200 && Array.isArray(tools.body?.tools) && tools.body.tools.length > 0,
          `${label}: tools`,
        );
        for (const tool of tools.body.tools) shaped('tool', tool, label);
      }
      for (const one of other.mcps)
        check((await caller.tools(one.id)).status === 404, `${label}: tools of the other organization`);
      check(
        (await caller.tools(`${own.mcps[0].id.slice(0, -1)}${own.mcps[0].id.endsWith('7') ? '8' : '7'}`)).status ===
          404,
        `${label}: tools of an unknown server`,
      );
      if (caller === plain) {
        first[`${label} agents`] = agents.body;
        first[`${label} drives`] = all.body.data;
        first[`${label} mcps`] = servers.body;
      } else
        for (const [key, items] of [
          ['agents', agents.body],
          ['drives', all.body.data],
          ['mcps', servers.body],
        ] as const)
          for (const one of first[`${label} ${key}`]!)
            same(
              one,
              items.find((item: any) => item.id === one.id),
              `${label} ${key} read again`,
              true,
            );
    }
  check(
    new Set([...first['first drives']!, ...first['first mcps']!].map((one) => one.organizationId)).size === 1,
    'one organization has several ids',
  );
  check(
    first['first drives']![0].organizationId !== first['second drives']![0].organizationId,
    'both organizations have the same id',
  );

  // Files, read twice.
  const [drive, drive2] = bench.A.drives;
  const files = await bench.paths();
  check(files.size === drive.files.length, 'not all files can be read, or paths stand twice');
  for (const [, file] of files) {
    shaped('file', file, 'file');
    same(file, (await bench.aBearer.file(drive.id, file.id)).body, 'file read again', true);
  }
  refused(await bench.b.file(drive.id, drive.files[0].id), 'file of the other organization');
  refused(await bench.a.file(drive.id, `${drive.files[0].id}9`), 'unknown file');

  // Callers without a valid key, and what they tried to do.
  const target = files.get('/reports/index.md');
  for (const caller of [
    bench.nobody,
    bench.stranger,
    bench.as(`${bench.a.key}x`, 'bearer'),
    bench.as(bench.a.key.slice(0, -1)),
    bench.as(bench.a.key.toLowerCase()),
  ]) {
    const tries = [
      await caller.agents(),
      await caller.publish(bench.A.agents[4].id, bench.A.agents[4].revisionIds[0]),
      await caller.makeDrive('by nobody'),
      await caller.drives(),
      await caller.file(drive.id, target.id),
      await caller.move(drive.id, target.id, '/taken.md'),
      await caller.removeTree(drive.id, '/reports'),
      await caller.makeMcp('by nobody', 'https://nobody.example.com/mcp'),
      await caller.mcps(),
      await caller.tools(bench.A.mcps[0].id),
    ];
    for (const [n, one] of tries.entries()) {
      check(one.status === 401, `operation ${n} without a valid key: ${one.status}`);
      json(one, `operation ${n} without a valid key`);
    }
  }
  same(target, (await bench.a.file(drive.id, target.id)).body, 'file after tries without a key', true);
  check(
    (await bench.a.agents()).body.find((one: any) => one.id === bench.A.agents[4].id).isPublished === false,
    'published without a key',
  );

  // Publishing: one revision, another, the first again.
  const novice = bench.A.agents[4];
  for (const revision of [novice.revisionIds[0], novice.revisionIds[1], novice.revisionIds[0]]) {
    const answer = await bench.a.publish(novice.id, revision);
    accepted(answer, 'publish');
    json(answer, 'publish');
  }
  await soon(
    'the agent is not published',
    async () => (await bench.a.agents()).body.find((one: any) => one.id === novice.id)?.isPublished === true,
  );
  refused(await bench.b.publish(novice.id, novice.revisionIds[0]), 'publish for the other organization');

  // Drives and MCP servers: made, listed, seen by their organization only.
  const made: [Caller, Caller, any][] = [];
  for (const [caller, other, name] of [
    [bench.a, bench.b, 'Walk one'],
    [bench.a, bench.b, 'Walk two é'],
    [bench.bBearer, bench.a, 'Walk one'],
    [bench.aBearer, bench.b, 'Walk "three"'],
  ] as const) {
    const answer = await caller.makeDrive(name);
    accepted(answer, 'create drive');
    check(answer.status !== 204, 'create drive has no body');
    shaped('drive', answer.body, 'created drive');
    check(answer.body.name === name, 'the drive has another name');
    check(
      answer.body.organizationId ===
        first[caller.key === bench.a.key ? 'first drives' : 'second drives']![0].organizationId,
      'the drive belongs to another organization',
    );
    made.push([caller, other, answer.body]);
  }
  for (const [caller, other, item] of made) {
    await soon('the drive is not listed', async () =>
      (await bench.allDrives(caller)).some((one) => one.id === item.id),
    );
    same(
      item,
      (await bench.allDrives(caller)).find((one) => one.id === item.id),
      'drive in the list',
      false,
    );
    check(!(await bench.allDrives(other)).some((one) => one.id === item.id), 'the other organization sees the drive');
  }
  unique(await bench.allDrives(), 'drives after creations');
  for (const [caller, other, url, again] of [
    [bench.a, bench.b, 'https://walk.example.com/mcp?team=1', 0],
    [bench.a, bench.b, 'https://walk.example.com/sse', 1],
    [bench.b, bench.a, 'http://walk.example.com:8080/mcp', 2],
  ] as const) {
    const answer = await caller.makeMcp(`Walk server ${again}`, url);
    accepted(answer, 'create MCP server');
    check(answer.status !== 204, 'create MCP server has no body');
    shaped('mcp', answer.body, 'created MCP server');
    check(
      answer.body.name === `Walk server ${again}` && new URL(answer.body.url).href === new URL(url).href,
      'the MCP server has another name or URL',
    );
    await soon('the MCP server is not listed', async () =>
      (await caller.mcps()).body.some((one: any) => one.id === answer.body.id),
    );
    same(
      answer.body,
      (await caller.mcps()).body.find((one: any) => one.id === answer.body.id),
      'MCP server in the list',
      false,
    );
    check(
      !(await other.mcps()).body.some((one: any) => one.id === answer.body.id),
      'the other organization sees the MCP server',
    );
  }

  // Moving there and back.
  for (const path of [
    '/walk/moved.md',
    '/walk/deeper/and/moved again.md',
    '/reports/..index.md',
    '/reports/index.md',
  ]) {
    const answer = await bench.a.move(drive.id, target.id, path);
    if (path.includes('..') && !answer.ok) {
      refused(answer, 'unusual path');
      continue;
    }
    accepted(answer, `move to ${path}`);
    check(answer.status !== 204, 'move has no body');
    shaped('file', answer.body, 'moved file');
    check(answer.body.id === target.id && answer.body.path === path, `move to ${path} gave ${answer.body.path}`);
    same({ id: target.id, path }, (await bench.a.file(drive.id, target.id)).body, 'file after its move', true);
  }
  const still = (await bench.a.file(drive.id, target.id)).body;
  for (const path of ['/..', '/../x.md', '/reports/../x.md', '/reports/..', 'reports/x.md', ''])
    refused(await bench.a.move(drive.id, target.id, path), `move to ${path}`);
  refused(await bench.b.move(drive.id, target.id, '/stolen.md'), 'move for the other organization');
  check((await bench.a.file(drive.id, target.id)).body.path === still.path, 'a refused move had an effect');

  // Limits and offsets out of range.
  for (const query of ['?limit=0', '?limit=101', '?limit=-1', '?limit=abc', '?limit=1.5', '?offset=-1', '?offset=x'])
    refused(await bench.a.drives(query), `list drives ${query}`);

  // Deleting a tree.
  for (const path of ['/..', '/reports/..', '/reports/../media', 'reports', '/../reports'])
    refused(await bench.a.removeTree(drive.id, path), `delete ${path}`);
  refused(await bench.b.removeTree(drive.id, '/reports'), 'delete for the other organization');
  await bench.settle();
  check((await bench.paths()).size === drive.files.length, 'a refused deletion had an effect');
  const gone = await bench.a.removeTree(drive.id, '/reports');
  accepted(gone, 'delete tree');
  check(
    isText(gone.body?.message) && isText(gone.body?.jobId) && isWhole(gone.body?.documentCount),
    `delete tree answers ${gone.text}`,
  );
  await bench.settle();
  const rest = await bench.paths();
  for (const [path, file] of files) {
    if (path.startsWith('/reports/'))
      check(![...rest.values()].some((one) => one.id === file.id), `${path} is still there`);
    else same(file, rest.get(path), `${path} after a deletion nearby`, false);
  }
  check((await bench.paths(1)).size === drive2.files.length, 'a file of another drive is gone');
  check(
    (await bench.paths(0, bench.b, bench.B)).size === bench.B.drives[0].files.length,
    'a file of the other organization is gone',
  );
  refused(await bench.a.move(drive.id, target.id, '/back.md'), 'move of a deleted file');

  // Everything from the beginning is still there, with the same times of creation.
  for (const [plain, , , , label] of sides) {
    const now: Record<string, any[]> = {
      agents: (await plain.agents()).body,
      drives: await bench.allDrives(plain),
      mcps: (await plain.mcps()).body,
    };
    for (const key of Object.keys(now))
      for (const one of first[`${label} ${key}`]!)
        same(
          one,
          now[key]!.find((item) => item.id === one.id),
          `${label} ${key} at the end`,
          false,
        );
  }
  return wrong;
}
