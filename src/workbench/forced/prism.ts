import type { ContractDocument, ResponseObject } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { loadPrism } from '../prism.ts';

/** The wanted body of one response. */
interface Wanted {
  readonly example?: string | undefined;
  /** Generate from the schema, with this seed. Never empty. */
  readonly seed?: string | undefined;
}

/** The bodies that one response of an operation can have. */
export type Mocker = (wanted: Wanted) => Promise<unknown>;

/** Prism's mocker for one response. */
export async function createMocker(document: ContractDocument, operation: Operation, code: number): Promise<Mocker> {
  const ask = await loadPrism(document);
  const method = operation.method.toLowerCase() as Lowercase<'GET' | 'POST' | 'PATCH' | 'DELETE'>;
  const path = operation.path.replaceAll(/\{\w+\}/g, 'any');
  // The answer does not depend on the request, so the request is not judged.
  return async ({ example, seed }) => {
    const mock = {
      code,
      dynamic: seed !== undefined,
      ...(example === undefined ? {} : { exampleKey: example }),
      ...(seed === undefined ? {} : { seed }),
    };
    const { output } = await ask(operation.operationId, { method, url: { path } }, { mock });
    return output.body;
  };
}

/** A contract that has one operation, and of it one response. */
export function onlyResponse(
  document: ContractDocument,
  { path, method, operationId }: Operation,
  code: number,
  response: ResponseObject,
): ContractDocument {
  const only = { operationId, responses: { [code]: response } };
  const { openapi, info, components = {} } = document;
  return structuredClone({ openapi, info, components, paths: { [path]: { [method.toLowerCase()]: only } } });
}
