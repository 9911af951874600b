import { loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Requirement } from '../../openapi/contract/requirements.ts';
import type { Check } from '../check.ts';
import type { Demands } from '../plan/demands.ts';
import { operationUses } from '../probing/operations.ts';
import { answerChecks } from './answers.ts';
import { authenticationChecks } from './authentication.ts';
import { creationChecks, creationRefusalChecks, urlCheck } from './creations.ts';
import { fileChecks } from './files.ts';
import { hostedToolChecks } from './hosted-tools.ts';
import { isolationChecks } from './isolation.ts';
import { listChecks } from './lists.ts';
import { paginationChecks } from './pagination.ts';
import { movePathChecks, treePathChecks } from './path-rule.ts';
import { publicationChecks } from './publications.ts';
import { servedChecks } from './served.ts';
import { toolChecks } from './tools.ts';
import { treeChecks } from './trees.ts';
import { unknownChecks } from './unknown.ts';

/** A check with its needs and effects, and the requirements that it judges. */
export interface RegisteredCheck extends Omit<Check, keyof Demands>, Demands {
  level: 'must' | 'should';
  requirements: readonly Requirement[];
}

/** Every check, in the order in which the checks run within each phase. */
export function allChecks(): RegisteredCheck[] {
  const requirements = loadRequirements();
  return everyCheck().map((check) => {
    const judged = requirements.filter(({ checks = [] }) => checks.includes(check.id));
    const { needs, effects } = operationUses[check.operation];
    return { needs, effects, ...check, level: judged[0]?.level ?? 'should', requirements: judged };
  });
}

function everyCheck(): Check[] {
  return [
    ...servedChecks,
    ...operationsOf(loadDocument()).flatMap(({ operationId }) => authenticationChecks(operationId)),
    ...listChecks,
    ...creationRefusalChecks('createDrive'),
    ...creationRefusalChecks('createMcpServer'),
    ...creationChecks('createDrive'),
    ...creationChecks('createMcpServer'),
    urlCheck,
    ...paginationChecks,
    ...toolChecks,
    ...hostedToolChecks,
    ...unknownChecks,
    ...fileChecks,
    ...movePathChecks,
    ...publicationChecks,
    ...isolationChecks,
    ...treeChecks,
    ...treePathChecks,
    ...answerChecks(),
  ];
}
