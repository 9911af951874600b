import { splitTarget } from '../../../lib/query.ts';
import { lazily } from '../../../lib/remembering.ts';
import { toProblem } from '../../../openapi/contract/contract-for.ts';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { sharedOf } from '../../../openapi/contract/load.ts';
import { type Operation, operationsAt, operationsOf } from '../../../openapi/contract/operations.ts';
import { defaultProfile, type Profile } from '../../../openapi/contract/profile.ts';
import { refusals } from '../../../openapi/contract/refusals.ts';
import { Schemas } from '../../../openapi/contract/schemas.ts';
import { challenge } from '../../../openapi/contract/security.ts';
import { loadOpenPoints } from '../../../openapi/points/index.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import { type Answer, type RequestHeaders, withHeaders } from '../../engine/call.ts';
import { createInputReader, type ReadInput } from '../../engine/input.ts';
import { idsIn, notEncoded, refuseMethod } from '../edge/request.ts';
import { documents, servedAt } from '../served-documents.ts';
import type { ControlAnswer, ControlHandler, ControlRequest } from './control.ts';
import { type Access, isAllowedPage, isAllowedPreflight, refuseStranger } from './guard.ts';

/** The path prefix of the admin API. */
export const controlPrefix = '/__admin';

/** What is said where its paths are not served. */
export const adminIsOff = 'The admin API is off. Start the mock without --no-admin.';

/** Whether the target of a request (path and query) belongs to the admin API. */
export function isControlTarget(target: string): boolean {
  return target.startsWith(controlPrefix) && /^[/?]?$/.test(target.charAt(controlPrefix.length));
}

/**
 * Every response of an admin API has these headers, on every edge: it is not stored, its type is not sniffed, and pages
 * of other origins cannot embed it.
 */
export const closedToPages: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** A response of the admin API; its body is text or a stream. */
export type ControlReply = Answer & Pick<ControlAnswer, 'stream'>;

interface ControlOperation<Context> extends Operation {
  readInput: ReadInput;
  handle: ControlHandler<Context>;
}

/** What an admin API is made of. */
export interface ControlParts<Context> {
  document: ContractDocument;
  schemas: Schemas;
  operations: readonly ControlOperation<Context>[];
}

/** A document and its handlers, by their operation ids, compiled on first use, once for all mocks or proxies. */
export function defineControl<Context>(
  loadDocument: () => ContractDocument,
  handlers: Readonly<Record<string, ControlHandler<Context>>>,
): () => ControlParts<Context> {
  return lazily(() => {
    const document = loadDocument();
    const schemas = new Schemas(document);
    const operations = operationsOf(document).map((operation) => {
      const handle = handlers[operation.operationId];
      if (handle === undefined) throw new Error(`No handler for ${operation.operationId}`);
      return { ...operation, handle, readInput: createInputReader(document, schemas, operation, operation, profile()) };
    });
    return { document, schemas, operations };
  });
}

/** A management API below `/__admin`, described by its own document. Its errors are always problem+json. */
export class AdminApi<Context> {
  readonly #definition: () => ControlParts<Context>;
  readonly #context: Context;
  readonly #access: Access;

  constructor(definition: () => ControlParts<Context>, context: Context, access: Access = {}) {
    this.#definition = definition;
    this.#context = context;
    this.#access = access;
  }

  /** Refuses a request before its body is read. Operations with `security: [{}]` are open to everyone. */
  guard(request: ControlRequest): Answer | undefined {
    const operation = this.#operationsAt(request).find(({ method }) => method === readMethod(request));
    if (operation?.definition.security?.every((each) => Object.keys(each).length === 0)) return undefined;
    const refusal = refuseStranger(request, this.#definition().document, this.#access);
    return refusal && { ...this.refusal(refusal), notes: [refusal.detail] };
  }

  /** Whether a page of a different origin may read the response to its request. */
  allowsPage(headers: RequestHeaders): boolean {
    return isAllowedPage(headers, this.#access);
  }

  /** Responds to a request that {@link guard} lets in. */
  answer(request: ControlRequest): ControlReply {
    if (isAllowedPreflight(request, this.#access)) return { status: 204, headers: {} };
    const method = readMethod(request);
    const page = this.#pageAt(request);
    const here = this.#operationsAt(request);
    if (page !== undefined && method === 'GET') return page();
    const operation = here.find((each) => each.method === method);
    if (operation !== undefined) return this.#carryOut(operation, request);
    const allowed = page === undefined ? here.map((each) => each.method) : ['GET'];
    if (allowed.length > 0) return refuseMethod(request.method, allowed, (refusal) => this.refusal(refusal));
    return this.refusal(refuse('unknownPath', `There is nothing here. ${controlPrefix}/openapi.json lists all paths.`));
  }

  /** The response for an error. */
  refusal(refusal: Refusal): Answer {
    const status = refusals[refusal.refused].status(profile());
    const answer = json(status, toProblem(refusal, status), 'application/problem+json');
    return status === 401 ? withHeaders(answer, challenge) : answer;
  }

  #operationsAt({ target }: ControlRequest): ControlOperation<Context>[] {
    return operationsAt(this.#definition().operations, pathOf(target));
  }

  // Pages that are not in the document: the document itself, and a list of its operations.
  #pageAt({ target, origin }: ControlRequest): (() => Answer) | undefined {
    const { document, operations } = this.#definition();
    const path = pathOf(target);
    if (path === '' || path === '/') return () => json(200, tableOfContents(document, operations), 'application/json');
    const served = documents.get(path);
    if (served === undefined) return undefined;
    const headers = { 'content-type': served.contentType };
    return () => ({ status: 200, headers, body: served.write(servedAt(document, origin + controlPrefix)) });
  }

  #carryOut(operation: ControlOperation<Context>, { target, headers, body }: ControlRequest): ControlReply {
    const [path = '', query = ''] = split(target);
    const pathParameters = idsIn(operation, path);
    if (pathParameters === undefined) return this.refusal(notEncoded);
    const input = operation.readInput({ pathParameters, query, headers, body });
    if (isRefusal(input)) return this.refusal(input);
    if (!operation.takesBody && !isEmpty(body)) return this.refusal(refuse('invalidInput', noBody));
    const result = operation.handle({ ...input, headers, isRead: operation.isRead }, this.#context);
    if (isRefusal(result)) return this.refusal(result);
    const answer = json(result.status, result.body, 'application/json');
    return result.stream === undefined ? answer : { ...answer, stream: result.stream };
  }
}

/** How every admin API reads input, and which statuses its error responses have. */
const profile = sharedOf(
  (): Profile => ({ ...defaultProfile(loadOpenPoints()), 'unknownInput.queryParameters': 'refused' }),
);

function readMethod({ method }: ControlRequest): string {
  return method === 'HEAD' ? 'GET' : method;
}

function split(target: string): [path: string, query: string] {
  const [path, query] = splitTarget(target);
  return [path.slice(controlPrefix.length), query];
}

function pathOf(target: string): string {
  return split(target)[0];
}

// A client that sends a body expects an effect, such as a `reset` for one organization only.
const noBody = 'This operation takes no body.';

function isEmpty(bytes: Uint8Array = new Uint8Array()): boolean {
  return bytes.length < 64 && /^(?:\{\s*\})?$/.test(new TextDecoder().decode(bytes).trim());
}

function tableOfContents({ info }: ContractDocument, operations: readonly Operation[]) {
  const entries = operations.map(({ method, path, definition }) => [
    `${method} ${controlPrefix}${path}`,
    definition.summary,
  ]);
  return { about: info.summary, document: `${controlPrefix}/openapi.json`, operations: Object.fromEntries(entries) };
}

function json(status: number, body: unknown, contentType: string): Answer {
  if (body === undefined) return { status, headers: {} };
  return { status, headers: { 'content-type': contentType }, body: `${JSON.stringify(body)}\n` };
}
