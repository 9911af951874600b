import { expect, it } from 'vitest';
import { startControlled } from './support/control.ts';
import { tinySeed } from './support/tiny-seed.ts';

// Rules of the mock that no open point and no requirement names.

it('after a reset, the generated keys of worlds repeat from the first one', async () => {
  const { mock } = await startControlled();
  const open = () => [mock.openWorld(), mock.openWorld()].map(({ key }) => key);
  const first = open();
  expect(new Set(first).size).toBe(2);
  expect(open()).not.toEqual(first);
  mock.reset();
  expect(open()).toEqual(first);
});

it('a generated key is none that is in use, and none that was revoked', async () => {
  const { mock } = await startControlled();
  const [one, two, three] = [mock.openWorld(), mock.openWorld(), mock.openWorld()].map(({ key }) => key);
  mock.reset();
  mock.openWorld({ key: one as string });
  mock.engine.store.revoke(two as string);
  expect(mock.openWorld().key).toBe(three);
});

it('announced rate limits count the calls of each minute, for each caller', async () => {
  const { api, control } = await startControlled({ set: { rateLimits: 'announced' } });
  const left = async (key: string) => {
    const { headers } = await api('GET', '/agents', { key });
    return ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(headers.get(name)));
  };
  expect([await left('key-a'), await left('key-a')]).toEqual([
    [1_000, 999, 60],
    [1_000, 998, 60],
  ]);
  expect(await left('key-b')).toEqual([1_000, 999, 60]);
  await control('PATCH', '/settings', { json: { advanceMs: 59_500 } });
  expect(await left('key-a')).toEqual([1_000, 997, 1]);
  await control('PATCH', '/settings', { json: { advanceMs: 500 } });
  expect(await left('key-a')).toEqual([1_000, 999, 60]);
});

it.each([
  ['/drives?limit=%ff', 'limit', 'encoding', 'is not percent-encoded UTF-8'],
  ['/drives?limit=many', 'limit', 'type', 'must be an integer'],
  ['/drives?limit=1&limit=2', 'limit', 'once', 'must be sent once'],
  ['/drives?limit=101', 'limit', 'maximum', expect.stringMatching(/100/)],
  ['/drives?limti=1', 'limti', 'unknownParameter', 'is not a parameter of this operation (did you mean limit?)'],
])('the refusal of %s names the parameter, the rule and the fix', async (path, parameter, code, message) => {
  const { api } = await startControlled({ set: { unknownQueryParameters: 'refused', errorBody: 'problem' } });
  const { status, body } = await api('GET', path);
  expect([status, body.validation]).toEqual([
    422,
    [{ location: ['query', parameter], code, message, severity: 'Error' }],
  ]);
});

it('the files of an organization are forbidden to others where the profile says so, and unknown where nobody has them', async () => {
  const { api } = await startControlled({ seed: tinySeed, set: { foreignResourceStatus: 'forbidden' } });
  const statusOf = async (drive: string, file: string) => {
    return (await api('GET', `/drives/${drive}/files/${file}`, { key: 'key-b' })).status;
  };
  expect(await statusOf('drive-full', 'file-plain')).toBe(403);
  expect(await statusOf('drive-nowhere', 'file-plain')).toBe(404);
});

it.each([[201], [204]])('a publication without a body is one, also with %i', async (publishStatus) => {
  const { api } = await startControlled({ set: { publishStatus: publishStatus as 204, publishBody: 'none' } });
  const { status, text } = await api('POST', '/agents/agent-two-revisions/publish', { json: { revisionId: 'rev-1' } });
  expect([status, text]).toEqual([publishStatus, '']);
});
