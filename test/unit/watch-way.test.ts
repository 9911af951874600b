import fs, { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchWay } from '../../src/cli/watch-way.ts';

/** Acts once, after the links on a path were read, and before the first of its folders is watched. */
function beforeWatching(act: () => void): void {
  const watch = vi.spyOn(fs, 'watch').mockImplementationOnce((...args: Parameters<typeof fs.watch>) => {
    act();
    return fs.watch(...args);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    watch.mockRestore();
    syncBuiltinESMExports();
  });
}

it('notices a change behind a link that changed before its folder was watched', async () => {
  const at = mkdtempSync(join(tmpdir(), 'agent-platform-watch-way-'));
  onTestFinished(() => rmSync(at, { recursive: true }));
  for (const folder of ['one', 'two']) mkdirSync(join(at, folder));
  const [path, one, two] = [join(at, 'file'), join(at, 'one', 'target'), join(at, 'two', 'target')];
  for (const target of [one, two]) writeFileSync(target, 'before');
  symlinkSync(one, path);
  const swapped = vi.fn(() => {
    symlinkSync(two, `${path}.new`);
    renameSync(`${path}.new`, path);
  });
  beforeWatching(swapped);
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const noted = vi.fn();
  watchWay(path, noted, noted, stop.signal);
  expect(swapped).toHaveBeenCalledOnce();
  writeFileSync(two, 'after');
  await expect.poll(() => noted.mock.calls).toContainEqual([]);
});
