import { lazily } from '../../lib/remembering.ts';
import { forbidNull } from './contract-for.ts';
import type { ContractDocument } from './document.ts';
import { loadDocument } from './load.ts';
import { type Operation, type OperationId, operationsOf } from './operations.ts';
import { Schemas } from './schemas.ts';

/** The contract by which the suite and the model judge responses. */
interface JudgedContract {
  document: ContractDocument;
  operations: ReadonlyMap<OperationId, Operation>;
  schemas: Schemas;
}

// Many wrong items must not hide a different fault in a later item.
const mostErrors = 20_000;

/** The same for all runs, since compiling takes longer than judging: nobody may change it. */
export const judgedContract = lazily((): JudgedContract => {
  const document = loadDocument();
  // Null in place of a missing value is open, and warned about.
  forbidNull(document);
  const operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
  return { document, operations, schemas: new Schemas(document, mostErrors) };
});
