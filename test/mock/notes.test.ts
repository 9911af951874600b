import { describe, expect, it } from 'vitest';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { createLog } from '../../src/cli/log.ts';
import type { Exchange, MockOptions } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { runCommand, startMockHere } from '../support/command.ts';
import { expectProblem, startControlled, useControlled } from '../support/control.ts';
import { createFolder } from '../support/folder.ts';

// What the mock says besides its answers: in the log, in a header, in the words of an error.

const folder = createFolder('mock-notes');

async function startNoting(options: MockOptions) {
  const noted: (readonly string[])[] = [];
  const onExchange = ({ notes = [] }: Exchange) => void noted.push(notes);
  return { ...(await startControlled({ ...options, onExchange })), noted };
}

describe('the notes of an exchange', () => {
  it.each([
    ['no key', null, {}, /no API key/],
    ['an unknown key', 'nobody', {}, /unknown/],
    ['two keys', 'key-a', { authorization: 'Bearer key-b' }, /different keys/],
  ])('say why it got 401: %s', async (_, key, headers, says) => {
    const { api, noted } = await startNoting({});
    expect((await api('GET', '/drives', { key, headers })).status).toBe(401);
    expect((await api('POST', '/drives', { key, headers, json: {} })).status).toBe(401);
    expect(noted).toEqual([[expect.stringMatching(says)], [expect.stringMatching(says)]]);
  });

  it('say why it was refused otherwise, without the key', async () => {
    const { api, noted } = await startNoting({});
    await api('POST', '/drives', { json: { 'key-a': 1 } });
    expect(noted).toEqual([[expect.stringContaining('name is required')]]);
    expect(String(noted)).not.toContain('key-a');
    await api('GET', '/drives');
    expect(noted[1]).toEqual([]);
  });

  it('name the sandboxes that were retired for it', async () => {
    const { api, noted, mock } = await startNoting({ openKeys: true, maxSandboxes: 1 });
    await api('GET', '/drives', { key: 'one' });
    const id = mock.engine.store.ownerOf('one')?.organization.id ?? '?';
    await api('GET', '/drives', { key: 'two' });
    expect(noted).toEqual([[], [`Retired to make room for a new sandbox (--max-sandboxes 1): ${id}.`]]);
  });

  it('are in the log, as JSON and as text', async () => {
    const mock = await startMockHere();
    await createClient(mock.url, 'nobody')('GET', '/agents');
    const { stdout } = await mock.stop();
    const [, line] = stdout.trim().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ responseStatus: 401, notes: [expect.stringMatching(/unknown/)] });
    const lines: string[] = [];
    const exchange = {
      method: 'GET',
      path: '/v0.1/drives',
      durationMs: 1,
      status: 401,
      requestId: 'x',
      notes: ['Why.'],
    };
    const write = (text: string) => void lines.push(text);
    createLog({ logFormat: 'pretty' }, { write, isInteractive: true, environment: { NO_COLOR: '1' } }).exchange?.(
      exchange,
    );
    expect(lines.join('')).toMatch(/401.*\n +\S*Why\./);
  });
});

describe('X-Mock-Hint', () => {
  const controlled = useControlled();
  const hintOf = async (query: string, prefer?: string) => {
    const headers = prefer === undefined ? {} : { prefer };
    const reply = await controlled().api('GET', `/drives${query}`, { headers });
    expect(reply.status).toBe(200);
    return reply.headers.get('x-mock-hint');
  };

  it.each([
    ['', 'cod=500', 'cod is ignored (did you mean code?)'],
    ['', 'wait=1, exampel=x', 'exampel is ignored (did you mean example?)'],
    ['', 'delay=0, dynamc', 'dynamc is ignored (did you mean dynamic?)'],
    ['', 'delay=0; Code=404', 'code is ignored after a semicolon (separate preferences with commas)'],
    ['?__dealy=100', undefined, '__dealy is ignored (did you mean __delay?)'],
    [
      '?__cod=500&limit=1&__sed=2',
      undefined,
      '__cod is ignored (did you mean __code?), __sed is ignored (did you mean __seed?)',
    ],
  ])('names the misspelt preference in %j, %j', async (query, prefer, hint) => {
    expect(await hintOf(query, prefer)).toBe(hint);
  });

  it.each([
    ['', 'return=minimal, respond-async, wait=10, handling=lenient, safe, depth-noroot, odata.maxpagesize=5'],
    ['?path=/a__code&__init__=1', undefined],
    ['?__proto__=1', 'constructor'],
    ['', 'x'.repeat(50)],
    ['?limit=1', undefined],
  ])('is absent for the preferences of others: %j, %j', async (query, prefer) => {
    expect(await hintOf(query, prefer)).toBeNull();
  });

  it('comes with the answer to a preference that was understood, too', async () => {
    const reply = await controlled().api('GET', '/drives', { headers: { prefer: 'code=503, dealy=5' } });
    expect([reply.status, reply.headers.get('x-mock-hint')]).toEqual([503, 'dealy is ignored (did you mean delay?)']);
  });
});

describe('the words of an error', () => {
  it('of a value that may be null are those of the value', async () => {
    const { control } = await startControlled();
    const json = { latency: { fixedMs: 50 } };
    const { body } = await control('PATCH', '/settings', { json });
    expect(body.detail).toBe('body.latency.fixedMs is not a known field (known: delayMs, fromMs, toMs)');
    expectProblem(await control('PATCH', '/settings', { json: { clock: 'noon' } }), 422, /"body\.clock must be an ISO/);
    const others = await control('PATCH', '/organizations/org-a/agents/agent-blank', { json: { activeRevisionId: 5 } });
    expectProblem(others, 422, /body\.activeRevisionId must be a string/);
  });

  it('of a schema or null are never about null, for any value', () => {
    const schema = { anyOf: [{ type: 'object', properties: { a: { type: 'null' } } }, { type: 'null' }] };
    const validate = new Schemas(schema).at('#');
    expect(validate(null)).toEqual([]);
    for (const value of [5, 'x', [], true])
      expect(validate(value).map(({ message }) => message)).toEqual(['must be an object']);
    expect(validate({ a: 1 })).toMatchObject([{ location: ['a'], message: 'must be null' }]);
  });

  it.each([
    ['--admin', 'There is no option --admin: that is the default. --no-admin does the opposite.'],
    ['--no-open-keys', 'There is no option --no-open-keys: that is the default. --open-keys does the opposite.'],
    ['--core', '--core'],
  ])('of %s', async (flag, says) => {
    const { code, stderr } = await runCommand(['mock', flag]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('of a JSON file name the place', async () => {
    const file = folder.write('seed.JSON', '{"organizations":[{"name":"a","keys":["k"]');
    const { code, stderr } = await runCommand(['mock', '--seed', file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('1:43 is not JSON: it ends too early')]);
  });
});
