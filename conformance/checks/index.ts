import { loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import type { Requirement } from '../../openapi/contract/requirements.ts';
import type { Check } from '../check.ts';
import { type Demands, usualDemands } from '../plan/demands.ts';
import { answerChecks } from './answers.ts';
import { authenticationChecks } from './authentication.ts';
import { creationRefusalChecks } from './creation-refusals.ts';
import { creationChecks, urlCheck } from './creations.ts';
import { fileChecks } from './files.ts';
import { hostedToolChecks } from './hosted-tools.ts';
import { isolationChecks } from './isolation.ts';
import { listChecks } from './lists.ts';
import { paginationChecks } from './pagination.ts';
import { movePathChecks } from './path-rule.ts';
import { publicationChecks } from './publications.ts';
import { servedChecks } from './served.ts';
import { toolChecks } from './tools.ts';
import { treePathChecks } from './tree-paths.ts';
import { treeChecks } from './trees.ts';

/** A check with all that it needs and does, and the requirements that it judges, from the register. */
export interface RegisteredCheck extends Omit<Check, keyof Demands>, Demands {
  level: 'must' | 'should';
  requirements: readonly Requirement[];
}

/** Every check, in the order in which checks run. */
export function allChecks(): RegisteredCheck[] {
  const requirements = loadRequirements();
  const operations = operationsOf(loadDocument()).map(({ operationId }) => operationId);
  return checksOf(operations).map((check) => {
    const judged = requirements.filter(({ checks = [] }) => checks.includes(check.id));
    const usual = usualDemands[check.operation];
    return { ...usual, ...check, level: judged[0]?.level ?? 'should', requirements: judged };
  });
}

function checksOf(operations: readonly OperationId[]): Check[] {
  return [
    ...servedChecks,
    ...operations.flatMap(authenticationChecks),
    ...listChecks,
    ...creationRefusalChecks('createDrive'),
    ...creationRefusalChecks('createMcpServer'),
    ...creationChecks('createDrive'),
    ...creationChecks('createMcpServer'),
    urlCheck,
    ...paginationChecks,
    ...toolChecks,
    ...hostedToolChecks,
    ...fileChecks,
    ...movePathChecks,
    ...publicationChecks,
    ...isolationChecks,
    ...treeChecks,
    ...treePathChecks,
    ...operations.flatMap(answerChecks),
  ];
}
