import { describe, expect, it, vi } from 'vitest';
import { dereference, type ResponseObject } from '../../openapi/contract/document.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { errorShapes } from '../../openapi/points/error-bodies.ts';
import { createForcedAnswers } from '../../src/app/forced/forced-answers.ts';
import { generateValid } from '../../src/app/forced/generation.ts';
import { loadPrism } from '../../src/app/prism.ts';
import { contractFor, type Mock, type MockOptions, type OperationId, type Profile } from '../../src/index.ts';
import type { Client, Reply } from '../support/client.ts';
import { startControlled, useControlled } from '../support/control.ts';
import { depth, hasJustRun, sampleOf } from '../support/depth.ts';
import { exchange, sendRaw, toBytes } from '../support/raw-http.ts';
import { createStateReader, fill, placesOf } from '../support/state.ts';

const usual = useControlled({ seed: 'demo' });

/** The mock that all tests share, in its starting state; with choices or options, one for this test alone. */
async function start(set?: Partial<Profile>, options: MockOptions = {}): Promise<{ mock: Mock; call: Client }> {
  const { mock, api } = set === undefined ? usual() : await startControlled({ seed: 'demo', set, ...options });
  return { mock, call: api };
}

/** A request for an operation, about resources that do not exist and without a body. */
function ask(call: Client, { method, path }: Operation, prefer: string): Promise<Reply> {
  return call(method, path.replaceAll(/\{\w+\}/g, 'nowhere'), { headers: { prefer } });
}

function operation(mock: Mock, operationId: OperationId): Operation {
  const found = operationsOf(contractFor(mock.profile)).find((candidate) => candidate.operationId === operationId);
  if (found === undefined) throw new Error(`There is no operation ${operationId}.`);
  return found;
}

const sandboxes: Record<string, Partial<Profile>> = {
  'the default profile': {},
  'nested errors, no body after publishing': { errorBody: 'nested', 'successStatus.publishAgentRevision': 204 },
  'lists of errors, 200 for creations, 400 for invalid input': {
    errorBody: 'list',
    'successStatus.createDrive': 200,
    'errorStatus.invalidInput': 400,
    'unknownInput.queryParameters': 'refused',
  },
  'empty errors, 410 for unknown resources': {
    errorBody: 'empty',
    'errorStatus.notFound': 410,
    wwwAuthenticate: 'absent',
  },
  'error messages, another charset, reversed keys': {
    errorBody: 'message',
    answerMediaType: 'application/json; charset=utf-8',
    keyOrder: 'reversed',
    malformedIds: 'refused',
    foreignResourceStatus: 'forbidden',
    publishBody: 'revision',
    'timestamps.precision': 'seconds',
    'timestamps.zone': '+00:00',
    idFormat: 'prefixed',
  },
};

/** One response of the used contract. */
interface Declared {
  operation: Operation;
  code: number;
  mediaType: string | undefined;
  examples: [name: string, value: unknown][];
  violationsOf(body: unknown): unknown[];
}

function declaredIn(profile: Profile): Declared[] {
  const contract = contractFor(profile);
  const schemas = new Schemas(contract);
  return operationsOf(contract).flatMap((applied) =>
    Object.entries(applied.definition.responses ?? {}).map(([code, reference]) => {
      const response = dereference<ResponseObject>(contract, reference as ResponseObject);
      const [[mediaType, media] = [undefined, undefined]] = Object.entries(response.content ?? {});
      const examples = Object.entries(media?.examples ?? {}).map(([name, example]): [string, unknown] => {
        return [name, dereference(contract, example).value];
      });
      const violationsOf = (body: unknown) => (media === undefined ? [] : schemas.of(media.schema ?? {})(body));
      return { operation: applied, code: Number(code), mediaType, examples, violationsOf };
    }),
  );
}

/** What every answer with a declared code has in common. */
function expectDeclared(
  { operation: { operationId }, code, mediaType, violationsOf }: Declared,
  reply: Reply,
  profile: Profile,
) {
  const where = `${operationId} ${code}`;
  expect(reply.status, where).toBe(code);
  expect(reply.headers.get('x-undeclared'), where).toBeNull();
  expect(reply.headers.get('x-mock-error'), where).toBeNull();
  const applied = mediaType === 'application/json' ? profile.answerMediaType : (mediaType ?? null);
  expect(reply.headers.get('content-type'), where).toBe(applied);
  expect(reply.text === '', where).toBe(mediaType === undefined);
  expect(violationsOf(reply.body), where).toEqual([]);
  const isChallenged = code === 401 && profile.wwwAuthenticate === 'sent';
  expect(reply.headers.has('www-authenticate'), where).toBe(isChallenged);
}

describe.each(sampleOf(Object.entries(sandboxes), 1))('forced answers with %s', (_, set) => {
  it('serve each example of each declared code unchanged', async () => {
    const { mock, call } = await start(set);
    const declared = declaredIn(mock.profile);
    let served = 0;
    for (const one of declared) {
      for (const [name, value] of one.examples) {
        const prefer = `code=${one.code}, example=${name}`;
        const reply = await ask(call, one.operation, prefer);
        expectDeclared(one, reply, mock.profile);
        expect(reply.body, `${one.operation.operationId} ${name}`).toEqual(value);
        expect(reply.headers.get('preference-applied')).toBe(prefer);
        const byName = await ask(call, one.operation, `example=${name}`);
        expect([byName.status, byName.text]).toEqual([one.code, reply.text]);
        served += 1;
      }
    }
    expect(served).toBeGreaterThan(mock.profile.errorBody === 'empty' ? 15 : 35);
  });

  it('serve each declared code on request, with its first example if it has any', async () => {
    const { mock, call } = await start(set);
    const declared = declaredIn(mock.profile);
    expect(declared.length).toBeGreaterThan(35);
    for (const one of declared) {
      const reply = await ask(call, one.operation, `code=${one.code}`);
      expectDeclared(one, reply, mock.profile);
      const [example] = one.examples;
      if (example !== undefined) expect(reply.body).toEqual(example[1]);
      expect(reply.headers.get('preference-applied')).toBe(`code=${one.code}`);
    }
  });

  it('serve undeclared codes, marked with X-Undeclared', async () => {
    const { mock, call } = await start(set);
    const { errorBody } = mock.profile;
    const declared = declaredIn(mock.profile);
    const schemas = new Schemas(contractFor(mock.profile));
    let served = 0;
    for (const { operation: applied } of declared.filter(({ code }) => code === 401)) {
      for (const code of [403, 404, 405, 409, 418, 429, 499, 500, 503, 599]) {
        if (declared.some((one) => one.operation.operationId === applied.operationId && one.code === code)) continue;
        const reply = await ask(call, applied, `code=${code}`);
        expect([reply.status, reply.headers.get('x-undeclared')]).toEqual([code, String(code)]);
        expect(reply.headers.get('preference-applied')).toBe(`code=${code}`);
        expect(reply.headers.has('retry-after')).toBe(code === 429 || code === 503);
        if (errorBody === 'empty') expect([reply.text, reply.headers.get('content-type')]).toEqual(['', null]);
        else expect(schemas.of(errorShapes[errorBody].schema)(reply.body)).toEqual([]);
        if (errorBody === 'problem') expect(reply.body.status).toBe(code);
        served += 1;
      }
    }
    expect(served).toBeGreaterThan(70);
  });

  it('generate valid answers, the same for the same seed', async () => {
    const [first, second] = [await start(set), await start(set, { randomSeed: 99 })];
    const successes = declaredIn(first.mock.profile).filter(({ code, mediaType }) => code < 300 && mediaType);
    expect(successes.length).toBeGreaterThanOrEqual(9);
    for (const one of successes) {
      const texts = new Set<string>();
      for (let seed = 0; seed < depth(4, 50); seed += 1) {
        const reply = await ask(first.call, one.operation, `dynamic=true, seed=${seed}`);
        expectDeclared(one, reply, first.mock.profile);
        expect(reply.headers.get('preference-applied')).toBe(`dynamic=true, seed=${seed}`);
        expectLegalValues(reply.body, first.mock.profile);
        texts.add(reply.text);
        if (seed % 5 > 0) continue;
        const again = await ask(second.call, one.operation, `dynamic=true, seed=${seed}`);
        expect(again.text, `${one.operation.operationId} ${seed}`).toBe(reply.text);
      }
      if (one.operation.operationId !== 'publishAgentRevision') expect(texts.size).toBeGreaterThan(depth(2, 5));
    }
  });
});

/** What the schemas do not say: times as the profile writes them, no `..` in a path. */
function expectLegalValues(value: unknown, profile: Profile): void {
  if (typeof value !== 'object' || value === null) return;
  const time =
    profile['timestamps.precision'] === 'seconds' ? /^[\d-]{10}T[\d:]{8}\+00:00$/ : /^[\d-]{10}T[\d:]{8}\.\d{3}Z$/;
  for (const [key, inner] of Object.entries(value)) {
    if (/At$/.test(key)) expect(inner).toMatch(time);
    if (key === 'path') expect(inner.split('/')).not.toContain('..');
    expectLegalValues(inner, profile);
  }
}

describe.skipIf(hasJustRun)('a generated answer', () => {
  it('uses the random seed of the mock if the request has none', async () => {
    const [one, other] = [await start({}, { randomSeed: 5 }), await start({}, { randomSeed: 6 })];
    const reply = await one.call('GET', '/mcp-servers?__dynamic=true');
    expect((await one.call('GET', '/mcp-servers?__dynamic=true&__seed=5')).text).toBe(reply.text);
    expect((await other.call('GET', '/mcp-servers?__dynamic=true')).text).not.toBe(reply.text);
    expect(reply.headers.get('preference-applied')).toBe('dynamic=true');
  });

  it('can be an error, declared or not, with its code in the body', async () => {
    const { mock, call } = await start();
    for (const code of [401, 422, 503]) {
      const reply = await ask(call, operation(mock, 'listDrives'), `code=${code}, dynamic=true, seed=a`);
      expect(new Schemas(mock.engine.contract).at('#/components/schemas/Problem')(reply.body)).toEqual([]);
      expect(reply.body.status).toBe(code);
      expect(reply.headers.get('preference-applied')).toBe(`code=${code}, dynamic=true, seed=a`);
    }
  });

  it('is generated again if it breaks the contract, and fails if that continues', async () => {
    const seeds: string[] = [];
    const generate = async (seed: string) => seeds.push(seed);
    const violation = { location: ['size'], code: 'type', message: 'must be an integer' };
    expect(await generateValid('7', generate, (value) => (value === 3 ? [] : [violation]))).toBe(3);
    expect(seeds).toEqual(['7', '7/1', '7/2']);
    await expect(generateValid('7', generate, () => [violation])).rejects.toThrow('size must be an integer');
  });

  it('keeps the key order of the profile', async () => {
    const { mock, call } = await start();
    const keysOf = async (keyOrder: Profile['keyOrder']) => {
      mock.setProfile({ keyOrder });
      return Object.keys((await call('GET', '/drives/d/files/f?__dynamic=true')).body);
    };
    const order = ['kind', 'id', 'name', 'path', 'status', 'modifiedAt', 'size', 'contentType'];
    expect((await keysOf('documented')).slice(0, 8)).toEqual(order);
    expect((await keysOf('reversed')).slice(-8)).toEqual(order.reverse());
  });
});

describe.skipIf(hasJustRun)('an error without an example of its own', () => {
  const written = 'The name "Marketing assets" is taken in this organization. Choose a different one.';
  const made = 'The request asked for this response with a preference.';

  it.each([
    ['createDrive', 409, 'conflict', 'Conflict', written],
    ['listAgents', 409, 'conflict', 'Conflict', made],
    ['listAgents', 413, 'body-too-large', 'Body too large', made],
    ['listAgents', 418, 'im-a-teapot', "I'm a Teapot", made],
    ['listAgents', 499, 'status-499', 'Status 499', made],
  ] as const)('describes itself for %s with %i', async (operationId, status, code, title, detail) => {
    const { mock, call } = await start();
    const reply = await ask(call, operation(mock, operationId), `code=${status}`);
    expect(reply.body).toEqual({ type: `urn:agent-platform:problem:${code}`, title, status, detail });
    expect(reply.headers.has('x-undeclared')).toBe(true);
  });
});

describe.skipIf(hasJustRun)('codes other than the success code', () => {
  it('send the success body', async () => {
    const { mock, call } = await start();
    for (const { operation: applied, examples, violationsOf } of declaredIn(mock.profile).filter(isSuccess)) {
      const reply = await ask(call, applied, 'code=206');
      expect([reply.status, reply.headers.get('x-undeclared')]).toEqual([206, '206']);
      expect(violationsOf(reply.body)).toEqual([]);
      expect(reply.body).toEqual(examples[0]?.[1]);
    }
    const named = await ask(call, operation(mock, 'listDrives'), 'code=202, example=noDrives');
    expect([named.status, named.body.data]).toEqual([202, []]);
  });

  it('send the publish body of the profile with 200, although its own 204 has none', async () => {
    const { mock, call } = await start({ 'successStatus.publishAgentRevision': 204, publishBody: 'revision' });
    const reply = await ask(call, operation(mock, 'publishAgentRevision'), 'code=200');
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['revisionId', 'agentId', 'createdAt']]);
  });

  it('send no body if they have none', async () => {
    const { mock, call } = await start();
    const codes = [205, 204, 301, 304, 399];
    for (const [index, { operation: applied }] of declaredIn(mock.profile).filter(isSuccess).entries()) {
      const code = codes[index % codes.length];
      const reply = await ask(call, applied, `code=${code}, dynamic=true`);
      expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([code, '', null]);
      expect(reply.headers.get('content-length')).toBe(code === 204 || code === 304 ? null : '0');
      expect(reply.headers.get('x-undeclared')).toBe(String(code));
      expect(reply.headers.get('preference-applied')).toBe(`code=${code}`);
    }
  });

  const isSuccess = ({ code }: Declared) => code < 300;
});

describe.skipIf(hasJustRun)('an example', () => {
  const names = 'firstPage, noDrives (200); noKey (401); limitOutOfRange (422)';

  it.each([
    ['example=noDrvies', '"noDrvies" of listDrives (did you mean noDrives?)'],
    ['example=constructor', '"constructor" of listDrives'],
    ['code=401, example=noDrives', '"noDrives" of listDrives with code 401'],
    ['code=503, example=noKey', '"noKey" of listDrives with code 503'],
  ])('is refused with the known names if it does not exist: %s', async (prefer, says) => {
    const { call } = await start();
    const reply = await call('GET', '/drives', { headers: { prefer } });
    expect([reply.status, reply.headers.get('x-mock-error')]).toEqual([400, 'preference']);
    const detail = `There is no example ${says}. Available: ${names}.`;
    expect(reply.body).toMatchObject({ type: 'urn:agent-platform:problem:invalid-preference', detail });
    expect(reply.headers.get('preference-applied')).toBeNull();
  });

  it('is that of the success if several codes have it, or needs a code', async () => {
    const { mock } = await start();
    const contract = structuredClone(mock.engine.contract);
    const listDrives = operationsOf(contract).find(({ operationId }) => operationId === 'listDrives') as Operation;
    const responses = listDrives.definition.responses as Record<string, ResponseObject>;
    for (const { content = {} } of Object.values(responses)) {
      for (const media of Object.values(content))
        media.examples = { same: Object.values(media.examples ?? {})[0] ?? {} };
    }
    const answer = createForcedAnswers({
      contract,
      profile: mock.profile,
      randomSeed: 1,
      refuse: (refusal) => mock.engine.refusal(refusal),
    });
    expect((await answer(listDrives, { example: 'same' })).status).toBe(200);
    responses['200'] = { description: 'Without examples.' };
    const { body = '' } = await answer(listDrives, { example: 'same' });
    const remedy = 'Choose one of them with code.';
    expect(JSON.parse(body).detail).toBe(`Several codes have an example "same": 401 and 422. ${remedy}`);
  });
});

const [code, delay] = ['a status code from 200 to 599', 'a whole number of milliseconds from 0 to 60000'];
const both = 'cannot be true together with an example; send one of them';

describe.skipIf(hasJustRun)('preferences', () => {
  it.each([
    ['?__code=422&__delay=abc', 'example=noDrives', 200, 'example=noDrives'],
    ['?__code=422', 'return=minimal', 422, 'code=422'],
    ['?limit=1&__delay=0&__seed=7', '', 200, 'delay=0'],
    ['?limit=1&__code=404', 'delay=0', 200, 'delay=0'],
    ['?__limit=1', '', 422, null],
    ['', 'code=422, code=abc', 422, 'code=422'],
    ['', 'code=200, dynamic=false, seed=7, return=minimal', 200, 'code=200, dynamic=false'],
    ['', 'return=minimal', 200, null],
    ['', 'seed=7', 200, null],
    ['', 'dynamic=false', 200, 'dynamic=false'],
    ['', 'handling=strict; foo="', 200, null],
    ['', 'dynamic=true, seed="a \\"b\\", c"', 200, 'dynamic=true, seed="a \\"b\\", c"'],
  ])(
    'in the query %j and the header %j are answered with %i and applied: %j',
    async (query, prefer, status, applied) => {
      const { mock, call } = await start();
      mock.setProfile({ 'unknownInput.queryParameters': 'refused' });
      const reply = await call('GET', `/drives${query}`, { headers: prefer === '' ? {} : { prefer } });
      expect([reply.status, reply.headers.get('preference-applied')]).toEqual([status, applied]);
      // What changes nothing leads to the ordinary answer, of which the query is hidden from the operation.
      if (status === 200 && !/code|example|dynamic=true/.test(applied ?? ''))
        expect(reply.text).toBe((await call('GET', query.includes('limit') ? '/drives?limit=1' : '/drives')).text);
    },
  );

  it.each([
    ...['code=4o4', 'code=199', 'code=600', 'code', 'code="404', 'code=404 example=noDrives'].map((one) => [one, code]),
    ...['delay=1.5', 'delay=-1', 'delay=60001'].map((one) => [one, delay]),
    ...['dynamic=yes', 'dynamic'].map((one) => [one, 'true or false']),
    ['example=""', 'the name of an example'],
    ['seed=', 'one or more printable ASCII characters'],
    ['dynamic=true, example=noDrives', both],
  ])('are refused if invalid: %s', async (prefer, must) => {
    const reply = await (await start()).call('GET', '/drives', { headers: { prefer } });
    expect([reply.status, reply.headers.get('x-mock-error')]).toEqual([400, 'preference']);
    const detail = `Prefer.${/^\w+/.exec(prefer)?.[0]} ${must === both ? both : `must be ${must}`}`;
    expect(reply.body).toMatchObject({ title: 'Invalid preference', detail, validation: [expect.anything()] });
  });

  it.each([
    ['__code=abc', `__code must be ${code}`],
    ['__seed=%E2%82%AC', '__seed must be one or more printable ASCII characters'],
    ['__example=%ff', '__example must be the name of an example'],
    ['__code=404&__code=404', '__code must be sent once'],
  ])('are refused in the query if invalid: %s', async (query, detail) => {
    const { mock, call } = await start();
    mock.setProfile({ errorBody: 'message' });
    const reply = await call('GET', `/drives?${query}`);
    expect([reply.status, reply.body]).toEqual([400, { message: `query.${detail}` }]);
  });

  it('are read from several headers, in any case, quoted, with parameters, among unknown ones', async () => {
    const { mock } = await start();
    const lines = [
      'X-API-Key: demo-key',
      'prefer: return=minimal; x="a, b", CODE="422" ; why=so',
      'Prefer: wait=1, Delay=0',
    ];
    const answer = await sendRaw(mock.url, { method: 'GET', target: '/v0.1/drives', lines });
    expect(answer.status).toBe(422);
    expect(new Map(answer.headers).get('preference-applied')).toBe('code=422, delay=0');
  });

  it('have response headers that pages of other origins can read', async () => {
    const { call } = await start();
    const reply = await call('GET', '/agents', { headers: { prefer: 'code=503', origin: 'http://localhost:8080' } });
    const exposed = reply.headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['preference-applied', 'x-undeclared', 'x-mock-error', 'retry-after']),
    );
  });
});

describe.skipIf(hasJustRun)('a forced answer', () => {
  it('needs a key, whatever is judged first', async () => {
    const { mock, call } = await start();
    for (const [judgedFirst, prefer] of [
      ['resource', 'code=200'],
      ['input', 'code=404'],
      ['resource', 'code=abc'],
      ['input', 'example=nothing'],
      ['resource', 'dynamic=true'],
    ] as const) {
      mock.setProfile({ judgedFirst });
      for (const applied of operationsOf(mock.engine.contract)) {
        const path = applied.path.replaceAll(/\{\w+\}/g, 'nowhere');
        const reply = await call(applied.method, path, { key: 'wrong', headers: { prefer } });
        expect([reply.status, reply.headers.get('preference-applied')]).toEqual([401, null]);
      }
    }
  });

  it('changes nothing, whatever is sent', async () => {
    const { mock, call } = await start();
    const readState = createStateReader(mock);
    const before = await readState();
    const places = placesOf(mock);
    const drive = fill('/drives/{drive}', places);
    const revisionId = fill('{revision}', places);
    const wrong = { raw: '{', headers: { prefer: 'code=201', 'content-type': 'text/plain' } };
    expect((await call('POST', '/drives', wrong)).status).toBe(201);
    expect((await call('GET', '/drives?limit=abc&__code=200')).status).toBe(200);
    for (const prefer of ['code=201', 'code=200', 'code=500', 'dynamic=true', 'code=201, delay=1', 'code=abc']) {
      const headers = { prefer };
      await call('POST', '/drives', { headers, json: { name: 'New' } });
      await call('POST', '/mcp-servers', { headers, json: { name: 'New', url: 'https://new.example/' } });
      await call('PATCH', fill('/drives/{drive}/files/{file}', places), { headers, json: { path: '/moved' } });
      await call('DELETE', `${drive}/items/tree?path=/`, { headers });
      await call('POST', fill('/agents/{agent}/publish', places), { headers, json: { revisionId } });
    }
    expect(await readState()).toBe(before);
    await call('DELETE', `${drive}/items/tree?path=/`);
    expect(await readState()).not.toBe(before);
  });

  it('has the headers of GET and no body for HEAD', async () => {
    const { call } = await start();
    for (const query of ['__code=200', '__example=noKey', '__code=503', '__code=204', '__code=304', '__dynamic=true']) {
      const [get, head] = [await call('GET', `/drives?${query}`), await call('HEAD', `/drives?${query}`)];
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const name of ['content-type', 'content-length', 'preference-applied', 'x-undeclared']) {
        expect(head.headers.get(name), `${query} ${name}`).toBe(get.headers.get(name));
      }
    }
  });
});

describe('an example is what Prism answers too', () => {
  it.each(sampleOf(Object.entries(sandboxes), 1))('%s', async (_, set) => {
    const { mock, call } = await start(set);
    const { contract } = mock.engine;
    const askPrism = await loadPrism(contract);
    const declared = declaredIn(mock.profile).filter(({ examples }) => examples.length > 0);
    for (const { operation: applied, code, examples } of declared) {
      for (const name of [undefined, ...examples.map(([name]) => name)]) {
        const prefer = name === undefined ? `code=${code}` : `code=${code}, example=${name}`;
        const url = { path: applied.path.replaceAll(/\{\w+\}/g, 'any') };
        const mocked = { code, dynamic: false, ...(name === undefined ? {} : { exampleKey: name }) };
        const method = applied.method.toLowerCase() as 'get';
        const { output } = await askPrism(applied.operationId, { method, url }, { mock: mocked });
        expect([prefer, (await ask(call, applied, prefer)).body]).toEqual([prefer, output.body]);
      }
    }
  });
});

describe.skipIf(hasJustRun)('a delay', () => {
  it('lasts at least as long as asked for', async () => {
    const { call } = await start();
    for (const query of ['__delay=150', '__delay=150&__code=503']) {
      const askedMs = performance.now();
      await call('GET', `/agents?${query}`);
      // Timers of Node may fire a millisecond early.
      expect(performance.now() - askedMs, query).toBeGreaterThanOrEqual(149);
    }
  });

  it('delays the answer but not the change, and ends when the client disconnects', async () => {
    const told: string[] = [];
    const onExchange = ({ method, status }: { method: string; status: number }) => told.push(`${method} ${status}`);
    const { mock, call } = await start({}, { onExchange });
    const leaving = new AbortController();
    const sent = { json: { name: 'Late' }, headers: { prefer: 'delay=60000' }, signal: leaving.signal };
    const answered = call('POST', '/drives', sent).catch(({ name }) => name);
    await vi.waitUntil(async () => (await call('GET', '/drives?limit=100')).text.includes('"Late"'));
    leaving.abort();
    expect(await answered).toBe('AbortError');
    await mock.close();
    expect(new Set(told)).toEqual(new Set(['GET 200']));
  });

  it('keeps the order of answers on one connection, forced or not', async () => {
    const { mock } = await start();
    const lines = ['X-API-Key: demo-key'];
    const targets = ['/v0.1/agents?__delay=30', '/v0.1/agents?__code=503&__delay=30', '/v0.1/agents'];
    const bytes = Buffer.concat(targets.map((target) => toBytes({ method: 'GET', target, lines })));
    const { answers } = await exchange(mock.url, bytes, { methods: ['GET', 'GET', 'GET'] });
    const applied = answers.map(({ status, headers }) => [status, new Map(headers).get('preference-applied')]);
    expect(applied).toEqual([
      [200, 'delay=30'],
      [503, 'code=503, delay=30'],
      [200, undefined],
    ]);
  });
});
