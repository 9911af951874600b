import { describe, expect, it } from 'vitest';
import { toSettings } from '../../conformance/run/settings.ts';
import { circumstancesOf, isInnocent } from '../../conformance/safety/circumstances.ts';
import type { Reply } from '../../conformance/target/reply.ts';
import { Session } from '../../conformance/target/session.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';

const runId = 'run-0123abcd';
const settings = { baseUrl: 'http://target.test', apiKey: 'key', otherApiKey: 'other-key' };

interface Sent {
  operation?: OperationId;
  method?: string;
  path?: string;
  body?: object;
  contentType?: string;
  key?: string;
  isAuthenticated?: boolean;
  /** When it was sent, and when its answer came. */
  at: readonly [number, number];
}

/** An answer to a request; a valid creation of a drive unless something else is said. */
function answered(status: number, { at: [sentAtMs, receivedAtMs], ...sent }: Sent): Reply {
  const { operation = 'createDrive', method = 'POST', path = '/drives', isAuthenticated = true } = sent;
  const { key = settings.apiKey, contentType = 'application/json' } = sent;
  const { body = { name: `conformance-${runId}-${sentAtMs}` } } = sent;
  const headers = { 'X-API-Key': key, 'Content-Type': contentType };
  const request = { operation, method, path, headers, isAuthenticated, body: JSON.stringify(body) };
  const exchange = { request: { method, url: `http://target.test${path}` } };
  return { request, status, isSuccess: status < 300, exchange, sentAtMs, receivedAtMs } as unknown as Reply;
}

/** A session that got these answers, in this order. */
function sessionWith(replies: readonly Reply[]): Session {
  const session = Object.assign(new Session(toSettings(settings), 'test'), { runId });
  for (const reply of replies) session.remember(reply);
  return session;
}

/** The circumstances of all server errors among the answers, which came in this order. */
function explained(...replies: readonly Reply[]) {
  const session = sessionWith(replies);
  const failed = replies.filter(({ status }) => status === 500);
  const found = circumstancesOf(session, failed);
  return found && { ...found, words: found.words.shown((text) => text) };
}

const read = { operation: 'listDrives', method: 'GET', path: '/drives?limit=1' } as const;
const beside =
  ' for requests that were sent at the same time as other createDrive requests; sent alone, such requests succeed';
const after = (line: string, status: number) =>
  `. The failures began after ${line} was refused with status ${status}: since then, requests that otherwise succeed have failed too`;

describe('failures of requests that were in progress at the same time', () => {
  const alone = answered(201, { at: [0, 10] });
  const [one, other] = [answered(500, { at: [20, 40] }), answered(500, { at: [30, 50] })];

  it('are told as such if requests like them succeed alone', () => {
    expect(explained(alone, one, other)).toEqual({ failure: one, words: beside, before: [] });
  });

  it.each([
    [0, 20],
    [50, 60],
  ] as const)('are told as such if the one like them ended just before, or began just after: %i to %i', (...at) => {
    expect(explained(answered(201, { at }), one, other)?.words).toBe(beside);
  });

  it.each<[string, Reply[]]>([
    ['none succeeded alone', [answered(201, { at: [0, 30] }), answered(201, { at: [10, 40] }), one, other]],
    ['none succeeded at all', [one, other]],
    ['the one that succeeded had no key', [answered(201, { at: [0, 10], isAuthenticated: false }), one, other]],
    ['one failed alone', [alone, one, other, answered(500, { at: [60, 70] })]],
    ['each began when the other had ended', [alone, answered(500, { at: [20, 30] }), answered(500, { at: [30, 40] })]],
    ['the others were of another kind', [alone, one, answered(201, { at: [20, 40], operation: 'createMcpServer' })]],
    ['what succeeded had an odd name', [answered(201, { at: [0, 10], body: { name: 'a/b' } }), one, other]],
  ])('are not if %s', (_, replies) => {
    expect(explained(...replies)).toBeUndefined();
  });

  it.each<[string, Partial<Sent>, Partial<Sent>?]>([
    ['they have an odd name themselves', { body: { name: '\u0000' } }],
    ['they have no key themselves', { isAuthenticated: false }],
    ['they are readings, which are sent at the same time all along', read, read],
  ])('are not if %s', (_, sent, before = {}) => {
    const failed = [20, 30].map((at) => answered(500, { ...sent, at: [at, at + 20] }));
    expect(explained(answered(200, { ...before, at: [0, 10] }), ...failed)).toBeUndefined();
  });

  it('are for MCP servers too, if their URL is as plain as their name', () => {
    const server = (status: number, at: readonly [number, number], url?: string) => {
      const name = `conformance-${runId}-${at[0]}`;
      const body = { name, url: url ?? `https://example.com/${name}` };
      return answered(status, { at, body, operation: 'createMcpServer', path: '/mcp-servers' });
    };
    const plain = [server(201, [0, 10]), server(500, [20, 40]), server(500, [30, 50])];
    expect(explained(...plain)?.words).toBe(beside.replace('createDrive', 'createMcpServer'));
    for (const url of ['https://example.com/', `/conformance-${runId}-30.x`]) {
      expect(
        explained(server(201, [0, 10]), server(500, [20, 40], url), server(500, [30, 50], url)),
        url,
      ).toBeUndefined();
    }
  });
});

describe('failures after a refused request', () => {
  const good = answered(200, { ...read, at: [0, 10] });
  const line = { operation: 'getDriveFile', method: 'GET', path: '/drives/d/files/x' } as const;
  const refused = (status = 404, more: Partial<Sent> = {}) => answered(status, { ...line, at: [20, 30], ...more });
  const failed = (at: number) => answered(500, { ...read, at: [at, at + 1] });

  it('name it if requests that otherwise succeed have failed since', () => {
    const [before, one, other] = [refused(), failed(40), failed(50)];
    expect(explained(good, before, one, other, answered(200, { ...read, at: [60, 70] }))).toEqual({
      failure: one,
      words: after('GET http://target.test/drives/d/files/x', 404),
      before: [before],
    });
  });

  it.each<[string, Reply[]]>([
    ['a success came before them', [good, failed(40)]],
    ['nothing came before them', [failed(40), good]],
    ['no request like them succeeded', [refused(), failed(40)]],
    ['the refusal was for its key', [good, refused(401), failed(40)]],
    ['the refusal was of a request without a key', [good, refused(404, { isAuthenticated: false }), failed(40)]],
    ['most of them came otherwise', [good, refused(), failed(40), good, failed(50)]],
  ])('do not name one if %s', (_, replies) => {
    expect(explained(...replies)).toBeUndefined();
  });

  it('count one that holds a reason if others in a row with it hold none', () => {
    const odd = answered(500, { ...read, path: '/drives?limit=x', at: [35, 36] });
    const before = refused();
    expect(explained(good, before, odd, failed(40))).toMatchObject({ failure: odd, before: [before] });
    expect(explained(good, before, odd, good)).toBeUndefined();
  });

  it('name the first refused request where most rows began with one', () => {
    const [one, other] = [refused(404), refused(422)];
    expect(explained(good, one, failed(40), good, other, failed(50), good, failed(60))?.before).toEqual([one]);
  });
});

describe('failures of repeated requests', () => {
  const publication = {
    operation: 'publishAgentRevision',
    path: '/agents/a/publish',
    body: { revisionId: 'r' },
  } as const;
  const sent = (status: number, at: number, more: Partial<Sent> = {}) =>
    answered(status, { ...publication, at: [at, at + 1], ...more });

  it('name the one that succeeded if none did again', () => {
    const [first, again] = [sent(200, 0), sent(500, 20)];
    const words = '. The same request succeeded once before, but never again';
    expect(explained(first, again, sent(500, 40))).toEqual({ failure: again, words, before: [first] });
  });

  it.each<[string, Reply[]]>([
    ['one succeeded again', [sent(200, 0), sent(500, 20), sent(200, 40)]],
    ['another revision succeeded', [sent(200, 0, { body: { revisionId: 'other' } }), sent(500, 20)]],
    ['none succeeded before', [sent(500, 0), sent(200, 20)]],
  ])('are not told apart if %s', (_, replies) => {
    expect(explained(...replies)).toBeUndefined();
  });
});

describe('a request that failed holds no reason', () => {
  const early = { at: [0, 10] } as const;
  const file = { operation: 'getDriveFile', method: 'GET', path: '/drives/d/files/f' } as const;
  const deletion = { operation: 'deleteDriveTree', method: 'DELETE', path: '/drives/d/items/tree?path=%2Fx' } as const;
  const move = { ...file, operation: 'updateDriveFile', method: 'PATCH', body: { path: '/a/b.md' } } as const;
  const server = { operation: 'createMcpServer', path: '/mcp-servers' } as const;
  const publication = { operation: 'publishAgentRevision', path: '/agents/a/publish' } as const;
  const list = { operation: 'listDrives', method: 'GET' } as const;
  const named = (name: string, more: object = {}) => ({ body: { name: `conformance-${runId}-${name}`, ...more } });
  const whole = named('8', { url: `https://example.com/conformance-${runId}-8` });
  const deleted = answered(200, { ...deletion, at: [12, 18] });

  function isHeldInnocent(failed: Partial<Sent>, others: readonly Reply[]): boolean {
    const reply = answered(500, { at: [20, 30], ...failed });
    const replies = [...others, reply];
    return isInnocent(sessionWith(replies), reply);
  }

  it.each<[string, Partial<Sent>, Reply[]]>([
    ['the file was read before', file, [answered(200, { ...file, ...early })]],
    ['the other organization has created as well', { key: 'other-key' }, [answered(201, early)]],
    [
      'the file was read after a deletion in its drive',
      file,
      [answered(200, { ...deletion, ...early }), answered(200, { ...file, at: [40, 50] })],
    ],
  ])('if %s', (_, failed, others) => {
    expect(isHeldInnocent(failed, others)).toBe(true);
  });

  /** What failed, what succeeded before, and what came between. */
  const guilty: [string, Partial<Sent>, Partial<Sent>, Reply[]?][] = [
    ['the other organization asks for the file', { ...file, key: 'other-key' }, file],
    ['the file may have been deleted since it was read', file, file, [deleted]],
    ['the file may have been deleted since it was moved', move, move, [deleted]],
    ['its body is not declared as JSON', { contentType: 'text/plain' }, {}],
    ['its name is taken', named('7'), named('7')],
    ['it has a further field', named('7', { organizationId: 'o' }), {}],
    ['a field is missing', { ...server, ...named('7') }, { ...server, ...whole }],
    [
      'its URL is in an array',
      { ...server, ...named('7', { url: [`https://example.com/conformance-${runId}-7`] }) },
      { ...server, ...whole },
    ],
  ];
  for (const path of [['/docs/x.txt'], [['/docs/x.txt']], { value: '/docs/x.txt' }, 7, null, '/../x']) {
    const sent = { ...move, body: { path } };
    guilty.push([`it moves a file to ${JSON.stringify(path)}`, sent, sent, [answered(200, { ...move, ...early })]]);
  }
  for (const name of [[`conformance-${runId}-7`], 7, null])
    guilty.push([`it creates a drive with the name ${JSON.stringify(name)}`, { body: { name } }, {}]);
  for (const body of [{}, { revisionId: ['r'] }, { revisionId: null }])
    guilty.push([`it publishes ${JSON.stringify(body)}`, { ...publication, body }, { ...publication, body }]);
  for (const query of ['limit=none', 'limit=101', 'offset=-1', 'limit=1&limit=2', 'other=1']) {
    const sent = { ...list, path: `/drives?${query}` };
    guilty.push([`it reads ${query}`, sent, sent]);
  }

  it.each(guilty)('but not if %s', (_, failed, before, between = []) => {
    expect(isHeldInnocent(failed, [answered(200, { ...early, ...before }), ...between])).toBe(false);
  });
});
