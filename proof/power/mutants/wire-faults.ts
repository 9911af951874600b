import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadDocument } from '../../../openapi/contract/load.ts';
import { basePathOf, type OperationId, operationsAt, operationsOf } from '../../../openapi/contract/operations.ts';
import type { Overrides, WireAnswer, WireFault } from '../mutant.ts';

const document = loadDocument();
const operations = operationsOf(document);
/** Where the API is, unless a mutant serves it elsewhere. */
export const basePath = basePathOf(document);

/** No fault: the request as it came, and the answer as it came. */
export const passOn: WireFault = async (_request, response, forward) => write(response, await forward());

/** The fault on one operation; all others are sound. */
export function on(operationId: OperationId, fault: WireFault): WireFault {
  return (request, response, forward) =>
    operationIdOf(request) === operationId ? fault(request, response, forward) : passOn(request, response, forward);
}

/** The operation that a request is for; undefined when there is none. */
export function operationIdOf({ method, url = '' }: IncomingMessage): OperationId | undefined {
  const path = pathOf(url);
  if (!path.startsWith(`${basePath}/`)) return undefined;
  const found = operationsAt(operations, path.slice(basePath.length));
  return found.find((operation) => operation.method === method)?.operationId;
}

/** The ids of drive and file in a request target, decoded. */
export function idsIn(url: string): string[] {
  const [, ...ids] = /\/drives\/([^/?]+)(?:\/files\/([^/?]+))?/.exec(url) ?? [];
  return ids.map((id) => decodeURIComponent(id ?? ''));
}

/** A request target without its query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** Answers by itself; the mock never hears of the request. */
export function answerWith(status: number, headers: Record<string, string>, body = ''): WireFault {
  return async (_request, response) => write(response, withBody({ status, headers, body: '' }, body));
}

/** Hands the request on with something changed. */
export function changeRequest(toOverrides: (url: string) => Overrides): WireFault {
  return async (request, response, forward) => write(response, await forward(toOverrides(request.url ?? '')));
}

/** Changes the answers that are meant, by their status and by what was asked for. */
export function changeAnswer(
  isMeant: (status: number, request: IncomingMessage) => boolean,
  change: (answer: WireAnswer, request: IncomingMessage) => WireAnswer,
): WireFault {
  return async (request, response, forward) => {
    const answer = await forward();
    write(response, isMeant(answer.status, request) ? change(answer, request) : answer);
  };
}

/** Gives answers that are meant another status. */
export function changeStatus(
  isMeant: (status: number, request: IncomingMessage) => boolean,
  status: number,
): WireFault {
  return changeAnswer(isMeant, (answer) => ({ ...answer, status }));
}

export const isSuccess = (status: number) => status >= 200 && status < 300;
export const isRefusal = (status: number) => status >= 400;

/** The answer with another body, and the length of that. */
export function withBody(answer: WireAnswer, body: string): WireAnswer {
  return withHeader({ ...answer, body }, 'content-length', String(Buffer.byteLength(body)));
}

/** The answer with a header changed, or without it. */
export function withHeader(answer: WireAnswer, name: string, value: string | undefined): WireAnswer {
  const kept = Object.entries(answer.headers).filter(([candidate]) => candidate.toLowerCase() !== name);
  const added = value === undefined ? [] : [[name, value]];
  return { ...answer, headers: Object.fromEntries([...kept, ...added]) };
}

/** A JSON body as if the service read a field under another name than the one that is stated. */
export function readFieldAs(stated: string, read: string): (sent: string) => string {
  return (sent) => {
    const fields = parseObject(sent);
    if (fields === undefined) return sent;
    const { [stated]: _, [read]: value, ...rest } = fields;
    return JSON.stringify({ ...rest, [stated]: value });
  };
}

// What is no object is refused by the mock itself.
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A request target with one segment changed, counted behind the base path. */
export function changeSegment(url: string, place: number, change: (segment: string) => string): string {
  const path = pathOf(url);
  const segments = path.slice(basePath.length + 1).split('/');
  const changed = segments.map((segment, index) => (index === place ? change(segment) : segment));
  return `${basePath}/${changed.join('/')}${url.slice(path.length)}`;
}

/** Writes an answer as it is. */
export function write(response: ServerResponse, { status, headers, body }: WireAnswer): void {
  response.writeHead(status, headers).end(body);
}
