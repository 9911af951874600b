import { contractFor, successStatus } from '../../openapi/contract/contract-for.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { Schemas } from '../../openapi/contract/schemas.ts';
import { authHeadersOf } from '../../openapi/contract/security.ts';
import { loadUsualContract } from '../../openapi/contract/usual-input.ts';
import { type CompiledOperation, createIdValidator, createInputReader } from './input.ts';
import { createJsonText } from './json-text.ts';
import { KeptPages } from './kept-pages.ts';
import { createOpenPointTrace } from './open-point-trace/open-point-trace.ts';
import { createViews } from './views.ts';

/** Everything that is compiled for one profile. */
export type CompiledContract = ReturnType<typeof compileContract>;

/** Compiles the contract for a profile. */
export function compileContract(profile: Profile) {
  const contract = contractFor(profile);
  const operations = operationsOf(contract);
  const schemas = new Schemas(contract);
  const statedById = new Map(operationsOf(loadUsualContract()).map((operation) => [operation.operationId, operation]));
  const compile = (applied: Operation): CompiledOperation => {
    const stated = statedById.get(applied.operationId) ?? applied;
    return {
      ...{ stated, applied, status: successStatus(applied, profile) },
      idViolations: createIdValidator(schemas, applied),
      readInput: createInputReader(contract, schemas, stated, applied, profile),
    };
  };
  const compiled = new Map(operations.map((operation) => [operation.operationId, compile(operation)]));
  const toJson = createJsonText(profile.keyOrder);
  return {
    // Under the profile.
    ...{ contract, operations, compiled },
    authHeaders: authHeadersOf(contract),
    views: createViews(profile),
    toJson,
    pages: new KeptPages(toJson),
    openPointTrace: createOpenPointTrace(contract, profile, compiled),
  };
}
