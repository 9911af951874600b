import type { IHttpRequest } from '@stoplight/prism-http';
import type { ContractDocument } from '../../openapi/contract/document.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';

type CreateInstance = typeof import('@stoplight/prism-http').createInstance;
type Config = Parameters<CreateInstance>[0];
type Components = Parameters<CreateInstance>[1];
type Result = Awaited<ReturnType<ReturnType<ReturnType<CreateInstance>['request']>>>;

/** Has Prism take a request for one operation. Rejects with what Prism refuses it for. */
type AskPrism = (
  operationId: OperationId,
  request: IHttpRequest,
  config: Partial<Config>,
) => Promise<Extract<Result, { _tag: 'Right' }>['right']>;

/** Whether bodies can be generated here. `src/browser/instead` has the twin for pages, where they cannot. */
export const canGenerate: boolean = true;

/**
 * Has Prism read a document; what is returned has it take a request for one operation. Loads Prism, which takes most of
 * a second.
 */
export async function loadPrism(document: ContractDocument, components: Partial<Components> = {}): Promise<AskPrism> {
  const { createInstance, getHttpOperationsFromSpec } = requirePrism();
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const prism = createInstance(nothingJudged, { logger, ...components });
  return async (operationId, request, config) => {
    const own = operations.filter(({ iid }) => iid === operationId);
    const result = await prism.request(request, own, { ...nothingJudged, ...config } as Config)();
    if (result._tag === 'Left') throw result.left;
    return result.right;
  };
}

// By Node's own `require`, which reads the ES modules that Prism requires. Jest puts a class over Node's whose does not.
function requirePrism(): typeof import('@stoplight/prism-http') {
  const { Module } = process.getBuiltinModule('node:module');
  const below: { createRequire?: typeof Module.createRequire } = Object.getPrototypeOf(Module);
  const require = (below.createRequire ?? Module.createRequire)(import.meta.url);
  return require('@stoplight/prism-http');
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
