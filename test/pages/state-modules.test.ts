import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { findJsonError, jsonErrorWords, parseJson } from '../../src/ui/shared/json-error.ts';
import { differences, type Fields, putTogether, takeApart, takeBack } from '../../src/ui/shared/state-parts.ts';
import { changeOf } from '../../src/ui/state/record-change.ts';
import type { FileRecord } from '../../src/ui/state/record-types.ts';
import {
  agentNodes,
  driveNodes,
  matching,
  parentIndex,
  rowsOf,
  serverNodes,
  type TreeNode,
} from '../../src/ui/state/tree.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// What the view State computes, without a browser.

const runs = { numRuns: depth(100, 5_000), seed: randomSeed };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the first error in JSON', () => {
  it.each([
    ['', 'Line 1, column 1: expected a value: text in double quotes, a number, true, false, null, [ or {.'],
    ['{\n  "a": 1,\n}', 'Line 3, column 1: expected a name in double quotes.'],
    ['{"a" 1}', 'Line 1, column 6: expected a : after the name.'],
    ['{"a": 1 "b": 2}', 'Line 1, column 9: expected a , or }.'],
    ['[1\n 2]', 'Line 2, column 2: expected a , or ].'],
    ['[,]', 'Line 1, column 2: expected a value, or ].'],
    ['{a: 1}', 'Line 1, column 2: expected a name in double quotes, or }.'],
    ['{"a": "x\n"}', 'Line 1, column 7: this text does not end, or has a line break or an unknown \\ in it.'],
    ['[01]', 'Line 1, column 2: expected a value, or ].'],
    ['{} x', 'Line 1, column 4: expected nothing more.'],
    ['{"a": [', 'Line 1, column 8: expected a value, or ].'],
  ])('is told for %j', (text, words) => {
    const parsed = parseJson(text);
    expect('error' in parsed ? jsonErrorWords(parsed.error) : 'none').toBe(words);
  });

  it('is found exactly where there is one', () => {
    const pieces = String.raw`{ } [ ] , : "a" "\u00e9" "\x" " 1 -0.5e3 01 true nul`
      .split(' ')
      .concat(' ', '\n', '\u007f');
    const joined = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((each) => each.join(''));
    fc.assert(
      fc.property(fc.oneof(joined, fc.json(), fc.string()), (text) => {
        expect([text, findJsonError(text) === undefined]).toEqual([text, isJson(text)]);
      }),
      runs,
    );
  });

  it.each(['"?"', '"\\\\?"', '?', '1?', '{"a"?1}'])(
    'is found or not like by the runtime for each character in %s',
    (frame) => {
      const points = Array.from({ length: 0x3001 }, (_, point) => point).concat(0xd800, 0xdfff, 0xfeff, 0x1f600);
      const texts = points.map((point) => frame.replace('?', () => String.fromCodePoint(point)));
      expect(texts.filter((text) => (findJsonError(text) === undefined) !== isJson(text))).toEqual([]);
    },
  );

  it('is found in deeply nested text', () => {
    expect(findJsonError(`${'['.repeat(100_000)}x`)).toMatchObject({ line: 1, column: 100_001 });
  });
});

describe('a state in parts', () => {
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
    const delta = differences(takeApart(start), takeApart(after));
    const { parts, conflicts } = takeBack(takeApart(changed(after, others)), delta);
    return { state: putTogether(parts), conflicts };
  };

  it('is put together as it was', async () => {
    const state = await snapshotOf();
    expect(JSON.parse(JSON.stringify(putTogether(takeApart(state))))).toEqual(state);
  });

  it.each<[string, (state: State) => void]>([
    ['a changed record', (state) => Object.assign(org(state).agents[0] as object, { name: 'x' })],
    ['an added record', (state) => files(state).files.push({ id: 'new', path: '/x' })],
    ['a removed record', (state) => files(state).files.splice(1, 1)],
    ['a removed drive', (state) => org(state).drives.splice(0, 1)],
    ['a removed organization', (state) => state.organizations.splice(0, 1)],
    ['an emptied mock', (state) => state.organizations.splice(0)],
  ])('comes back after %s', async (_, own) => {
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

  it('names what others put into what goes, and what cannot come back', async () => {
    const start = await snapshotOf();
    const addDrive = (state: State) => void org(state).drives.push({ id: 'new', name: 'New', files: [] } as never);
    const addFile = (state: State) => void org(state).drives.at(-1)?.files.push({ id: 'f', path: '/theirs' });
    expect(afterUndo(start, addDrive, addFile)).toEqual({ state: start, conflicts: ['file /theirs'] });
    const removeFile = (state: State) => void files(state).files.splice(0, 1);
    const removeDrive = (state: State) => void org(state).drives.splice(0, 1);
    const { conflicts } = afterUndo(start, removeFile, removeDrive);
    expect(conflicts).toEqual(['file /docs/plan.txt']);
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

describe('the tree', () => {
  const drive = { id: 'd', name: 'Drive', createdAt: '2026-01-01T00:00:00.000Z', holds: { files: 9 } };
  const fileAt = (path: string): FileRecord => ({ id: path, path, status: 'ready' });
  const labels = (nodes: readonly TreeNode[], isOpen = (_: TreeNode) => true) =>
    rowsOf(nodes, isOpen).map(({ node, level }) => `${'  '.repeat(level - 1)}${node.label}`);

  it('has directories first, then files, each in order', () => {
    const files = ['/b/x', '/a', '/b/a/y', '/b', '/c/', '/ /z', '/b/a/x'].map(fileAt);
    const nodes = driveNodes([drive], () => files);
    expect(labels(nodes)).toEqual([
      ...['Drive', '  " "/', '    z', '  b/', '    a/', '      x', '      y', '    x'],
      ...['  c/', '    ""', '  a', '  b'],
    ]);
    expect(new Set(rowsOf(nodes, () => true).map(({ node }) => node.place)).size).toBe(12);
    expect(labels(driveNodes([drive], () => undefined))).toEqual(['Drive']);
  });

  it('says of each line where it stands', () => {
    const rows = rowsOf(
      driveNodes([drive], () => ['/a/b', '/a/c', '/d'].map(fileAt)),
      () => true,
    );
    expect(rows.map(({ level, positionInSet, setSize, isOpen }) => [level, positionInSet, setSize, isOpen])).toEqual([
      ...[
        [1, 1, 1, true],
        [2, 1, 2, true],
        [3, 1, 2, undefined],
        [3, 2, 2, undefined],
        [2, 2, 2, undefined],
      ],
    ]);
    expect(rows.map((_, index) => parentIndex(rows, index))).toEqual([-1, 0, 1, 1, 0]);
    expect(
      rowsOf(
        driveNodes([drive], () => [fileAt('/a')]),
        () => false,
      ),
    ).toHaveLength(1);
  });

  it('is closed at first where a drive is large', () => {
    const many = Array.from({ length: 201 }, (_, index) => fileAt(`/dir/${index}`));
    const first = (files: FileRecord[]) => driveNodes([drive], () => files)[0]?.children?.[0]?.isOpenAtFirst;
    expect([first(many), first(many.slice(1))]).toEqual([false, true]);
  });

  it('shows all below a match, and the way to it', () => {
    const nodes = driveNodes([drive], () => ['/a/Plan', '/a/c', '/d/plan/e', '/f'].map(fileAt));
    expect(labels(matching(nodes, 'plan'))).toEqual(['Drive', '  a/', '    Plan', '  d/', '    plan/', '      e']);
    expect(matching(nodes, 'nothing')).toEqual([]);
  });

  it('marks what is published, what has changes, and what could not be read', () => {
    const revisions = [{ id: 'r', createdAt: '2026-01-01T08:00:00.000Z' }];
    const [agent] = agentNodes([{ id: 'a', name: '', revisions, activeRevisionId: 'r', hasChanges: true }]);
    expect(agent?.label).toBe('""');
    expect(agent?.marks?.map(({ text }) => text)).toEqual(['published', 'has changes']);
    expect(agent?.children?.[0]).toMatchObject({
      label: 'Revision 1, 2026-01-01 08:00:00 UTC',
      place: '/agents/a/revisions/r',
    });
    const tools = [{ name: 'look', description: '' }];
    const [server] = serverNodes([{ id: 's', name: 'S', url: 'u', type: 'sse', tools, toolsProblem: 'down' }]);
    expect(server?.marks?.map(({ text }) => text)).toEqual(['1 tool', 'problem']);
  });
});
