import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parts } from './parts.ts';
import { loadSurvivors, staleOf } from './survivors.ts';
import { drawnIds } from './warm/drawing.ts';

describe('the faults that no test notices', () => {
  it('are each on a line that is still in its file', () => {
    expect(staleOf(loadSurvivors())).toEqual([]);
  });

  it('are named once, in a file that is mutated, each with a reason', () => {
    const survivors = loadSurvivors();
    const faults = survivors.flatMap(({ file, line, faults }) => faults.map((fault) => `${file} ${line} ${fault}`));
    expect(faults).toEqual([...new Set(faults)]);
    expect(survivors.filter(({ faults, reason }) => faults.length === 0 || reason.trim() === '')).toEqual([]);
    const mutated = new Set(Object.values(parts).flatMap(({ files }) => globSync([...files])));
    expect(survivors.filter(({ file }) => !mutated.has(file))).toEqual([]);
  });
});

describe('the tests for faults in the sources', () => {
  it('are there', () => {
    const named = Object.values(parts).flatMap(({ quickTests, tests }) => [...quickTests, ...tests]);
    expect(named.filter((file) => globSync(file).length === 0)).toEqual([]);
  });
});

describe('a sample of faults', () => {
  it('has as many as wanted, the same with the same seed', () => {
    const all = Array.from({ length: 100 }, (_, id) => String(id));
    const draw = (seed: number, count: number) => [...drawnIds(all, { sample: { seed, count } })];
    expect(draw(1, 30)).toHaveLength(30);
    expect(new Set(draw(1, 30)).size).toBe(30);
    expect(draw(1, 30)).toEqual(draw(1, 30));
    expect(draw(1, 30)).not.toEqual(draw(2, 30));
    expect(new Set(draw(1, 200))).toEqual(drawnIds(all, {}));
  });
});
