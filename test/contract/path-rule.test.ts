import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chosen } from '../../openapi/contract/profile.ts';
import {
  type ContractDocument,
  contractFor,
  createMock,
  loadDocument,
  type Profile,
  type Seed,
} from '../../src/index.ts';
import { pathFault } from '../model/body-rules.ts';
import type { Answer } from '../model/call.ts';
import { createWire, type Wire } from '../model/wire.ts';
import { depth, randomSeed } from '../support/depth.ts';

// The path rule of 4.6 and 4.7 in three voices: the schema of the contract, the mock, and a plain split into segments.
// They agree on every string, but for line terminators, of which the prose does not speak.

const runs = { seed: randomSeed, numRuns: depth(100, 2_500) };

/** Strings without and with half surrogate pairs, and strings that come near the rule. */
const codePoints = fc.string({ unit: 'binary', maxLength: 24 });
const codeUnits = fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units));
const pieces = ['/', '/', '/', '.', '..', '..', 'a', 'B', '%2e', '%2E%2e', '%2f', '\\', ' ', '+', '\0', '🚀'];
const terminators = ['\n', '\r', '\u2028', '\u2029', '\r\n', '\v', '\f', '\u0085'];
const mixture = fc.array(fc.constantFrom(...pieces, ...terminators), { maxLength: 9, size: 'max' });
const segment = fc.oneof(
  fc.constantFrom('..', '.', '...', '..a', 'a..', '%2e%2e', '\\..', ''),
  mixture.map((all) => all.join('')),
);
const segments = fc.array(segment, { minLength: 1, maxLength: 4, size: 'max' }).map((all) => all.join('/'));
const anyString = fc.oneof(codePoints, codeUnits, { arbitrary: segments, weight: 3 });
const anyPath = fc.oneof(
  anyString,
  anyString.map((text) => `/${text}`),
);

const statedPattern = /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/;
/** Whether the schema of a contract allows a path. */
function schemaCheck({ components }: ContractDocument): (path: string) => boolean {
  const validate = new Ajv2020({ strict: false }).compile(components?.schemas?.DrivePath ?? false);
  return (path) => validate(path);
}
const compiled = schemaCheck(loadDocument());

const createdAt = '2026-01-01T00:00:00Z';
const file = { id: 'file', path: '/start', modifiedAt: createdAt, sizeBytes: 1, contentType: 'text/plain' };
const drives = [
  { id: 'full', name: 'full', createdAt, files: [file] },
  { id: 'empty', name: 'empty', createdAt },
];
const seed: Seed = { organizations: [{ name: 'Paths', keys: ['key'], drives }] };
const headers = { 'x-api-key': 'key' };

/** Asks one mock, and the schema of its contract, which paths they accept. */
async function createPathProbe(profile: Partial<Profile>) {
  const mock = await createMock({ port: 0, seed, profile, clock: '2026-07-01T12:00:00Z' });
  const wire = createWire(mock.url);
  const close = async () => {
    wire.close();
    await mock.close();
  };
  const isRefusal = ({ status }: Answer) => status === chosen(mock.profile, 'errorStatus.invalidPath');
  return { ...requestsOver(wire), schemaAllows: schemaCheck(contractFor(mock.profile)), isRefusal, close };
}

function requestsOver({ sendRaw }: Wire) {
  const fileAt = '/drives/full/files/file';
  const json = { ...headers, 'content-type': 'application/json' };
  return {
    // Half a surrogate pair has no percent-encoding, but an escape in JSON.
    move: (path: string) => sendRaw('PATCH', fileAt, json, JSON.stringify({ path })),
    // In the drive without files a legal path is answered like any unknown tree. The query goes as it is.
    deleteTree: (drive: 'full' | 'empty', query: string) =>
      sendRaw('DELETE', `/drives/${drive}/items/tree?${query}`, headers),
    readFile: async () => (await sendRaw('GET', fileAt, headers)).text,
  };
}

type PathProbe = Awaited<ReturnType<typeof createPathProbe>>;

describe.each(['refused', 'accepted'] as const)('path rule with line breaks %s', (pathLineBreaks) => {
  let probe: PathProbe;
  beforeAll(async () => {
    probe = await createPathProbe({ 'pathForm.lineBreaks': pathLineBreaks });
  });
  afterAll(() => probe.close());

  const isLegal = (path: string) => {
    const fault = pathFault(path);
    return fault === undefined || (fault === 'lineTerminator' && pathLineBreaks === 'accepted');
  };

  test('contract schema allows exactly the legal paths', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        expect(probe.schemaAllows(path)).toBe(isLegal(path));
      }),
      { ...runs, numRuns: depth(1_500, 20_000) },
    );
  });

  test.each(['/x\n/..', '/\u2028/../y', '/../\r'])('refuses a .. segment next to a line break: %j', async (path) => {
    expect(probe.schemaAllows(path)).toBe(false);
    await assertMove(probe, path, false);
    await assertDeletion(probe, path, false);
  });

  test('accepts moves to legal paths and refuses others without a change', async () => {
    await fc.assert(
      fc.asyncProperty(anyPath, (path) => assertMove(probe, path, isLegal(path))),
      runs,
    );
  });

  test('accepts tree deletions at legal paths and refuses others without deleting', async () => {
    const encodable = anyPath.filter((path) => path.isWellFormed());
    await fc.assert(
      fc.asyncProperty(encodable, (path) => assertDeletion(probe, path, isLegal(path))),
      runs,
    );
  });
});

async function assertMove(probe: PathProbe, path: string, isLegal: boolean): Promise<void> {
  const before = await probe.readFile();
  const answer = await probe.move(path);
  if (isLegal) {
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).path).toBe(path);
  } else expect(probe.isRefusal(answer), `${answer.status} ${answer.text}`).toBe(true);
  expect(await probe.readFile()).toBe(isLegal ? answer.text : before);
}

// A legal path goes to a drive without files, so that there is always a file that a refused one could delete.
async function assertDeletion(probe: PathProbe, path: string, isLegal: boolean): Promise<void> {
  const query = `path=${encodeURIComponent(path)}`;
  if (isLegal) expect((await probe.deleteTree('empty', query)).status).toBe(404);
  else await assertNothingDeleted(probe, query);
}

async function assertNothingDeleted(probe: PathProbe, query: string): Promise<void> {
  const before = await probe.readFile();
  const answer = await probe.deleteTree('full', query);
  expect(probe.isRefusal(answer), `${answer.status} ${answer.text}`).toBe(true);
  expect(await probe.readFile()).toBe(before);
}

describe('DrivePath schema of the hand-written contract', () => {
  test('refuses line terminators and otherwise agrees with the specification text', () => {
    const check = (path: string) => {
      const byProse = path.startsWith('/') && !path.split('/').includes('..');
      expect(compiled(path)).toBe(byProse && !/[\n\r\u2028\u2029]/.test(path));
    };
    fc.assert(fc.property(anyPath, check), { ...runs, numRuns: depth(1_500, 20_000) });
  });

  // The look-ahead of the stated pattern begins behind the first slash, so that it does not see the first segment.
  test('differs from the stated pattern only by refusing .. as the first segment', () => {
    const check = (path: string) => {
      const [, first, ...others]: string[] = path.split('/');
      const isLetThrough = first === '..' && !others.includes('..') && !/[\n\r\u2028\u2029]/.test(path);
      expect(statedPattern.test(path)).toBe((path.startsWith('/') && isLetThrough) || compiled(path));
    };
    fc.assert(fc.property(anyPath, check), { ...runs, numRuns: depth(1_500, 20_000) });
  });
});

const illegal = [
  ...['/..', '/../x', '/a/..', '/a/../b', '..', '../', '', 'a', 'a/../b', '/a/../', '//..', '/./..', '\\/..'],
  ...['/\n', '/x\n/..', '/x\u2028/../y', '/x\u2029', '/x\r', '\n/a', '/a\n'],
];

const legal = [
  ...['/a..b', '/..a', '/a..', '/...', '/.../x', '/.', '/./a', '//', '/', '/a//b', '/a/', '/ ', '/..%2f', '/.. /x'],
  ...['/%2e%2e', '/%2E%2E/x', '/a\\..\\b', '/..\\', '/\0', '/..\0/x', '/🚀/é', '/\u0085', '/\v', '/．．', '/․․/x'],
];

describe('hand-picked paths', () => {
  let probe: PathProbe;
  beforeAll(async () => {
    probe = await createPathProbe({});
  });
  afterAll(() => probe.close());

  test.each(illegal)('refuses %j', async (path) => {
    expect([pathFault(path) === undefined, compiled(path), probe.schemaAllows(path)]).toEqual([false, false, false]);
    await assertMove(probe, path, false);
    await assertDeletion(probe, path, false);
  });

  test.each(legal)('accepts %j', async (path) => {
    expect([pathFault(path), compiled(path), probe.schemaAllows(path)]).toEqual([undefined, true, true]);
    await assertMove(probe, path, true);
    await assertDeletion(probe, path, true);
  });

  test('keeps unpaired surrogates in a body unchanged', () => assertMove(probe, '/\ud800/\udc00', true));

  test.each([
    ...['path=/%2e%2e', 'path=/%2E%2E/x', 'path=/a/%2e./b', 'path=/..', 'path=%2F..%2Fx', 'path=/a%2f..', 'path='],
    ...['path=/a%0a', 'path=/%E2%80%A8', 'path=..', 'path'],
  ])('refuses the query %s and deletes nothing', (query) => assertNothingDeleted(probe, query));

  test.each(['path=/%252e%252e', 'path=/a+..', 'path=/..+', 'path=/%5c..%5c', 'path=/..%00'])(
    'accepts the query %s',
    async (query) => {
      expect((await probe.deleteTree('empty', query)).status).toBe(404);
    },
  );
});
