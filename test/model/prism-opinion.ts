import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpRequest,
  type IHttpResponse,
} from '@stoplight/prism-http';
import { pino } from 'pino';
import type { ContractDocument } from '../../src/index.ts';
import { type Answer, type Call, methodOf, pathOf, queryOf } from './call.ts';

/** What Prism says of one exchange. */
export interface PrismOpinion {
  /** The violations by the request, those of the key aside. */
  request: string[];
  /** Whether Prism misses a key; undefined when it did not come so far. */
  missesKey: boolean | undefined;
  /** The violations by the response. */
  response: string[];
}

export type AskPrism = (call: Call, answer: Answer) => Promise<PrismOpinion>;

type Parts = Parameters<typeof createInstance>;

/** Prism's own proxy, but that the answer of the upstream is one that was recorded. */
export async function createPrismOpinion(document: ContractDocument): Promise<AskPrism> {
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  return async (call, answer) => {
    const request = toRequest(call);
    if (request === undefined) return { request: ['the body is no JSON'], missesKey: undefined, response: [] };
    const prism = createInstance(config, { logger, forward: () => () => succeedWith(toResponse(answer)) });
    const result = await prism.request(request, operations)();
    if (result._tag === 'Left') throw result.left;
    const { input, output } = result.right.validations;
    return {
      request: input.filter(({ code }) => code !== 401).map(describe),
      missesKey: input.some(({ code }) => code === 401),
      response: output.map(describe),
    };
  };
}

const config: Parts[0] = {
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: false,
  isProxy: true,
  upstream: new URL('http://127.0.0.1/'),
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

const logger = pino({ level: 'silent' }) as unknown as Parts[1]['logger'];

// A TaskEither of fp-ts, which Prism passes between its parts.
function succeedWith(right: IHttpResponse) {
  return () => Promise.resolve({ _tag: 'Right' as const, right });
}

function describe({ path = [], message }: { path?: string[]; message: string }): string {
  return `${path.join('.')} ${message}`;
}

// As Prism's server reads a request: JSON by its content type, text otherwise, nothing where nothing was sent.
function toRequest(call: Call): IHttpRequest | undefined {
  const { searchParams } = new URL(queryOf(call), 'http://localhost');
  const values = [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)] as const);
  const query = Object.fromEntries(values.map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]));
  const length = Buffer.byteLength(call.body ?? '');
  const headers = { ...call.headers, ...(call.body === undefined ? {} : { 'content-length': String(length) }) };
  const method = methodOf(call).toLowerCase() as IHttpRequest['method'];
  try {
    return { method, url: { path: pathOf(call), query }, headers, body: toBody(call.body, call.headers) };
  } catch {
    return undefined;
  }
}

function toResponse({ status, headers, text }: Answer): IHttpResponse {
  return { statusCode: status, headers: { ...headers }, body: text === '' ? text : toBody(text, headers) };
}

function toBody(text: string | undefined, headers: Readonly<Record<string, string>>): unknown {
  if (text === undefined || text === '') return null;
  return isJson(headers['content-type'] ?? '') ? JSON.parse(text) : text;
}

function isJson(contentType: string): boolean {
  return /^application\/(?:.+\+)?json *(?:;.*)?$/i.test(contentType);
}
