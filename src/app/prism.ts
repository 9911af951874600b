import type { IHttpRequest } from '@stoplight/prism-http';
import { missingPackage, prismHttp } from '../../lib/optional-packages.ts';
import type { ContractDocument } from '../../openapi/contract/document.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';

type CreateInstance = typeof import('@stoplight/prism-http').createInstance;
type Config = Parameters<CreateInstance>[0];
type Components = Parameters<CreateInstance>[1];
type Result = Awaited<ReturnType<ReturnType<ReturnType<CreateInstance>['request']>>>;

/** Passes a request for one operation to Prism. Rejects with Prism's reason if it refuses the request. */
type AskPrism = (
  operationId: OperationId,
  request: IHttpRequest,
  config: Partial<Config>,
) => Promise<Extract<Result, { _tag: 'Right' }>['right']>;

/** Why no body can be generated here, and the fix. In pages none can: see the twin in `src/browser/instead`. */
export function whyNotGenerated(): string | undefined {
  return missingPackage('A generated body', '@stoplight/prism-http');
}

/**
 * Loads Prism, which takes most of a second, with a document. The returned function passes it a request for one
 * operation.
 */
export async function loadPrism(document: ContractDocument): Promise<AskPrism> {
  const { createInstance, getHttpOperationsFromSpec } = prismHttp();
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const prism = createInstance(nothingJudged, { logger });
  return async (operationId, request, config) => {
    const own = operations.filter(({ iid }) => iid === operationId);
    const result = await prism.request(request, own, { ...nothingJudged, ...config } as Config)();
    if (result._tag === 'Left') throw result.left;
    return result.right;
  };
}

const nothingJudged: Config = {
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
} as unknown as Components['logger'];
