import type { FastifyRequest } from 'fastify';
import { operationsAt } from '../../../openapi/contract/operations.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Answer } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { documents } from '../../workbench/served-documents.ts';
import { pathOf } from '../request.ts';
import type { MockContext } from './mock-context.ts';

/** The answer to a request without an operation: 404, or 405 with the allowed methods. */
export function answerUnknown({ engine, basePath }: MockContext, request: FastifyRequest): Answer {
  const path = pathOf(request.url);
  const methods = path.startsWith(`${basePath}/`)
    ? methodsAt(engine, path.slice(basePath.length))
    : documentMethods(path);
  if (methods.length === 0) return engine.refusal(refuse('unknownPath', unknownPathDetail(engine, basePath, path)));
  const allow = methods.join(', ');
  const answer = engine.refusal(
    refuse('methodNotAllowed', `${request.method} is not for this path. Allowed: ${allow}.`),
  );
  return { ...answer, headers: { ...answer.headers, allow } };
}

function methodsAt(engine: Engine, path: string): string[] {
  const methods = operationsAt(engine.operations, path).map((operation) => operation.method);
  return methods.includes('GET') ? ['HEAD', ...methods].sort() : methods.sort();
}

function documentMethods(path: string): string[] {
  return documents.has(path) ? ['GET', 'HEAD'] : [];
}

function unknownPathDetail(engine: Engine, basePath: string, path: string): string {
  if (methodsAt(engine, path).length > 0) return `There is nothing at this path. Did you mean ${basePath}${path}?`;
  return `There is nothing at this path. The operations are below ${basePath}; /openapi.json lists them.`;
}
