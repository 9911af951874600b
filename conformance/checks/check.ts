// What a check is, what it needs and changes, and how checks are selected.
import { didYouMean } from '../../lib/nearest.ts';
import { own, type Sentence, say } from '../../lib/sentence.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { NeedName } from '../run/needs.ts';
import { SuiteError } from '../run/suite-error.ts';
import type { Session } from '../target/session.ts';

/** Which checks to run: patterns with `*` over their ids. */
export interface Selection {
  only: readonly string[];
  skip: readonly string[];
}

/** The reason for skipping a check that was not selected. */
export const notSelected = 'It was not selected.';

/** The selected ids. Throws a {@link SuiteError} if a pattern matches none, or none is left. */
export function selectIds(ids: readonly string[], selection: Selection): Set<string> {
  const [only, skip] = [patternsIn(selection.only), patternsIn(selection.skip)];
  // Otherwise a list of nothing would run everything.
  if (only.length === 0 && selection.only.length > 0) {
    throw new SuiteError('NOTHING_SELECTED', 'The list of checks to run names none. --list shows all checks.');
  }
  for (const pattern of [...only, ...skip]) requireMatch(ids, pattern);
  const chosen = only.length === 0 ? ids : ids.filter((id) => only.some((pattern) => isMatch(pattern, id)));
  const left = chosen.filter((id) => !skip.some((pattern) => isMatch(pattern, id)));
  if (left.length > 0) return new Set(left);
  throw new SuiteError('NOTHING_SELECTED', 'No check is left to run. --list shows all checks.');
}

// No id has a comma. A comma may also end a list.
function patternsIn(list: readonly string[]): string[] {
  return list.flatMap((text) => text.split(',').map((pattern) => pattern.trim())).filter((pattern) => pattern !== '');
}

/** Throws unless a pattern matches at least one id. */
export function requireMatch(ids: readonly string[], pattern: string): void {
  if (ids.some((id) => isMatch(pattern, id))) return;
  const isBeginning = ids.some((id) => id.startsWith(pattern));
  const hint = isBeginning ? ` (did you mean "${pattern}*"?)` : didYouMean(pattern, ids, '--list shows all checks');
  throw new SuiteError('UNKNOWN_CHECK', say`There is no check "${pattern}"${own(hint)}.`);
}

/** Whether a pattern matches an id. `*` matches any text. */
export function isMatch(pattern: string, id: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return start === id;
  if (!id.startsWith(start)) return false;
  // The earliest place of each part leaves the most room for the next.
  let at = start.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length >= at + end.length && id.endsWith(end);
}

/**
 * When a check runs: readings first, deletions late, and last the checks that judge all replies of the run. Requests
 * that must have no effect come before those that do have it: publications in `create` and `list`, deletions in
 * `guard`.
 */
export const phases = ['read', 'create', 'list', 'publish', 'move', 'guard', 'delete', 'judge'] as const;
export type Phase = (typeof phases)[number];

/**
 * Checks that are tried beside each other, since most of their time is waiting. What does not pass then runs again alone, one
 * after the other. `haveFiles`: checks that move a file have different ones. `mayHide`: what one of them finds may hide what
 * another one would find, so that they only count if all pass.
 */
export const groups = {
  /** Requests with a path that must be refused, all for the same file or tree. */
  refusedPaths: { haveFiles: false, mayHide: true },
  /** Creations, each of which looks for its own in the list. */
  creations: { haveFiles: false, mayHide: false },
  /** Moves of one file, which look at that file alone. */
  moves: { haveFiles: true, mayHide: false },
} as const;
export type Group = keyof typeof groups;

/**
 * One executable test of a requirement. `requirements.yaml` has its id, its level and what it judges. `run` returns
 * if all is well (with a remark, if there is one), and throws `Violated` or `Inconclusive` otherwise. `needs` and `effects`
 * default to those of a valid request of the operation.
 */
export interface Check extends Partial<Demands> {
  id: string;
  operation: OperationId;
  phase: Phase;
  /** Whether it runs after all earlier checks in its phase: it looks for what they must not change. */
  isLast?: boolean;
  /**
   * Whether all its requests must be refused for their key and it only judges the responses. Such checks run together.
   */
  isAboutKeys?: boolean;
  /** The group with which it is tried before it runs alone: see {@link groups}. */
  together?: Group;
  /** Whether it judges all responses so far. It runs again at the end, when there are more, and sends nothing then. */
  isAboutAnswers?: boolean;
  /**
   * Whether its failures come from the model alone, apart from crashes: the model judges every exchange of the run by the
   * requirement of the check. `run` only sends what is needed for that, and may still throw `Inconclusive`.
   */
  isJudgedByModel?: boolean;
  /** Whether it judges an open but dangerous choice: a server fails unless the config declares that choice. */
  declaredBy?: 'foreignResources';
  /** Throws if later responses break what it judges. Called at the end of the run if it passed; sends nothing. */
  atEnd?(session: Session): void;
  /** What it does, as one sentence for `--explain`. */
  does: string;
  /**
   * Sends and judges. A check fails by what this throws, by {@link atEnd}, by a crash of the target at one of its requests, or
   * by a certain finding of the model about its requirement (`rules/verdicts.ts`). For the model every exchange counts, whoever sent it:
   * other checks, the trial of a group, an observer or the walk.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing.
  run(session: Session): Promise<Sentence | void>;
}

const howToDeclare = 'declare openPoints.foreignResources: shared in the config; then this only warns.';

/** When to declare what {@link Check.declaredBy} names, and how: a row of its own in reports. */
export const ifMeant = `organizations share resources by their ids: ${howToDeclare}`;

/** The same at the end of a reason. */
export const adviceIfMeant = `If organizations are meant to share resources by their ids, ${howToDeclare}`;

/** Creates the checks of one operation that run in the same phase, perhaps of one group. `more` overrides the defaults. */
export function checksOf(operation: OperationId, phase: Phase, together?: Group) {
  return (rule: string, does: string, run: Check['run'], more: Partial<Check> = {}): Check => ({
    id: `${operation}.${rule}`,
    operation,
    phase,
    does,
    run,
    ...(together === undefined ? {} : { together }),
    ...more,
  });
}

/** How many resources a run creates, publishes and deletes on a correct target. */
export interface EffectCounts {
  drives: number;
  mcpServers: number;
  /** Drives of the second organization. */
  otherDrives: number;
  /** MCP servers of the second organization. */
  otherMcpServers: number;
  publications: number;
  /** Maximum number of disposable files: some checks do without if none are left. */
  deletions: number;
}

/** The changes that a check makes on a correct target. */
export interface Effects {
  /** Created only for this check. */
  drives?: number;
  mcpServers?: number;
  /** Created only for this check with the key of the second organization. */
  otherDrives?: number;
  otherMcpServers?: number;
  /** Disposable files deleted only for this check. */
  deletions?: number;
  /** Happen unless another check caused them already. */
  shared?: readonly SharedEffect[];
  /** The same, but only if the target has no such data. */
  perhaps?: readonly SharedEffect[];
  /** Whether it moves a file, which is later moved back. */
  moves?: boolean;
}

/**
 * The most files in the large one of the two trees that are deleted at the same time (`probing/trees.ts`): more than a batch of
 * ten. The small one has one.
 */
export const mostInLargeTree = 11;

/** Effects that happen once in a run, for all checks that use them. */
export const sharedEffects = {
  firstDrive: { drives: 1 },
  secondDrive: { drives: 1 },
  firstMcpServer: { mcpServers: 1 },
  secondMcpServer: { mcpServers: 1 },
  driveOfEachOrganization: { drives: 1, otherDrives: 1 },
  drivesOfBoth: { drives: 2, otherDrives: 2 },
  mcpServersOfBoth: { mcpServers: 2, otherMcpServers: 2 },
  driveNamesake: { drives: 1 },
  mcpServerNamesake: { mcpServers: 1 },
  publication: { publications: 1 },
  deletedTree: { deletions: 2 },
  deletedTreeByBearer: { deletions: 1 },
  refilledTree: { deletions: 1 },
  patternsTree: { deletions: 1 },
  wildcardsTree: { deletions: 1 },
  encodingsTree: { deletions: 1 },
  lettersTree: { deletions: 1 },
  punctuationTree: { deletions: 1 },
  dottedTree: { deletions: 1 },
  parallelTrees: { deletions: 1 + mostInLargeTree },
} satisfies Record<string, Partial<EffectCounts>>;

export type SharedEffect = keyof typeof sharedEffects;

/** The needs and effects of a check. */
export interface Demands {
  needs: readonly NeedName[];
  effects: Effects;
}
