// Moves and deletions, by whomever, and what they leave of the files (4.5 to 4.7).

import { say } from '../../lib/sentence.ts';
import type { Choices } from './choices.ts';
import type { Call } from './exchange.ts';
import {
  type Attempt,
  brokenRuleOf,
  describePlace,
  type FileState,
  fateOf,
  isRelated,
  isSamePlace,
  judgeFields,
  type Place,
  placeShown,
  ruleOfEffect,
  ruleOfPlace,
} from './files.ts';
import type { Report } from './findings.ts';
import { mayAct, type Organization, type Told } from './organization.ts';
import { Jobs, judgeDeleted, mayCover, surelyCovers, type Tree, treeOf } from './trees.ts';
import { comparedForm, isSamePath } from './values.ts';

/** A move or a deletion that was sent. */
interface Change {
  call: Call;
  organization: Organization | undefined;
  /** The path of a move, or of a tree. */
  path: string;
  tree: Tree | undefined;
}

/** So many changes are searched for the cause of what cannot be explained. */
const mostChanges = 500;

export class Moves {
  readonly #told: Told;
  readonly #choices: Choices;
  readonly #organizations: ReadonlyMap<string, Organization>;
  readonly #jobs = new Jobs();
  readonly #changes: Change[] = [];
  /** The moves that an earlier path of their file has hidden. */
  readonly #undone = new Set<number>();

  constructor(told: Told, choices: Choices, organizations: ReadonlyMap<string, Organization>) {
    this.#told = told;
    this.#choices = choices;
    this.#organizations = organizations;
  }

  /** A move or a deletion is sent. */
  begin(call: Call, organization: Organization | undefined): void {
    const tree = call.operation.operationId === 'deleteDriveTree' ? treeOf(call, this.#parameter) : undefined;
    const path = tree?.path ?? call.fields?.path;
    this.#changes.push({ call, organization, path: typeof path === 'string' ? path : '', tree });
    if (this.#changes.length > mostChanges) this.#changes.shift();
    this.#expect(call, organization, tree);
  }

  /** What a change may do, before its response and after it. */
  #expect(call: Call, caller: Organization | undefined, tree: Tree | undefined): void {
    for (const owner of this.#organizations.values()) {
      const acts = caller === undefined ? call.isUnclear : mayAct(caller, owner, this.#told);
      if (!acts) continue;
      if (call.operation.operationId === 'deleteDriveTree') expectDeletion(call, owner, tree, owner === caller);
      else this.#expectMove(call, owner, owner === caller);
    }
  }

  #expectMove(call: Call, owner: Organization, isOwn: boolean): void {
    const { fields } = call;
    const file = owner.files.at(call);
    if (file === undefined) return;
    file.place.forget(call);
    const shown = placeShown(call);
    const path = fields?.path;
    // A body that is not clear, or has no path, may do anything or nothing.
    if (typeof path !== 'string') {
      file.place.write('somewhere', call, false);
      return;
    }
    const target = call.outcome === 'success' && typeof shown === 'object' ? shown : { path };
    // A deletion whose job is not done may take what is moved into its tree, or what it had found there.
    const wasGone = file.place.possibleAt(call)?.some(({ value }) => value === 'gone') === true;
    const isDoomed = this.#deletionsOf(call, target).length > 0;
    file.place.write(target, call, isOwn);
    if (wasGone || isDoomed) file.place.write('gone', call, false);
    // What is at the new path may be replaced (`pathConflict`).
    for (const other of owner.files.inDrive(call.params.driveId)) {
      const isThere = ({ value }: { value: Place }) =>
        value === 'somewhere' || (value !== 'gone' && comparedForm(value.path) === comparedForm(target.path));
      if (other === file) continue;
      other.place.forget(call);
      if (other.place.possibleAt(call)?.some(isThere)) other.place.write('gone', call, false);
    }
  }

  /** The deletions whose jobs may not be done yet, and may take what is at this place in the drive of a request. */
  #deletionsOf(call: Call, place: Place): Call[] {
    const mayTake = ({ call: { params, endMs, outcome }, tree }: Change) =>
      tree !== undefined &&
      params.driveId === call.params.driveId &&
      outcome !== 'refused' &&
      endMs + this.#told.settleMs > call.startMs &&
      (typeof place !== 'object' || mayCover(tree, place.path));
    return this.#changes.filter(mayTake).map((change) => change.call);
  }

  /** The response to a request for a file, or to a deletion. */
  end(call: Call, organization: Organization, report: Report): void {
    const { operation, outcome } = call;
    if (operation.isRead) {
      this.#read(call, organization, report);
      return;
    }
    if (outcome === 'success' && operation.operationId === 'updateDriveFile')
      judgeGone(call, organization.files.at(call), report);
    const change = this.#changes.findLast((one) => one.call === call);
    this.#expect(call, organization, change?.tree);
    if (outcome !== 'success') return;
    const file = organization.files.at(call);
    if (operation.operationId === 'updateDriveFile' && file !== undefined) judgeFields(file, call, report);
    if (operation.operationId !== 'deleteDriveTree') return;
    const taken = organization.files
      .inDrive(call.params.driveId)
      .filter((one) => one.fate?.call === call && one.fate.kind === 'gone').length;
    judgeDeleted(call, change?.tree, taken, brokenRuleOf(change?.path), report);
    this.#jobs.judge(call, change?.tree, report);
    const [pair, ...more] = call.query;
    const count = Number(Object(call.json).documentCount);
    if (pair !== undefined && more.length === 0 && count > 0)
      this.#choices.narrow('treePathParameter', [pair.name], call.number);
  }

  #read(call: Call, organization: Organization, report: Report): void {
    const file = organization.files.at(call);
    const place = placeShown(call);
    if (file === undefined || place === undefined) return;
    const possible = file.place.possibleAt(call);
    // A deletion whose job is not done knows nothing of this file yet, and may take it.
    if (possible === undefined && place !== 'gone')
      for (const deletion of this.#deletionsOf(call, place)) file.place.write('gone', deletion, false);
    if (possible !== undefined && !possible.some(({ value }) => isSamePlace(value, place)))
      this.#tellPlace(file, place, call, organization, report);
    file.place.read(place, call, isSamePlace);
    if (typeof place === 'object') {
      if (!this.#isNamed(file, place.path)) file.foreign.add(place.path);
      file.paths.add(place.path);
    }
    if (call.outcome === 'success') judgeFields(file, call, report);
  }

  /** Whether a move here has named a path for a file: nobody else comes upon a long one. */
  #isNamed({ driveId, id }: FileState, path: string): boolean {
    return this.#changes.some(
      ({ call: { params }, tree, path: sent }) =>
        tree === undefined && params.driveId === driveId && params.fileId === id && isSamePath(sent, path),
    );
  }

  #tellPlace(file: FileState, place: Place, call: Call, owner: Organization, report: Report): void {
    const possible = file.place.possibleAt(call) ?? [];
    const since = Math.min(...possible.map(({ number }) => number));
    const attempts = this.#changes
      .filter(({ call: { number, params }, tree }) => {
        const isOfFile = params.driveId === file.driveId && (tree !== undefined || params.fileId === file.id);
        return isOfFile && number >= since;
      })
      .map((change): Attempt => ({ ...change, by: this.#actsFor(change, owner) }));
    // What was not there, and was not deleted here, someone has put there meanwhile.
    const isNew = place !== 'gone' && possible.every(({ value }) => value === 'gone') && file.fate?.kind !== 'gone';
    if (isNew && !attempts.some(({ tree, by }) => tree !== undefined && by === 'owner')) return;
    const cause = ruleOfPlace(place, possible, attempts);
    // A path that only this request has named is no accident, nor is a file that stays below a deleted tree.
    const isCovered = (path: string) => attempts.some(({ tree }) => tree !== undefined && surelyCovers(tree, path));
    const isNamed = typeof cause === 'object' && cause.tree === undefined && cause.path.length > 8;
    const [expected] = possible.slice(-1);
    // One where only this observer has put it may be someone's undo, but nobody undoes two moves by chance.
    const isOld =
      typeof place === 'object' &&
      place.path.length > 8 &&
      !file.foreign.has(place.path) &&
      this.#isNamed(file, place.path);
    if (isOld && expected !== undefined) this.#undone.add(expected.number);
    const isUndone = isOld && this.#undone.size > 1;
    const isLeft = cause === 'deleteDriveTree.tree-is-deleted' && typeof place === 'object' && isCovered(place.path);
    const rule = typeof cause === 'object' ? ruleOfEffect(cause) : cause;
    // A path that nobody here has named, and that has nothing of those named, is someone else's choice.
    const isOurs = ({ path, tree }: Change) => tree === undefined && path.length > 1 && isRelated({ path }, place);
    file.hasOthers ||= typeof place === 'object' && !file.paths.has(place.path) && !this.#changes.some(isOurs);
    if (file.hasOthers) return;
    report(rule, isNamed || isLeft || isUndone ? 'certain' : 'maybe', {
      expected: describePlace(expected?.value ?? 'somewhere'),
      actual: describePlace(place),
      proof: [...possible.map(({ number }) => number), typeof cause === 'object' ? cause.call.number : undefined],
    });
  }

  #actsFor({ call, organization: caller }: Change, owner: Organization): Attempt['by'] {
    if (caller === undefined) return call.isUnclear ? 'owner' : 'nobody';
    return mayAct(caller, owner, this.#told) ? 'owner' : 'stranger';
  }

  get #parameter(): string | undefined {
    return this.#told.treePathParameter ?? (this.#choices.only('treePathParameter') as string | undefined);
  }
}

/** A file that was deleted with its tree is unknown, so moving it does not succeed. */
function judgeGone(call: Call, file: FileState | undefined, report: Report): void {
  if (file === undefined || file.hasOthers || file.fate?.kind !== 'gone') return;
  file.place.forget(call);
  const possible = file.place.possibleAt(call) ?? [];
  if (possible.length === 0 || possible.some(({ value }) => value !== 'gone')) return;
  const grounds = { expected: say`a refusal: the file is deleted`, actual: say`status ${call.status}` };
  const proof = possible.map(({ number }) => number);
  report('deleteDriveTree.deleted-file-is-not-moved', 'certain', { ...grounds, proof });
}

/** What a deletion takes of the files that are known. Of a request that cannot be read, nobody knows. */
function expectDeletion(call: Call, owner: Organization, tree: Tree | undefined, isOwn: boolean): void {
  for (const file of owner.files.inDrive(call.params.driveId)) {
    file.place.forget(call);
    const kind = tree === undefined ? 'unsure' : fateOf(file, tree, call);
    file.fate = { call, kind };
    if (kind !== 'kept') file.place.write('gone', call, isOwn && kind === 'gone');
  }
}
