import { readFileSync } from 'node:fs';
import request from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Options } from '../../lib/options.ts';
import { oldestNode } from '../../src/app/node-version.ts';
import { requireNode } from '../../src/http/start-error.ts';
import { createMock, createProxy, type MockOptions, StartError } from '../../src/index.ts';
import { liveMcpOptions, mockOptions } from '../../src/options/mock-options.ts';
import { proxyOptions } from '../../src/options/proxy-options.ts';
import { useMock } from '../support/control.ts';
import { tinySeed } from '../support/tiny-seed.ts';

describe('createMock', () => {
  it('starts without options on a free port with the demo keys', async () => {
    const mock = await useMock();
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v0\.1$/);
    expect(mock.keys).toEqual(['demo-key', 'demo-key-2']);
    const { body } = await request(mock.url).get('/drives').set('X-API-Key', 'demo-key').expect(200);
    expect(body.data).toHaveLength(5);
  });

  it('uses a profile with choices set on top and exposes the result', async () => {
    const mock = await useMock({
      seed: tinySeed,
      profile: { 'successStatus.createDrive': 200, listOrder: 'byName' },
      set: { 'duplicates.names': 'refused', listOrder: 'newestFirst' },
    });
    await request(mock.url).post('/drives').set('X-API-Key', 'key-a').send({ name: 'New' }).expect(200);
    await request(mock.url).post('/drives').set('X-API-Key', 'key-a').send({ name: 'New' }).expect(409);
    expect(mock.profile).toMatchObject({
      'successStatus.createDrive': 200,
      'duplicates.names': 'refused',
      listOrder: 'newestFirst',
      'successStatus.publishAgentRevision': 200,
    });
  });

  it('answers when a listener throws and reports the errors to onUnexpected', async () => {
    const thrown: unknown[] = [];
    const failure = new Error('of the listener');
    const said = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => said.mockRestore());
    const onExchange = vi
      .fn<() => unknown>(() => Promise.reject(failure))
      .mockImplementationOnce(() => {
        throw failure;
      });
    const onUnexpected = (error: unknown) => {
      thrown.push(error);
      throw error;
    };
    const mock = await useMock({ onExchange, onUnexpected });
    const proxy = await createProxy({ upstream: mock.url, onExchange, onUnexpected });
    onTestFinished(() => proxy.close());
    await request(mock.url).get('/agents').set('X-API-Key', 'demo-key').expect(200);
    await request(proxy.url).get('/nowhere').expect(404);
    await vi.waitFor(() => expect([...thrown, ...said.mock.calls.flat()]).toEqual(Array(6).fill(failure)));
  });

  it.each<[MockOptions, string]>([
    [{ seed: 'nowhere.yaml' }, 'FILE_UNREADABLE'],
    [{ seed: import.meta.dirname }, 'FILE_UNREADABLE'],
    [{ seed: { organizations: [] } }, 'SEED_INVALID'],
    [{ profile: { 'successStatus.createDrive': 404 } }, 'PROFILE_INVALID'],
    [{ clock: 'noon' }, 'OPTION_INVALID'],
    [{ clock: new Date(Number.NaN) }, 'OPTION_INVALID'],
  ])('refuses %j with a typed error: %s', async (options, code) => {
    expect(await errorOf(createMock(options))).toMatchObject({ code });
  });

  it('refuses a seed that is not JSON, and says why', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.cycle = cycle;
    const broken = Object.defineProperty({}, 'x', { enumerable: true, get: () => expect.fail('in the getter') });
    for (const [value, why] of [
      ...([
        [1n, 'BigInt'],
        [Number.NaN, 'NaN'],
        [new Map(), 'Map'],
        [() => 1, 'Function'],
        [Symbol(), 'Symbol'],
      ] as const),
      ...([
        [cycle, 'circular'],
        [broken, 'in the getter'],
      ] as const),
    ]) {
      const files = [{ path: '/a', metadata: { value } }];
      const seed = { organizations: [{ name: 'A', keys: ['k'], drives: [{ name: 'D', files }] }] };
      const error = await errorOf(createMock({ seed }));
      expect(error).toMatchObject({ code: 'SEED_INVALID', message: expect.stringContaining(why) });
    }
  });

  it('has a copy of the seed, and a profile that nobody can change', async () => {
    const seed = structuredClone(tinySeed);
    const mock = await useMock({ seed });
    for (const organization of seed.organizations) Object.assign(organization, { name: 1n, drives: 1 });
    mock.reset();
    await request(mock.url).get('/drives').set('X-API-Key', 'key-a').expect(200);
    expect(() => Object.assign(mock.profile, { errorBody: 'x' })).toThrow(TypeError);
  });

  it('restores no snapshot that is not JSON', async () => {
    const mock = await useMock({ seed: tinySeed });
    const snapshot = mock.snapshot();
    Object.assign(snapshot.organizations[0]?.drives[0]?.files[0] ?? {}, { metadata: { count: 1n } });
    expect(() => mock.restore(snapshot)).toThrow('The value of count is not JSON: BigInt.');
    expect(() => mock.restore(Promise.resolve() as never)).toThrow('It is not JSON: Promise.');
  });

  it.each<[unknown, RegExp]>([
    [undefined, /^Pass choices\./],
    [null, /^Pass choices\. Null is for one organization only: add \{ organization \}\.$/],
    [5, /^profile is invalid: a profile is an object/],
    [{ errorBody: 'nope' }, /^profile\.errorBody is invalid: "nope" is not a choice of errorBody; legal: problem, /],
    [
      { errorStatus: { nope: 5 } },
      /^profile\.errorStatus\.nope is invalid: there is no open point "errorStatus\.nope"/,
    ],
  ])('refuses %j as choices', async (choices, message) => {
    const mock = await useMock();
    const refused = expect.objectContaining({ code: 'PROFILE_INVALID', message: expect.stringMatching(message) });
    expect(() => mock.setProfile(choices as null)).toThrow(refused);
  });

  it('accepts a Date as the clock', async () => {
    const mock = await useMock({ clock: new Date('2026-03-02T08:15:00Z') });
    expect(mock.engine.runtime.clock.nowMs()).toBe(Date.parse('2026-03-02T08:15:00Z'));
  });
});

describe('openSandbox', () => {
  it.each<[unknown, RegExp]>([
    [{ nme: 'x' }, /no option nme \(did you mean name\?\)/],
    [{ key: 5 }, /key must be a string/],
    [{ copyOf: 1 }, /copyOf must be a string or null/],
    [5, /must be a plain object/],
    [{ copyOf: 'nobody' }, /no such organization/],
    [{ name: 'self' }, /name must .* not be `self`, which is reserved/],
    [{ name: '' }, /name must have at least one character/],
    ...['', 'a b', 'ü', 'a\nb', 'x'.repeat(300)].map(
      (key) => [{ key }, /key must be up to 256 printable/] as [unknown, RegExp],
    ),
  ])('refuses %j', async (sandbox, message) => {
    const mock = await useMock({ seed: tinySeed });
    const refused = expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringMatching(message) });
    expect(() => mock.openSandbox(sandbox as object)).toThrow(refused);
    expect(mock.openSandbox({ copyOf: null, key: 'mine' }).key).toBe('mine');
  });
});

describe('requireNode', () => {
  it.each(['22.12.0', '22.0.0', '20.20.2', '9.13.0'])('refuses Node %s', (version) => {
    const fix = 'Install a newer one here: npm install --save-dev node@24, then use npm run or npx.';
    const message = `agent-platform-contract needs Node 22.13 or later; this is Node ${version}. ${fix}`;
    expect(() => requireNode(version)).toThrow(
      expect.objectContaining({ name: 'StartError', code: 'NODE_TOO_OLD', message }),
    );
  });

  it.each(['22.13.0', '23.0.0', '24.1.0', '100.0.0'])('accepts Node %s', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  it('asks for the Node that the package asks for', () => {
    const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(JSON.parse(read('package.json')).engines.node).toBe(`>=${oldestNode}`);
    for (const file of ['README.md', 'docs/in-your-tests.md']) {
      expect(read(file)).toContain(`package runs on Node ${oldestNode} or later`);
    }
  });
});

/** The error with which a start fails. Whatever starts nevertheless is closed. */
async function errorOf(started: Promise<{ close(): Promise<void> }>): Promise<StartError> {
  const ended = await started.then(
    (running) => running.close(),
    (reason: unknown) => reason,
  );
  expect(ended).toBeInstanceOf(StartError);
  return ended as StartError;
}

/** A value of no type that an option may have. */
const unusable = Symbol('unusable');

describe.each<[string, (given: object) => Promise<{ close(): Promise<void> }>, Options]>([
  ['createMock', (given) => createMock(given), mockOptions],
  ['createProxy', (given) => createProxy({ upstream: 'http://127.0.0.1:1/v0.1', ...given }), proxyOptions],
  ['liveMcp', (given) => createMock({ liveMcp: given }), liveMcpOptions],
])('options of %s', (library, startWith, options) => {
  const prefix = library === 'liveMcp' ? 'liveMcp.' : '';
  const all = Object.entries(options).map(([key, option]) => ({ key, ...option }));

  it.each(all)('refuse a $key of the wrong type', async ({ key }) => {
    const { code, message } = await errorOf(startWith({ [key]: unusable }));
    expect([code, message]).toEqual(['OPTION_INVALID', expect.stringContaining(`${prefix}${key} must be `)]);
  });

  it.each(all.filter(({ kind }) => kind === 'integer'))('refuse a $key out of range or not whole', async (option) => {
    const { key, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = option;
    for (const value of [minimum - 1, maximum + 1, 0.5, Number.NaN]) {
      const { message } = await errorOf(startWith({ [key]: value }));
      expect(message).toContain(`${prefix}${key} must be a whole number from ${minimum} to ${maximum}; it is `);
    }
  });

  it.each(all)('suggest $key for a misspelled option', async ({ key }) => {
    const slip = `${key.slice(0, 1)}${key.slice(2)}`;
    const { code, message } = await errorOf(startWith({ [slip]: 1 }));
    expect([code, message]).toEqual(['OPTION_INVALID', expect.stringMatching(new RegExp(`no option ${slip} \\(did`))]);
  });
});

it.each([[5], [null], ['demo'], [[]], [() => undefined]])('refuses non-object options: %o', async (given) => {
  const expected = { code: 'OPTION_INVALID', message: 'The options must be a plain object.' };
  expect(await errorOf(createMock(given as never))).toMatchObject(expected);
  expect(await errorOf(createProxy(given as never))).toMatchObject(expected);
});

it.each([
  ['a Map', new Map()],
  ['a URL', new URL('file:///x.yaml')],
  ['a Promise', Promise.resolve({})],
  ['a Buffer', Buffer.from('{}')],
])('refuses %s where a plain object is due', async (_, value) => {
  const refused = (message: RegExp) => ({ code: 'OPTION_INVALID', message: expect.stringMatching(message) });
  expect(await errorOf(createMock(value as never))).toMatchObject(refused(/^The options must be a plain object\.$/));
  for (const [name, types] of Object.entries({
    seed: 'a string or a plain',
    profile: 'a string or a plain',
    set: 'a plain',
  })) {
    const given = { [name]: value } as never;
    expect(await errorOf(createMock(given))).toMatchObject(refused(new RegExp(`^${name} must be ${types} object\\.$`)));
  }
});

it('refuses a URL for a path or an address by the name of the option', async () => {
  const url = new URL('http://127.0.0.1:1/v0.1');
  const refused = (message: RegExp) => ({ code: 'OPTION_INVALID', message: expect.stringMatching(message) });
  expect(await errorOf(createMock({ state: url } as never))).toMatchObject(refused(/^state must be a string/));
  expect(await errorOf(createProxy({ upstream: url } as never))).toMatchObject(refused(/^upstream must be a string/));
});

it('lists all invalid options at once without showing secrets', async () => {
  const given = {
    openKeys: 'yes',
    vary: 'hiden',
    set: ['successStatus.createDrive=201'],
    adminToken: 12345,
    onExchange: 'log',
  };
  const { message } = await errorOf(createMock(given as never));
  expect(message.split('\n')).toEqual([
    'openKeys must be true or false; it is "yes".',
    'vary must be one of hidden, visible; it is "hiden" (did you mean hidden?).',
    'adminToken must be a string.',
    'set must be a plain object.',
    'onExchange must be a function.',
  ]);
});
