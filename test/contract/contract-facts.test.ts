import { describe, expect, it } from 'vitest';
import { dereference, type RequestBodyObject, type ResponseObject } from '../../openapi/contract/document.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';

const document = loadDocument();
const operations = operationsOf(document);

interface Found {
  path: string;
  value: Record<string, unknown>;
}

/** Every object of the contract, with its JSON pointer. */
function objectsOf(root: unknown, path = '#'): Found[] {
  if (typeof root !== 'object' || root === null) return [];
  const below = Object.entries(root).flatMap(([key, value]) =>
    objectsOf(value, `${path}/${key.replaceAll('/', '~1')}`),
  );
  return Array.isArray(root) ? below : [{ path, value: root as Record<string, unknown> }, ...below];
}

const objects = objectsOf(document);
const schemas = new Schemas(document);

/** The objects that have this key, for `it.each`. */
function having(key: string): [string, Found['value']][] {
  return objects.filter(({ value }) => key in value).map(({ path, value }) => [path, value]);
}

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

describe('the contract', () => {
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
