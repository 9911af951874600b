import { beforeAll, describe, expect, it } from 'vitest';
import { type Choice, type OpenPoint, withoutNeeds } from '../openapi/contract/open-points.ts';
import { createMock, defaultProfile, loadOpenPoints, type Mock, type Profile } from '../src/index.ts';
import { createRandom } from './model/random.ts';
import { randomProfile } from './model/random-profile.ts';
import { createWire, type Wire } from './model/wire.ts';
import { unlisted } from './power/legal-servers.ts';
import { type Client, createClient, type Reply } from './support/client.ts';
import { depth, hasJustRun, randomSeed, sampleOf } from './support/depth.ts';
import { exchange, headerOf, sendRaw } from './support/raw-http.ts';
import { type Script, scriptedSeed, scripts } from './support/scripted-requests.ts';
import { now, tinySeed } from './support/tiny-seed.ts';

// Each request is sent to a mock that plays a profile, and to mocks that play another choice at one open point. Where an
// answer differs, the first one must have named that open point.

const allPoints = loadOpenPoints();
const points = withoutNeeds(allPoints);
const orderOf = new Map(points.map(({ id }, place) => [id, place]));
/** The open points at which other choices are played. */
const varied = sampleOf(points, 12);

interface Played {
  script: Script;
  /** All that a client sees, but for the header itself and what differs from request to request anyway. */
  seen: string;
  outcome: string;
  openPoints: readonly string[];
}

async function play(profile: Profile, assumed: Profile = profile): Promise<Played[]> {
  const mock = await createMock({ seed: scriptedSeed, clock: now, profile });
  const wire = createWire(mock.url);
  const client = overWire(wire);
  const played: Played[] = [];
  for (const script of scripts) played.push(await playScript(mock, client, script, assumed));
  wire.close();
  await mock.close();
  return played;
}

// Over kept connections: there are some ten thousand requests.
function overWire(wire: Wire): Client {
  return async (method, path, { key = 'key-a', headers = {}, json, raw } = {}) => {
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    const sent = { ...(key === null ? {} : { 'x-api-key': key }), ...type, ...headers };
    const body = json === undefined ? raw : JSON.stringify(json);
    const answer = await wire.sendRaw(method, path, sent, body === undefined ? undefined : String(body));
    const value = answer.text.startsWith('{') ? JSON.parse(answer.text) : undefined;
    return { ...answer, headers: new Headers(answer.headers), body: value };
  };
}

async function playScript(mock: Mock, client: Client, script: Script, assumed: Profile): Promise<Played> {
  mock.reset();
  for (const request of script.before ?? []) await request(client, mock, assumed);
  const reply = await script.request(client, mock, assumed);
  return { script, seen: seenIn(reply), outcome: outcomeOf(reply), openPoints: namedIn(reply) };
}

// How many calls are left counts what came before, which is state.
function seenIn({ status, headers, text }: Reply): string {
  const unseen = ['x-open-points', 'x-request-id', 'keep-alive', 'connection', 'content-length', 'ratelimit-remaining'];
  return JSON.stringify([status, [...headers].filter(([name]) => !unseen.includes(name)), text]);
}

function outcomeOf({ status, body }: Reply): string {
  return status < 400 ? 'success' : String(body?.type ?? 'refused').replace(/^.*:/, '');
}

function namedIn({ headers }: Reply): string[] {
  return headers.get('x-open-points')?.split(', ') ?? [];
}

/** For each script, the open points at which another choice changes the answer. */
async function changesTo(
  base: Profile,
  reference: readonly Played[],
  valuesOf: (point: OpenPoint) => readonly Choice[],
): Promise<ReadonlySet<string>[]> {
  const changes = reference.map(() => new Set<string>());
  for (const point of varied) {
    for (const value of valuesOf(point).filter((one) => one !== base[point.id as keyof Profile])) {
      const played = await play({ ...base, [point.id]: value }, base);
      for (const [place, { seen }] of played.entries()) {
        if (seen !== reference[place]?.seen) changes[place]?.add(point.id);
      }
    }
  }
  return changes;
}

/** What changed an answer and was not named in it. */
function unnamed(reference: readonly Played[], changes: readonly ReadonlySet<string>[]): string[] {
  return reference.flatMap(({ script, openPoints }, place) =>
    [...(changes[place] ?? [])]
      .filter((id) => !openPoints.includes(id) && isSeenIn(script, id))
      .map((id) => `${script.name}: ${id}`),
  );
}

// What comes before a request may leave another state behind. That counts where the register says that it shows.
function isSeenIn({ before, operationId }: Script, id: string): boolean {
  const touched = points.find((point) => point.id === id)?.operations ?? [];
  return before === undefined || (operationId !== undefined && touched.includes(operationId));
}

const listedAndMore = (point: OpenPoint) => [
  ...point.choices.map(({ value }) => value),
  ...(point.range === undefined ? [] : [unlisted(point, point.range)]),
];

describe('X-Open-Points under the default profile', () => {
  const base = defaultProfile(allPoints);
  let reference: Played[];
  let changes: ReadonlySet<string>[];

  beforeAll(async () => {
    reference = await play(base);
    changes = await changesTo(base, reference, listedAndMore);
  }, 240_000);

  it('names each open point at which another choice changes the answer', () => {
    expect(unnamed(reference, changes)).toEqual([]);
  });

  it('names only open points that change an answer of the same operation and outcome', () => {
    const kindOf = ({ script, outcome }: Played) => `${script.operationId}, ${outcome}`;
    const places = Map.groupBy(reference.keys(), (place) => kindOf(reference[place] as Played));
    const padding = [...places].flatMap(([kind, ofKind]) => {
      const changed = new Set(ofKind.flatMap((place) => [...(changes[place] ?? [])]));
      const named = new Set(ofKind.flatMap((place) => reference[place]?.openPoints ?? []));
      return varied.filter(({ id }) => named.has(id) && !changed.has(id)).map(({ id }) => `${kind}: ${id}`);
    });
    expect(padding).toEqual([]);
  });

  it('names every open point in some answer', async () => {
    // By default no query parameter is refused because it is unknown.
    const strict = await play({ ...base, unknownQueryParameters: 'refused' });
    const named = new Set([...reference, ...strict].flatMap(({ openPoints }) => openPoints));
    expect(points.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
  });

  it('names open points once each, in the order of the register', () => {
    for (const { openPoints, script } of reference) {
      const places = openPoints.map((id) => orderOf.get(id) ?? -1);
      expect(places, script.name).toEqual([...new Set(places)].sort((one, other) => one - other));
    }
  });

  it('is tested with a success of every operation, and ten or more outcomes', () => {
    const outcomes = Map.groupBy(reference, ({ script }) => script.operationId);
    expect(outcomes.size).toBe(11);
    for (const [operationId, played] of outcomes) {
      if (operationId !== undefined) expect(played.map(({ outcome }) => outcome)).toContain('success');
    }
    expect(new Set(reference.map(({ outcome }) => outcome)).size).toBeGreaterThan(9);
  });
});

// Where several odd choices meet. One other choice of each open point: all of them would take minutes.
describe.each([randomSeed, 3, 5].slice(0, depth(1, 3)))('X-Open-Points under the random profile %i', (seed) => {
  it('names each open point at which another choice changes the answer', async () => {
    const random = createRandom(seed);
    const base = randomProfile(random);
    const reference = await play(base);
    const changes = await changesTo(base, reference, ({ id, choices }) => {
      const others = choices.map(({ value }) => value).filter((value) => value !== base[id as keyof Profile]);
      return [random.pick(others)];
    });
    expect(unnamed(reference, changes)).toEqual([]);
  }, 240_000);
});

describe.skipIf(hasJustRun)('X-Open-Points', () => {
  const always = 'timestampPrecision, timestampZone, extraFields, keyOrder, answerMediaType';
  const examples: [string, string, object | undefined, string][] = [
    ['POST', '/drives', { name: 'New' }, `createStatus, idFormat, duplicateNames, ${always}, rateLimits`],
    [
      'GET',
      '/drives?limit=1&offset=0',
      undefined,
      `readStatus, listOrder, totalMeaning, paginationFields, idFormat, ${always}, driveUpdatedAt, rateLimits, readAfterWrite`,
    ],
    [
      'POST',
      '/drives',
      {},
      'requiredBodyFields, keyOrder, errorBody, invalidInputStatus, invalidBodyStatus, rateLimits',
    ],
    ['GET', '/mcp-servers/none/tools', undefined, 'keyOrder, errorBody, foreignResourceStatus, rateLimits'],
    ['GET', '/nowhere', undefined, 'keyOrder, errorBody, rateLimits'],
  ];

  it.each(examples)('lists the open points that affect %s %s %j', async (method, path, json, expected) => {
    const mock = await createMock({ seed: tinySeed });
    const { headers } = await createClient(mock.url, 'key-a')(method, path, json === undefined ? {} : { json });
    await mock.close();
    expect(headers.get('x-open-points')).toBe(expected);
  });

  it('is sent for HEAD and malformed HTTP, not for a preflight or the contract', async () => {
    const mock = await createMock({ seed: tinySeed });
    const { answers } = await exchange(mock.url, 'nonsense\r\n\r\n');
    const lines = ['Origin: http://page.test', 'Access-Control-Request-Method: GET'];
    const head = await sendRaw(mock.url, { method: 'HEAD', target: '/v0.1/agents', lines: ['X-API-Key: key-a'] });
    const preflight = await sendRaw(mock.url, { method: 'OPTIONS', target: '/v0.1/agents', lines });
    const document = await sendRaw(mock.url, { method: 'GET', target: '/openapi.json' });
    await mock.close();
    const named = [...answers, head, preflight, document].map((answer) => headerOf(answer, 'x-open-points'));
    const expected = ['keyOrder, errorBody, rateLimits', expect.stringMatching(/^listOrder, /), undefined, undefined];
    expect(named).toEqual(expected);
  });

  it('is omitted with openPointsHeader: false', async () => {
    const mock = await createMock({ seed: tinySeed, openPointsHeader: false });
    const { answers } = await exchange(mock.url, 'nonsense\r\n\r\n');
    const call = createClient(mock.url, 'key-a');
    const replies = [await call('GET', '/agents'), await call('GET', '/nowhere')];
    await mock.close();
    expect(replies.map(({ headers }) => headers.get('x-open-points'))).toEqual([null, null]);
    expect(answers.map((answer) => headerOf(answer, 'x-open-points'))).toEqual([undefined]);
  });
});
