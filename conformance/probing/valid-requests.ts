import { decodeQuery, type Pair } from '../../lib/query.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { Schemas, type Validate } from '../../openapi/contract/schemas.ts';
import { isObject, parseJson } from '../../openapi/reading/messages.ts';
import type { SentRequest } from '../target/reply.ts';

type Request = Pick<SentRequest, 'operation' | 'path' | 'headers' | 'body'>;
type Accepts = (request: Request) => boolean;

/**
 * Whether a request is valid by all that is stated: each field of the body that the text shows is there, with a value of
 * its type, and nothing else; each query parameter is one of the operation, sent once, within its bounds. Everything
 * else a server may refuse, so a 5xx for it is not a failure of a valid request.
 */
export function isValidRequest(request: Request): boolean {
  known ??= validators();
  return known.get(request.operation)?.(request) ?? false;
}

let known: ReadonlyMap<OperationId, Accepts> | undefined;

function validators(): ReadonlyMap<OperationId, Accepts> {
  const contract = loadDocument();
  const schemas = new Schemas(contract);
  return new Map(operationsOf(contract).map((operation) => [operation.operationId, acceptsFor(operation, schemas)]));
}

function acceptsFor(operation: Operation, schemas: Schemas): Accepts {
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const parameters = new Map(inQuery.map(({ name, schema }) => [name, schemas.of(schema ?? {})]));
  const { requestBody } = operation.definition;
  const media = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  const validate = schemas.of(media?.schema ?? {});
  return ({ path, headers, body = '' }) => {
    const [ids = '', query = ''] = path.split(/\?(.*)/s);
    if (!isDecodable(ids) || !areValid(decodeQuery(query), parameters)) return false;
    if (!operation.takesBody) return true;
    // Other media types are open (section 0).
    return headers['Content-Type'] === 'application/json' && isComplete(body, operation.bodyFields, validate);
  };
}

// A server does not put control characters into ids.
function isDecodable(ids: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(ids));
  } catch {
    return false;
  }
}

function areValid(sent: readonly Pair[], parameters: ReadonlyMap<string, Validate>): boolean {
  if (new Set(sent.map(({ name }) => name)).size < sent.length) return false;
  return sent.every(({ name, value = '' }) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : value;
    const validate = parameters.get(name);
    return validate !== undefined && [value, number].some((one) => validate(one).length === 0);
  });
}

function isComplete(body: string, fields: readonly string[], validate: Validate): boolean {
  const value = parseJson(body)?.value;
  if (!isObject(value) || validate(value).length > 0) return false;
  return Object.keys(value).sort().join() === fields.toSorted().join();
}
