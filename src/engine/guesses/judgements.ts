import { mayHaveBody } from '../../../openapi/contract/contract-for.ts';
import type { Operation, OperationId } from '../../../openapi/contract/operations.ts';
import type { OpenPointId, Profile } from '../../../openapi/contract/profile.ts';
import { type RefusalKind, refusalsOf } from '../../../openapi/contract/refusals.ts';
import { normalizePath } from '../../domain/file-tree.ts';
import type { Asked } from './asked.ts';

/** What became of a call: it was refused for a reason, or (undefined) it succeeded. */
export type Outcome = RefusalKind | undefined;

/** What a request goes through on its way to an outcome. */
export type Stage = 'key' | 'size' | 'mediaType' | 'json' | 'input' | 'resource' | 'success';

/** At which stage a request was refused; undefined where it was before all of them. */
export const stageOf: Readonly<Record<RefusalKind, Stage | undefined>> = {
  unknownPath: undefined,
  methodNotAllowed: undefined,
  malformedRequest: undefined,
  requestTimeout: undefined,
  expectationFailed: undefined,
  headersTooLarge: undefined,
  unexpected: undefined,
  invalidPreference: undefined,
  unauthenticated: 'key',
  bodyTooLarge: 'size',
  unsupportedMediaType: 'mediaType',
  malformedJson: 'json',
  invalidInput: 'input',
  forbidden: 'resource',
  notFound: 'resource',
  mcpServerNotFound: 'resource',
  unknownRevision: 'resource',
  conflict: 'resource',
  mcpServerUnreachable: 'resource',
};

const inputStages: readonly (Stage | undefined)[] = ['size', 'mediaType', 'json', 'input'];

/** Under which conditions an answer depends on an open point that decides what becomes of a request. */
export interface Judgement {
  /** The stage at which it decides: requests that were refused before do not depend on it. Absent: `could` says it all. */
  stage?: Stage;
  /** Whether calls that end so can depend on it, as far as the profile tells. Absent: they can. */
  could?(outcome: Outcome, profile: Profile, operation: Operation): boolean;
  /** Whether a request had in it what the choices treat differently. Absent: that takes the state to know. */
  had?(asked: Asked, outcome: Outcome): boolean;
}

/** A choice that refuses shapes its refusals; one that lets pass shapes successes. */
function eitherWay(id: OpenPointId, refuses: string, kind: RefusalKind): NonNullable<Judgement['could']> {
  return (outcome, profile) => outcome === (profile[id] === refuses ? kind : undefined);
}

const smallestBodyLimit = 4096;
const longestName = 255;

/**
 * The open points that decide what becomes of a request. What they decide shows in no place of the contract that could
 * name them; all others are found there.
 */
export const judgements: Readonly<Partial<Record<OpenPointId, Judgement>>> = {
  bothCarriers: { stage: 'key', had: ({ hasTwoKeys }) => hasTwoKeys },
  judgedFirst: { could: dependsOnOrder },
  bodySizeLimit: {
    stage: 'size',
    had: ({ bodyBytes }, outcome) => outcome === 'bodyTooLarge' || bodyBytes > smallestBodyLimit,
  },
  mediaTypeRules: { stage: 'mediaType', had: ({ isOfOtherType }) => isOfOtherType },
  requiredBodyFields: { stage: 'input', had: ({ body, fields, intake }) => isIncomplete(body, fields, intake.fields) },
  unknownBodyFields: {
    stage: 'input',
    had: ({ fields, intake }) => Object.keys(fields ?? {}).some((name) => !intake.fields.includes(name)),
  },
  wrongBodyTypes: {
    stage: 'input',
    had: ({ fields, intake }) => intake.fields.some((name) => !['string', 'undefined'].includes(typeof fields?.[name])),
  },
  unknownQueryParameters: { stage: 'input', had: ({ hasUnknownParameter }) => hasUnknownParameter },
  malformedIds: { stage: 'input', had: ({ pathValues }) => pathValues.some((id) => !/^[A-Za-z0-9_-]+$/.test(id)) },
  outOfRangePaging: { stage: 'input', had: (asked) => asked.isOutOfRange('limit') || asked.isOutOfRange('offset') },
  defaultLimit: { stage: 'success', had: (asked) => asked.parameter('limit') === undefined },
  defaultOffset: { stage: 'success', had: (asked) => asked.parameter('offset') === undefined },
  treePathParameter: {
    stage: 'input',
    had: ({ hasQuery, profile }, outcome) => hasQuery || (outcome === 'invalidInput' && profile.errorBody !== 'empty'),
  },
  missingTreePath: { stage: 'input', had: (asked) => asked.parameter('path') === undefined },
  pathLineBreaks: { stage: 'input', had: ({ path }) => path !== undefined && !fitsPathRule(path) },
  nameRules: { stage: 'input', had: ({ fields }) => isUnusualName(fields?.name) },
  mcpUrlRules: { stage: 'input', had: (asked) => isUnusualUrl(asked) },
  pathSpelling: { stage: 'input', could: dependsOnSpelling, had: isOddlySpelt },
  foreignResourceStatus: {
    stage: 'resource',
    could: (outcome, profile) => outcome === (profile.foreignResourceStatus === 'forbidden' ? 'forbidden' : 'notFound'),
  },
  treeDeletion: { stage: 'resource', could: dependsOnDeletion },
  missingTree: { stage: 'resource', could: eitherWay('missingTree', 'refused', 'notFound') },
  treePathIsFile: { stage: 'input', could: dependsOnFilePath },
  duplicateNames: { stage: 'resource', could: dependsOnNames },
  republish: { stage: 'resource', could: eitherWay('republish', 'refused', 'conflict') },
  pathConflict: {
    stage: 'resource',
    could: (outcome, { pathConflict }) =>
      outcome === 'conflict' || (outcome === undefined && pathConflict === 'replaced'),
  },
  moveTargets: { stage: 'resource', could: eitherWay('moveTargets', 'strict', 'conflict') },
  toolsOfNewServer: {
    stage: 'resource',
    could: (outcome) => outcome === undefined || outcome === 'mcpServerUnreachable',
  },
  unreachableTools: { stage: 'resource', could: dependsOnContact },
  toolWithoutDescription: { stage: 'success', could: (_, { toolsOfNewServer }) => toolsOfNewServer === 'live' },
  publishBody: { stage: 'success', could: (_, { publishStatus }) => mayHaveBody(publishStatus) },
};

// Under `refused` a name that was not sent is made up so that it is free.
function dependsOnNames(outcome: Outcome, { duplicateNames, requiredBodyFields }: Profile): boolean {
  if (duplicateNames === 'allowed') return outcome === undefined;
  return outcome === 'conflict' || (outcome === undefined && requiredBodyFields === 'none');
}

/** The stages that a call goes through, in order. For the tools the key comes first in every profile (4.10). */
export function stagesOf({ operationId }: Operation, { judgedFirst }: Profile): readonly Stage[] {
  return judgedFirst === 'key' || operationId === 'listMcpServerTools'
    ? ['key', 'size', 'mediaType', 'json', 'input', 'resource', 'success']
    : ['size', 'mediaType', 'json', 'input', 'key', 'resource', 'success'];
}

function dependsOnOrder(outcome: Outcome, profile: Profile, operation: Operation): boolean {
  if (operation.operationId === 'listMcpServerTools' || outcome === undefined) return false;
  if (profile.judgedFirst === 'input') return inputStages.includes(stageOf[outcome]);
  const canBeWrong = refusalsOf(operation, profile).some((kind) => inputStages.includes(stageOf[kind]));
  return outcome === 'unauthenticated' && canBeWrong;
}

function isIncomplete(body: unknown, fields: Readonly<Record<string, unknown>> | undefined, shown: readonly string[]) {
  if (body === undefined) return true;
  return fields !== undefined && shown.some((name) => !(name in fields));
}

// A path that breaks the rule is told so in words that say whether line breaks are meant.
function fitsPathRule(path: unknown): boolean {
  return typeof path === 'string' && /^\/.*$/.test(path) && !path.split('/').includes('..');
}

function isUnusualName(name: unknown): boolean {
  return typeof name === 'string' && (name === '' || name !== name.trim() || name.length > longestName);
}

function isUnusualUrl({ fields }: Asked): boolean {
  const url = fields?.url;
  if (url === undefined) return false;
  const isPlain = typeof url === 'string' && /^https?:\/\/[\w.-]+(:\d+)?\/[\w./~-]*$/.test(url);
  return !isPlain || !URL.canParse(url) || new URL(url).href !== url;
}

function dependsOnSpelling(outcome: Outcome, _: Profile, { operationId }: Operation): boolean {
  const others: Partial<Record<OperationId, readonly RefusalKind[]>> = {
    updateDriveFile: ['conflict'],
    deleteDriveTree: ['invalidInput', 'notFound'],
  };
  return outcome === undefined || others[operationId]?.includes(outcome) === true;
}

// How the path of a file was spelt when it came there, nobody knows.
function isOddlySpelt({ path, intake }: Asked): boolean {
  if (typeof path === 'string') return normalizePath(path) !== path;
  return intake.operation.operationId === 'getDriveFile';
}

// What was deleted before may still be there, or be gone.
function dependsOnDeletion(outcome: Outcome, profile: Profile, { operationId }: Operation): boolean {
  if (profile.treeDeletion === 'asynchronous') return outcome === undefined;
  const isEmptyJob = operationId === 'deleteDriveTree' && profile.missingTree === 'emptyJob';
  return outcome === (isEmptyJob ? undefined : 'notFound');
}

function dependsOnContact(outcome: Outcome, { toolsOfNewServer, unreachableTools }: Profile): boolean {
  if (toolsOfNewServer !== 'live') return false;
  return outcome === (unreachableTools === 'none' ? undefined : 'mcpServerUnreachable');
}

function dependsOnFilePath(outcome: Outcome, { treePathIsFile, missingTree }: Profile): boolean {
  const kinds: Record<Profile['treePathIsFile'], Outcome> = {
    deleted: undefined,
    likeMissing: missingTree === 'refused' ? 'notFound' : undefined,
    refused: 'invalidInput',
  };
  return outcome === kinds[treePathIsFile];
}
