/*
 * All checks. An id is `<operation>.<rule>` or `<operation>.<rule>.<case>`. `checksOf` (`check.ts`) adds the operation, and
 * tables often add the case, here, in `probing/names.ts` or in `scenarios/`: so search for the last part of an id. `{item}` and
 * `${item}` stand for drive or server: `listDrives.created-drive-stays` is `created-${item}-stays`.
 */
import { loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { Requirement } from '../../openapi/contract/requirements.ts';
import { operationUses } from '../probing/operations.ts';
import { answerChecks, serverErrorChecks, unknownChecks } from './answers.ts';
import { authenticationChecks } from './authentication.ts';
import type { Check, Demands } from './check.ts';
import { bodyChecks, createdAnswerChecks, creationChecks, creationRefusalChecks, urlChecks } from './creations.ts';
import { fileChecks, moveAnswerCheck, readingChecks } from './files.ts';
import { repeatedCreationChecks } from './kept-creations.ts';
import { knownStateChecks, lastLookChecks } from './known-state.ts';
import { listChecks } from './lists.ts';
import { furtherMoveChecks } from './moves.ts';
import { everyListChecks, isolationChecks, organizationChecks } from './organizations.ts';
import { pageChecks, paginationChecks, paginationObjectChecks } from './pages.ts';
import { movePathChecks, pathSpellingChecks, treePathChecks } from './path-rule.ts';
import { publicationChecks, publicationEffectChecks } from './publications.ts';
import { servedChecks } from './served.ts';
import { hostedToolChecks, toolChecks, toolListChecks } from './tools.ts';
import { deletedTreeChecks, deletionAnswerChecks, treeChecks } from './trees.ts';

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
