import type { OpenPointId } from '../../openapi/contract/profile.ts';
import { type EffectCounts, sumOf } from '../plan/demands.ts';
import { firstMove } from '../probing/operations.ts';
import { successfulPublication } from '../probing/publications.ts';
import { sameUrl } from '../probing/repeated-creations.ts';
import { findSizeLimit, sendMoreFields, sendUndeclared } from './bodies.ts';
import { seeConflictStatus, seePathConflict } from './conflicts.ts';
import * as creations from './creations.ts';
import * as moves from './moves.ts';
import type { Observer } from './observer.ts';
import { seePathLength } from './path-length.ts';
import {
  publishedAgain,
  seeFlags,
  seeRequiredRevision,
  seeUnknownAgent,
  seeUnknownRevision,
  seeUpdatedAt,
} from './publications.ts';
import * as requests from './requests.ts';
import * as trees from './trees.ts';

/** Open points that the replies show without further requests. */
const alwaysSeen: readonly OpenPointId[] = [
  'timestampPrecision',
  'timestampZone',
  'optionalFields',
  'missingValues',
  'paginationFields',
  'extraFields',
  'keyOrder',
  'answerMediaType',
  'metadataShape',
  'rateLimits',
  'readStatus',
];

/** All observers, one for each open point that can be seen from outside. They run phase by phase, in this order. */
export const observers: readonly Observer[] = [
  { openPoint: 'outOfRangePaging', phase: 'read', ask: requests.outOfRange },
  { openPoint: 'malformedPaging', phase: 'read', ask: requests.sendOddLimits },
  { openPoint: 'repeatedPaging', phase: 'judge' },
  { openPoint: 'unknownQueryParameters', phase: 'read', ask: requests.sendUnknownParameters },
  { openPoint: 'bothAuthHeaders', phase: 'read', see: requests.seeBothAuthHeaders },
  { openPoint: 'cors', phase: 'read', see: requests.seeCors },
  { openPoint: 'invalidInputStatus', phase: 'read', ask: requests.refusedQuery },
  { openPoint: 'unknownParameterStatus', phase: 'read', ask: requests.sendUnknownParameters },
  { openPoint: 'bearerSpelling', phase: 'read', see: requests.seeBearerSpelling },
  { openPoint: 'notFoundStatus', phase: 'read', see: requests.seeNotFound },
  { openPoint: 'unknownDriveStatus', phase: 'read', see: requests.seeUnknownDrive },
  { openPoint: 'malformedIds', phase: 'read', see: requests.seeMalformedIds },
  { openPoint: 'foreignResourceStatus', phase: 'read', see: requests.seeForeign },
  { openPoint: 'duplicateNames', phase: 'create', ask: creations.sendDuplicates },
  { openPoint: 'duplicateUrls', phase: 'create', effects: { mcpServers: 1 }, ask: sameUrl },
  { openPoint: 'readAfterWrite', phase: 'create', effects: { mcpServers: 1 }, see: creations.seeReadAfterWrite },
  { openPoint: 'nameRules', phase: 'create', effects: { drives: 4 }, see: creations.seeNameRules },
  { openPoint: 'createStatus', phase: 'create', ask: creations.createBoth },
  { openPoint: 'createServerStatus', phase: 'create', ask: creations.createBoth },
  { openPoint: 'invalidBodyStatus', phase: 'create', effects: { drives: 1 }, ask: creations.sendNoObject },
  { openPoint: 'mcpDefaultType', phase: 'create', ask: creations.createBoth },
  { openPoint: 'mcpUrlRules', phase: 'create', effects: { mcpServers: 3 }, see: creations.seeUrlRules },
  { openPoint: 'toolsOfNewServer', phase: 'create', see: creations.seeToolsOfNewServer },
  { openPoint: 'wrongBodyTypes', phase: 'create', effects: { drives: 1 }, ask: creations.sendWrongType },
  { openPoint: 'malformedJsonStatus', phase: 'create', ask: creations.sendMalformedJson },
  { openPoint: 'defaultLimit', phase: 'list', ask: requests.readPages },
  { openPoint: 'defaultOffset', phase: 'list', ask: requests.readPages },
  { openPoint: 'totalMeaning', phase: 'list', ask: requests.readPages },
  { openPoint: 'listOrder', phase: 'list', ask: requests.readListsTwice },
  { openPoint: 'idFormat', phase: 'list', ask: creations.createBoth },
  { openPoint: 'publishStatus', phase: 'publish', ask: successfulPublication },
  { openPoint: 'publishBody', phase: 'publish', ask: successfulPublication },
  { openPoint: 'republish', phase: 'publish', ask: publishedAgain },
  { openPoint: 'publishUnknownRevision', phase: 'publish', see: seeUnknownRevision },
  { openPoint: 'unknownAgentStatus', phase: 'publish', see: seeUnknownAgent },
  { openPoint: 'requiredPublishFields', phase: 'publish', see: seeRequiredRevision },
  { openPoint: 'updatedAtAfterPublish', phase: 'publish', see: seeUpdatedAt },
  { openPoint: 'flagsAfterPublish', phase: 'publish', see: seeFlags },
  {
    openPoint: 'requiredBodyFields',
    phase: 'move',
    effects: { drives: 1 },
    ask: creations.sendEmptyDrive,
  },
  {
    openPoint: 'requiredServerFields',
    phase: 'move',
    effects: { mcpServers: 2 },
    ask: creations.sendPartialServers,
  },
  { openPoint: 'requiredMoveFields', phase: 'move', ask: creations.sendEmptyMove },
  { openPoint: 'updateStatus', phase: 'move', ask: firstMove },
  { openPoint: 'fileNameAfterMove', phase: 'move', see: moves.seeName },
  { openPoint: 'modifiedAtAfterMove', phase: 'move', see: moves.seeModifiedAt },
  { openPoint: 'driveUpdatedAt', phase: 'move', see: moves.seeDriveUpdatedAt },
  { openPoint: 'moveTargets', phase: 'move', see: moves.seeTargets },
  { openPoint: 'pathSpelling', phase: 'move', see: moves.seeSpelling },
  { openPoint: 'pathLineBreaks', phase: 'move', see: moves.seeLineBreaks },
  { openPoint: 'unknownBodyFields', phase: 'move', effects: { drives: 1 }, ask: sendMoreFields },
  { openPoint: 'mediaTypeRules', phase: 'move', effects: { drives: 1 }, ask: sendUndeclared },
  { openPoint: 'unsupportedMediaTypeStatus', phase: 'move', ask: sendUndeclared },
  { openPoint: 'bodySizeLimit', phase: 'move', see: async (session) => (await findSizeLimit(session)).limit },
  { openPoint: 'bodyTooLargeStatus', phase: 'move', see: async (session) => (await findSizeLimit(session)).status },
  { openPoint: 'judgedFirst', phase: 'move', see: requests.seeJudgedFirst },
  { openPoint: 'pathLength', phase: 'move', see: seePathLength },
  { openPoint: 'invalidPathStatus', phase: 'move', ask: requests.unrulyMove },
  { openPoint: 'deleteStatus', phase: 'delete', ask: trees.sendTreeDeletion },
  { openPoint: 'treePathParameter', phase: 'delete', see: trees.seeParameter },
  { openPoint: 'documentCount', phase: 'delete', see: trees.seeCount },
  { openPoint: 'missingTree', phase: 'delete', see: trees.seeMissingTree },
  { openPoint: 'missingTreePath', phase: 'delete', see: trees.seeMissingPath },
  { openPoint: 'treePathIsFile', phase: 'delete', effects: { deletions: 1 }, see: trees.seeFilePath },
  { openPoint: 'pathLetters', phase: 'delete', effects: { deletions: 1 }, see: trees.seeLetters },
  { openPoint: 'treePathIsRoot', phase: 'delete', see: trees.seeRootPath },
  { openPoint: 'treeDeletion', phase: 'delete', see: trees.seeWhen },
  { openPoint: 'pathConflict', phase: 'delete', effects: { deletions: 1 }, see: seePathConflict },
  { openPoint: 'fileStatusFlow', phase: 'judge', see: moves.seeStatusFlow },
  { openPoint: 'conflictStatus', phase: 'judge', see: seeConflictStatus },
  { openPoint: 'errorBody', phase: 'judge', ask: requests.refusedForKey },
  { openPoint: 'wwwAuthenticate', phase: 'judge', ask: requests.refusedForKey },
  ...alwaysSeen.map((openPoint): Observer => ({ openPoint, phase: 'judge' })),
];

/** The maximum changes by all observers together on a legal target, besides what the checks change anyway. */
export const observingDeeds: EffectCounts = sumOf(observers.map(({ effects = {} }) => effects));
