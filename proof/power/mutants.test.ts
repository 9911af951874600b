import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../../conformance/checks/index.ts';
import { loadRequirements } from '../../openapi/contract/load.ts';
import { createMock } from '../../src/index.ts';
import { isFull, sampleOf } from '../../test/support/depth.ts';
import { type FaultPlace, type Mutant, oneOfEachFamily } from './mutant.ts';
import { mutants } from './mutants/index.ts';

const requirements = new Map(loadRequirements().map((requirement) => [requirement.id, requirement]));

const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

/** The two ways to send a key. */
const authHeaders = [(key: string) => ({ 'x-api-key': key }), (key: string) => ({ authorization: `Bearer ${key}` })];

/** Whether a plain request succeeds in one of the auth headers. */
async function answers(url: string, key: string): Promise<boolean> {
  const replies = await Promise.all(authHeaders.map((headersFor) => fetch(url, { headers: headersFor(key) })));
  return replies.some(({ ok }) => ok);
}

/** Which of the two plain lists a mutant still answers. */
async function listsAnswered(mutant: Mutant): Promise<string[]> {
  const mock = await createMock({ seed: 'demo', profile: mutant.profile ?? {} });
  try {
    mutant.break?.(mock.engine);
    const [key = ''] = mock.keys;
    const agents = (await answers(`${mock.url}/agents`, key)) ? ['agents'] : [];
    const drives = (await answers(`${mock.url}/drives?limit=10&offset=1`, key)) ? ['drives'] : [];
    return [...agents, ...drives];
  } finally {
    await mock.close();
  }
}

describe('mutants', () => {
  it('have unique ids in kebab-case', () => {
    expect(repeated(mutants.map(({ id }) => id))).toEqual([]);
    expect(mutants.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it('describe each fault in one unique sentence', () => {
    expect(repeated(mutants.map(({ fault }) => fault))).toEqual([]);
    expect(mutants.filter(({ fault }) => !/^\S.*\.$/.test(fault)).map(({ id }) => id)).toEqual([]);
  });

  it('name a requirement of the register and one of its checks', () => {
    const wrong = mutants.filter(({ requirement, check }) => !requirements.get(requirement)?.checks?.includes(check));
    expect(wrong.map(({ id, requirement, check }) => `${id}: ${requirement}, ${check}`)).toEqual([]);
  });

  it('number at least 150, and most faults lie deeper than the response', () => {
    const count = (place: FaultPlace) => mutants.filter((mutant) => mutant.place === place).length;
    expect(mutants.length).toBeGreaterThanOrEqual(150);
    expect(count('store')).toBeGreaterThanOrEqual(60);
    expect(count('wire')).toBeGreaterThanOrEqual(60);
    expect(count('answer')).toBeLessThanOrEqual(50);
  });

  it('break every judged requirement', () => {
    const broken = new Set(mutants.map(({ requirement }) => requirement));
    const judged = [...requirements.values()].filter(({ checks = [] }) => checks.length > 0);
    expect(judged.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  it('give every check a fault to find', () => {
    const busy = new Set(mutants.map(({ check }) => check));
    const idle = allChecks().filter(({ id }) => !busy.has(id));
    expect(idle.map(({ id }) => id)).toEqual([]);
  });

  it('are counted in POWER.md as they are now', () => {
    const text = readFileSync(new URL('../../conformance/POWER.md', import.meta.url), 'utf8');
    const counted = [...text.matchAll(/^\| (\S+) \| (?:must|should) \| (\d+) \|/gm)].map(([, id, count]) => [
      id,
      Number(count),
    ]);
    const judged = [...requirements.values()].filter(({ checks = [] }) => checks.length > 0);
    const countOf = (id: string) => mutants.filter(({ requirement }) => requirement === id).length;
    const now = judged.map(({ id }) => [id, countOf(id)]);
    expect(Object.fromEntries(counted), 'run npm run power').toEqual(Object.fromEntries(now));
  });

  it('make the run host an MCP server exactly when the check needs one', () => {
    const isAbout = ({ check }: Mutant) => check.startsWith('listMcpServerTools.hosted-tools.');
    const hosting = mutants.filter(({ tools }) => tools !== undefined);
    expect(hosting).toEqual(mutants.filter(isAbout));
  });

  const drawn = isFull ? sampleOf(mutants, 1) : oneOfEachFamily(mutants);
  it.each(drawn.map((mutant) => [mutant.id, mutant] as const))('%s still answers plain requests', async (_, mutant) => {
    expect(await listsAnswered(mutant)).toEqual(['agents', 'drives']);
  });
});
