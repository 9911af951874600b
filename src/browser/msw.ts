import { type HttpHandler, HttpResponse, http } from 'msw';
import { isPlainObject } from '../../lib/options.ts';
import { isEncoded } from '../app/edge/request.ts';
import { createFetch, type FetchOptions, type MockFetch, StartError } from './fetch.ts';

export { createFetch, type FetchOptions, type MockFetch, StartError } from './fetch.ts';

/** The options of a mock for MSW. The address has no default: MSW must not intercept requests to other hosts. */
export type HandlerOptions = FetchOptions & Required<Pick<FetchOptions, 'baseUrl'>>;

/**
 * The handlers of a mock for MSW: one for paths that are not percent-encoded UTF-8, one for each operation, some for
 * the admin API and the documents, and one for all other addresses below the base URL. For `setupWorker(...handlers)`
 * in a page, `setupServer(...handlers)` in Node.
 */
export function createHandlers(mock: MockFetch | HandlerOptions): HttpHandler[] {
  const mocked =
    typeof mock === 'function' && 'engine' in mock ? mock : createFetch({ ...mock, baseUrl: requireBaseUrl(mock) });
  const { engine, url } = mocked;
  const resolve = ({ request }: { request: Request }) =>
    mocked(request).catch((error: unknown) => toNetworkError(error, request.signal));
  const root = url.slice(0, url.lastIndexOf('/'));
  // It comes first: MSW 2 throws when it compares such a path with a handler's.
  const isBelow = (sent: string) => sent.startsWith(`${url}/`) || sent.startsWith(`${root}/__admin/`);
  const broken = http.all(({ request }) => isBelow(request.url) && !isEncoded(request.url), resolve);
  const operations = engine.operations.map(({ method, path }) =>
    http[method.toLowerCase() as 'get'](url + path.replaceAll(/\{(\w+)\}/g, ':$1'), resolve),
  );
  const documents = ['json', 'yaml'].map((kind) => http.get(`${root}/openapi.${kind}`, resolve));
  const others = [`${root}/__admin`, `${root}/__admin/*`, `${url}/*`].map((path) => http.all(path, resolve));
  return [broken, ...operations, ...documents, ...others];
}

// MSW turns an error from a handler into status 500.
function toNetworkError(error: unknown, { aborted }: AbortSignal): Response {
  // Nobody waits for the response to an aborted request; MSW would report its error as the handler's.
  if (aborted) return HttpResponse.error();
  // In Node, this response becomes the cause of the client's error, so it says why.
  if (error instanceof TypeError) return Object.assign(HttpResponse.error(), { cause: error });
  throw error;
}

function requireBaseUrl(options: { baseUrl?: string }): string {
  if (!isPlainObject(options)) throw new StartError('OPTION_INVALID', 'The options must be a plain object.');
  const { baseUrl } = options;
  if (baseUrl !== undefined) return baseUrl;
  const example = 'https://api.example.com/v0.1';
  throw new StartError(
    'OPTION_INVALID',
    `baseUrl is missing. Set it to the address that your application calls: ${example}.`,
  );
}
