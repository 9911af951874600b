import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parts } from './mutation/parts.ts';
import { loadSurvivors, staleOf } from './mutation/survivors.ts';

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
