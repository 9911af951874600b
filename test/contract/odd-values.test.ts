/**
 * Odd values in every place of every operation, through clients that people use: what arrives is what was meant.
 *
 * The clients read the documents that people give them: those that ship, and that of a mock. One more value is a line of
 * `oddTexts`; one more client a row of `clients`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createClient as generateClient } from '@hey-api/openapi-ts';
import { type Document, OpenAPIClientAxios } from 'openapi-client-axios';
import createFetchClient from 'openapi-fetch';
// @ts-expect-error It has no types.
import SwaggerClient from 'swagger-client';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ContractDocument, openPointsOf } from '../../openapi/contract/document.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { profileDocument } from '../../openapi/contract/profile-document.ts';
import { authHeadersOf } from '../../openapi/contract/security.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { createMock } from '../../src/index.ts';
import { type Field, fieldsOf } from '../../src/ui/try/fields.ts';
import { toRequest } from '../../src/ui/try/request.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import { temporaryFolder } from '../support/shell.ts';
import { recording, sendJson, startUpstream } from '../support/upstream.ts';

/** What someone wants to send, or what arrived: texts, by their names. */
interface Message {
  path: Texts;
  query: Texts;
  body: Texts;
  key: string;
}
type Texts = Record<string, string>;

const oddTexts = [
  ...['plain', 'R&D', 'C#', 'a+b', '100%', 'why?', 'a/b', 'a;b=c', 'a=b', 'a b', ' a ', 'Übergröße', 'e\u0301'],
  ...['日本語', '😀'],
  ...['"quoted"', "it's", '%2F', '%2e%2e', '..a', 'a..b', '...', '&path=/', '#/', '[x]', '{x}', 'a,b', 'a:b@c'],
  ...['$&', '`', '\\'],
  ...['<b>', '|^~', '*', '%', '%zz', '+', '&', '?', '='],
];

/** How a client sends a message. Some leave out what is empty. */
interface Client {
  name: string;
  leavesOutEmpty?: true;
  /** Whether it never reads a contract but that of its mock. */
  readsInUse?: true;
  /** Reads a document, and returns how its operations are called. */
  open(document: ContractDocument, url: string): Promise<(operation: Operation, message: Message) => Promise<unknown>>;
}

const clients: Client[] = [
  {
    name: 'swagger-client',
    leavesOutEmpty: true,
    async open(document) {
      const client = await SwaggerClient({ spec: structuredClone(document) });
      return ({ operationId, takesBody }, { path, query, body, key }) =>
        client.execute({
          operationId,
          parameters: { ...path, ...treeAs(document, operationId, query) },
          ...(takesBody ? { requestBody: body, requestContentType: 'application/json' } : {}),
          securities: { authorized: { apiKeyHeader: key } },
        });
    },
  },
  {
    name: 'openapi-fetch',
    async open(_, url) {
      const client = createFetchClient<Record<string, Record<string, never>>>({ baseUrl: url });
      return ({ method, path: template }, { path, query, body, key }) =>
        client.request(method.toLowerCase() as never, template, {
          ...{ params: { path, query }, headers: { 'X-API-Key': key } },
          ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
        } as never);
    },
  },
  {
    name: '@hey-api/openapi-ts',
    async open(document, url) {
      const api = await generated(document);
      return ({ operationId, takesBody }, { path, query, body, key }) =>
        api[operationId]?.({
          ...{ baseUrl: url, auth: key, path, query: treeAs(document, operationId, query) },
          ...(takesBody ? { body } : {}),
        }) ?? Promise.reject(new Error(`${operationId} was not generated`));
    },
  },
  {
    name: 'axios, by openapi-client-axios',
    async open(document) {
      const api = new OpenAPIClientAxios({ definition: structuredClone(document) as Document });
      const client = await api.init();
      return ({ operationId, takesBody }, { path, query, body, key }) =>
        client[operationId]?.({ ...path, ...query }, takesBody ? body : undefined, { headers: { 'X-API-Key': key } }) ??
        Promise.reject(new Error(`there is no ${operationId}`));
    },
  },
  {
    name: 'the developer page',
    leavesOutEmpty: true,
    readsInUse: true,
    async open(document, url) {
      const { origin, pathname } = new URL(url);
      return (operation, message) => {
        const fields = fieldsOf(document, operation);
        const form = { values: valuesOf(fields, message), rawBody: undefined, key: message.key, prefer: '' };
        const authHeaders = authHeadersOf(document).filter(({ scheme }) => scheme === 'plain');
        const { target, method, headers, body } = toRequest(operation, fields, { ...form, authHeaders }, pathname);
        return fetch(origin + target, { method, headers: [...headers] as [string, string][], body: body ?? null });
      };
    },
  },
];

interface GeneratedOptions extends Partial<Record<'path' | 'query' | 'body', object>> {
  baseUrl: string;
  auth: string;
}
type GeneratedClient = Record<string, (options: GeneratedOptions) => Promise<unknown>>;

async function generated(document: ContractDocument): Promise<GeneratedClient> {
  const folder = temporaryFolder('odd-values');
  onTestFinished(() => folder.remove());
  vi.stubEnv('JITI_FS_CACHE', 'false');
  await generateClient({
    input: structuredClone(document) as never,
    output: { path: folder.at('client'), module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
  });
  vi.unstubAllEnvs();
  return import(pathToFileURL(folder.at('client', 'index.ts')).href);
}

/** The query as clients want it that know parameters by their names in the document. */
function treeAs(document: ContractDocument, operationId: string, query: Texts): Record<string, Texts | string> {
  const operation = operationsOf(document).find((one) => one.operationId === operationId);
  const tree = operation?.parameters.find((parameter) => openPointsOf(parameter).includes('treePathParameter'));
  // A parameter whose name is open is an object, each member of which is a parameter.
  return tree !== undefined && tree.style === 'form' ? { [tree.name]: query } : query;
}

function valuesOf(fields: readonly Field[], message: Message): Texts {
  return Object.fromEntries(
    fields.flatMap(({ key, place, name }) => {
      const texts: Texts = place === 'header' ? {} : message[place];
      return texts[name] === undefined ? [] : [[key, texts[name]]];
    }),
  );
}

/** A message to an operation that has a text in all of its places. */
function messageWith(text: string, operation: Operation, treeParameter: string): Message {
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const isTree = operation.operationId === 'deleteDriveTree';
  const ids = operation.segments.flatMap((segment) => ('literal' in segment ? [] : [[segment.parameter, text]]));
  return {
    path: Object.fromEntries(ids),
    query: isTree ? { [treeParameter]: `/${text}` } : Object.fromEntries(names.map((name) => [name, text])),
    body: Object.fromEntries(operation.bodyFields.map((name) => [name, name === 'path' ? `/${text}` : text])),
    key: text,
  };
}

let arrived: Message[] = [];

const { url, close } = await startUpstream(
  recording([], (response, { target, headers, body }) => {
    arrived.push(readMessage(target, headers, body));
    sendJson(response, {});
  }),
);
afterAll(close);

/** Reads a request as frameworks do: a query as browsers write forms, each segment of a path by itself. */
function readMessage(target: string, headers: IncomingHttpHeaders, body: string): Message {
  const [path = '', ...rest] = target.split('?');
  const parts = path.split('/').slice(2);
  const operation = operations.find(
    ({ segments }) =>
      segments.length === parts.length &&
      segments.every((segment, index) => !('literal' in segment) || segment.literal === parts[index]),
  );
  const ids = (operation?.segments ?? []).flatMap((segment, index) =>
    'literal' in segment ? [] : [[segment.parameter, decodeURIComponent(parts[index] ?? '')]],
  );
  return {
    path: Object.fromEntries(ids),
    query: Object.fromEntries(new URLSearchParams(rest.join('?'))),
    body: body === '' ? {} : JSON.parse(body),
    key: String(headers['x-api-key']),
  };
}

const operations = operationsOf(loadDocument());

// The quick run reads the last one of them.
const documents = new Map<string, () => Promise<ContractDocument>>([
  ['openapi.default.yaml', async () => profileDocument(defaultProfile(loadOpenPoints()))],
  [
    'the document of another profile',
    () => served({ treePathParameter: 'tree path', 'requiredFields.createDrive': 'none' }),
  ],
  ['the document that a mock serves', () => served({})],
  ['openapi.yaml', async () => loadDocument()],
]);

async function served(profile: object): Promise<ContractDocument> {
  const mock = await createMock({ profile });
  try {
    return (await (await fetch(new URL('/openapi.json', mock.url))).json()) as ContractDocument;
  } finally {
    await mock.close();
  }
}

describe.each(clients)('$name', ({ open, leavesOutEmpty, readsInUse }) => {
  const read = [...documents].filter(([name]) => !(readsInUse && name === 'openapi.yaml'));

  it.each(read.slice(isFull ? 0 : -1))('sends what is meant, and invents nothing, by %s', async (_, load) => {
    const document = { ...(await load()), servers: [{ url }] };
    const send = await open(document, url);
    const parameter = treeParameterOf(document);
    // The page is ours: it sends all of them, in every run.
    const texts = readsInUse ? oddTexts : sampleOf(oddTexts, 9);
    const meant = operationsOf(document).flatMap((operation) =>
      texts.map((text) => ({ operation, message: sendable(messageWith(text, operation, parameter)) })),
    );
    const wrong: unknown[] = [];
    for (const { operation, message } of meant) {
      arrived = [];
      await send(operation, message);
      if (!isDeepStrictEqual(arrived, [message])) wrong.push({ operation: operation.operationId, message, arrived });
    }
    expect(wrong).toEqual([]);
    for (const operation of operations.filter(({ takesBody }) => takesBody)) {
      const ids = messageWith('x', operation, 'path').path;
      const empty = Object.fromEntries(operation.bodyFields.map((name) => [name, '']));
      arrived = [];
      await send(operation, { path: ids, query: {}, body: empty, key: 'k' });
      const [{ body }] = arrived as [Message];
      expect(leavesOutEmpty && Object.keys(body).length === 0 ? empty : body).toEqual(empty);
    }
  });
});

function treeParameterOf(document: ContractDocument): string {
  const parameters = operationsOf(document).flatMap((operation) => operation.parameters);
  const tree = parameters.find((parameter) => openPointsOf(parameter).includes('treePathParameter'));
  return tree === undefined || tree.style === 'form' ? 'path' : tree.name;
}

// Headers carry neither blanks at their ends nor characters beyond Latin-1. The others are the same in both.
function sendable(message: Message): Message {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(message.key) ? message : { ...message, key: 'demo-key' };
}
