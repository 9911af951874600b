import { loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Requirement } from '../../openapi/contract/requirements.ts';
import type { Check } from '../check.ts';
import type { Demands } from '../plan/demands.ts';
import { operationUses } from '../probing/operations.ts';
import { answerChecks } from './answers.ts';
import { authenticationChecks } from './authentication.ts';
import { bodyChecks } from './bodies.ts';
import { createdAnswerChecks } from './created-answers.ts';
import { creationChecks, creationRefusalChecks, urlChecks } from './creations.ts';
import { deletedTreeChecks } from './deleted-trees.ts';
import { deletionAnswerChecks } from './deletion-answers.ts';
import { everyListChecks } from './every-list.ts';
import { fileChecks } from './files.ts';
import { hostedToolChecks } from './hosted-tools.ts';
import { isolationChecks } from './isolation.ts';
import { knownStateChecks } from './known-state.ts';
import { lastLookChecks } from './last-look.ts';
import { listChecks } from './lists.ts';
import { furtherMoveChecks } from './moves.ts';
import { nearMoveChecks } from './near-moves.ts';
import { organizationChecks } from './organizations.ts';
import { pageChecks } from './pages.ts';
import { paginationChecks } from './pagination.ts';
import { paginationObjectChecks } from './pagination-object.ts';
import { movePathChecks, treePathChecks } from './path-rule.ts';
import { pathSpellingChecks } from './path-spellings.ts';
import { publicationEffectChecks } from './publication-effects.ts';
import { publicationChecks } from './publications.ts';
import { moveAnswerCheck, readingChecks } from './readings.ts';
import { repeatedCreationChecks } from './repeated-creations.ts';
import { servedChecks } from './served.ts';
import { serverErrorChecks } from './server-errors.ts';
import { toolListChecks } from './tool-lists.ts';
import { toolChecks } from './tools.ts';
import { treeChecks } from './trees.ts';
import { unknownChecks } from './unknown.ts';

/** A check with its needs and effects, and the requirements that it judges. */
export interface RegisteredCheck extends Omit<Check, keyof Demands>, Demands {
  level: 'must' | 'should';
  requirements: readonly Requirement[];
}

let registered: readonly RegisteredCheck[] | undefined;

/** All checks, in the order in which they run within each phase. */
export function allChecks(): RegisteredCheck[] {
  registered ??= everyCheck().map(toRegistered(loadRequirements()));
  return [...registered];
}

function toRegistered(requirements: readonly Requirement[]): (check: Check) => RegisteredCheck {
  return (check) => {
    const judged = requirements
      .filter(({ checks = [] }) => checks.includes(check.id))
      // What few checks judge says most about this one.
      .sort((a, b) => (a.checks?.length ?? 0) - (b.checks?.length ?? 0));
    const { needs, effects } = operationUses[check.operation];
    return { needs, effects, ...check, level: judged[0]?.level ?? 'should', requirements: judged };
  };
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
    ...urlChecks,
    ...bodyChecks,
    ...organizationChecks,
    ...repeatedCreationChecks,
    ...paginationChecks,
    ...paginationObjectChecks,
    ...toolChecks,
    ...toolListChecks,
    ...hostedToolChecks,
    ...unknownChecks,
    ...fileChecks,
    ...readingChecks,
    ...movePathChecks,
    ...pathSpellingChecks,
    ...furtherMoveChecks,
    ...nearMoveChecks,
    ...publicationChecks,
    ...publicationEffectChecks,
    ...isolationChecks,
    ...treeChecks,
    ...treePathChecks,
    ...deletedTreeChecks,
    ...checksOfAllReplies(),
  ];
}

/** The checks that run after everything was sent. */
function checksOfAllReplies(): Check[] {
  return [
    ...answerChecks(),
    ...serverErrorChecks,
    ...createdAnswerChecks('createDrive'),
    ...createdAnswerChecks('createMcpServer'),
    ...everyListChecks,
    ...deletionAnswerChecks,
    ...pageChecks,
    ...lastLookChecks,
    ...knownStateChecks,
    moveAnswerCheck,
  ];
}
