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
  'timestamps.precision',
  'timestamps.zone',
  'optionalFields',
  'missingValues',
  'paginationFields',
  'extraFields',
  'keyOrder',
  'answerMediaType',
  'metadataShape',
  'rateLimits',
  'successStatus.listDrives',
  'successStatus.getDriveFile',
];

/** All observers, one for each open point that can be seen from outside. They run phase by phase, in this order. */
export const observers: readonly Observer[] = [
  { openPoint: 'oddPaging.outOfRange', phase: 'read', ask: requests.outOfRange },
  { openPoint: 'oddPaging.malformed', phase: 'read', ask: requests.sendOddLimits },
  { openPoint: 'oddPaging.repeated', phase: 'judge' },
  { openPoint: 'unknownInput.queryParameters', phase: 'read', ask: requests.sendUnknownParameters },
  { openPoint: 'bothAuthHeaders', phase: 'read', see: requests.seeBothAuthHeaders },
  { openPoint: 'cors', phase: 'read', see: requests.seeCors },
  { openPoint: 'errorStatus.invalidInput', phase: 'read', ask: requests.refusedQuery },
  { openPoint: 'errorStatus.unknownParameter', phase: 'read', ask: requests.sendUnknownParameters },
  { openPoint: 'bearerSpelling', phase: 'read', see: requests.seeBearerSpelling },
  { openPoint: 'errorStatus.notFound', phase: 'read', see: requests.seeNotFound },
  { openPoint: 'errorStatus.driveNotFound', phase: 'read', see: requests.seeUnknownDrive },
  { openPoint: 'malformedIds', phase: 'read', see: requests.seeMalformedIds },
  { openPoint: 'foreignResourceStatus', phase: 'read', see: requests.seeForeign },
  { openPoint: 'duplicates.names', phase: 'create', ask: creations.sendDuplicates },
  { openPoint: 'duplicates.urls', phase: 'create', effects: { mcpServers: 1 }, ask: sameUrl },
  { openPoint: 'readAfterWrite', phase: 'create', effects: { mcpServers: 1 }, see: creations.seeReadAfterWrite },
  { openPoint: 'nameRules', phase: 'create', effects: { drives: 4 }, see: creations.seeNameRules },
  { openPoint: 'successStatus.createDrive', phase: 'create', ask: creations.createBoth },
  { openPoint: 'successStatus.createMcpServer', phase: 'create', ask: creations.createBoth },
  { openPoint: 'errorStatus.invalidBody', phase: 'create', effects: { drives: 1 }, ask: creations.sendNoObject },
  { openPoint: 'mcpDefaultType', phase: 'create', ask: creations.createBoth },
  { openPoint: 'mcpUrlRules', phase: 'create', effects: { mcpServers: 3 }, see: creations.seeUrlRules },
  { openPoint: 'toolsOfNewServer', phase: 'create', see: creations.seeToolsOfNewServer },
  { openPoint: 'wrongBodyTypes', phase: 'create', effects: { drives: 1 }, ask: creations.sendWrongType },
  { openPoint: 'errorStatus.malformedJson', phase: 'create', ask: creations.sendMalformedJson },
  { openPoint: 'pagingDefaults.limit', phase: 'list', ask: requests.readPages },
  { openPoint: 'pagingDefaults.offset', phase: 'list', ask: requests.readPages },
  { openPoint: 'totalMeaning', phase: 'list', ask: requests.readPages },
  { openPoint: 'listOrder', phase: 'list', ask: requests.readListsTwice },
  { openPoint: 'idFormat', phase: 'list', ask: creations.createBoth },
  { openPoint: 'successStatus.publishAgentRevision', phase: 'publish', ask: successfulPublication },
  { openPoint: 'publishBody', phase: 'publish', ask: successfulPublication },
  { openPoint: 'republish', phase: 'publish', ask: publishedAgain },
  { openPoint: 'errorStatus.unknownRevision', phase: 'publish', see: seeUnknownRevision },
  { openPoint: 'errorStatus.agentNotFound', phase: 'publish', see: seeUnknownAgent },
  { openPoint: 'requiredFields.publishAgentRevision', phase: 'publish', see: seeRequiredRevision },
  { openPoint: 'countsAsUpdate.publish', phase: 'publish', see: seeUpdatedAt },
  { openPoint: 'flagsAfterPublish', phase: 'publish', see: seeFlags },
  {
    openPoint: 'requiredFields.createDrive',
    phase: 'move',
    effects: { drives: 1 },
    ask: creations.sendEmptyDrive,
  },
  {
    openPoint: 'requiredFields.createMcpServer',
    phase: 'move',
    effects: { mcpServers: 2 },
    ask: creations.sendPartialServers,
  },
  { openPoint: 'requiredFields.updateDriveFile', phase: 'move', ask: creations.sendEmptyMove },
  { openPoint: 'successStatus.updateDriveFile', phase: 'move', ask: firstMove },
  { openPoint: 'fileNameAfterMove', phase: 'move', see: moves.seeName },
  { openPoint: 'countsAsUpdate.move', phase: 'move', see: moves.seeModifiedAt },
  { openPoint: 'countsAsUpdate.drive', phase: 'move', see: moves.seeDriveUpdatedAt },
  { openPoint: 'moveTargets', phase: 'move', see: moves.seeTargets },
  { openPoint: 'pathForm.spelling', phase: 'move', see: moves.seeSpelling },
  { openPoint: 'pathForm.lineBreaks', phase: 'move', see: moves.seeLineBreaks },
  { openPoint: 'unknownInput.bodyFields', phase: 'move', effects: { drives: 1 }, ask: sendMoreFields },
  { openPoint: 'mediaTypeRules', phase: 'move', effects: { drives: 1 }, ask: sendUndeclared },
  { openPoint: 'errorStatus.unsupportedMediaType', phase: 'move', ask: sendUndeclared },
  { openPoint: 'bodySizeLimit', phase: 'move', see: async (session) => (await findSizeLimit(session)).limit },
  {
    openPoint: 'errorStatus.bodyTooLarge',
    phase: 'move',
    see: async (session) => (await findSizeLimit(session)).status,
  },
  { openPoint: 'judgedFirst', phase: 'move', see: requests.seeJudgedFirst },
  { openPoint: 'pathForm.length', phase: 'move', see: seePathLength },
  { openPoint: 'errorStatus.invalidPath', phase: 'move', ask: requests.unrulyMove },
  { openPoint: 'successStatus.deleteDriveTree', phase: 'delete', ask: trees.sendTreeDeletion },
  { openPoint: 'treePathParameter', phase: 'delete', see: trees.seeParameter },
  { openPoint: 'documentCount', phase: 'delete', see: trees.seeCount },
  { openPoint: 'treePath.missing', phase: 'delete', see: trees.seeMissingTree },
  { openPoint: 'treePath.notSent', phase: 'delete', see: trees.seeMissingPath },
  { openPoint: 'treePath.file', phase: 'delete', effects: { deletions: 1 }, see: trees.seeFilePath },
  { openPoint: 'pathForm.letters', phase: 'delete', effects: { deletions: 1 }, see: trees.seeLetters },
  { openPoint: 'treePath.root', phase: 'delete', see: trees.seeRootPath },
  { openPoint: 'treeDeletion', phase: 'delete', see: trees.seeWhen },
  { openPoint: 'pathConflict', phase: 'delete', effects: { deletions: 1 }, see: seePathConflict },
  { openPoint: 'fileStatusFlow', phase: 'judge', see: moves.seeStatusFlow },
  { openPoint: 'errorStatus.conflict', phase: 'judge', see: seeConflictStatus },
  { openPoint: 'errorBody', phase: 'judge', ask: requests.refusedForKey },
  { openPoint: 'wwwAuthenticate', phase: 'judge', ask: requests.refusedForKey },
  ...alwaysSeen.map((openPoint): Observer => ({ openPoint, phase: 'judge' })),
];

/** The maximum changes by all observers together on a legal target, besides what the checks change anyway. */
export const observingDeeds: EffectCounts = sumOf(observers.map(({ effects = {} }) => effects));
