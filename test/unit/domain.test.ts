import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizePath } from '../../openapi/reading/path-rule.ts';
import { Deferred, lagMs } from '../../src/domain/deferred.ts';
import { FileTree, nameOf } from '../../src/domain/file-tree.ts';
import { createIds, firstIdState, type IdKind } from '../../src/domain/ids.ts';
import { madeUp } from '../../src/domain/names.ts';
import { OrderedList } from '../../src/domain/ordered-list.ts';
import { createRandom } from '../../src/domain/random.ts';
import type { DriveFile } from '../../src/domain/resources.ts';

const segment = fc.constantFrom('a', 'b', 'ab', 'a.b', '', '.', '...', 'ä', '%', '*');
const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join('/')}`);

interface Fields {
  id: string;
  name: string;
  createdAtMs: number;
}

function fileAt(id: string, at: string): DriveFile {
  return { id, path: at, name: nameOf(at), status: 'ready', modifiedAtMs: 0, sizeBytes: 0, contentType: 'text/plain' };
}

/** What a tree holds, as a plain list of paths, by the plain rule: the directory's segments come first. */
function isBelow(file: string, directory: string): boolean {
  const bare = directory.replace(/\/$/, '');
  return file.startsWith(`${bare}/`);
}

/** Every directory at or below `directory` in which one of the paths lies. */
function directoriesOf(directory: string, paths: readonly string[]): Set<string> {
  const prefix = `${directory.replace(/\/$/, '')}/`;
  const ends = (path: string) => [...path].flatMap((character, index) => (character === '/' ? [index] : []));
  return new Set(
    paths.flatMap((path) =>
      ends(path)
        .map((end) => path.slice(0, end + 1))
        .filter((one) => one.startsWith(prefix)),
    ),
  );
}

describe('the file tree', () => {
  it('agrees with a plain list of paths after any puts, moves and removals', () => {
    const step = fc.record({ id: fc.constantFrom('1', '2', '3', '4', '5', '6'), path, isRemoval: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), path, (steps, directory) => {
        const tree = new FileTree();
        const plain = new Map<string, string>();
        for (const { id, path: at, isRemoval } of steps) {
          if (isRemoval) {
            tree.remove(id);
            plain.delete(id);
          } else if (![...plain].some(([other, taken]) => taken === at && other !== id)) {
            tree.put(fileAt(id, at));
            plain.set(id, at);
          }
        }
        const { own, below, directoryCount } = tree.under(directory);
        const expected = [...plain].filter(([, at]) => isBelow(at, directory)).map(([id]) => id);
        expect(below.map((file) => file.id).sort()).toEqual(expected.sort());
        expect(directoryCount).toBe(
          directoriesOf(
            directory,
            below.map((file) => file.path),
          ).size,
        );
        expect(tree.size).toBe(plain.size);
        expect(tree.first()).toBe(tree.all()[0]);
        for (const [id, at] of plain) expect([tree.find(id)?.path, tree.at(at)?.id]).toEqual([at, id]);
        // A file is named exactly: a path that ends with a slash is that of a directory.
        const named = [...plain].find(([, at]) => at === directory && !directory.endsWith('/'));
        expect(own[0]?.id).toBe(named?.[0]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes as a target a path in a directory that is there, and not the path of a directory', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 8 }), path, (taken, target) => {
        const tree = new FileTree();
        for (const [index, at] of taken.entries()) tree.put(fileAt(String(index), at));
        const isDirectory = (at: string) => at === '' || taken.some((one) => one.startsWith(`${at}/`));
        const parent = target.slice(0, target.lastIndexOf('/'));
        const isThere = isDirectory(parent) && !target.endsWith('/') && !isDirectory(target);
        expect(tree.isPlausibleTarget(target)).toBe(isThere);
      }),
    );
  });

  it('tells of each file that is put, and of each that is removed and was there', () => {
    const told: [string, string | undefined][] = [];
    const tree = new FileTree((id, file) => told.push([id, file?.path]));
    tree.put(fileAt('1', '/a'));
    tree.put(fileAt('1', '/b'));
    tree.remove('1');
    tree.remove('1');
    expect(told).toEqual([
      ['1', '/a'],
      ['1', '/b'],
      ['1', undefined],
    ]);
  });

  it('leaves no empty directories behind', () => {
    const tree = new FileTree();
    tree.put(fileAt('1', '/a/b/c/d'));
    expect(tree.under('/').directoryCount).toBe(4);
    tree.put(fileAt('1', '/a/x'));
    expect(tree.under('/').directoryCount).toBe(2);
    tree.remove('1');
    expect(tree.under('/').directoryCount).toBe(0);
  });

  it('accepts a path of 20,000 segments', () => {
    const tree = new FileTree();
    const deep = '/d'.repeat(20_000);
    tree.put(fileAt('1', deep));
    expect(tree.under('/d/d').below).toHaveLength(1);
    tree.remove('1');
    expect(tree.size).toBe(0);
  });

  it('normalizes paths idempotently and within the path rule', () => {
    fc.assert(
      fc.property(path, (at) => {
        const normal = normalizePath(at);
        expect(normalizePath(normal)).toBe(normal);
        expect(normal).toMatch(/^\/([^/]+(\/[^/]+)*)?$/);
        // The same path as elsewhere: Node keeps only the slash at the end.
        expect(normal).toBe(posix.normalize(at).replace(/(?<=.)\/$/, ''));
      }),
    );
  });

  it.each([
    ['/', ''],
    ['/a', 'a'],
    ['/a/b.txt', 'b.txt'],
    ['/a/b/', 'b'],
    ['/a//', 'a'],
    ['/a/.', '.'],
  ])('names the file at %s', (at, name) => {
    expect(nameOf(at)).toBe(name);
  });
});

describe('an ordered list', () => {
  const listOf = <T extends Fields>(order: ConstructorParameters<typeof OrderedList>[0], items: readonly T[]) => {
    const list = new OrderedList<T>(order);
    list.addAll(items);
    return list;
  };
  const item = fc.record({ id: fc.uuid(), name: fc.string(), createdAtMs: fc.integer({ min: 0, max: 5 }) });
  const order = fc.constantFrom(
    'oldestFirst' as const,
    'newestFirst' as const,
    'byName' as const,
    'arbitrary' as const,
  );

  it('is the same built at once or item by item, and its pages leave no gap', () => {
    fc.assert(
      fc.property(order, fc.array(item), fc.integer({ min: 1, max: 7 }), (by, items, limit) => {
        const atOnce = listOf(by, items);
        const grown = new OrderedList<(typeof items)[number]>(by);
        for (const one of items) grown.add(one);
        expect(grown.all()).toEqual(atOnce.all());
        const pages = Array.from({ length: Math.ceil(items.length / limit) }, (_, page) =>
          atOnce.page(page * limit, limit),
        );
        expect(pages.flat()).toEqual(atOnce.all());
        expect(atOnce.page(items.length, limit)).toEqual([]);
        expect(new Set(atOnce.all())).toEqual(new Set(items));
      }),
    );
  });

  it('is after replacements and removals what is built at once of the items that are left', () => {
    const items = fc.uniqueArray(item, { selector: ({ id }) => id, minLength: 1 });
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat()));
    fc.assert(
      fc.property(order, items, steps, (by, all, changes) => {
        const list = listOf<(typeof all)[number] & { version?: number }>(by, all);
        let left: Parameters<typeof list.add>[0][] = all;
        for (const [version, [isRemoval, pick]] of changes.entries()) {
          const chosen = left[pick % left.length] ?? (all[0] as (typeof all)[number]);
          const changed = { ...chosen, version };
          if (isRemoval) list.remove(chosen);
          else list.replace(chosen, changed);
          left = isRemoval ? left.filter((one) => one !== chosen) : left.map((one) => (one === chosen ? changed : one));
          expect(list.all().find(({ id }) => id === chosen.id)).toBe(
            isRemoval ? undefined : left.find(({ id }) => id === chosen.id),
          );
        }
        expect(list.all()).toEqual(listOf(by, left).all());
        expect(list.arrivedIds()).toEqual(left.map(({ id }) => id));
        expect(list.size).toBe(left.length);
      }),
    );
  });
});

describe('a made-up name', () => {
  it('is not taken, and has the least number that makes it so', () => {
    const numbered = (number: number) => (number === 1 ? 'New' : `New ${number}`);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 6 })), (taken) => {
        const free = [1, 2, 3, 4, 5, 6, 7].find((number) => !taken.includes(number)) as number;
        expect(madeUp('New', new Set(taken.map(numbered)))).toBe(numbered(free));
      }),
    );
    expect(madeUp('http://a/mcp', new Set(['http://a/mcp']), '-')).toBe('http://a/mcp-2');
  });
});

describe('ids', () => {
  const clock = { nowMs: () => 1_780_000_000_000 };
  const kinds: IdKind[] = ['organization', 'agent', 'revision', 'drive', 'file', 'mcpServer', 'job'];
  const formats = ['uuid', 'prefixed', 'sortable', 'numeric'] as const;

  it.each(formats)('never repeat in the format %s, within a stream or between streams', (format) => {
    const streams = ['0/a', '1/a', '1/b'].map((name) =>
      createIds({ profile: { idFormat: format }, clock }, firstIdState(createRandom(name))),
    );
    const ids = streams.flatMap((next) =>
      Array.from({ length: 5_000 }, (_, index) => next(kinds[index % 7] as IdKind)),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are UUIDs of version 4 in the format uuid', () => {
    const next = createIds({ profile: { idFormat: 'uuid' }, clock }, firstIdState(createRandom('0/a')));
    const ids = Array.from({ length: 1_000 }, () => next('drive'));
    const form = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
    expect(ids.filter((id) => !form.test(id))).toEqual([]);
    expect(new Set(ids.map((id) => id[19])).size).toBe(4);
    expect(ids[0]).toBe('00427ab3-f103-4c5a-8252-235e5782b6a1');
  });

  it('sort by creation in the sortable format, even when the clock steps back', () => {
    let timeMs = 1_000;
    const next = createIds(
      { profile: { idFormat: 'sortable' }, clock: { nowMs: () => timeMs } },
      firstIdState(createRandom('x')),
    );
    const ids = Array.from({ length: 500 }, (_, index) => {
      timeMs += index % 3 === 0 ? -7 : 5;
      return next('drive');
    });
    expect([...ids].sort()).toEqual(ids);
  });

  it('are drawn from numbers that depend only on the random seed', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const [one, two] = [createRandom(seed), createRandom(seed)];
        expect(Array.from({ length: 5 }, () => one.uint32())).toEqual(Array.from({ length: 5 }, () => two.uint32()));
      }),
    );
  });
});

it('deferred tasks tell of every change, and of nothing else', () => {
  let told = 0;
  const deferred = new Deferred(undefined, () => told++);
  const toldBy = (act: () => unknown) => {
    const before = told;
    act();
    return told - before;
  };
  expect(toldBy(() => deferred.countCall())).toBe(0);
  expect(toldBy(() => deferred.later(0, { kind: 'deleteFiles', driveId: 'd', files: [] }))).toBe(1);
  expect(toldBy(() => deferred.countCall())).toBe(1);
  expect(toldBy(() => deferred.takeDue(0))).toBe(0);
  expect(toldBy(() => deferred.takeDue(lagMs))).toBe(1);
});
