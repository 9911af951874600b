import { guarded } from '../../lib/guarded.ts';
import type { MoreTypes } from '../../lib/options.ts';
import { basePathOf } from '../../openapi/contract/operations.ts';
import type { Choices } from '../../openapi/contract/profile.ts';
import { controlPrefix } from '../app/admin-api/admin-api.ts';
import {
  createAdminApi,
  createEdgeContext,
  type EdgeOptions,
  type MockHandle,
  toHandle,
} from '../app/edge/edge-context.ts';
import { requireOptions, valueTypes } from '../app/require-options.ts';
import { createEngine, toChoices, toProfileInUse, toRandomSeed, toSeed } from '../app/settings.ts';
import { StartError } from '../app/start-error.ts';
import type { Seed } from '../domain/seed.ts';
import { mockOptions } from '../options/mock-options.ts';
import { answerRequest, type PageContext } from './answer-request.ts';
import { requirePlatform } from './platform.ts';
import { type Place, targetIn, toPageRequest } from './request.ts';
import { sha256 } from './sha256.ts';

export type { Choices, Profile } from '../../openapi/contract/profile.ts';
export type { MockHandle } from '../app/edge/edge-context.ts';
export { FaultError, type FaultErrorCode } from '../app/faults/fault.ts';
export type { Exchange } from '../app/request-log.ts';
export { StartError, type StartErrorCode } from '../app/start-error.ts';
export type { Seed } from '../domain/seed.ts';

/** The options of a mock without a server: the options of `createMock` that apply. All are optional. */
export interface FetchOptions extends EdgeOptions {
  /** The base URL of the mock, with the version segment. Default `http://localhost/v0.1`. */
  baseUrl?: string;
  /** `demo` (the default), or the seed itself. */
  seed?: Seed | 'demo';
  /** Choices for open points. The other points use their defaults. */
  profile?: Choices;
  /** Whether there is an admin API at `/__admin`. Default true. Only code that holds this function can use it. */
  admin?: boolean;
}

/** A mock without a server: a function like `fetch` that is also a handle on the mock. */
export interface MockFetch extends MockHandle {
  (input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** The base URL, with the version segment. */
  readonly url: string;
  /** Where the admin API is; undefined when there is none. */
  readonly adminUrl: string | undefined;
}

/** Makes a mock that is a function like `fetch`. Throws a {@link StartError} that shows the error and the fix. */
export function createFetch(options: FetchOptions = {}): MockFetch {
  requirePlatform();
  requireOptions(pageOptions, options, moreTypes);
  if (typeof options.seed === 'string' && options.seed !== 'demo')
    throw new StartError('OPTION_INVALID', `seed must be "demo" or a seed object; files cannot be read here.`);
  const context = createContext(options);
  const { origin, prefix, basePath, plane } = context;
  const url = origin + prefix + basePath;
  const answer = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(isRequest(input) ? input : new URL(input, url), init);
    const target = targetIn(context, new URL(request.url));
    if (target === undefined)
      throw new TypeError(`Failed to fetch: ${request.url} is not an address of the mock, ${url}`);
    const { signal } = request;
    signal.throwIfAborted();
    // A caller that aborts right after the call causes no work.
    await undefined;
    signal.throwIfAborted();
    return untilAborted(signal, answerRequest(context, toPageRequest(request, target, input)));
  };
  const more = { url, adminUrl: plane && origin + prefix + controlPrefix };
  // Getters are copied as getters.
  for (const part of [toHandle(context), more]) Object.defineProperties(answer, Object.getOwnPropertyDescriptors(part));
  return answer as MockFetch;
}

// From any realm, such as a frame: `instanceof` only works for this one.
function isRequest(input: Request | URL | string): input is Request {
  return Object.prototype.toString.call(input) === '[object Request]';
}

function createContext(options: FetchOptions): PageContext {
  const { profile, set, vary, admin = true } = options;
  const onUnexpected = guarded(options.onUnexpected ?? console.error, console.error);
  const draw = (limit: number) => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % limit;
  const randomSeed = toRandomSeed(options, draw);
  const applied = toProfileInUse(toChoices(profile, set), vary, randomSeed);
  const engine = createEngine(options, randomSeed, applied, toSeed(options.seed));
  const place = toPlace(options.baseUrl, basePathOf(engine.contract));
  const context = createEdgeContext(engine, options, {
    ...{ prepare: undefined, save: undefined, onUnexpected, digest: sha256 },
  });
  return { ...context, ...place, plane: admin ? createAdminApi(context, vary, {}) : undefined };
}

const { randomSeed, vary, openKeys, maxSandboxes, admin, requestLogLimit, openPointsHeader } = mockOptions;
const { contradicts: _, ...plainAdmin } = admin;
const pageOptions = { randomSeed, vary, openKeys, maxSandboxes, admin: plainAdmin, requestLogLimit, openPointsHeader };
const moreTypes: MoreTypes = { ...valueTypes, profile: ['object'], baseUrl: ['string'] };

function toPlace(baseUrl: string | undefined, basePath: string): Place {
  if (baseUrl === undefined) return { origin: 'http://localhost', prefix: '' };
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (isWeb && path.endsWith(basePath)) return { origin: url.origin, prefix: path.slice(0, -basePath.length) };
  const example = `https://api.example.com${basePath}`;
  throw new StartError(
    'OPTION_INVALID',
    `baseUrl must be an http or https URL that ends with ${basePath}, such as ${example}.`,
  );
}

/** The response, unless the caller aborts first. */
function untilAborted(signal: AbortSignal, response: Promise<Response>): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  response.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}
