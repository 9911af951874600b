import { mayHaveBody, nameBounds } from '../../../openapi/contract/contract-for.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { chosen, type OpenPointId, type Profile } from '../../../openapi/contract/profile.ts';
import type { RefusalKind } from '../../../openapi/contract/refusals.ts';
import { keepsPathRule } from '../../../openapi/reading/path-rule.ts';
import { normalizePath } from '../../domain/file-tree.ts';
import type { RequestFacts } from './request-facts.ts';

/** How a call ended: refused for a reason, or (undefined) with success. */
export type Outcome = RefusalKind | undefined;

/** The stages of a request on its way to an outcome. */
type Stage = 'key' | 'size' | 'mediaType' | 'json' | 'input' | 'resource' | 'success';

const stages: readonly Stage[] = ['key', 'size', 'mediaType', 'json', 'input', 'resource', 'success'];

const stageOf: Readonly<Partial<Record<RefusalKind, Stage>>> = {
  unauthenticated: 'key',
  bodyTooLarge: 'size',
  unsupportedMediaType: 'mediaType',
  malformedJson: 'json',
  invalidInput: 'input',
  unknownParameter: 'input',
  invalidBody: 'input',
  invalidPath: 'input',
  forbidden: 'resource',
  notFound: 'resource',
  driveNotFound: 'resource',
  agentNotFound: 'resource',
  mcpServerNotFound: 'resource',
  unknownRevision: 'resource',
  conflict: 'resource',
  mcpServerUnreachable: 'resource',
};

/** Whether a call with this outcome reached a stage. Refusals before the first stage reached none. */
export function hasReached(stage: Stage, outcome: Outcome): boolean {
  const end = outcome === undefined ? 'success' : stageOf[outcome];
  return stages.indexOf(stage) <= stages.indexOf(end as Stage);
}

/** When the response to a call depends on an open point that decides how calls end. */
export type RelevanceRule = {
  /** Whether the request has something that the choices treat differently. Absent: that depends on the state alone. */
  appliesTo?(request: RequestFacts, outcome: Outcome): boolean;
} & (
  | {
      /** The stage at which it decides. Every outcome from there on can depend on it. */
      stage: Stage;
    }
  | {
      /** The outcomes that can depend on it under a profile. */
      outcomes(profile: Profile, operation: Operation): readonly Outcome[];
    }
);

const smallestBodyLimit = 4096;
/** The smallest choice of `pathForm.length`. */
const shortestBound = 255;
const success = undefined;

/**
 * The open points that decide how calls end. They have no place in a response where the contract could name them; it
 * names all others.
 */
export const relevanceRules: Readonly<Partial<Record<OpenPointId, RelevanceRule>>> = {
  cors: { stage: 'key', appliesTo: ({ hasOrigin }) => hasOrigin },
  bothAuthHeaders: { stage: 'key', appliesTo: ({ hasTwoKeys }) => hasTwoKeys },
  bearerSpelling: { stage: 'key', appliesTo: ({ hasUnusualScheme }) => hasUnusualScheme },
  judgedFirst: { stage: 'mediaType', appliesTo: ({ hasTwoFaults }) => hasTwoFaults },
  bodySizeLimit: {
    stage: 'size',
    appliesTo: ({ bodyBytes }, outcome) => outcome === 'bodyTooLarge' || bodyBytes > smallestBodyLimit,
  },
  mediaTypeRules: { stage: 'mediaType', appliesTo: ({ hasOtherMediaType }) => hasOtherMediaType },
  'requiredFields.createDrive': {
    stage: 'input',
    appliesTo: (request) => isIncomplete(request) && isLeftToAll(request),
  },
  'requiredFields.createMcpServer': { stage: 'input', appliesTo: isIncomplete },
  'requiredFields.updateDriveFile': { stage: 'input', appliesTo: isIncomplete },
  'requiredFields.publishAgentRevision': { stage: 'input', appliesTo: isIncomplete },
  'unknownInput.bodyFields': {
    stage: 'input',
    appliesTo: ({ fields, intake }) =>
      Object.keys(fields ?? {}).some((name) => !intake.stated.bodyFields.includes(name)),
  },
  wrongBodyTypes: {
    stage: 'input',
    appliesTo: ({ fields, intake }) =>
      intake.stated.bodyFields.some((name) => !['string', 'undefined'].includes(typeof fields?.[name])),
  },
  'unknownInput.queryParameters': { stage: 'input', appliesTo: ({ hasUnknownParameter }) => hasUnknownParameter },
  malformedIds: {
    stage: 'input',
    appliesTo: ({ pathValues }) => pathValues.some((id) => !/^[A-Za-z0-9_-]+$/.test(id)),
  },
  'oddPaging.outOfRange': {
    stage: 'input',
    appliesTo: (request) => request.isOutOfRange('limit') || request.isOutOfRange('offset'),
  },
  'oddPaging.malformed': {
    stage: 'input',
    appliesTo: (request) => request.isNoInteger('limit') || request.isNoInteger('offset'),
  },
  'oddPaging.repeated': {
    stage: 'input',
    appliesTo: (request) => request.isRepeated('limit') || request.isRepeated('offset'),
  },
  'pagingDefaults.limit': { stage: 'success', appliesTo: (request) => takesDefault(request, 'limit') },
  'pagingDefaults.offset': { stage: 'success', appliesTo: (request) => takesDefault(request, 'offset') },
  treePathParameter: {
    stage: 'input',
    appliesTo: ({ hasQuery, profile }, outcome) =>
      hasQuery || (stageOf[outcome as RefusalKind] === 'input' && profile.errorBody !== 'empty'),
  },
  'treePath.notSent': { stage: 'input', appliesTo: ({ path }) => path === undefined },
  'pathForm.lineBreaks': { stage: 'input', appliesTo: ({ path }) => path !== undefined && !fitsPathRule(path) },
  'pathForm.length': {
    stage: 'input',
    appliesTo: ({ path }) => typeof path === 'string' && path.length > shortestBound,
  },
  nameRules: { stage: 'input', appliesTo: ({ fields }) => isUnusualName(fields?.name) },
  mcpUrlRules: { stage: 'input', appliesTo: ({ fields, profile }) => isOddUrl(fields?.url, profile) },
  'pathForm.spelling': { outcomes: outcomesOfSpelling, appliesTo: isOddlySpelt },
  'pathForm.letters': { outcomes: outcomesOfLetters },
  foreignResources: {
    outcomes: ({ foreignResources }) =>
      foreignResources === 'hidden' ? notTheirs : [success, ...ofInput, 'conflict', 'unknownRevision', 'notFound'],
  },
  foreignResourceStatus: {
    outcomes: ({ foreignResourceStatus }) =>
      foreignResourceStatus === 'forbidden'
        ? ['forbidden']
        : ['notFound', 'driveNotFound', 'agentNotFound', 'mcpServerNotFound'],
  },
  treeDeletion: { outcomes: outcomesOfDeletion },
  'treePath.missing': {
    outcomes: ({ 'treePath.missing': missingTree }) => [missingTree === 'refused' ? 'notFound' : success],
  },
  'treePath.file': { outcomes: outcomesOfFilePath },
  'treePath.root': {
    outcomes: ({ 'treePath.root': treePathIsRoot }) =>
      treePathIsRoot === 'refused' ? ['invalidInput'] : [success, 'notFound'],
    appliesTo: ({ path, profile }) =>
      path === '/' ||
      (profile['pathForm.spelling'] === 'normalized' && typeof path === 'string' && normalizePath(path) === '/'),
  },
  'duplicates.names': { outcomes: outcomesOfNames },
  'duplicates.urls': { outcomes: outcomesOfUrls },
  republish: { outcomes: ({ republish }) => [republish === 'refused' ? 'conflict' : success] },
  pathConflict: { outcomes: ({ pathConflict }) => (pathConflict === 'refused' ? ['conflict'] : ['conflict', success]) },
  moveTargets: { outcomes: ({ moveTargets }) => [moveTargets === 'strict' ? 'conflict' : success] },
  toolsOfNewServer: { outcomes: () => [success, 'mcpServerUnreachable'] },
  unreachableTools: {
    outcomes: ({ toolsOfNewServer, unreachableTools }) =>
      toolsOfNewServer === 'live' ? [unreachableTools === 'none' ? success : 'mcpServerUnreachable'] : [],
  },
  toolWithoutDescription: { outcomes: ({ toolsOfNewServer }) => (toolsOfNewServer === 'live' ? [success] : []) },
  publishBody: {
    outcomes: ({ 'successStatus.publishAgentRevision': publishStatus }) =>
      mayHaveBody(publishStatus) ? [success] : [],
  },
};

const notTheirs = ['forbidden', 'notFound', 'driveNotFound', 'agentNotFound', 'mcpServerNotFound'] as const;

function takesDefault(request: RequestFacts, name: 'limit' | 'offset'): boolean {
  const { 'oddPaging.outOfRange': outOfRangePaging, 'oddPaging.malformed': malformedPaging } = request.profile;
  if (outOfRangePaging === 'ignored' && request.isOutOfRange(name)) return true;
  if (malformedPaging === 'ignored' && request.isNoInteger(name)) return true;
  return request.parameter(name) === undefined;
}

function outcomesOfSpelling(_: Profile, { openPoints }: Operation): readonly Outcome[] {
  if (openPoints.has('treePath.missing')) return [success, 'invalidInput', 'notFound'];
  return openPoints.has('pathConflict') ? [success, 'conflict'] : [success];
}

// If more paths count as equal, more moves conflict and more is deleted: the result depends on earlier calls.
function outcomesOfLetters(profile: Profile, { openPoints }: Operation): readonly Outcome[] {
  const { 'pathForm.letters': pathLetters, moveTargets, 'treePath.file': treePathIsFile } = profile;
  if (openPoints.has('treePath.missing')) return [success, 'notFound', ...refusedPaths[treePathIsFile]];
  const isExact = pathLetters === 'exact';
  if (!openPoints.has('pathConflict')) return isExact ? [success] : [success, 'notFound'];
  if (isExact) return moveTargets === 'strict' ? [success, 'conflict'] : [success];
  return [success, 'conflict', 'notFound'];
}

const refusedPaths = { deleted: [], likeMissing: [], refused: ['invalidInput'] } as const;

// A request does not show how a file's path was spelled when it was set.
function isOddlySpelt({ path, intake }: RequestFacts): boolean {
  return typeof path === 'string' ? normalizePath(path) !== path : !intake.takesPath;
}

const stagesOfInput: readonly (Stage | undefined)[] = ['mediaType', 'json', 'input'];
const ofInput = (Object.keys(stageOf) as RefusalKind[]).filter((kind) => stagesOfInput.includes(stageOf[kind]));

// Under `asynchronous`, deleted files may still be there; if the resource is judged first, only the input is then
// refused.
function outcomesOfDeletion(profile: Profile, { openPoints }: Operation): readonly Outcome[] {
  const { treeDeletion, 'treePath.missing': missingTree, judgedFirst } = profile;
  if (treeDeletion === 'asynchronous') return judgedFirst === 'resource' ? [success, ...ofInput] : [success];
  return [openPoints.has('treePath.missing') && missingTree === 'emptyJob' ? success : 'notFound'];
}

function outcomesOfFilePath({
  'treePath.file': treePathIsFile,
  'treePath.missing': missingTree,
}: Profile): readonly Outcome[] {
  if (treePathIsFile === 'refused') return ['invalidInput'];
  return [treePathIsFile === 'likeMissing' && missingTree === 'refused' ? 'notFound' : success];
}

// Under `refused`, generated names avoid taken ones.
function outcomesOfNames(profile: Profile, { bodyFields }: Operation): readonly Outcome[] {
  if (profile['duplicates.names'] === 'allowed') return [success];
  const required = chosen(
    profile,
    bodyFields.includes('url') ? 'requiredFields.createMcpServer' : 'requiredFields.createDrive',
  );
  return required === 'all' ? ['conflict'] : ['conflict', success];
}

function outcomesOfUrls(profile: Profile): readonly Outcome[] {
  if (profile['duplicates.urls'] === 'allowed') return [success];
  return chosen(profile, 'requiredFields.createMcpServer') === 'none' ? ['conflict', success] : ['conflict'];
}

function isIncomplete({ body, fields, intake }: RequestFacts): boolean {
  return body === undefined || (fields !== undefined && intake.stated.bodyFields.some((name) => !(name in fields)));
}

// Most bodies have a separate open point, which may defer to the common one.
function isLeftToAll({ profile, intake }: RequestFacts): boolean {
  const { bodyFields } = intake.stated;
  if (bodyFields.includes('revisionId')) return profile['requiredFields.publishAgentRevision'] === 'createDrive';
  if (bodyFields.includes('path')) return profile['requiredFields.updateDriveFile'] === 'createDrive';
  return !bodyFields.includes('url') || profile['requiredFields.createMcpServer'] === 'createDrive';
}

// The error response for a path that breaks the rule says whether line breaks are allowed.
function fitsPathRule(path: unknown): boolean {
  return typeof path === 'string' && /^.*$/.test(path) && keepsPathRule(path);
}

const longestName = Math.min(
  ...Object.values(nameBounds).flatMap((bounds) => ('maxLength' in bounds ? bounds.maxLength : [])),
);

function isUnusualName(name: unknown): boolean {
  return typeof name === 'string' && (name === '' || name !== name.trim() || name.length > longestName);
}

function isOddUrl(url: unknown, { wrongBodyTypes }: Profile): boolean {
  if (typeof url === 'string') return !isPlainUrl(url);
  // A number taken as text is not a URL under these rules.
  return wrongBodyTypes === 'coerced' && url !== undefined;
}

function isPlainUrl(url: string): boolean {
  const isPlain = /^https?:\/\/[\w.-]+(:\d+)?\/[\w./~-]*$/.test(url);
  return isPlain && URL.canParse(url) && new URL(url).href === url;
}
