import { describe, expect, it } from 'vitest';
import { isPerfect, toFigures } from './figures.ts';
import { type Job, jobsOf } from './jobs.ts';
import { legalProfiles, singleChoices } from './legal-servers.ts';
import { asPublished, drawnFrom, partOf } from './parts.ts';

const parts = ['1/4', '2/4', '3/4', '4/4'].map((part) => partOf(jobsOf(), part));

function namesOf(jobs: readonly Job[]): string[] {
  return jobs.map(({ kind, id, mode }) => `${kind} ${id} ${mode}`);
}

describe('the parts of the proof', () => {
  it('are together every run that writes, and every mutant that is read only', () => {
    const due = jobsOf().filter(({ kind, mode }) => mode === 'write' || kind === 'mutant');
    expect(new Set(parts.flatMap(namesOf))).toEqual(new Set([...namesOf(due), 'legal defaults read']));
  });

  it('share no mutant, no odd server and no server with a single choice', () => {
    const singles = new Set(singleChoices().map(({ id }) => id));
    const isShared = ({ kind, id }: Job) =>
      kind !== 'mutant' && kind !== 'odd' && !(kind === 'legal' && singles.has(id));
    const own = parts.flatMap((jobs) => namesOf(jobs.filter((job) => !isShared(job))));
    expect(own.length).toBeGreaterThan(singles.size);
    expect(new Set(own).size).toBe(own.length);
  });

  it.each(['1/4', '2/4', '3/4', '4/4'])('use each choice together with others in part %s', (part) => {
    const ids = new Set(partOf(jobsOf(), part).flatMap(({ kind, id }) => (kind === 'legal' ? [id] : [])));
    const several = legalProfiles().filter(({ id, profile }) => ids.has(id) && Object.keys(profile).length > 1);
    const applied = new Set(several.flatMap(({ profile }) => Object.entries(profile).map(String)));
    const single = singleChoices().flatMap(({ profile }) => Object.entries(profile).map(String));
    expect(single.filter((choice) => !applied.has(choice))).toEqual([]);
  });

  it.each(['0/4', '5/4', '2', '1/0'])('are refused when they are none: %s', (part) => {
    expect(() => partOf(jobsOf(), part)).toThrow('--part takes a part and their number');
  });
});

describe('the drawn servers of the proof', () => {
  it('leave nothing to be desired where the others end as they have to', () => {
    expect(isPerfect(toFigures(asPublished(jobsOf(), []), []))).toBe(true);
  });

  it('depend on the random seed alone, and are of every kind in the long run', () => {
    const jobs = jobsOf();
    const drawn = (seed: number) => drawnFrom(jobs, 24, seed);
    expect(drawn(1)).toHaveLength(24);
    expect(drawnFrom(jobs.toReversed(), 24, 1)).toEqual(drawn(1));
    expect(drawn(2)).not.toEqual(drawn(1));
    const many = Array.from({ length: 10 }, (_, seed) => drawnFrom(jobs, 600, seed)).flat();
    const kinds = many.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(jobs.map(({ kind }) => kind)));
  });
});
