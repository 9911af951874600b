import type { OpenAPIV3_1 } from 'openapi-types';
import type { SchemaObject } from './document.ts';
import type { Problem } from './error-bodies.ts';
import { copyOf, loadDocument, loadYaml } from './load.ts';
import { type OperationId, operationSet, operationsOf } from './operations.ts';

/** An error as an example. */
export interface ProblemExample {
  /** How a request asks for it. */
  name: string;
  summary: string;
  /** The error as the default profile sends it. */
  value: Problem;
}

/** What a mock adds to the contract: see mock.yaml. */
interface MockParts<Errors> {
  license: OpenAPIV3_1.LicenseObject;
  server: OpenAPIV3_1.ServerObject;
  problem: SchemaObject;
  errors: Errors;
}

type WrittenError = ProblemExample & { operations: string | readonly string[] };

/** What a mock adds to the contract, with its errors by operation. */
export const loadMockParts = copyOf((): MockParts<Record<OperationId, ProblemExample[]>> => {
  const { errors, ...parts } = loadYaml('mock.yaml') as MockParts<WrittenError[]>;
  const operations = operationsOf(loadDocument());
  const withSets = errors.map(({ operations: names, ...example }) => ({
    example,
    ids: new Set(operationSet(operations, names).map(({ operationId }) => operationId)),
  }));
  const of = ({ operationId }: { operationId: OperationId }) =>
    withSets.flatMap(({ example, ids }) => (ids.has(operationId) ? [example] : []));
  const byOperation = operations.map((operation) => [operation.operationId, of(operation)] as const);
  return { ...parts, errors: Object.fromEntries(byOperation) as Record<OperationId, ProblemExample[]> };
});
