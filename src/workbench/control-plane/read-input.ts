import { type ContractDocument, dereference } from '../../../openapi/contract/document.ts';
import { type Operation, operationsOf } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { Schemas, type Violation } from '../../../openapi/contract/schemas.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import { bodyViolations, readBody } from '../../engine/body.ts';
import type { RequestHeaders } from '../../engine/call.ts';
import { refuseInput } from '../../engine/problem.ts';
import { createQueryReader, type QueryResult } from '../../engine/query.ts';
import type { ControlInput } from './control.ts';

/** The compiled validators of one operation. */
interface CompiledInput {
  pathViolations(path: SentControl['path']): Violation[];
  readQuery(query: string): QueryResult;
  readBody(body: Uint8Array | undefined, headers: RequestHeaders): { value: unknown } | Refusal;
}

/** One request, as it came. */
interface SentControl {
  path: Readonly<Record<string, string>>;
  query: string;
  headers: ControlInput['headers'];
  body: Uint8Array | undefined;
}

export type ReadInput = (operation: Operation, sent: SentControl) => ControlInput | Refusal;

/** Reads requests by the document of a control plane; strictly, whatever profile the mock plays. */
export function createReadInput(document: ContractDocument, rules: Profile): ReadInput {
  const schemas = new Schemas(document);
  const prepared = new Map(
    operationsOf(document).map((operation) => [operation.operationId, prepare(document, schemas, operation, rules)]),
  );
  return (operation, { path, query, headers, body }) => {
    const { pathViolations, readQuery, readBody } = prepared.get(operation.operationId) as CompiledInput;
    const read = readQuery(query);
    const violations = [...pathViolations(path), ...('violations' in read ? read.violations : [])];
    if (violations.length > 0 || 'violations' in read) return refuseInput(violations);
    const sent = readBody(body, headers);
    return isRefusal(sent) ? sent : { path, query: read.values, body: sent.value, headers };
  };
}

function prepare(document: ContractDocument, schemas: Schemas, operation: Operation, rules: Profile): CompiledInput {
  const readQuery = createQueryReader(schemas, operation, operation, rules);
  const pathViolations = createPathJudge(schemas, operation);
  const requestBody = dereference(document, operation.definition.requestBody);
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return { pathViolations, readQuery, readBody: readNothing };
  const requiredBodyFields = requestBody?.required === true ? 'all' : 'none';
  return {
    pathViolations,
    readQuery,
    readBody: (bytes, headers) => {
      const read = readBody(bytes, headers, rules);
      if (isRefusal(read)) return read;
      const all = bodyViolations(read.value, schemas.of(schema), { ...rules, requiredBodyFields });
      // A branch that was not met adds nothing to the violations in it.
      const violations = all.filter(({ code }) => code !== 'if');
      return violations.length > 0 ? refuseInput(violations) : { value: read.value ?? {} };
    },
  };
}

function createPathJudge(schemas: Schemas, { parameters }: Operation): CompiledInput['pathViolations'] {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return (path) =>
    inPath.flatMap(({ name, schema = {} }) =>
      schemas
        .of(schema)(path[name])
        .map((violation) => ({ ...violation, location: ['path', name] })),
    );
}

// Whoever sends a body expects an effect: `reset` for one organization only, for instance.
function readNothing(bytes: Uint8Array | undefined): { value: undefined } | Refusal {
  const isEmpty =
    bytes === undefined || (bytes.length < 64 && /^\s*(?:\{\s*\})?\s*$/.test(new TextDecoder().decode(bytes)));
  return isEmpty
    ? { value: undefined }
    : refuse('invalidInput', 'This operation takes no body, only its path and its query.');
}
