import { describe, expect, it } from 'vitest';
import type { ShownFile } from '../../src/app/admin-api/file-handlers.ts';
import { createMock } from '../../src/index.ts';
import type { Fields } from '../../src/ui/shared/json.ts';
import { takeBack } from '../../src/ui/shared/state-undo.ts';
import { shortened, shown, sizeWords } from '../../src/ui/shared/words.ts';
import { changeOf, changesOf, fieldsIn, type RecordField, turned } from '../../src/ui/state/record-change.ts';
import { driveNodes, matching, rowsOf, type TreeNode } from '../../src/ui/state/tree.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// What the view State computes, without a browser.

describe('a change of the state that is undone', () => {
  const snapshotOf = async (): Promise<Fields> => {
    const mock = await createMock({ seed: tinySeed, port: 0 });
    const state = JSON.parse(JSON.stringify(mock.snapshot()));
    await mock.close();
    return state;
  };
  type State = {
    organizations: { id: string; name: string; agents: Fields[]; drives: { id: string; files: Fields[] }[] }[];
  };
  const changed = (state: Fields, change: (state: State) => void): Fields => {
    const copy = structuredClone(state);
    change(copy as unknown as State);
    return copy;
  };
  const org = (state: State) => state.organizations[0] as State['organizations'][number];
  const files = (state: State) => org(state).drives[0] as State['organizations'][number]['drives'][number];

  /** Takes a change back after others did something; both are given as what they do to a state. */
  const afterUndo = (start: Fields, own: (state: State) => void, others: (state: State) => void = () => undefined) => {
    const after = changed(start, own);
    return takeBack(start, after, changed(after, others));
  };

  it.each<[string, (state: State) => void]>([
    ['a changed record', (state) => Object.assign(org(state).agents[0] as object, { name: 'x' })],
    ['an added record', (state) => files(state).files.push({ id: 'new', path: '/x' })],
    ['a removed record', (state) => files(state).files.splice(1, 1)],
    ['a removed drive', (state) => org(state).drives.splice(0, 1)],
    ['a removed organization', (state) => state.organizations.splice(0, 1)],
    ['an emptied mock', (state) => state.organizations.splice(0)],
  ])('leaves the state as it was: %s', async (_, own) => {
    const start = await snapshotOf();
    const { state, conflicts } = afterUndo(start, own);
    expect(JSON.parse(JSON.stringify(state))).toEqual(start);
    expect(conflicts).toEqual([]);
  });

  it('keeps what others did elsewhere, and names what they did to the same', async () => {
    const start = await snapshotOf();
    const rename = (index: number, name: string) => (state: State) =>
      void Object.assign(org(state).agents[index] as object, { name });
    const elsewhere = afterUndo(start, rename(0, 'own'), rename(1, 'theirs'));
    expect(elsewhere).toEqual({ state: changed(start, rename(1, 'theirs')), conflicts: [] });
    expect(afterUndo(start, rename(0, 'own'), rename(0, 'theirs'))).toEqual({
      state: start,
      conflicts: ['agent theirs'],
    });
  });

  it('leaves what others did to other fields, and to other records although only one is meant', async () => {
    const start = await snapshotOf();
    const own = (state: State) => void Object.assign(org(state).agents[0] as object, { name: 'own' });
    const theirs = (state: State) => void Object.assign(org(state).agents[0] as object, { description: 'theirs' });
    expect(afterUndo(start, own, theirs)).toEqual({ state: changed(start, theirs), conflicts: [] });
    const more = (state: State) => void Object.assign(org(state).agents[1] as object, { name: 'meanwhile' });
    const after = changed(changed(start, own), more);
    const { id: own1 } = org(start as unknown as State).agents[0] as { id: string };
    const place = `/organizations/${org(start as unknown as State).id}/agents/${own1}`;
    expect(takeBack(start, after, after, place)).toEqual({ state: changed(start, more), conflicts: [] });
  });

  it('names what others put into what goes, and what cannot come back', async () => {
    const start = await snapshotOf();
    const addDrive = (state: State) => void org(state).drives.push({ id: 'new', name: 'New', files: [] } as never);
    const addFile = (state: State) => void org(state).drives.at(-1)?.files.push({ id: 'f', path: '/theirs' });
    expect(afterUndo(start, addDrive, addFile)).toEqual({ state: start, conflicts: ['drive New'] });
    const removeFile = (state: State) => void files(state).files.splice(0, 1);
    const removeDrive = (state: State) => void org(state).drives.splice(0, 1);
    const { conflicts } = afterUndo(start, removeFile, removeDrive);
    expect(conflicts).toEqual(['drive Middle']);
  });

  it('never makes the same ids again, and forgets revoked keys that are back', async () => {
    const start = await snapshotOf();
    const ids = (count: number) => (state: State) => void Object.assign(org(state), { ids: { count } });
    const idsOf = (state: Fields) => (org(state as unknown as State) as unknown as { ids: unknown }).ids;
    const used = changed(start, ids(7));
    expect(idsOf(afterUndo(used, ids(0), ids(2)).state)).toEqual({ count: 7 });
    expect(idsOf(afterUndo(used, ids(8), ids(9)).state)).toEqual({ count: 9 });
    const revoke = (state: State) => void Object.assign(state, { revokedKeys: ['key-a', 'other'] }, {});
    const takeKey = (state: State) => {
      revoke(state);
      Object.assign(org(state), { keys: ['key-a2'] });
    };
    const { state } = afterUndo(start, takeKey);
    expect(state.revokedKeys).toEqual([]);
    expect(org(state as unknown as State)).toMatchObject({ keys: ['key-a', 'key-a2'] });
  });
});

describe('a change of a record', () => {
  it('holds what differs, and null for what is gone', () => {
    const before = { id: 'x', name: 'a', gone: 1, same: { deep: [1] } };
    expect(changeOf(before, { id: 'x', name: 'b', same: { deep: [1] }, added: true })).toEqual({
      ...{ name: 'b', gone: null, added: true },
    });
    expect(changeOf(before, before)).toEqual({});
  });
});

describe('the editor of a record', () => {
  const fields: readonly RecordField[] = [
    { name: 'name', kind: 'text' },
    { name: 'note', kind: 'text', takesNull: true },
    { name: 'size', kind: 'number' },
    { name: 'isOn', kind: ['true', 'false'] },
    { name: 'more', kind: 'json', takesNull: true },
  ];
  const record = { id: 'x', name: 'a', note: 'n', size: 1, isOn: true, more: { deep: [1] } };

  it.each<[Record<string, string>, object]>([
    [
      { name: 'b', size: '2' },
      { name: 'b', size: 2 },
    ],
    [
      { note: '', more: '' },
      { note: null, more: null },
    ],
    [{ name: '' }, { name: '' }],
    [
      { size: 'many', isOn: 'false' },
      { size: 'many', isOn: false },
    ],
    [{ more: '{"deep": []}' }, { more: { deep: [] } }],
    [{ '{}': '{"name": "c", "size": 1, "isOn": true, "note": "n"}' }, { name: 'c', more: null }],
  ])('sends only what was changed: %j', (edits, sent) => {
    expect(changesOf(fields, record, edits, false)).toEqual(sent);
  });

  it('sends of a new record what is filled in', () => {
    expect(changesOf(fields, { name: 'a' }, { size: '3' }, true)).toEqual({ name: 'a', size: 3 });
  });

  it('says where JSON is wrong, and takes objects only', () => {
    expect(() => changesOf(fields, record, { more: '{' }, false)).toThrow(/^more: This is not JSON\./);
    expect(() => changesOf(fields, record, { '{}': '[]' }, false)).toThrow('must be an object');
  });

  it('keeps what is typed when it turns to JSON and back, also where others changed the record meanwhile', () => {
    const typed = { edits: { name: 'b', note: '' }, began: { name: 'a', note: 'n' } };
    const json = turned(fields, { ...record, name: 'theirs' }, typed, false);
    expect(JSON.parse(json.edits['{}'] ?? '')).toEqual({ name: 'b', size: 1, isOn: true, more: { deep: [1] } });
    expect(turned(fields, { ...record, size: 2 }, json, false)).toEqual(typed);
    const made = turned(fields, { name: 'a' }, { edits: { size: '3' }, began: {} }, true);
    expect(JSON.parse(made.edits['{}'] ?? '')).toEqual({ name: 'a', size: 3 });
    const turn = (edits: Record<string, string>) => () =>
      turned(fields, record, { edits, began: { '{}': '{}' } }, false);
    expect(turn({ more: '{' })).toThrow(/^more: This is not JSON\./);
    expect(turn({ '{}': '{' })).toThrow('This is not JSON');
    expect(turn({ '{}': '{"other": 1}' })).toThrow('No field for other.');
  });

  it('has the fields of the schemas, without those that nobody can change', () => {
    expect(fieldsIn.FileChange.map(({ name }) => name)).not.toContain('id');
    expect(fieldsIn.NewFile.find(({ name }) => name === 'path')).toMatchObject({ isRequired: true });
    expect(fieldsIn.AgentChange.find(({ name }) => name === 'hasChanges')?.kind).toEqual(['true', 'false']);
  });
});

it.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [3_940_000, '3.9 MB'],
  [2 ** 31, '2.1 GB'],
  [5e15, '5000.0 TB'],
])('says the size %d in words', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

describe('the tree', () => {
  const drive = {
    id: 'd',
    name: 'Drive',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    holds: { files: 9 },
  };
  const fileAt = (path: string) => ({ id: path, path, status: 'ready', sizeBytes: path.length }) as ShownFile;
  const rows = (nodes: readonly TreeNode[], isOpen = true, order?: Parameters<typeof rowsOf>[1]['order']) =>
    rowsOf(nodes, { isOpen: () => isOpen, hrefOf: (place) => place, order });
  const names = (...given: Parameters<typeof rows>) =>
    rows(...given).map(({ item, level = 1 }) => `${'  '.repeat(level - 1)}${item.name}`);

  it('has directories first, then files, each in order', () => {
    const files = ['/b/x', '/a', '/b/a/y', '/b', '/c/', '/ /z', '/b/a/x'].map(fileAt);
    const nodes = driveNodes([drive], () => files);
    const expected = ['Drive', '  " "/', '    z', '  b/', '    a/', '      x', '      y', '    x'];
    expect(names(nodes)).toEqual([...expected, '  c/', '    ""', '  a', '  b']);
    expect(new Set(rows(nodes).map(({ id }) => id)).size).toBe(12);
    expect(names(driveNodes([drive], () => undefined))).toEqual(['Drive']);
    expect(names(nodes, false)).toEqual(['Drive']);
  });

  it.each([
    ['', '""'],
    ['😀'.repeat(40), '😀'.repeat(40)],
    ['😀'.repeat(41), `${'😀'.repeat(40)}…`],
  ])('shortens the name %j in a question', (name, short) => {
    expect(shortened(name)).toBe(short);
  });

  it.each([
    ['Plans', 'Plans'],
    ['   ', '"   "'],
    ['\u200f\u200f', '"\u200f\u200f"'],
    ['exe.\u202egnp', 'exe.\\u202egnp'],
  ])('shows the name %j so that it can be seen and read in its order', (name, visible) => {
    expect(shown(name)).toBe(visible);
  });

  it('may be sorted, with directories first', () => {
    const nodes = driveNodes([drive], () => ['/a/xx', '/a/y', '/longest', '/b'].map(fileAt));
    const bySize = (one: { file?: ShownFile }, other: { file?: ShownFile }) =>
      (one.file?.sizeBytes ?? 0) - (other.file?.sizeBytes ?? 0);
    expect(names(nodes, true, bySize)).toEqual(['Drive', '  a/', '    y', '    xx', '  b', '  longest']);
  });

  it('leads to records, and opens what has lines below it', () => {
    const all = rows(driveNodes([drive], () => [fileAt('/a/b')]));
    expect(all.map(({ href, isOpen }) => [href, isOpen])).toEqual([
      ['/drives/d', true],
      [undefined, true],
      ['/drives/d/files/%2Fa%2Fb', undefined],
    ]);
  });

  it('has nothing to open where a drive is empty', () => {
    const [empty] = rows(driveNodes([{ ...drive, holds: { files: 0 } }], () => []));
    expect(empty?.isOpen).toBeUndefined();
  });

  it('is closed at first where a drive is large', () => {
    const many = Array.from({ length: 201 }, (_, index) => fileAt(`/dir/${index}`));
    const first = (files: ShownFile[]) => driveNodes([drive], () => files)[0]?.children?.[0]?.isOpenAtFirst;
    expect([first(many), first(many.slice(1))]).toEqual([false, true]);
  });

  it('shows all below a match, and the way to it', () => {
    const nodes = driveNodes([drive], () => ['/a/Plan', '/a/c', '/d/plan/e', '/f'].map(fileAt));
    expect(names(matching(nodes, 'plan'))).toEqual(['Drive', '  a/', '    Plan', '  d/', '    plan/', '      e']);
    expect(matching(nodes, 'nothing')).toEqual([]);
  });
});
