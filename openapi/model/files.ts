// Drive files: where they are, and what must not have touched them (4.5 to 4.7).

import { jsonExcerpt, type Sentence, say } from '../../lib/sentence.ts';
import { isObject } from '../reading/messages.ts';
import { keepsPathRule } from '../reading/path-rule.ts';
import { ruleOfKeylessEffect } from './authentication.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';
import { History, type Known } from './history.ts';
import { mayCover, surelyCovers, type Tree } from './trees.ts';
import { isPlainPath, isSamePath } from './values.ts';

/** Where a file is: at a path; somewhere, where a response shows no path; or nowhere. */
export type Place = { path: string } | 'somewhere' | 'gone';

export interface FileState {
  driveId: string;
  id: string;
  place: History<Place>;
  /** The paths that it has had. */
  paths: Set<string>;
  /** Those among them where someone else had put it. */
  foreign: Set<string>;
  /** Its fields as last read, and in which exchange. */
  shown: { fields: Readonly<Record<string, unknown>>; call: Call } | undefined;
  /** Whether someone else moves it: then nothing is expected of where it is. */
  hasOthers?: boolean;
  /** What the latest deletion in its drive does to it. */
  fate?: { call: Call; kind: 'gone' | 'unsure' | 'kept' };
}

/** The files of an organization that its requests have named. */
export class Files {
  readonly #files = new Map<string, FileState>();
  readonly #settleMs: number;

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** The file that a request names; undefined if its ids cannot be read. */
  at({ params: { driveId, fileId } }: Call): FileState | undefined {
    if (driveId === undefined || fileId === undefined) return undefined;
    const key = JSON.stringify([driveId, fileId]);
    const file = this.#files.get(key) ?? {
      driveId,
      id: fileId,
      place: new History<Place>(this.#settleMs),
      paths: new Set<string>(),
      foreign: new Set<string>(),
      shown: undefined,
    };
    this.#files.set(key, file);
    return file;
  }

  inDrive(driveId: string | undefined): FileState[] {
    return [...this.#files.values()].filter((file) => file.driveId === driveId);
  }
}

export function isSamePlace(one: Place, other: Place): boolean {
  if (one === 'gone' || other === 'gone') return one === other;
  return one === 'somewhere' || other === 'somewhere' || isSamePath(one.path, other.path);
}

/** The place that a read shows; undefined if it shows none. Other refusals than these may be about the moment. */
export function placeShown(call: Call): Place | undefined {
  if (call.status === 404 || call.status === 410) return 'gone';
  if (call.outcome !== 'success' || !isObject(call.json)) return undefined;
  const { path } = call.json;
  return typeof path === 'string' ? { path } : 'somewhere';
}

/** Whether a server may have made one path of another by mistake: some part of them is the same. */
export function isRelated(one: Place, other: Place): boolean {
  if (typeof one === 'string' || typeof other === 'string') return true;
  const [[name, ...directory], [otherName, ...otherDirectory]] = [one, other].map(({ path }) =>
    path.split('/').reverse(),
  ) as [string[], string[]];
  return (
    name === otherName ||
    directory.join() === otherDirectory.join() ||
    one.path.startsWith(other.path) ||
    other.path.startsWith(one.path)
  );
}

export function describePlace(place: Place): Sentence {
  if (typeof place === 'string') return place === 'gone' ? say`it is not found` : say`it is there`;
  return say`it is at ${place.path}`;
}

/** A request that names a file or a tree of its drive, whoever sent it, and whether it counts as done. */
export interface Attempt {
  call: Call;
  path: string;
  tree: Tree | undefined;
  by: 'owner' | 'stranger' | 'nobody';
}

/** The rule that is broken if a file is not where it has to be. */
export function ruleOfPlace(
  place: Place,
  possible: readonly Known<Place>[],
  attempts: readonly Attempt[],
): Attempt | string {
  const isHere = ({ path, tree }: Attempt) =>
    typeof place === 'object' && tree === undefined && isSamePath(path, place.path);
  const covers = ({ tree }: Attempt) =>
    tree !== undefined && possible.some(({ value }) => typeof value === 'object' && mayCover(tree, value.path));
  const causes = attempts.filter((attempt) => (place === 'gone' ? covers(attempt) : isHere(attempt)));
  const guilty =
    causes.findLast(({ by }) => by !== 'owner') ?? causes.findLast(({ call }) => call.outcome === 'refused');
  if (guilty !== undefined) return guilty;
  if (place === 'gone') {
    const deletion = attempts.findLast(
      ({ call, tree, by }) => tree !== undefined && by === 'owner' && call.outcome === 'success',
    );
    if (deletion !== undefined) return 'deleteDriveTree.rest-is-kept';
    return 'getDriveFile.method-and-path';
  }
  return possible.every(({ value }) => value === 'gone')
    ? 'deleteDriveTree.tree-is-deleted'
    : 'updateDriveFile.file-has-moved';
}

/** The rule that an attempt broke which must have had no effect. */
export function ruleOfEffect({ call, by, path, tree }: Attempt): string {
  if (by === 'nobody') return ruleOfKeylessEffect(call);
  if (by === 'stranger') return 'organization.foreign-resources-are-out-of-reach';
  if (tree !== undefined) return 'deleteDriveTree.refused-path-deletes-nothing';
  return keepsPathRule(path) ? 'updateDriveFile.file-has-moved' : 'updateDriveFile.refused-path-moves-nothing';
}

/** A move that succeeded: whether its path is legal, and whether the response shows the moved file (4.6). */
export function judgeMoved(call: Call, report: Report): void {
  const path = call.fields?.path;
  if (path === undefined || path === null) return;
  const actual = say`status ${call.status} for ${jsonExcerpt(path, 200)}`;
  const broken = typeof path === 'string' ? brokenRuleOf(path) : 'path-is-a-string';
  if (broken !== undefined) report(`updateDriveFile.${broken}`, 'certain', { expected: say`a refusal`, actual });
  const shown = isObject(call.json) ? call.json.path : undefined;
  if (broken !== undefined || typeof path !== 'string' || typeof shown !== 'string' || isSamePath(shown, path)) return;
  // The handling of line breaks and other control characters is open (`pathForm.lineBreaks`).
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) return;
  const rule = isPlainPath(path) ? 'updateDriveFile.answers-the-new-path' : 'updateDriveFile.keeps-every-character';
  report(rule, 'certain', { expected: say`path ${path}`, actual: say`path ${shown}` });
}

/** The part of the path rule that a path breaks (4.6, 4.7). The pattern does not look behind the first slash. */
export function brokenRuleOf(path = '/'): string | undefined {
  if (!path.startsWith('/')) return 'path-starts-with-slash';
  if (keepsPathRule(path)) return undefined;
  return /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/.test(path) ? 'path-has-no-dot-dot-segment' : 'path-matches-pattern';
}

/** The response to a request for one file is that file (4.5, 4.6). */
export function judgeIdentity(call: Call, report: Report): void {
  const { fileId } = call.params;
  if (fileId === undefined || !isObject(call.json) || call.json.id === fileId) return;
  const rule = call.operation.isRead
    ? 'getDriveFile.answers-the-file-asked-for'
    : 'updateDriveFile.answers-the-same-file';
  report(rule, 'certain', { expected: say`id ${fileId}`, actual: say`id ${jsonExcerpt(call.json.id, 200)}` });
}

/** The fields that neither a move nor a read changes. What processing sets changes until it ends (section 3). */
const kept = ['kind', 'size', 'contentType', 'description', 'summary'] as const;

/** What stays of a file while it is read and moved. Someone else may give it another content. */
export function judgeFields(file: FileState, call: Call, report: Report): void {
  const { json } = call;
  if (!isObject(json)) return;
  const { shown } = file;
  const isReady = (fields: Readonly<Record<string, unknown>>) => fields.status === 'ready' || fields.status === 'error';
  if (shown !== undefined && isReady(shown.fields) && isReady(json)) {
    const moved = !call.operation.isRead || !shown.call.operation.isRead;
    const rule = moved ? 'updateDriveFile.rest-of-file-is-kept' : 'readings.change-nothing';
    for (const name of kept) {
      const [before, now] = [shown.fields[name] ?? undefined, json[name] ?? undefined];
      if (before === undefined || now === undefined || before === now) continue;
      const expected = say`${name} ${jsonExcerpt(before, 200)}`;
      report(rule, 'maybe', { expected, actual: say`${jsonExcerpt(now, 200)}`, proof: [shown.call.number] });
    }
  }
  file.shown = { fields: json, call };
}

/** A deletion that may take a file, and whether it does so for sure. */
export function fateOf(file: FileState, tree: Tree, call: Call): 'gone' | 'unsure' | 'kept' {
  const possible = file.place.possibleAt(call) ?? [];
  const paths = possible.flatMap(({ value }) => (typeof value === 'object' ? [value.path] : []));
  const isKnown = possible.length > 0 && paths.length === possible.length;
  if (isKnown && paths.every((path) => surelyCovers(tree, path))) return 'gone';
  const isHidden = possible.length === 0 || possible.some(({ value }) => value === 'somewhere');
  return isHidden || paths.some((path) => mayCover(tree, path)) ? 'unsure' : 'kept';
}
