import request from 'supertest';
import { afterEach, describe, expect, it } from 'vitest';
import { createMock, type Mock, type MockOptions, StartError } from '../src/index.ts';
import { tinySeed } from './support/tiny-seed.ts';

const running: Mock[] = [];
afterEach(async () => {
  for (const mock of running.splice(0)) await mock.close();
});

async function start(options?: MockOptions): Promise<Mock> {
  const mock = await createMock(options);
  running.push(mock);
  return mock;
}

describe('createMock', () => {
  it('starts without options, on a free port, with the keys of the demo', async () => {
    const mock = await start();
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v0\.1$/);
    expect(mock.keys).toEqual(['demo-key', 'demo-key-2']);
    const { body } = await request(mock.url).get('/drives').set('X-API-Key', 'demo-key').expect(200);
    expect(body.data).toHaveLength(5);
  });

  it('keeps what is created until it is reset, in this mock alone', async () => {
    const [one, two] = [await start({ seed: tinySeed }), await start({ seed: tinySeed })];
    await request(one.url).post('/drives').set('Authorization', 'Bearer key-a').send({ name: 'Kept' }).expect(201);
    const totalOf = async (mock: Mock) =>
      (await request(mock.url).get('/drives').set('X-API-Key', 'key-a').expect(200)).body.pagination.total;
    expect([await totalOf(one), await totalOf(two)]).toEqual([3, 2]);
    one.reset();
    expect(await totalOf(one)).toBe(2);
  });

  it('plays a profile and choices over it, and says what it plays', async () => {
    const mock = await start({ seed: tinySeed, profile: { createStatus: 200 }, set: { duplicateNames: 'refused' } });
    await request(mock.url).post('/drives').set('X-API-Key', 'key-a').send({ name: 'New' }).expect(200);
    await request(mock.url).post('/drives').set('X-API-Key', 'key-a').send({ name: 'New' }).expect(409);
    expect(mock.profile).toMatchObject({ createStatus: 200, duplicateNames: 'refused', publishStatus: 200 });
  });

  it('answers although a listener throws, and says what it threw', async () => {
    const thrown: unknown[] = [];
    const failure = new Error('of the listener');
    const onExchange = () => {
      throw failure;
    };
    const mock = await start({ onExchange, onUnexpected: (error) => void thrown.push(error) });
    await request(mock.url).get('/agents').set('X-API-Key', 'demo-key').expect(200);
    await request(mock.url).get('/nowhere').expect(404);
    expect(thrown).toEqual([failure, failure]);
  });

  it.each<[MockOptions, string]>([
    [{ seed: 'nowhere.yaml' }, 'FILE_UNREADABLE'],
    [{ seed: { organizations: [] } }, 'SEED_INVALID'],
    [{ profile: { createStatus: 404 } }, 'PROFILE_INVALID'],
    [{ clock: 'noon' }, 'OPTION_INVALID'],
    [{ randomSeed: 0.5 }, 'OPTION_INVALID'],
    [{ port: 70_000 }, 'ADDRESS_UNUSABLE'],
  ])('refuses %j with a typed error: %s', async (options, code) => {
    const error = await createMock(options).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StartError);
    expect((error as StartError).code).toBe(code);
  });
});
