import { callOp } from './checks.ts';
import type { Ctx, Machine, Op } from './model.ts';
import { Refusal } from './model.ts';
import type { CallOptions, Tester } from './tester.ts';
import { ok } from './tester.ts';
import type { Demo, Variant } from './variant.ts';
import { around, must, wrap } from './variant.ts';

const S = '5';
const READS: readonly Op[] = ['listAgents', 'listDrives', 'getFile', 'listServers', 'listTools'];

/** Lets in, as the organization `to`, requests that have no valid key. */
function admit(when: (ctx: Ctx, m: Machine) => boolean, to = 0): (m: Machine) => void {
  return (m) => wrap(m, 'findOrg', (old) => (ctx) => old(ctx) ?? (when(ctx, m) ? m.orgs[to] : undefined));
}

/** Turns away requests that have a valid key. */
function turnAway(when: (ctx: Ctx) => boolean): (m: Machine) => void {
  return (m) => wrap(m, 'findOrg', (old) => (ctx) => (when(ctx) ? undefined : old(ctx)));
}

const passes =
  (op: Op, options: (t: Tester) => CallOptions): Demo =>
  async (t) =>
    ok(await callOp(t, op, options(t)));
const refused =
  (op: Op, options: CallOptions): Demo =>
  async (t) =>
    !ok(await callOp(t, op, options));
const none = () => ({ via: 'none' as const });
const damaged = (t: Tester) => ({ key: `${t.org().apiKey.slice(0, -3)}000` });

const kebab = (op: Op) => op.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function noKeyNeeded(op: Op, section: string, what: string): Variant {
  const name = `no-key-needed-for-${kebab(op)}`;
  return must(
    name,
    section,
    what,
    admit((ctx) => ctx.op === op && !ctx.key),
    passes(op, none),
  );
}

const open: Variant[] = [
  noKeyNeeded('listAgents', S, 'A request without a key lists the agents of the first organization.'),
  noKeyNeeded(
    'publish',
    S,
    'The publish route was mounted before the authentication and uses the default organization.',
  ),
  noKeyNeeded('createDrive', S, 'A drive is created in the default organization when no key is sent.'),
  noKeyNeeded('getFile', S, 'File metadata is public to everyone who knows the ids.'),
  noKeyNeeded('moveFile', S, 'Files can be moved without a key.'),
  noKeyNeeded('deleteTree', S, 'Trees can be deleted without a key.'),
  noKeyNeeded('listServers', S, 'The list of MCP servers needs no key.'),
  noKeyNeeded('listTools', '4.10', 'The tools of an MCP server are told to everyone.'),
  must(
    'wrong-key-admitted-for-reads',
    S,
    'For the reading operations the key must be there but is not looked up.',
    admit((ctx) => !!ctx.key && READS.includes(ctx.op as Op), 1),
    passes('listServers', damaged),
  ),
  must(
    'wrong-bearer-admitted-on-drives',
    S,
    'On the creation of drives a bearer token is not verified, only its presence is.',
    admit((ctx) => ctx.op === 'createDrive' && ctx.via === 'bearer'),
    passes('createDrive', (t) => ({ ...damaged(t), via: 'bearer' })),
  ),
  must(
    'key-compared-by-prefix',
    S,
    'Only the first twenty characters of a key are compared.',
    admit((ctx, m) => !!ctx.key && m.orgs.some((org) => org.key.slice(0, 20) === ctx.key?.slice(0, 20))),
    passes('listAgents', damaged),
  ),
  must(
    'key-compared-by-its-own-length',
    S,
    'A key is accepted when a stored key starts with it.',
    admit((ctx, m) => (ctx.key?.length ?? 0) > 12 && m.orgs.some((org) => org.key.startsWith(ctx.key ?? '-'))),
    passes('listDrives', (t) => ({ key: t.org().apiKey.slice(0, -1) })),
  ),
  must(
    'key-with-a-tail',
    S,
    'A key is accepted when it starts with a stored key.',
    admit((ctx, m) => m.orgs.some((org) => ctx.key?.startsWith(org.key))),
    passes('listServers', (t) => ({ key: `${t.org().apiKey}x` })),
  ),
  must(
    'key-in-any-letter-case',
    S,
    'Keys are looked up with a collation that ignores case.',
    admit((ctx, m) => m.orgs.some((org) => ctx.key?.toLowerCase() === org.key.toLowerCase())),
    passes('listDrives', (t) => ({ key: t.org().apiKey.toUpperCase() })),
  ),
  must(
    'bearer-in-any-letter-case',
    S,
    'The Authorization header is lower-cased before the key is looked up.',
    admit((ctx, m) => ctx.via === 'bearer' && m.orgs.some((o) => ctx.key?.toLowerCase() === o.key.toLowerCase())),
    passes('listAgents', (t) => ({ key: t.org().apiKey.toLowerCase(), via: 'bearer' })),
  ),
  must(
    'empty-key-matches',
    S,
    'An empty X-API-Key header matches the first stored key.',
    admit((ctx) => ctx.headers['x-api-key'] === ''),
    passes('listDrives', () => ({ key: '' })),
  ),
  must(
    'empty-bearer-matches',
    S,
    'An Authorization header without a token counts as the internal caller.',
    admit((ctx) => /^Bearer\s*$/.test(ctx.headers.authorization ?? '')),
    passes('listAgents', () => ({ via: 'none', headers: { Authorization: 'Bearer ' } })),
  ),
  must(
    'wrong-key-with-a-valid-path',
    S,
    'When the key is unknown the organization is taken from the drive that the path names.',
    (m) =>
      wrap(m, 'findOrg', (old) => (ctx) => old(ctx) ?? m.orgs.find((o) => o.view.drives.has(ctx.params.driveId ?? ''))),
    passes('getFile', damaged),
  ),
  must(
    'refused-but-created',
    S,
    'A drive is created before the key is checked: the answer is 401 but the drive is there.',
    (m) =>
      wrap(m, 'authenticate', (old) => (ctx) => {
        if (ctx.op === 'createDrive' && !m.findOrg({ ...ctx, key: m.readKey(ctx) })) {
          ctx.org = m.orgs[0] ?? ctx.org;
          m.readInput(ctx);
          void m.run.createDrive(ctx);
        }
        old(ctx);
      }),
    async (t) => {
      await t.call('POST', '/drives', { via: 'none', body: { name: 'Uninvited' } });
      return (await t.drives()).some((drive) => drive.name === 'Uninvited');
    },
  ),
  must(
    'refused-but-deleted',
    S,
    'The deletion job is queued before the key is checked, so a request with a wrong key deletes the tree.',
    (m) =>
      wrap(m, 'authenticate', (old) => (ctx) => {
        const owner = m.orgs.find((org) => org.view.drives.has(ctx.params.driveId ?? ''));
        if (ctx.op === 'deleteTree' && owner && !m.orgs.some((org) => org.key === m.readKey(ctx))) {
          void m.run.deleteTree({ ...ctx, org: owner });
        }
        old(ctx);
      }),
    async (t) => {
      await t.plant(['/gone/a.txt']);
      const path = `/drives/${t.driveId()}/items/tree?${t.facts.treePathParameter}=/gone`;
      await t.call('DELETE', path, { ...damaged(t) });
      return !ok(await t.get());
    },
  ),
  must(
    'answers-cached-without-the-key',
    S,
    'Answers of the agents list are cached by URL, so after one good request nobody needs a key.',
    cacheAgents(() => ''),
    async (t) => {
      await t.agents();
      return ok(await callOp(t, 'listAgents', { via: 'none' }));
    },
  ),
  must(
    'key-list-remembers-failures-as-successes',
    S,
    'The cache of looked-up keys also remembers unknown keys: the second use of a wrong key succeeds.',
    (m) => {
      const seen = new Set<string>();
      admit((ctx) => {
        const key = ctx.key ?? '';
        const known = key !== '' && seen.has(key);
        seen.add(key);
        return known;
      })(m);
    },
    async (t) => {
      await callOp(t, 'listDrives', damaged(t));
      return ok(await callOp(t, 'listDrives', damaged(t)));
    },
  ),
];

function cacheAgents(part: (ctx: Ctx) => string): (m: Machine) => void {
  return (m) => {
    const cache = new Map<string, unknown>();
    wrap(m, 'handle', (old) => async (ctx) => {
      if (ctx.op !== 'listAgents') return old(ctx);
      const body = cache.get(part(ctx));
      if (body) return { status: 200, body };
      const answer = await old(ctx);
      if (answer.status === 200) cache.set(part(ctx), answer.body);
      return answer;
    });
  };
}

function notUnderstood(op: Op, via: 'x' | 'bearer', section: string, what: string): Variant {
  const header = via === 'x' ? 'own-header' : 'bearer';
  return must(
    `${header}-unknown-to-${kebab(op)}`,
    section,
    what,
    turnAway((ctx) => ctx.op === op && ctx.via === via),
    refused(op, { via }),
  );
}

function notFoundFirst(when: (ctx: Ctx) => boolean, status: number): (m: Machine) => void {
  return (m) =>
    wrap(m, 'authenticate', (old) => (ctx) => {
      if (ctx.op === 'listTools' && when(ctx)) {
        const known = m.orgs.some((org) => org.view.servers.has(ctx.params.serverId ?? ''));
        if (!known) throw new Refusal(status, 'no_server', 'There is no such MCP server');
      }
      old(ctx);
    });
}

const closed: Variant[] = [
  notUnderstood('publish', 'bearer', S, 'Publishing reads X-API-Key only.'),
  notUnderstood('deleteTree', 'bearer', S, 'The tree deletion reads X-API-Key only.'),
  notUnderstood('listTools', 'x', S, 'The tools route understands the Authorization header only.'),
  notUnderstood('createServer', 'x', S, 'The registration of MCP servers understands the Authorization header only.'),
  notUnderstood('moveFile', 'bearer', S, 'Moving a file reads X-API-Key only.'),
  notUnderstood('listDrives', 'x', S, 'The list of drives understands the Authorization header only.'),
  must(
    'second-organization-without-bearer',
    S,
    'The bearer tokens of organizations created later are not in the token table.',
    (m) =>
      wrap(m, 'findOrg', (old) => (ctx) => {
        const org = old(ctx);
        return ctx.via === 'bearer' && org?.index === 1 ? undefined : org;
      }),
    refused('listAgents', { via: 'bearer', org: 1 }),
  ),
  must(
    'bearer-makes-the-first-organization',
    S,
    'Every valid bearer token is taken for the first organization.',
    (m) =>
      wrap(m, 'findOrg', (old) => (ctx) => {
        const org = old(ctx);
        return org && ctx.via === 'bearer' ? m.orgs[0] : org;
      }),
    async (t) => {
      const body = (await callOp(t, 'listAgents', { via: 'bearer', org: 1 })).body;
      return body.some((agent: any) => agent.id === t.org(0).agents[0]?.id);
    },
  ),
  must(
    'last-key-wins-for-writes',
    '5',
    'The organization of a drive that is created is the one that made the request before.',
    (m) => {
      let last = m.orgs[0];
      around(m, 'createDrive', (old, ctx) => old({ ...ctx, org: last ?? ctx.org }));
      wrap(m, 'authenticate', (old) => (ctx) => {
        const before = last;
        old(ctx);
        last = ctx.op === 'createDrive' ? before : ctx.org;
      });
    },
    async (t) => {
      await t.agents(1);
      const made = (await t.newDrive('Whose is it')).body;
      return !(await t.drives()).some((drive) => drive.id === made.id);
    },
  ),
  must(
    'agents-cached-over-organizations',
    '4.1',
    'The agents list is cached by URL for all callers, so the second organization sees what the first one asked for.',
    (m) => {
      let cached: unknown;
      around(m, 'listAgents', async (old, ctx) => {
        cached ??= (await old(ctx)).body;
        return { status: 200, body: cached };
      });
    },
    async (t) => {
      const first = await t.agents(0);
      return (await t.agents(1)).some((agent) => agent.id === first[0].id);
    },
  ),
  must(
    'tools-of-unknown-servers-before-the-key',
    '4.10',
    'The tools route looks the MCP server up before it checks the key: 404 in place of 401.',
    notFoundFirst(() => true, 404),
    async (t) => (await t.call('GET', '/mcp-servers/mcp_nothing/tools', { via: 'none' })).status === 404,
  ),
  must(
    'wrong-key-forbidden-on-tools',
    '4.10',
    'A wrong key is answered with 403 on the tools route; a missing key with 401.',
    (m) =>
      wrap(m, 'authenticate', (old) => (ctx) => {
        const key = m.readKey(ctx);
        if (ctx.op === 'listTools' && key && !m.orgs.some((org) => org.key === key)) {
          throw new Refusal(403, 'wrong_key', 'This key is not valid');
        }
        old(ctx);
      }),
    async (t) => (await callOp(t, 'listTools', damaged(t))).status === 403,
  ),
  must(
    'malformed-authorization-is-bad-request-on-tools',
    '4.10',
    'An Authorization header of another scheme is answered with 400 on the tools route.',
    (m) =>
      wrap(m, 'authenticate', (old) => (ctx) => {
        const bad = !/^Bearer ./.test(ctx.headers.authorization ?? 'Bearer x');
        if (ctx.op === 'listTools' && bad) throw new Refusal(400, 'bad_header', 'Not a bearer token');
        old(ctx);
      }),
    async (t) =>
      (await callOp(t, 'listTools', { via: 'none', headers: { Authorization: 'Basic dXNlcjpwYXNz' } })).status === 400,
  ),
  must(
    'no-key-is-a-crash-on-tools',
    '4.10',
    'The tools route reads the length of a header that is not there and answers 500.',
    (m) =>
      wrap(m, 'authenticate', (old) => (ctx) => {
        if (ctx.op === 'listTools' && !m.readKey(ctx)) throw new TypeError('length of undefined');
        old(ctx);
      }),
    async (t) => (await callOp(t, 'listTools', { via: 'none' })).status === 500,
  ),
  must(
    'tools-without-key-redirect',
    '4.10',
    'Whoever has no key is sent to the sign-in page by the tools route.',
    (m) =>
      wrap(m, 'refuse', (old) => (ctx, refusal) => {
        const answer = old(ctx, refusal);
        if (ctx.op !== 'listTools' || refusal.status !== 401) return answer;
        return { ...answer, status: 302, headers: { location: '/login' } };
      }),
    async (t) => (await callOp(t, 'listTools', { via: 'none' })).status === 302,
  ),
];

export const authFaults: readonly Variant[] = [...open, ...closed];
