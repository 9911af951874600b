import type { ContractDocument, ResponseObject } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';

type Prism = typeof import('@stoplight/prism-http');
type Parts = Parameters<Prism['createInstance']>;

/** The wanted body of one response. */
interface Wanted {
  readonly example?: string | undefined;
  /** Generate from the schema, with this seed. Never empty. */
  readonly seed?: string | undefined;
}

/** The bodies that one response of an operation can have. */
export type Mocker = (wanted: Wanted) => Promise<unknown>;

/** Prism's mocker for one response. The first call loads Prism, which takes most of a second. */
export async function createMocker(document: ContractDocument, operation: Operation, code: number): Promise<Mocker> {
  const prism: Prism = await import('@stoplight/prism-http');
  const operations = await prism.getHttpOperationsFromSpec(structuredClone(document));
  const instance = prism.createInstance(config, { logger });
  const method = operation.method.toLowerCase() as Lowercase<'GET' | 'POST' | 'PATCH' | 'DELETE'>;
  const path = operation.path.replaceAll(/\{\w+\}/g, 'any');
  return async ({ example, seed }) => {
    const mock = {
      code,
      dynamic: seed !== undefined,
      ...(example === undefined ? {} : { exampleKey: example }),
      ...(seed === undefined ? {} : { seed }),
    };
    const result = await instance.request({ method, url: { path } }, operations, { ...config, mock })();
    if (result._tag === 'Left') throw result.left;
    return result.right.output.body;
  };
}

/** A contract that has one operation, and of it one response. */
export function onlyResponse(
  document: ContractDocument,
  { path, method, operationId }: Operation,
  code: number,
  response: ResponseObject,
): ContractDocument {
  const only = { operationId, responses: { [code]: response } };
  const { openapi, info, components = {} } = document;
  return structuredClone({ openapi, info, components, paths: { [path]: { [method.toLowerCase()]: only } } });
}

// A forced answer does not depend on the request, so the request is not judged.
const config: Parts[0] = {
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  isProxy: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

const silent = () => undefined;
const levels = ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'];
const logger = {
  ...Object.fromEntries(levels.map((level) => [level, silent])),
  child: () => logger,
} as unknown as Parts[1]['logger'];
