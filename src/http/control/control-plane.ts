import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { loadOpenPoints } from '../../../openapi/contract/load.ts';
import { type Operation, operationsAt, operationsOf } from '../../../openapi/contract/operations.ts';
import { defaultProfile } from '../../../openapi/contract/profile.ts';
import { refusals } from '../../../openapi/contract/refusals.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Answer } from '../../engine/call.ts';
import { toProblem } from '../../engine/problem.ts';
import { addBodyReader } from '../body-reader.ts';
import { documents, servedAt } from '../documents.ts';
import type { Edge } from '../edge.ts';
import { hostOf, refuseExpectation, refuseTarget } from '../target.ts';
import { toRefusal } from '../wire-errors.ts';
import { type ControlAnswer, type ControlContext, done } from './control.ts';
import { loadControlDocument } from './document.ts';
import { controlPrefix, refuseStranger } from './guard.ts';
import { controlHandlers } from './handlers.ts';
import type { ControlOptions } from './options.ts';
import { createReadInput, type ReadInput } from './read-input.ts';

/** What is loaded when the control plane is first asked for. */
interface Plane {
  document: ContractDocument;
  operations: readonly Operation[];
  readInput: ReadInput;
}

// A snapshot may be large.
const bodyLimitBytes = 268_435_456;

/** Adds the control plane: below `/__admin`, apart from the contract, always in problem+json. */
export function addControlPlane(app: FastifyInstance, edge: Edge, options: ControlOptions): void {
  const { token, version } = options;
  const context: ControlContext = {
    engine: edge.engine,
    journal: edge.journal,
    faults: edge.options.faults,
    hasLiveMcp: edge.options.prepare !== undefined,
    version,
    hasToken: token !== undefined,
    vary: options.vary,
  };
  const plane = once(loadPlane);
  app.register(
    async (scope) => {
      addBodyReader(scope, () => bodyLimitBytes);
      scope.addHook('onRequest', (request, reply, done) => {
        const refusal = refuseEarly(request, options);
        if (refusal === undefined) done();
        else write(reply, toAnswer(refusal));
      });
      scope.setErrorHandler((error, _, reply) => refuseOnControlPlane(edge, error, reply));
      const handler = (request: FastifyRequest, reply: FastifyReply) => answer(plane(), context, request, reply);
      for (const url of ['/', '/*']) scope.route({ method, url, handler });
      // Methods that Fastify has no routes for.
      scope.setNotFoundHandler(handler);
    },
    { prefix: controlPrefix },
  );
}

const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Answers what could not even be routed, or went wrong on the way. */
export function refuseOnControlPlane(edge: Edge, error: unknown, reply: FastifyReply): void {
  write(reply, toAnswer(refusalOf(edge, error)));
}

function refuseEarly(request: FastifyRequest, { token }: ControlOptions): Refusal | undefined {
  const { headers, httpVersion } = request.raw;
  const refusal = refuseTarget(request.url, httpVersion, headers) ?? refuseExpectation(headers);
  return refusal ?? (isHealth(request) ? undefined : refuseStranger(headers, token));
}

function isHealth({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && pathOf(url) === '/health';
}

function loadPlane(): Plane {
  const document = loadControlDocument();
  return { document, operations: operationsOf(document), readInput: createReadInput(document) };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function pathOf(url: string): string {
  return (url.split('?', 1)[0] as string).slice(controlPrefix.length);
}

function answer(plane: Plane, context: ControlContext, request: FastifyRequest, reply: FastifyReply): void {
  const page = pageAt(plane, request);
  if (page === undefined) answerOperation(plane, context, request, reply);
  else write(reply, readsOnly(request) ? page() : refuseMethod(request.method, ['GET']));
}

function readsOnly({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

// What is not in the document: the document itself, and a list of what is in it.
function pageAt(plane: Plane, request: FastifyRequest): (() => Answer) | undefined {
  const path = pathOf(request.url);
  if (path === '' || path === '/') return () => toAnswer(done(tableOfContents(plane)));
  const document = documents.get(path);
  return document && (() => describe(plane.document, document, request));
}

function answerOperation(plane: Plane, context: ControlContext, request: FastifyRequest, reply: FastifyReply): void {
  const operation = findOperation(plane, pathOf(request.url), request.method);
  if ('status' in operation) write(reply, operation);
  else deliver(carryOut(operation, plane, context, request), request, reply);
}

function deliver(result: ControlAnswer | Refusal, { method }: FastifyRequest, reply: FastifyReply): void {
  if ('refused' in result || result.stream === undefined) write(reply, toAnswer(result));
  else if (method === 'HEAD') write(reply, { status: result.status, headers: {} });
  else {
    reply.hijack();
    result.stream(reply.raw);
  }
}

type WrittenDocument = NonNullable<ReturnType<(typeof documents)['get']>>;

function describe(
  document: ContractDocument,
  { contentType, write }: WrittenDocument,
  request: FastifyRequest,
): Answer {
  const baseUrl = `http://${hostOf(request.headers) ?? 'localhost'}${controlPrefix}`;
  return { status: 200, headers: { 'content-type': contentType }, body: write(servedAt(document, baseUrl)) };
}

// What one sees who opens the address of the control plane.
function tableOfContents({ document, operations }: Plane) {
  const entries = operations.map(({ method, path, definition }) => [
    `${method} ${controlPrefix}${path}`,
    definition.summary,
  ]);
  return {
    about: document.info.summary,
    document: `${controlPrefix}/openapi.json`,
    operations: Object.fromEntries(entries),
  };
}

function findOperation({ operations }: Plane, path: string, method: string): Operation | Answer {
  const here = operationsAt(operations, path);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = here.find((operation) => operation.method === wanted);
  if (found !== undefined) return found;
  if (here.length > 0)
    return refuseMethod(
      method,
      here.map((operation) => operation.method),
    );
  const detail = `There is nothing here. ${controlPrefix}/openapi.json lists what there is.`;
  return toAnswer(refuse('unknownPath', detail));
}

function refuseMethod(method: string, allowed: readonly string[]): Answer {
  const methods = new Set(allowed.includes('GET') ? ['HEAD', ...allowed] : allowed);
  const allow = [...methods].sort().join(', ');
  const answer = toAnswer(refuse('methodNotAllowed', `${method} is not for this path. Allowed: ${allow}.`));
  return { ...answer, headers: { ...answer.headers, allow } };
}

function carryOut(operation: Operation, { readInput }: Plane, context: ControlContext, request: FastifyRequest) {
  const { url, raw, body } = request;
  const start = url.indexOf('?') + 1;
  const sent = {
    path: pathParameters(operation, pathOf(url)),
    query: start === 0 ? '' : url.slice(start),
    headers: raw.headers,
    body: body as Uint8Array | undefined,
  };
  const input = readInput(operation, sent);
  const handle = controlHandlers[operation.operationId];
  if (handle === undefined) throw new Error(`${operation.operationId} has no handler`);
  return 'refused' in input ? input : handle(input, context);
}

function pathParameters({ segments }: Operation, path: string): Record<string, string> {
  const parts = path.slice(1).split('/');
  return Object.fromEntries(
    segments.flatMap((segment, index) =>
      'parameter' in segment ? [[segment.parameter, decode(parts[index] ?? '')]] : [],
    ),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refusalOf({ options }: Edge, error: unknown): Refusal {
  const refusal = toRefusal(error as { code?: unknown }, bodyLimitBytes);
  if (refusal === undefined) options.onUnexpected?.(error);
  return refusal ?? refuse('unexpected', 'This is a defect of the mock. Please report it with the request.');
}

const challenge = 'Bearer realm="agent-platform"';
const rules = once(() => defaultProfile(loadOpenPoints()));

function toAnswer(result: ControlAnswer | Refusal): Answer {
  if (!('refused' in result)) return json(result.status, result.body, 'application/json');
  const status = refusals[result.refused].status(rules());
  const answer = json(status, toProblem(result, status), 'application/problem+json');
  return status === 401 ? { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge } } : answer;
}

function json(status: number, body: unknown, contentType: string): Answer {
  if (body === undefined) return { status, headers: {} };
  return { status, headers: { 'content-type': contentType }, body: `${JSON.stringify(body)}\n` };
}

function write(reply: FastifyReply, { status, headers, body = '' }: Answer): void {
  const bytes = Buffer.from(body);
  const length = status === 204 ? {} : { 'content-length': bytes.length };
  reply.hijack();
  reply.raw.writeHead(status, { 'cache-control': 'no-store', ...headers, ...length }).end(bytes);
}
