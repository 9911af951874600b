import { observers as byExchange } from '../../openapi/points/index.ts';
import type { Effects } from '../checks/check.ts';
import { sameUrl } from '../probing/creations.ts';
import { firstMove } from '../probing/files.ts';
import { successfulPublication } from '../probing/fixtures.ts';
import type { Settings } from '../run/settings.ts';
import * as creations from './creations.ts';
import * as files from './files.ts';
import { notSeen } from './not-seen.ts';
import { type Observer, outOfRange, publishedAgain, unrulyMove } from './observer.ts';
import * as requests from './requests.ts';

const createsBoth: Effects = { shared: ['firstDrive', 'secondDrive', 'firstMcpServer', 'secondMcpServer'] };
const publishes: Effects = { shared: ['publication'] };
const moves: Effects = { moves: true };
const deletesTree: Effects = { shared: ['deletedTree'] };
const deletesTreeAndCreates: Effects = { shared: ['deletedTree', 'firstDrive'] };

const provoked: readonly Observer[] = [
  { openPoint: 'oddPaging.outOfRange', phase: 'read', ask: outOfRange },
  { openPoint: 'oddPaging.malformed', phase: 'read', ask: requests.sendOddLimits },
  { openPoint: 'oddPaging.repeated', phase: 'read', ask: requests.sendOddLimits },
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
  {
    openPoint: 'duplicates.names',
    phase: 'create',
    effects: { shared: ['firstDrive', 'driveNamesake', 'firstMcpServer', 'mcpServerNamesake'] },
    ask: creations.sendDuplicates,
  },
  {
    openPoint: 'duplicates.urls',
    phase: 'create',
    effects: { mcpServers: 1, shared: ['firstMcpServer'] },
    ask: sameUrl,
  },
  { openPoint: 'readAfterWrite', phase: 'create', effects: { mcpServers: 1 }, see: creations.seeReadAfterWrite },
  {
    openPoint: 'nameRules',
    phase: 'create',
    effects: { drives: 4, shared: ['firstDrive', 'driveNamesake'] },
    see: creations.seeNameRules,
  },
  { openPoint: 'successStatus.createDrive', phase: 'create', effects: createsBoth, ask: creations.createBoth },
  { openPoint: 'successStatus.createMcpServer', phase: 'create', effects: createsBoth, ask: creations.createBoth },
  {
    openPoint: 'errorStatus.invalidBody',
    phase: 'create',
    effects: { drives: 1, shared: ['firstDrive'] },
    ask: creations.sendNoObject,
  },
  { openPoint: 'mcpDefaultType', phase: 'create', effects: createsBoth, ask: creations.createBoth },
  {
    openPoint: 'mcpUrlRules',
    phase: 'create',
    effects: { mcpServers: 3, shared: ['firstMcpServer'] },
    see: creations.seeUrlRules,
  },
  {
    openPoint: 'toolsOfNewServer',
    phase: 'create',
    effects: { shared: ['firstMcpServer'] },
    see: creations.seeToolsOfNewServer,
  },
  {
    openPoint: 'wrongBodyTypes',
    phase: 'create',
    effects: { drives: 1, shared: ['firstDrive'] },
    ask: creations.sendWrongType,
  },
  {
    openPoint: 'errorStatus.malformedJson',
    phase: 'create',
    effects: { shared: ['firstDrive'] },
    ask: creations.sendMalformedJson,
  },
  { openPoint: 'pagingDefaults.limit', phase: 'list', ask: requests.readPages },
  { openPoint: 'pagingDefaults.offset', phase: 'list', ask: requests.readPages },
  { openPoint: 'totalMeaning', phase: 'list', ask: requests.readPages },
  { openPoint: 'listOrder', phase: 'list', ask: requests.readListsTwice },
  { openPoint: 'idFormat', phase: 'list', effects: createsBoth, ask: creations.createBoth },
  { openPoint: 'successStatus.publishAgentRevision', phase: 'publish', effects: publishes, ask: successfulPublication },
  { openPoint: 'publishBody', phase: 'publish', effects: publishes, ask: successfulPublication },
  { openPoint: 'republish', phase: 'publish', effects: publishes, ask: publishedAgain },
  { openPoint: 'errorStatus.unknownRevision', phase: 'publish', effects: publishes, see: creations.seeUnknownRevision },
  { openPoint: 'errorStatus.agentNotFound', phase: 'publish', effects: publishes, see: creations.seeUnknownAgent },
  {
    openPoint: 'requiredFields.publishAgentRevision',
    phase: 'publish',
    effects: publishes,
    see: creations.seeRequiredRevision,
  },
  { openPoint: 'countsAsUpdate.publish', phase: 'publish', effects: publishes, see: creations.seeUpdatedAt },
  { openPoint: 'flagsAfterPublish', phase: 'publish', effects: publishes, see: creations.seeFlags },
  {
    openPoint: 'requiredFields.createDrive',
    phase: 'move',
    effects: { drives: 1, shared: ['firstDrive'] },
    ask: creations.sendEmptyDrive,
  },
  {
    openPoint: 'requiredFields.createMcpServer',
    phase: 'move',
    effects: { mcpServers: 2, shared: ['firstMcpServer'] },
    ask: creations.sendPartialServers,
  },
  { openPoint: 'requiredFields.updateDriveFile', phase: 'move', effects: moves, ask: creations.sendEmptyMove },
  { openPoint: 'successStatus.updateDriveFile', phase: 'move', effects: moves, ask: firstMove },
  { openPoint: 'fileNameAfterMove', phase: 'move', effects: moves, see: files.seeName },
  { openPoint: 'countsAsUpdate.move', phase: 'move', effects: moves, see: files.seeModifiedAt },
  { openPoint: 'countsAsUpdate.drive', phase: 'move', effects: moves, see: files.seeDriveUpdatedAt },
  { openPoint: 'moveTargets', phase: 'move', effects: moves, see: files.seeTargets },
  { openPoint: 'pathForm.spelling', phase: 'move', effects: moves, see: files.seeSpelling },
  { openPoint: 'pathForm.lineBreaks', phase: 'move', effects: moves, see: files.seeLineBreaks },
  {
    openPoint: 'unknownInput.bodyFields',
    phase: 'move',
    effects: { drives: 1, moves: true },
    ask: files.sendMoreFields,
  },
  { openPoint: 'mediaTypeRules', phase: 'move', effects: { drives: 1, moves: true }, ask: files.sendUndeclared },
  {
    openPoint: 'errorStatus.unsupportedMediaType',
    phase: 'move',
    effects: { drives: 1, moves: true },
    ask: files.sendUndeclared,
  },
  {
    openPoint: 'bodySizeLimit',
    phase: 'move',
    effects: moves,
    see: async (session) => (await files.findSizeLimit(session)).limit,
  },
  {
    openPoint: 'errorStatus.bodyTooLarge',
    phase: 'move',
    effects: moves,
    see: async (session) => (await files.findSizeLimit(session)).status,
  },
  { openPoint: 'judgedFirst', phase: 'move', effects: moves, see: requests.seeJudgedFirst },
  { openPoint: 'pathForm.length', phase: 'move', effects: moves, see: files.seePathLength },
  { openPoint: 'errorStatus.invalidPath', phase: 'move', effects: moves, ask: unrulyMove },
  { openPoint: 'successStatus.deleteDriveTree', phase: 'delete', effects: deletesTree, ask: files.sendTreeDeletion },
  { openPoint: 'treePathParameter', phase: 'delete', effects: deletesTree, see: files.seeParameter },
  { openPoint: 'documentCount', phase: 'delete', effects: deletesTree, see: files.seeCount },
  { openPoint: 'treePath.missing', phase: 'delete', effects: { shared: ['firstDrive'] }, see: files.seeMissingTree },
  { openPoint: 'treePath.notSent', phase: 'delete', effects: deletesTreeAndCreates, see: files.seeMissingPath },
  {
    openPoint: 'treePath.file',
    phase: 'delete',
    effects: { ...deletesTreeAndCreates, deletions: 1 },
    see: files.seeFilePath,
  },
  {
    openPoint: 'pathForm.letters',
    phase: 'delete',
    effects: { ...deletesTree, deletions: 1, moves: true },
    see: files.seeLetters,
  },
  { openPoint: 'treePath.root', phase: 'delete', effects: deletesTreeAndCreates, see: files.seeRootPath },
  { openPoint: 'treeDeletion', phase: 'delete', effects: deletesTree, see: files.seeWhen },
  { openPoint: 'pathConflict', phase: 'delete', effects: { deletions: 1 }, see: files.seePathConflict },
  { openPoint: 'fileStatusFlow', phase: 'judge', see: files.seeStatusFlow },
  {
    openPoint: 'errorStatus.conflict',
    phase: 'judge',
    effects: { deletions: 1, moves: true, shared: ['firstDrive', 'driveNamesake', 'publication'] },
    see: files.seeConflictStatus,
  },
  { openPoint: 'errorBody', phase: 'judge', ask: requests.refusedForKey },
  { openPoint: 'wwwAuthenticate', phase: 'judge', ask: requests.refusedForKey },
];

// What single replies show and nothing here provokes is read from the replies to all checks.
const isProvoked = new Set(provoked.map(({ openPoint }) => openPoint));
const alwaysSeen = [...byExchange.keys()].filter((id) => !isProvoked.has(id) && !(id in notSeen));

/** All observers, one for each open point that can be seen from outside. They run phase by phase, in this order. */
export const observers: readonly Observer[] = [
  ...provoked,
  ...alwaysSeen.map((openPoint): Observer => ({ openPoint, phase: 'judge' })),
];

/**
 * The observers that a run uses: all if it runs every check (`isWhole`) or is told to observe, none if it is told not
 * to, and otherwise those of the required choices.
 */
export function observersFor({ require }: Settings, isWhole: boolean, observe = isWhole): readonly Observer[] {
  if (observe) return observers;
  // A choice may be the id of another open point.
  const required = new Set<unknown>(Object.entries(require).flat());
  return observers.filter(({ openPoint }) => required.has(openPoint));
}
