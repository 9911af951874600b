import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { contractFor } from '../../openapi/contract/contract-for.ts';
import {
  dereference,
  openPointsOf,
  type RequestBodyObject,
  type ResponseObject,
  resolvePointer,
  type SchemaObject,
} from '../../openapi/contract/document.ts';
import { loadCoverage, loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { type Operation, operationSet, operationsOf } from '../../openapi/contract/operations.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { profileDocument } from '../../openapi/contract/profile-document.ts';
import { expandRequirement, unitsOf, type WrittenRequirement } from '../../openapi/contract/requirements.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { authHeadersOf, keyHeaders } from '../../openapi/contract/security.ts';
import { loadUsualContract } from '../../openapi/contract/usual-input.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { isLegalChoice } from '../../openapi/points/open-point.ts';
import { pagingBounds } from '../../openapi/reading/pages.ts';
import { createFetch } from '../../src/browser/fetch.ts';
import { isFull } from '../support/depth.ts';

const document = loadDocument();
const openPoints = loadOpenPoints();
const requirements = loadRequirements();
const operations = operationsOf(document);
const usual = defaultProfile(openPoints);
const operationIds = operations.map((operation) => operation.operationId);
const units = loadCoverage()
  .flatMap(unitsOf)
  .map(({ id }) => id);

const bare: WrittenRequirement = { id: 'bare', sources: [], level: 'must', requirement: '' };

const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

/** Every object and list at `root` and below, with its JSON pointer. */
function nodesOf(root: unknown, path = '#'): { path: string; value: Record<string, unknown> }[] {
  if (typeof root !== 'object' || root === null) return [];
  const below = Object.entries(root).flatMap(([key, value]) => nodesOf(value, `${path}/${key.replaceAll('/', '~1')}`));
  return [{ path, value: root as Record<string, unknown> }, ...below];
}

/** Every value below `root` that stands under the key `name`. */
const valuesOf = (root: unknown, name: string) =>
  nodesOf(root).flatMap(({ value }) => (Object.hasOwn(value, name) ? [value[name]] : []));

describe('the contract', () => {
  it('has eight described tags and the version', () => {
    expect(document.tags?.map((tag) => tag.name).join()).toBe(
      'Agents,Versioning,MCP Servers,Drives,Runs,Settings,Users,Webhooks',
    );
    expect(document.tags?.every((tag) => (tag.description ?? '').length > 10)).toBe(true);
    expect(document.info.version).toBe('0.1.0');
  });

  it('states nothing of what a mock adds: its address, its licence, its errors, and what it requires of a request', () => {
    const written = JSON.stringify(document);
    expect(written).not.toMatch(/127\.0\.0\.1|localhost|MIT|urn:|Problem"/);
    expect(document.servers).toMatchObject([{ url: '{baseUrl}', variables: { baseUrl: {} } }]);
    expect(valuesOf(document, 'application/problem+json').flatMap((media) => valuesOf(media, 'examples'))).toEqual([]);
    for (const { operationId, definition } of operations) {
      const body = dereference<RequestBodyObject>(document, definition.requestBody ?? { content: {} });
      const schema = dereference<SchemaObject>(document, body.content['application/json']?.schema ?? {});
      expect([body.required, schema.required], operationId).toEqual([undefined, undefined]);
    }
    const query = operations.flatMap(({ parameters }) => parameters.filter((parameter) => parameter.in === 'query'));
    expect(query.filter(({ required = false }) => required)).toEqual([]);
    // A name that is open is none of the document: the members of an exploded object have any name.
    const tree = query.find((parameter) => openPointsOf(parameter).includes('treePathParameter'));
    expect(tree).toMatchObject({ style: 'form', explode: true, schema: { type: 'object' } });
  });

  it('has all of that as the default profile uses it', () => {
    const applied = contractFor(usual);
    expect(applied.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
    expect(applied.servers).toMatchObject([{ url: 'http://127.0.0.1:4010/v0.1' }]);
    for (const { operationId, parameters, definition, takesBody } of operationsOf(applied)) {
      const tree = parameters.find((parameter) => openPointsOf(parameter).includes('treePathParameter'));
      if (tree !== undefined) expect(tree).toMatchObject({ name: 'path', required: true });
      if (takesBody) expect(definition.requestBody, operationId).toMatchObject({ required: true });
    }
  });

  it('states a success code where the specification does, and 2XX elsewhere', () => {
    const successes = Object.fromEntries(
      operations.map(({ operationId, definition }) => [
        operationId,
        Object.keys(definition.responses ?? {}).filter((code) => code.startsWith('2')),
      ]),
    );
    expect(successes).toEqual({
      listAgents: ['200'],
      publishAgentRevision: ['204', '2XX'],
      createDrive: ['2XX'],
      listDrives: ['2XX'],
      getDriveFile: ['2XX'],
      updateDriveFile: ['2XX'],
      deleteDriveTree: ['2XX'],
      createMcpServer: ['2XX'],
      listMcpServers: ['200'],
      listMcpServerTools: ['200'],
    });
  });

  it('gives each operation a summary, a described tag, and its refusals and failures', () => {
    const tags = document.tags?.map(({ name }) => name);
    for (const { operationId, definition } of operations) {
      expect(definition.summary, operationId).toMatch(/\w/);
      expect(definition.tags, operationId).toHaveLength(1);
      expect(tags, operationId).toEqual(expect.arrayContaining(definition.tags ?? []));
      expect(Object.keys(definition.responses ?? {}), operationId).toEqual(
        expect.arrayContaining(['401', '4XX', '5XX']),
      );
    }
  });

  it('marks the open point of each success code that it leaves open, which names the operation', () => {
    const isOpen = ({ definition }: Operation) => definition.responses?.['2XX'] !== undefined;
    const ofRegister = (operation: Operation) =>
      openPoints.filter(({ id, operations: ids }) => statusPoints.has(id) && ids.includes(operation.operationId));
    const statusPoints = new Set(operations.map(({ statusOpenPoint }) => statusOpenPoint as string));
    for (const operation of operations) {
      const marked = operation.statusOpenPoint === undefined ? [] : [operation.statusOpenPoint];
      expect(marked, operation.operationId).toHaveLength(isOpen(operation) ? 1 : 0);
      const named = ofRegister(operation);
      // Where the usual choice is that of another open point, the register names the operation there too.
      const usual = named.filter(({ id }) => !named.some((other) => id.endsWith(`.${other.default}`)));
      expect(
        usual.map(({ id }) => id),
        operation.operationId,
      ).toEqual(marked);
    }
  });

  // `npm run check` does so as well.
  it.runIf(isFull)('passes the linter with the documents beside it, without errors or warnings', async () => {
    const planes = ['src/app/admin-api/admin-api.yaml', 'src/proxy/admin-api.yaml'];
    const files = ['openapi/openapi.yaml', 'openapi/openapi.default.yaml', ...planes];
    const arguments_ = ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--format=github-actions', ...files];
    const { stdout } = await promisify(execFile)(process.execPath, arguments_);
    expect(stdout.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
  });

  it('has the key headers that the code names', () => {
    const headers = authHeadersOf(document).map(({ header }) => header);
    expect(keyHeaders.map((name) => name.toLowerCase()).sort()).toEqual(headers.sort());
  });

  it('has only examples that match their schemas', () => {
    for (const contract of [document, contractFor(usual)]) {
      const found = examplesOf(contract);
      expect(found.length).toBeGreaterThan(40);
      const schemas = new Schemas(contract);
      for (const { name, pointer, value } of found) expect(schemas.at(pointer)(value), name).toEqual([]);
    }
  });

  it.each(operationsOf(loadUsualContract()))(
    'has examples with which $operationId succeeds on the demo data',
    async ({ method, path, parameters, definition }) => {
      const valuesIn = (at: string) =>
        Object.fromEntries(
          parameters.flatMap((one) => {
            const [example] = Object.values(one.examples ?? {});
            return one.in !== at || example === undefined ? [] : [[one.name, String(exampleValue(example))]];
          }),
        );
      const ids = valuesIn('path');
      const target = path.replaceAll(/\{(\w+)\}/g, (template, name) => ids[name] ?? template);
      const body = dereference<Partial<RequestBodyObject>>(document, definition.requestBody ?? {});
      const examples = Object.values(body.content?.['application/json']?.examples ?? {});
      for (const json of examples.length === 0 ? [undefined] : examples.map(exampleValue)) {
        const mock = createFetch();
        const reply = await mock(`${mock.url}${target}?${new URLSearchParams(valuesIn('query'))}`, {
          method,
          headers: { 'X-API-Key': mock.key, 'Content-Type': 'application/json' },
          ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        });
        expect(reply.status, await reply.text()).toBeLessThan(300);
      }
    },
  );

  it('has a named example for each response with content, and for each file status', () => {
    for (const { operationId, definition } of operations) {
      for (const [code, reference] of Object.entries(definition.responses ?? {})) {
        const content = dereference<ResponseObject>(document, reference as ResponseObject).content ?? {};
        if (Object.keys(content).length === 0) continue;
        const examples = Object.values(content).flatMap((media) => Object.keys(media.examples ?? {}));
        expect(examples.length, `${operationId} ${code}`).toBeGreaterThan(0);
      }
    }
    const statuses = examplesOf(document).map(({ value }) => (value as { status?: unknown }).status);
    expect(statuses).toEqual(expect.arrayContaining(['ready', 'processing', 'error']));
  });
});

interface Example {
  name: string;
  pointer: string;
  value: unknown;
}

function examplesOf(contract: typeof document): Example[] {
  return operationsOf(contract).flatMap(({ operationId, path, method, definition }) => {
    const base = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
    const responses = Object.entries(definition.responses ?? {}).flatMap(([code, response]) => {
      const inline = '$ref' in response ? String(response.$ref) : `${base}/responses/${code}`;
      return contentExamples(contract, `${operationId} ${code}`, inline);
    });
    return [...responses, ...contentExamples(contract, `${operationId} body`, `${base}/requestBody`)];
  });
}

function exampleValue(example: unknown): unknown {
  return dereference<{ value?: unknown }>(document, example as object).value;
}

function contentExamples(contract: typeof document, where: string, base: string): Example[] {
  const content = (resolvePointer(contract, encodeURI(base)) as ResponseObject | undefined)?.content ?? {};
  return Object.entries(content).flatMap(([mediaType, media]) =>
    Object.entries(media.examples ?? {}).map(([name, example]) => ({
      name: `${where} ${name}`,
      pointer: encodeURI(`${base}/content/${mediaType.replaceAll('/', '~1')}/schema`),
      value: dereference<{ value?: unknown }>(contract, example).value,
    })),
  );
}

describe('the registers', () => {
  // YAML cuts `{ means: text, more text }` at the comma and reads the rest as a key without a value.
  it('lose no text to an unquoted comma', () => {
    const files = { document, openPoints, requirements, coverage: loadCoverage() };
    expect(nodesOf(files).filter(({ value }) => Object.values(value).includes(null))).toEqual([]);
  });

  it('have unique ids', () => {
    expect(repeated(openPoints.map((point) => point.id))).toEqual([]);
    expect(repeated(requirements.map((requirement) => requirement.id))).toEqual([]);
  });

  it('cover every unit of the specification, and cite only units that exist', () => {
    const cited = [...openPoints, ...requirements].flatMap((entry) => entry.sources);
    expect(units.filter((unit) => !cited.includes(unit))).toEqual([]);
    expect(cited.filter((source) => !units.includes(source))).toEqual([]);
    expect([...openPoints, ...requirements].filter((entry) => entry.sources.length === 0)).toEqual([]);
  });

  it('are linked with the contract in both directions', () => {
    const linked = new Set(valuesOf(document, 'x-open-point').flat() as string[]);
    const ids = openPoints.map((point) => point.id);
    const wholes = ids.map((id) => id.split('.', 1).join());
    expect([...linked].filter((id) => !ids.includes(id) && !wholes.includes(id))).toEqual([]);
    expect(ids.filter((id, index) => !linked.has(id) && !linked.has(wholes[index] ?? ''))).toEqual([]);
  });

  it('state method, path and answer shape of each operation', () => {
    for (const { operationId, resource } of operations) {
      expect(requirements.map(({ id }) => id)).toContain(`${operationId}.method-and-path`);
      if (resource === undefined) continue;
      const about = requirements.filter(
        ({ operations: [first, ...others] }) => first === operationId && others.length === 0,
      );
      const shape = new RegExp(`^${operationId}\\.(answer-is-[a-z]+|tools-is-array|fields-present)$`);
      expect(
        about.flatMap(({ checks = [] }) => checks).some((check) => shape.test(check)),
        operationId,
      ).toBe(true);
    }
  });

  it('give every open point its operations, choices, default and question', () => {
    for (const point of openPoints) {
      expect(point.operations.length, point.id).toBeGreaterThan(0);
      expect(operationIds, point.id).toEqual(expect.arrayContaining(point.operations));
      expect(['hidden', 'visible'], point.id).toContain(point.impact);
      expect(['wire', 'state'], point.id).toContain(point.seen);
      expect(point.choices.length, point.id).toBeGreaterThan(1);
      expect(repeated(point.choices.map((choice) => String(choice.value))), point.id).toEqual([]);
      expect(isLegalChoice(point, point.default), point.id).toBe(true);
      for (const text of [point.open, point.question, ...point.choices.map((choice) => choice.means)]) {
        expect(text, point.id).toMatch(/\w/);
      }
    }
  });

  it('give every requirement a place in the contract, and checks or a reason for having none', () => {
    const reasons = ['not visible over HTTP', 'no operation', 'background'];
    for (const requirement of requirements) {
      expect(['must', 'should'], requirement.id).toContain(requirement.level);
      for (const pointer of requirement.pointer) {
        expect(resolvePointer(document, encodeURI(pointer)), `${requirement.id} ${pointer}`).toBeDefined();
      }
      if (requirement.excluded === undefined) expect(requirement.checks?.length, requirement.id).toBeGreaterThan(0);
      else expect(reasons, requirement.id).toContain(requirement.excluded);
      expect(requirement.excluded !== undefined, requirement.id).toBe(requirement.checks === undefined);
      expect(requirement.because !== undefined, requirement.id).toBe(requirement.excluded !== undefined);
    }
  });

  it('name checks by operation and rule, with one level per check', () => {
    const levels = new Map<string, string>();
    for (const { level, checks = [], operations: touched, id } of requirements) {
      for (const check of checks) {
        expect(check).toMatch(/^[a-z][A-Za-z]+(\.[a-z]+(-[a-z0-9]+)*){1,2}$/);
        expect(touched, `${id} ${check}`).toContain(check.split('.')[0]);
        expect(levels.get(check) ?? level, check).toBe(level);
        levels.set(check, level);
      }
    }
  });

  it('name a check with an unknown id for each operation that has one in its path', () => {
    const checks = requirements.flatMap(({ checks: ids = [] }) => ids);
    const unknown = new Set(checks.filter((id) => id.includes('.unknown-')).map((id) => id.split('.')[0]));
    const withIds = operationSet(operations, 'ids').map(({ operationId }) => operationId);
    expect([...unknown].sort()).toEqual(withIds.sort());
  });

  it('compare the id of the one resource that an operation answers with the id in its path', () => {
    const checks = new Set(requirements.flatMap(({ checks: ids = [] }) => ids));
    for (const { operationId, list, resource } of operationSet(operations, 'ids')) {
      const schema = document.components?.schemas?.[resource ?? ''] as SchemaObject | undefined;
      const hasId = list === undefined && schema?.properties?.id !== undefined;
      expect(checks.has(`${operationId}.id-asked-for`), operationId).toBe(hasId);
    }
  });

  it('expand sets, exceptions and patterns', () => {
    const expand = (written: Partial<WrittenRequirement>) =>
      expandRequirement({ ...bare, ...written }, document, operations);
    const idOf = ({ operationId }: Operation) => operationId;
    expect(operationSet(operations, 'all').map(idOf)).toEqual(operations.map(idOf));
    expect(operationSet(operations, ['Drive', 'bodies', '-createMcpServer']).map(idOf).sort()).toEqual([
      ...['createDrive', 'listDrives', 'publishAgentRevision', 'updateDriveFile'],
    ]);
    expect(expand({ operations: 'McpServer', checks: ['*.a', 'createMcpServer.b'] }).checks?.toSorted()).toEqual([
      ...['createMcpServer.a', 'createMcpServer.b', 'listMcpServers.a'],
    ]);
    expect(expand({ checks: ['listDrives.a', 'createDrive.b'] }).operations.toSorted()).toEqual([
      ...['createDrive', 'listDrives'],
    ]);
    expect(expand({ operations: 'listDrives' }).pointer).toEqual(['#/paths/~1drives/get']);
    expect(expand({ pointer: '#/components/schemas/*/properties/size' }).pointer).toEqual([
      '#/components/schemas/DriveFile/properties/size',
    ]);
  });

  it.each<Partial<WrittenRequirement>>([
    { operations: 'listDrivers', pointer: '#/info' },
    { operations: ['all', '-listDrivers'], pointer: '#/info' },
    { checks: ['listDrivers.a'], pointer: '#/info' },
    { pointer: '#/components/schemas/Driver' },
    { pointer: '#/components/schemas/*/properties/sizes' },
    { operations: 'listAgents', pointer: '#/operations/*/requestBody' },
    {},
  ])('refuse names and patterns that match nothing: %j', (written) => {
    expect(() => expandRequirement({ ...bare, ...written }, document, operations)).toThrow(/no operation|nothing/);
  });

  it('keep required fields and x-should-have fields apart', () => {
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {}) as [string, SchemaObject][]) {
      const should = schema['x-should-have'] ?? [];
      expect(Object.keys(schema.properties ?? {}), name).toEqual(expect.arrayContaining(should));
      expect(
        (schema.required ?? []).filter((field) => should.includes(field)),
        name,
      ).toEqual([]);
    }
  });
});

const objects = nodesOf(document).filter(({ value }) => !Array.isArray(value));
const schemas = new Schemas(document);

/** The objects that have this key, for `it.each`. */
const having = (key: string) =>
  objects.filter(({ value }) => key in value).map(({ path, value }) => [path, value] as const);

const namesIn = (content: RequestBodyObject['content'] | undefined) =>
  Object.values(content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}));

describe('each date-time of the contract', () => {
  const dateTimes = objects.filter(({ value }) => value.format === 'date-time').map(({ path }) => schemas.at(path));

  it.each(['2026-03-02T08:15:00Z', '2026-03-02T08:15:00.123456Z', '2026-03-02T08:15:00+00:00'])('takes %j', (text) => {
    expect(dateTimes).not.toEqual([]);
    for (const violationsOf of dateTimes) expect(violationsOf(text)).toEqual([]);
  });

  it.each([
    ...['2026-03-02 08:15:00Z', '2026-03-02T08:15:00', '2026-03-02T08:15:00+01:00', '2026-03-02'],
    ...['2026-13-02T08:15:00Z', ' 2026-03-02T08:15:00Z', '2026-03-02T08:15:00Z, more or less', '1772439300'],
  ])('refuses %j', (text) => {
    for (const violationsOf of dateTimes) expect(violationsOf(text)).not.toEqual([]);
  });
});

describe('the words of the contract', () => {
  it.each(operations)('describes $operationId and its answers', ({ definition: { description, responses } }) => {
    expect(description).toMatch(/\.\s*$/);
    for (const response of Object.values(responses ?? {}))
      expect(dereference<ResponseObject>(document, response as ResponseObject).description).toMatch(/\.\s*$/);
  });

  it.each(having('properties'))('describes each property of %s', (_, schema) => {
    for (const [name, property] of Object.entries((schema as { properties: object }).properties))
      expect(dereference(document, property as { description?: string }).description, name).toMatch(/\w{3}/);
  });

  it('promises no completeness, and of refusals nothing', () => {
    const promise =
      /\bevery (agent|drive|file|tool|MCP server)|\bnothing (is|was|has)\b|\ball (agents|drives|tools|MCP servers)\b/i;
    const promising = objects.filter(({ value }) => promise.test(String(value.description ?? '')));
    expect(promising.map(({ path }) => path)).toEqual([]);
  });

  it('states the bounds of paging that code knows', () => {
    const list = operationsOf(document).find(({ operationId }) => operationId === 'listDrives');
    const bounds = list?.parameters.map(({ name, schema }) => {
      const { minimum, maximum = Number.POSITIVE_INFINITY } = schema as { minimum: number; maximum?: number };
      return [name, [minimum, maximum]];
    });
    expect(Object.fromEntries(bounds ?? [])).toEqual(pagingBounds);
  });

  it('bounds no page but those that a limit asked for', () => {
    const { description = '' } = operations.find(({ operationId }) => operationId === 'listDrives')?.definition ?? {};
    expect(description).not.toMatch(/A page has at most/);
    expect(description).toMatch(/No value of `limit` returns more than 100 drives on a page/);
  });

  it('says of no field that it may be absent: the tables say it of none', () => {
    const saying = objects.filter(({ value }) => /may be absent/i.test(String(value.description ?? '')));
    expect(saying.map(({ path }) => path)).toEqual([]);
  });

  // With allowReserved clients send & and # as they are: the deletion of /R&D becomes one of /R.
  it('lets no client send reserved characters as they are', () => {
    expect(objects.filter(({ value }) => 'allowReserved' in value)).toEqual([]);
  });

  it.each(operations.filter(({ takesBody }) => takesBody))(
    'has an answer with the name of each example request of $operationId',
    ({ definition: { requestBody, responses } }) => {
      const requests = namesIn(dereference(document, requestBody as RequestBodyObject).content);
      const successes = Object.entries(responses ?? {}).filter(([status]) => status.startsWith('2'));
      const answers = successes.flatMap(([, response]) =>
        namesIn(dereference<ResponseObject>(document, response as ResponseObject).content),
      );
      expect(requests).not.toEqual([]);
      expect(answers).toEqual(expect.arrayContaining(requests));
    },
  );
});

const list = readFileSync(new URL('../../docs/open-points.md', import.meta.url), 'utf8');

/** Every place of a document that marks open points. */
const markedIn = (document: object) =>
  nodesOf(document).flatMap(({ path, value }) => {
    const ids = openPointsOf(value);
    return ids.length === 0 ? [] : [{ path, ids, description: String(value.description ?? '') }];
  });

describe('the descriptions of the document that is written by hand', () => {
  it('leave what is unspecified to the marks, and link only to the list that explains them', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('Unspecified:');
    const links = [...text.matchAll(/\]\(([^)]*)\)/g)];
    expect(new Set(links.map(([, page]) => page))).toEqual(new Set(['../docs/open-points.md']));
    expect(openPoints.map(({ id }) => id).filter((id) => !list.includes(`<a id="${id}"></a>`))).toEqual([]);
  });
});

describe('the descriptions of a used document', () => {
  it('say in words what each of its marks leaves open, once, and what is used', () => {
    const places = markedIn(profileDocument(usual));
    expect(places.length).toBeGreaterThan(80);
    for (const { path, ids, description } of places) {
      expect(description.match(/Unspecified:/g), path).toHaveLength(1);
      for (const id of ids) {
        const choice = String(usual[id as keyof typeof usual]);
        expect(description, `${path} ${id}`).toContain(`Here \`${id}\` is \`${choice}\``);
      }
    }
  });

  it('tell the choices of their own profile', () => {
    const text = JSON.stringify(profileDocument({ ...usual, listOrder: 'byName', 'pagingDefaults.limit': 33 }));
    expect(text).toContain('Here `listOrder` is `byName` (by name).');
    expect(text).toContain('The default of limit. Here `pagingDefaults.limit` is `33`.');
  });

  it('link to the list from where the shipped document stands', () => {
    const shipped = readFileSync(new URL('../../openapi/openapi.default.yaml', import.meta.url), 'utf8');
    const links = [...shipped.matchAll(/\]\(\.\.\/docs\/open-points\.md#([\w.]+)\)/g)].map(([, id = '']) => id);
    const marked = markedIn(profileDocument(usual)).flatMap(({ ids }) => ids);
    expect(new Set(links)).toEqual(new Set(marked));
    // By default nobody is refused so.
    const unused = ['errorStatus.unknownParameter'];
    expect(openPoints.map(({ id }) => id).filter((id) => !links.includes(id))).toEqual(unused);
    expect(links.filter((id) => !list.includes(`<a id="${id}"></a>`))).toEqual([]);
  });
});
