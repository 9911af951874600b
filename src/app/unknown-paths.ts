// Requests that reach no operation. Requests that Node cannot read: `src/http/wire.ts`.
import { didYouMean } from '../../lib/nearest.ts';
import { operationsAt } from '../../openapi/contract/operations.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { adminIsOff, controlPrefix } from './admin-api/admin-api.ts';
import { refuseMethod } from './edge/request.ts';
import { documents, pagePath } from './served-documents.ts';

/** The response to a request without an operation: 404, or 405 with the allowed methods. `path` has no query. */
export function answerUnknown(
  engine: Engine,
  basePath: string,
  method: string,
  path: string,
  answerTo: (refusal: Refusal) => Answer,
): Answer {
  const isBelow = path.startsWith(`${basePath}/`);
  const ofDocument = documents.has(path) || path === pagePath ? ['GET'] : [];
  const methods = isBelow ? methodsAt(engine, path.slice(basePath.length)) : ofDocument;
  if (methods.length > 0) return refuseMethod(method, methods, answerTo);
  return answerTo(refuse('unknownPath', unknownPathDetail(engine, basePath, path)));
}

function methodsAt(engine: Engine, path: string): string[] {
  return operationsAt(engine.operations, path).map((operation) => operation.method);
}

function unknownPathDetail(engine: Engine, basePath: string, path: string): string {
  // With an admin API, its paths do not get here.
  if (path === controlPrefix || path.startsWith(`${controlPrefix}/`)) return adminIsOff;
  if (methodsAt(engine, path).length > 0) return `There is nothing at this path. Did you mean ${basePath}${path}?`;
  const [first = ''] = path.startsWith(`${basePath}/`) ? path.slice(basePath.length + 1).split('/') : [];
  const names = new Set(engine.operations.map((operation) => operation.path.split('/')[1] ?? ''));
  const hint = names.has(first) ? '' : didYouMean(first, [...names]);
  return `There is nothing at this path${hint}. The operations are below ${basePath}; /openapi.json lists them.`;
}
