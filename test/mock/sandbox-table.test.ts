import { describe, expect, it } from 'vitest';
import type { Organization } from '../../src/domain/organizations.ts';
import type { Mock, Seed } from '../../src/index.ts';
import { startControlled } from '../support/control.ts';
import { now, tinySeed } from '../support/tiny-seed.ts';

// Which sandboxes are opened, under which names and keys, and which of them have to go.

const namesIn = ({ engine }: Mock) => engine.store.sandboxes.map(({ organization }) => organization.name);
const idOf = ({ engine }: Mock, name: string) => engine.store.named(name)?.organization.id ?? '';
const visit = ({ engine }: Mock, key: string) => engine.authenticate({ 'x-api-key': key });
const why = (mock: Mock, key: string) => mock.engine.sandboxes.whyUnknown(key);

describe('a sandbox', () => {
  it('is numbered by how many were opened, whoever opened them', async () => {
    const { mock } = await startControlled({ openKeys: true });
    mock.openSandbox();
    visit(mock, 'visitor');
    mock.openSandbox({ name: 'Mine' });
    mock.openSandbox();
    expect(namesIn(mock)).toEqual(['Alder', 'Birch', 'Sandbox 1', 'Sandbox 2', 'Mine', 'Sandbox 4']);
    mock.reset();
    visit(mock, 'visitor');
    expect(namesIn(mock)).toEqual(['Alder', 'Birch', 'Sandbox 1']);
  });

  it('has a generated key of one length, however small its number', async () => {
    const { mock } = await startControlled();
    const keys = Array.from({ length: 300 }, () => mock.engine.sandboxes.makeKey());
    for (const key of keys) expect(key).toMatch(/^key-[0-9a-z]{21}$/);
    expect(new Set(keys).size).toBe(300);
  });

  it('is announced in its first answer, to its own key only', async () => {
    const { mock } = await startControlled({ openKeys: true });
    const { sandboxes, store } = mock.engine;
    const ownerOf = (key: string) => store.organizationOf(key) as Organization;
    for (const key of ['one', 'two']) visit(mock, key);
    const [one, two, alder] = [ownerOf('one'), ownerOf('two'), ownerOf('key-a')];
    expect(sandboxes.takeNotice(alder)).toBeUndefined();
    expect(sandboxes.takeNotice(two)).toEqual({ 'x-sandbox': 'opened' });
    expect(sandboxes.takeNotice(two)).toBeUndefined();
    expect(sandboxes.takeNotice(one)).toEqual({ 'x-sandbox': 'opened' });
    visit(mock, 'three');
    const three = ownerOf('three');
    mock.reset();
    expect(sandboxes.takeNotice(three)).toBeUndefined();
  });
});

describe('a key that opens no sandbox has the reason told', () => {
  const longest = 'k'.repeat(256);
  const rule =
    'This API key cannot open a sandbox: it must have 1 to 256 printable ASCII characters, without spaces or commas.';

  it.each([
    ['two words', rule],
    ['one,two', rule],
    [`${longest}k`, rule],
    ['kéy', rule],
    ['\u007f', rule],
    ['', rule],
    [longest, undefined],
    ['!"#$%&\'()*+-./:;<=>?@[]^_`{|}~', undefined],
  ])('%j', async (key, reason) => {
    const { mock } = await startControlled({ openKeys: true });
    expect(why(mock, key)).toBe(reason);
    expect(mock.engine.sandboxes.openFor(key)?.name).toBe(reason === undefined ? 'Sandbox 1' : undefined);
  });

  it('where its sandbox was retired: of the last 10,000 keys', async () => {
    const { mock } = await startControlled({ maxSandboxes: 7 });
    const { sandboxes } = mock.engine;
    const keys = Array.from({ length: 10_000 }, (_, index) => `key-${index}`);
    sandboxes.rememberRetired(keys, '');
    const reason = 'The sandbox of this API key was retired to make room for a newer one: the limit is 7.';
    expect([why(mock, 'key-0'), why(mock, 'key-9999'), why(mock, 'key-10000')]).toEqual([reason, reason, undefined]);
    sandboxes.rememberRetired(['one-more', 'and-one'], '');
    expect(['key-0', 'key-1', 'key-2', 'one-more'].map((key) => why(mock, key))).toEqual([
      ...[undefined, undefined, reason, reason],
    ]);
  });
});

describe('where there may be no more sandboxes', () => {
  it('all go that are too many, and are named in the order of their use', async () => {
    const { mock, control } = await startControlled();
    const ids = ['one', 'two', 'three'].map((key) => mock.openSandbox({ key }).organizationId);
    const taken = (await control('GET', '/snapshot')).body;
    const small = await startControlled({ maxSandboxes: 1, openKeys: true });
    expect((await small.control('PUT', '/snapshot', { json: taken })).status).toBe(200);
    visit(small.mock, 'three');
    visit(small.mock, 'one');
    const { headers } = await small.api('GET', '/agents', { key: 'four' });
    expect(headers.get('x-retired-sandboxes')).toBe([ids[1], ids[2], ids[0]].join(', '));
    expect(small.mock.engine.store.openedCount).toBe(1);
  });

  it('one that goes before its first answer is not announced when its owner opens it again', async () => {
    const { mock } = await startControlled({ maxSandboxes: 1, openKeys: true });
    for (const key of ['one', 'two']) visit(mock, key);
    mock.openSandbox({ key: 'one' });
    const again = mock.engine.store.organizationOf('one') as Organization;
    expect(mock.engine.sandboxes.takeNotice(again)).toBeUndefined();
  });

  it('an organization of the seed never goes', async () => {
    const { mock } = await startControlled({ maxSandboxes: 1, openKeys: true });
    for (const key of ['one', 'two', 'three']) visit(mock, key);
    expect(namesIn(mock)).toEqual(['Alder', 'Birch', 'Sandbox 3']);
  });
});

describe('what is known of sandboxes', () => {
  it('is all there in another mock that takes it over', async () => {
    const { mock } = await startControlled({ maxSandboxes: 2 });
    for (let count = 0; count < 4; count++) mock.openSandbox();
    const state = mock.engine.sandboxes.state();
    expect(state).toMatchObject({ count: 4, retiredKeys: [expect.any(String), expect.any(String)] });
    expect(state.promised).toEqual(
      namesIn(mock)
        .slice(2)
        .map((name) => idOf(mock, name)),
    );
    const other = (await startControlled({ maxSandboxes: 2 })).mock;
    other.openSandbox();
    other.engine.sandboxes.restore(structuredClone(state));
    expect(other.engine.sandboxes.state()).toEqual(state);
    expect(other.engine.sandboxes.makeKey()).toBe(mock.engine.sandboxes.makeKey());
  });
});

it('another profile changes nothing of which sandbox was idle for the longest time', async () => {
  const { mock } = await startControlled({ openKeys: true, maxSandboxes: 2 });
  for (const key of ['one', 'two', 'one']) visit(mock, key);
  mock.setProfile({ idFormat: 'numeric' });
  visit(mock, 'three');
  expect(namesIn(mock)).toEqual(['Alder', 'Birch', 'Sandbox 1', 'Sandbox 3']);
});

describe('another seed', () => {
  const of = (name: string, ...keys: string[]): Seed['organizations'][0] => ({ name, keys });
  const orders: [string, string[], string[]][] = [
    ['in another order', ['C', 'A', 'B'], ['C', 'A', 'B']],
    ['with one more between them', ['A', 'D', 'B', 'C'], ['A', 'D', 'B', 'C']],
    ['with one less', ['C', 'A'], ['C', 'A']],
    ['with many more', ['F', 'E', 'D', 'C', 'B', 'A', 'G'], ['F', 'E', 'D', 'C', 'B', 'A', 'G']],
  ];

  it.each(orders)('%s has its organizations in its order, and the sandboxes behind them', async (_, names, order) => {
    for (const written of [[], ['A'], ['C'], ['A', 'C']]) {
      const seed = { organizations: ['A', 'B', 'C'].map((name) => of(name, `key-${name}`)) };
      const { mock, api } = await startControlled({ seed, clock: now });
      for (const name of ['Y', 'X']) mock.openSandbox({ name, key: `key-${name}`, copyOf: null });
      for (const name of written) await api('POST', '/drives', { key: `key-${name}`, json: { name: 'New' } });
      await api('POST', '/drives', { key: 'key-X', json: { name: 'New' } });
      const told = mock.engine.reseed({ organizations: names.map((name) => of(name, `key-${name}`)) });
      expect(namesIn(mock)).toEqual([...order, 'Y', 'X']);
      expect(told.kept.toSorted()).toEqual([...written, 'X'].sort());
      expect(told.renewed.toSorted()).toEqual([...order.filter((name) => !written.includes(name)), 'Y'].sort());
    }
  });

  it('keeps the keys that were issued, revoked and used', async () => {
    const { mock, control } = await startControlled();
    mock.openSandbox({ key: 'sandbox' });
    mock.engine.store.issue(mock.engine.store.named('Sandbox 1') as never, 'issued');
    const usesOf = () => mock.engine.store.sandboxes.map(({ lastUse }) => lastUse);
    visit(mock, 'key-b');
    visit(mock, 'issued');
    visit(mock, 'key-a');
    const uses = usesOf();
    mock.engine.reseed(structuredClone(tinySeed));
    expect(usesOf()).toEqual(uses);
    expect(mock.engine.store.keys.toSorted()).toEqual(['issued', 'key-a', 'key-a2', 'key-b', 'sandbox']);
    expect((await control('POST', '/reset?organization=Sandbox%201')).status).toBe(200);
    expect(mock.engine.store.keys.toSorted()).toEqual(['key-a', 'key-a2', 'key-b', 'sandbox']);
  });
});
