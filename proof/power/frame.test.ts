import { Agent } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { isLegalChoice, withoutNeeds } from '../../openapi/points/open-point.ts';
import { createMock } from '../../src/index.ts';
import { isFull, sampleOf } from '../../test/support/depth.ts';
import { ask } from './ask.ts';
import { degenerateServers } from './degenerate-servers.ts';
import { type LegalServer, legalProfiles, pairwiseProfiles } from './legal-servers.ts';
import { type Mutant, oneOfEachFamily } from './mutant.ts';
import { instances } from './mutants/instances.ts';
import { records } from './mutants/records.ts';
import { shape } from './mutants/shape.ts';
import { wire } from './mutants/wire.ts';
import { passOn } from './mutants/wire-faults.ts';
import { runRound, type Told } from './rounds.ts';
import { startMutant } from './start-mutant.ts';

const everyMutant = [...shape, ...records, ...instances, ...wire];
/** Those that this run starts: one of each family in the quick run. */
const drawn = isFull ? sampleOf(everyMutant, 1) : oneOfEachFamily(everyMutant);
// With a fixed clock two mocks give the same bytes.
const clock = '2026-10-01T12:00:00Z';
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;

async function runMutant(mutant: Mutant): Promise<Told[]> {
  const running = await startMutant(mutant, { clock });
  try {
    return await runRound(running.baseUrl, running.mock);
  } finally {
    await running.close();
  }
}

async function runSound(profile: Partial<Profile> = {}): Promise<Told[]> {
  const mock = await createMock({ profile, clock });
  try {
    return await runRound(mock.url, mock);
  } finally {
    await mock.close();
  }
}

const sound = runSound();

describe('the round of requests', () => {
  it('has an accepted and a refused one of every operation', async () => {
    const told = await sound;
    const askedFor = (isMeant: (status: number) => boolean) =>
      [...new Set(told.filter(({ text }) => isMeant(Number.parseInt(text, 10))).map((one) => one.operationId))].sort();
    const all = operationsOf(loadDocument()).map(({ operationId }) => operationId);
    expect(askedFor((status) => status < 300)).toEqual(all.sort());
    expect(askedFor((status) => status >= 400)).toEqual(all.sort());
  });
});

describe('front of a mock', () => {
  const pass: Mutant = {
    ...{ id: 'sound', class: 'transport', place: 'wire', requirement: '', check: '', fault: 'None.' },
    wire: () => passOn,
  };

  it('forwards requests and responses unchanged', async () => {
    expect(await runMutant(pass)).toEqual(await sound);
  });

  it('changes no response header', async () => {
    const [mock, running] = [await createMock({ clock }), await startMutant(pass, { clock })];
    const question = { method: 'GET', path: '/agents', headers: { origin: 'http://page.test', 'X-Request-Id': 'one' } };
    const replies = [await ask(agent, mock.url, question), await ask(agent, running.baseUrl, question)];
    expect(replies[1]).toEqual(replies[0]);
    await running.close();
    await mock.close();
  });
});

describe.each(drawn.filter(({ prefix }) => prefix === undefined))('the mutant $id', (mutant) => {
  const [broken] = mutant.check.split('.');

  it('answers wrongly on its own operation only', async () => {
    const [told, expected] = [await runMutant(mutant), mutant.profile ? await runSound(mutant.profile) : await sound];
    const differing = told.filter(({ text }, index) => text !== expected[index]?.text);
    expect([...new Set(differing.map(({ operationId }) => operationId))]).toEqual(mutant.shownBy ?? [broken]);
  });
});

describe.each(drawn.filter(({ prefix }) => prefix !== undefined))('the mutant $id', (mutant) => {
  it('serves the whole API at another base path', async () => {
    expect(await runMutant(mutant)).toEqual(await sound);
    const running = await startMutant(mutant);
    expect(new URL(running.baseUrl).pathname).toBe(mutant.prefix);
    const headers = { 'x-api-key': running.keys[0] ?? '' };
    const question = { method: 'GET', path: '/v0.1/agents', headers };
    expect(await ask(agent, new URL(running.baseUrl).origin, question)).toMatchObject({ status: 404 });
    await running.close();
  });
});

describe('legal servers', () => {
  const points = withoutNeeds(loadOpenPoints());
  const servers = legalProfiles();
  const appliedProfiles = ({ profile }: LegalServer, id: string, value: unknown) =>
    profile[id as keyof Profile] === value;

  it('number at least a hundred and have unique ids', () => {
    const ids = servers.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(100);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !kebabCase.test(id))).toEqual([]);
  });

  it('use only legal choices', () => {
    const wrong = points.flatMap((point) =>
      servers.filter(({ profile }) => {
        const value = profile[point.id as keyof Profile];
        return value !== undefined && !isLegalChoice(point, value);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each(points)('use each choice of $id alone, and one value of its range', ({ id, choices, range, ...point }) => {
    const alone = servers.filter(({ profile, tools }) => tools === undefined && Object.keys(profile).join() === id);
    const others = choices.map(({ value }) => value).filter((value) => value !== point.default);
    expect(others.filter((value) => !alone.some((server) => appliedProfiles(server, id, value)))).toEqual([]);
    expect(alone).toHaveLength(others.length + (range === undefined ? 0 : 1));
  });

  it('fetch tools over either transport when the run hosts an MCP server', () => {
    const asking = servers.filter(({ tools }) => tools !== undefined);
    expect(asking.map(({ profile }) => profile.mcpDefaultType)).toEqual(['streamableHttp', 'sse']);
  });

  it('start and respond', async () => {
    for (const server of sampleOf(servers, Math.ceil(servers.length / 10))) {
      const { baseUrl, keys, close } = await startMutant(server);
      const question = { method: 'GET', path: '/agents', headers: { 'x-api-key': keys[0] ?? '' } };
      expect(await ask(agent, baseUrl, question), server.id).toMatchObject({ status: 200 });
      await close();
    }
  });
});

describe('pairwise legal servers', () => {
  it('combine every two choices of two open points in at most 45 profiles', () => {
    const points = withoutNeeds(loadOpenPoints());
    const pairwise = pairwiseProfiles(points);
    expect(pairwise.length).toBeLessThanOrEqual(45);
    const missing = points.flatMap((one, place) =>
      points.slice(place + 1).flatMap((other) => pairsOf(one, other).filter((pair) => !pairwise.some(meets(pair)))),
    );
    expect(missing).toEqual([]);
  });
});

type Pair = [id: string, value: unknown][];

function pairsOf(one: { id: string; choices: Listed }, other: { id: string; choices: Listed }): Pair[] {
  return one.choices.flatMap((first) =>
    other.choices.map(
      (second): Pair => [
        [one.id, first.value],
        [other.id, second.value],
      ],
    ),
  );
}

type Listed = readonly { value: unknown }[];

function meets(pair: Pair): (server: LegalServer) => boolean {
  return ({ profile }) => pair.every(([id, value]) => profile[id as keyof Profile] === value);
}

const reset = { failure: 'ECONNRESET' };
const silence = { failure: 'no answer in time' };

const outcomes: Record<string, object> = {
  'refuses-connections': { failure: 'ECONNREFUSED' },
  'never-answers': silence,
  'closes-at-once': reset,
  'sends-garbage': { failure: expect.stringMatching(/^HPE_/) },
  'always-empty-object': { status: 200, body: Buffer.from('{}') },
  'always-empty-array': { status: 200, body: Buffer.from('[]') },
  'always-null': { status: 200, body: Buffer.from('null') },
  'always-401': { status: 401 },
  'always-403': { status: 403 },
  'always-404': { status: 404 },
  'always-429': { status: 429, headers: { 'retry-after': '1' } },
  'always-500': { status: 500 },
  'always-503': { status: 503 },
  'always-html': { status: 200, headers: { 'content-type': 'text/html' } },
  'redirects-in-a-circle': { status: 302, headers: { location: '/v0.1/agents/again' } },
  echo: { status: 200 },
  'endless-body': silence,
  'body-of-fifty-megabytes': { status: 200, headers: { 'content-length': String(50 * 1024 * 1024 + 2) } },
  'head-only': silence,
  'byte-per-second': silence,
};

describe('degenerate servers', () => {
  it('have unique ids with an expected outcome each', () => {
    expect(degenerateServers.map(({ id }) => id).sort()).toEqual(Object.keys(outcomes).sort());
  });

  it.each(degenerateServers)('$id responds as its id says, and stops', async ({ id, start }) => {
    const { baseUrl, close } = await start();
    expect(new URL(baseUrl).pathname).toBe('/v0.1');
    const timeoutMs = outcomes[id] === silence ? 300 : 10_000;
    expect(await ask(agent, baseUrl, { method: 'GET', path: '/agents' }, timeoutMs)).toMatchObject(outcomes[id] ?? {});
    await close();
  });
});
