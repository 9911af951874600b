// Requests that reach no operation. Requests that Node cannot read: `src/http/wire.ts`.
import { didYouMean } from '../../lib/nearest.ts';
import { operationsAt } from '../../openapi/contract/operations.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Answer } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { adminIsOff, controlPrefix } from './admin-api/admin-api.ts';
import { documents, pagePath } from './served-documents.ts';

/** The response to a request without an operation: 404, or 405 with the allowed methods. `path` has no query. */
export function answerUnknown(
  engine: Engine,
  basePath: string,
  method: string,
  path: string,
  answerTo: (refusal: Refusal) => Answer,
): Answer {
  const methods = path.startsWith(`${basePath}/`)
    ? methodsAt(engine, path.slice(basePath.length))
    : documentMethods(path);
  if (methods.length === 0) return answerTo(refuse('unknownPath', unknownPathDetail(engine, basePath, path)));
  const allow = methods.join(', ');
  const answer = answerTo(refuse('methodNotAllowed', `${method} is not allowed on this path. Allowed: ${allow}.`));
  return { ...answer, headers: { ...answer.headers, allow } };
}

function methodsAt(engine: Engine, path: string): string[] {
  const methods = operationsAt(engine.operations, path).map((operation) => operation.method);
  return methods.includes('GET') ? ['HEAD', ...methods].sort() : methods.sort();
}

function documentMethods(path: string): string[] {
  return documents.has(path) || path === pagePath ? ['GET', 'HEAD'] : [];
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
