import { beforeAll, describe, expect, it } from 'vitest';
import { contractFor, pointsOfRefusal, refusalsOf } from '../../openapi/contract/contract-for.ts';
import {
  type ContractDocument,
  openPointsOf,
  type ResponseObject,
  type SchemaObject,
} from '../../openapi/contract/document.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { defaultProfile, type Profile } from '../../openapi/contract/profile.ts';
import { profileDocument } from '../../openapi/contract/profile-document.ts';
import { refusals } from '../../openapi/contract/refusals.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import type { Problem } from '../../openapi/points/error-bodies.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { createRandom } from '../model/random.ts';
import { randomProfile } from '../model/random-profile.ts';
import { depth, randomSeed } from '../support/depth.ts';

// What the used contract shows of each refusal: an example, and the open points that it depends on.

const points = loadOpenPoints();
const stated = operationsOf(loadDocument());
const usual = defaultProfile(points);
const random = createRandom(randomSeed);

/** Everything that can be refused is refused. */
const strict = {
  malformedIds: 'refused',
  foreignResourceStatus: 'forbidden',
  'unknownInput.queryParameters': 'refused',
  republish: 'refused',
  'duplicates.names': 'refused',
  'duplicates.urls': 'refused',
  'treePath.missing': 'refused',
  mediaTypeRules: 'strict',
  moveTargets: 'strict',
  toolsOfNewServer: 'live',
} as const satisfies Partial<Profile>;

const profiles: Record<string, Profile> = {
  'the defaults': usual,
  'another name of the tree parameter': { ...usual, treePathParameter: "$& 'x'" },
  'all refusals': { ...usual, ...strict, unreachableTools: 502 },
  'tools that nobody can reach, as 424': { ...usual, ...strict, unreachableTools: 424, errorBody: 'nested' },
  'foreign and unknown things with one code': {
    ...usual,
    ...strict,
    'errorStatus.notFound': 403,
    unreachableTools: 504,
  },
  ...Object.fromEntries(
    Array.from({ length: depth(5, 60) }, (_, index) => [
      `random ${index}`,
      { ...usual, ...randomProfile(random), ...(index % 2 === 0 ? strict : {}) },
    ]),
  ),
};

interface SampledRefusal {
  place: string;
  status: string;
  response: ResponseObject;
  operation: Operation;
}

function refusalsIn(document: ContractDocument): SampledRefusal[] {
  return operationsOf(document).flatMap((applied) => {
    const operation = stated.find(({ operationId }) => operationId === applied.operationId) as Operation;
    return Object.entries(applied.definition.responses ?? {})
      .filter(([status]) => /^[45]/.test(status) && status !== '401')
      .map(([status, response]) => ({
        ...{ place: `${applied.operationId} ${status}`, status, operation },
        response: response as ResponseObject,
      }));
  });
}

describe.each(Object.entries(profiles))('the used refusals: %s', (_, profile) => {
  let document: ContractDocument;
  let schemas: Schemas;

  beforeAll(() => {
    document = profileDocument(profile);
    schemas = new Schemas(document);
  });

  const kindsOf = ({ operation, status }: SampledRefusal) =>
    refusalsOf(operation, profile).filter((kind) => String(refusals[kind].status(profile)) === status);

  it('each have an example that validates, unless they have no body', () => {
    for (const { place, status, response } of refusalsIn(document)) {
      const [media] = Object.values(response.content ?? {});
      const examples = Object.entries(media?.examples ?? {});
      expect(examples.length > 0, place).toBe(profile.errorBody !== 'empty');
      for (const [name, example] of examples) {
        const { value } = example as { value: { status?: number } };
        expect(schemas.of(media?.schema as never)(value), `${place} ${name}`).toEqual([]);
        if (profile.errorBody === 'problem') expect(value.status, `${place} ${name}`).toBe(Number(status));
      }
    }
  });

  it('each have an example for every reason', () => {
    // The body of this choice names the reason.
    for (const refusal of refusalsIn(profileDocument({ ...profile, errorBody: 'problem' }))) {
      const [media] = Object.values(refusal.response.content ?? {});
      const shown = Object.values(media?.examples ?? {}).map(
        (example) => (example as { value: { type: string } }).value.type,
      );
      const codes = kindsOf(refusal).map((kind) => refusals[kind].code);
      expect([...new Set(shown.map((type) => type.split(':').at(-1)))].sort(), refusal.place).toEqual(
        [...new Set<string>(codes)].sort(),
      );
    }
  });

  it('each name the parameters as the profile calls them', () => {
    const applied = operationsOf(profileDocument({ ...profile, errorBody: 'problem' }));
    const { parameters, definition } = applied.find(
      ({ operationId }) => operationId === 'deleteDriveTree',
    ) as Operation;
    const known = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    const problems = Object.values(definition.responses ?? {}).flatMap((response) => {
      const [media] = Object.values((response as ResponseObject).content ?? {});
      return Object.values(media?.examples ?? {}).map((example) => (example as { value: Problem }).value);
    });
    const located = problems.flatMap(({ detail, validation = [] }) => validation.map((one) => ({ ...one, detail })));
    const wrong = located.filter(
      ({ code, location: [, name = ''] }) => code !== 'unknownParameter' && !known.includes(name),
    );
    expect(located.length).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
    for (const { location, detail } of located) expect(detail).toContain(location.join('.'));
  });

  it('each name the open points on which they depend, and no others', () => {
    for (const refusal of refusalsIn(document)) {
      const { place, response, operation } = refusal;
      const named = openPointsOf(response);
      const concerned = kindsOf(refusal).flatMap((kind) => pointsOfRefusal(kind, profile));
      expect(
        named.filter((point) => !concerned.some((one) => one === point)),
        place,
      ).toEqual([]);
      const left = concerned.filter((point) => operation.openPoints.has(point) && !named.includes(point));
      expect(left, place).toEqual([]);
      for (const point of named) expect(response.description, place).toContain(`Here \`${point}\` is`);
    }
  });
});

it('the refusals of tools name what decides about them', () => {
  const pointsAt = (status: string, profile: Partial<Profile>, id: OperationId = 'listMcpServerTools') => {
    const found = refusalsIn(profileDocument({ ...usual, ...profile }));
    return openPointsOf(found.find(({ place }) => place === `${id} ${status}`)?.response).sort();
  };
  expect(pointsAt('403', strict)).toEqual(['errorBody', 'foreignResourceStatus', 'foreignResources']);
  expect(pointsAt('424', { ...strict, unreachableTools: 424 })).toEqual(['errorBody', 'unreachableTools']);
  expect(pointsAt('404', {})).toEqual(['errorBody', 'foreignResourceStatus', 'foreignResources']);
  expect(pointsAt('413', {}, 'createDrive')).toEqual(['errorBody', 'errorStatus.bodyTooLarge']);
});

describe('the used responses', () => {
  const responsesOf = (set: Partial<Profile>, id: OperationId) => {
    const { definition } = operationsOf(contractFor({ ...usual, ...set })).find((one) => one.operationId === id) ?? {};
    return Object.entries((definition?.responses ?? {}) as Record<string, ResponseObject>);
  };

  it('have one success, 401, and the refusals in the order of their codes', () => {
    for (const { operationId } of stated) {
      for (const set of [{}, strict, { ...strict, unreachableTools: 504 }] as Partial<Profile>[]) {
        const codes = responsesOf(set, operationId).map(([code]) => code);
        expect(codes.filter((code) => code.startsWith('2'))).toHaveLength(1);
        expect(codes).toEqual(expect.arrayContaining(['401']));
        expect(codes).toEqual(codes.toSorted());
        expect(codes.filter((code) => !/^\d{3}$/.test(code))).toEqual([]);
      }
    }
  });

  it('say all reasons for one code', () => {
    const all = {
      'errorStatus.invalidInput': 400,
      'errorStatus.malformedJson': 400,
      'unknownInput.queryParameters': 'refused',
    } as const;
    const described = Object.fromEntries(
      responsesOf(all, 'updateDriveFile').map(([code, one]) => [code, one.description]),
    );
    expect(described).toMatchObject({
      '400': 'Malformed JSON, or Invalid input',
      '404': 'Not found',
      '409': 'Conflict',
      '413': 'Body too large',
      '415': 'Unsupported media type',
    });
  });

  it.each([
    ['problem', 'application/problem+json'],
    ['nested', 'application/json'],
    ['message', 'application/json'],
    ['empty', undefined],
  ] as const)('have refusals with the body %s as %s', (errorBody, mediaType) => {
    for (const [code, { content, description }] of responsesOf({ errorBody }, 'createDrive')) {
      expect(description, code).toMatch(/\w/);
      if (!code.startsWith('2')) expect(Object.keys(content ?? {}), code).toEqual(mediaType ? [mediaType] : []);
    }
  });

  const ofAgent = ['id', 'name', 'isPublished', 'hasChanges', 'createdAt', 'updatedAt'];
  const ofFile = ['kind', 'id', 'name', 'path', 'status', 'modifiedAt', 'size', 'contentType'];
  const ofDrive = ['id', 'organizationId', 'name', 'createdAt', 'updatedAt'];

  it.each<[Partial<Profile>, Record<string, string[] | undefined>]>([
    [{}, { Agent: ofAgent, DriveFile: ofFile, Drive: ofDrive, Pagination: ['limit', 'offset', 'total'] }],
    [{ optionalFields: 'absent' }, { Agent: ofAgent, DriveFile: ofFile }],
    [{ optionalFields: 'sparse' }, { Agent: ofAgent, DriveFile: ofFile.slice(0, -2), Drive: ofDrive }],
    [
      { optionalFields: 'without hasChanges' },
      { Agent: ofAgent.filter((name) => name !== 'hasChanges'), Drive: ofDrive },
    ],
    [{ paginationFields: 'withoutTotal' }, { Pagination: ['limit', 'offset'] }],
    [{ paginationFields: 'none' }, { Pagination: undefined, Agent: ofAgent }],
  ])('promise the fields that %j uses', (set, promised) => {
    const { schemas = {} } = contractFor({ ...usual, ...set }).components ?? {};
    const required = Object.keys(promised).map((name) => [name, (schemas[name] as SchemaObject).required]);
    expect(Object.fromEntries(required)).toEqual(promised);
  });
});
