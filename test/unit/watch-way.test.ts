import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchWay } from '../../src/cli/watch-way.ts';

const between = vi.hoisted(() => ({ reading: undefined as (() => void) | undefined }));

// The moment between reading the links on the path and watching their folders.
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const watch = (...args: Parameters<typeof fs.watch>) => {
    between.reading?.();
    between.reading = undefined;
    return fs.watch(...args);
  };
  return { ...fs, watch };
});

it('notices a change behind a link that changed before its folder was watched', async () => {
  const at = mkdtempSync(join(tmpdir(), 'agent-platform-watch-way-'));
  onTestFinished(() => rmSync(at, { recursive: true }));
  for (const folder of ['one', 'two']) mkdirSync(join(at, folder));
  const [path, one, two] = [join(at, 'file'), join(at, 'one', 'target'), join(at, 'two', 'target')];
  for (const target of [one, two]) writeFileSync(target, 'before');
  symlinkSync(one, path);
  between.reading = () => {
    symlinkSync(two, `${path}.new`);
    renameSync(`${path}.new`, path);
  };
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const noted = vi.fn();
  watchWay(path, noted, noted, stop.signal);
  writeFileSync(two, 'after');
  await expect.poll(() => noted.mock.calls).toContainEqual([]);
});
