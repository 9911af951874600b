import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { depth, drawn } from '../../test/support/depth.ts';
import { heldOutJobs, type JobResult } from '../power/jobs.ts';
import { runJob } from '../power/run-job.ts';
import { type CatalogueName, catalogues } from './catalogue.ts';
import { isRight, judgedOf } from './judge.ts';
import { fileOf, readRecord } from './record.ts';

const names = Object.keys(catalogues) as CatalogueName[];

function runOver(name: CatalogueName, server: string): Promise<JobResult>[] {
  return heldOutJobs(name)
    .filter(({ id }) => id === `${name}/${server}`)
    .map(runJob);
}

const bases = new Map<CatalogueName, Promise<JobResult>[]>();

/** What comes of the base of a catalogue, once for all servers that are compared with it. */
function baseOf(name: CatalogueName): Promise<JobResult>[] {
  const base = bases.get(name) ?? runOver(name, 'base');
  bases.set(name, base);
  return base;
}

async function isJudgedRightly(name: CatalogueName, server: string): Promise<boolean> {
  const results = await Promise.all([...baseOf(name), ...runOver(name, server)]);
  const judged = judgedOf(name, results).find((one) => one.name === server);
  return judged !== undefined && isRight(judged);
}

describe.each(names)('the held-out catalogue "%s"', (name) => {
  const { entries } = catalogues[name];
  const recorded = readRecord(name, existsSync(fileOf(name, 'after-repair')) ? 'after-repair' : 'first-contact');

  it('has a record that counts each of its servers', () => {
    for (const kind of ['must', 'should', 'legal'] as const)
      expect(recorded[kind].count).toBe(entries.filter((entry) => entry.kind === kind).length);
    expect(entries.map((entry) => entry.name)).toEqual(expect.arrayContaining(recorded.wrong));
  });

  // All of them take minutes: `npm run heldout -- first`.
  const rightly = entries.filter((entry) => !recorded.wrong.includes(entry.name));
  it.each(drawn(rightly, depth(1, 25)))('is still judged rightly: $kind $name', async ({ name: server, kind }) => {
    // Some faults show now and then.
    const isRightNow =
      (await isJudgedRightly(name, server)) || (kind !== 'legal' && (await isJudgedRightly(name, server)));
    expect(isRightNow).toBe(true);
  });
});
