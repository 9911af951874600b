// Directory trees (4.7): which files a deletion takes, and what its response says.

import { say } from '../../lib/sentence.ts';
import { member } from '../reading/messages.ts';
import { keepsPathRule, normalizePath } from '../reading/path-rule.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';
import { comparedForm } from './values.ts';

/** The tree that a deletion names, as far as servers can read it differently. */
export interface Tree {
  path: string;
  /** Whether every server reads this path: the parameter's name is known, and nothing else is sent. */
  isClear: boolean;
  /** All paths that some server may read. */
  readings: readonly string[];
}

/**
 * The tree of a deletion. `parameter` is the name of the query parameter, which is open, if it is known. A plus sign is a
 * blank to some servers only. Undefined if no path can be read.
 */
export function treeOf(call: Call, parameter: string | undefined): Tree | undefined {
  const [, raw = ''] = call.sent.target.split(/\?(.*)/s, 2);
  const readings = call.query.flatMap(({ name, value }) =>
    value === undefined || (parameter !== undefined && name !== parameter) ? [] : [value],
  );
  const [path] = readings;
  if (path === undefined) return undefined;
  const isClear = parameter !== undefined && call.hasOnly(parameter) && !raw.includes('+');
  return { path, isClear, readings: raw.includes('+') ? [path, path.replaceAll(' ', '+')] : readings };
}

/** Whether a file at this path is below the tree to every server. */
export function surelyCovers({ path, isClear }: Tree, filePath: string): boolean {
  const isPlain = keepsPathRule(path) && normalizePath(path) === path && /^[\x20-\x7e]*$/.test(path);
  return isClear && isPlain && filePath.startsWith(path === '/' ? '/' : `${path}/`);
}

/** Whether a file at this path may be below the tree, or be meant by it, to some server. */
export function mayCover({ readings }: Tree, filePath: string): boolean {
  const file = comparedForm(filePath);
  return readings.some((path) => {
    // What an illegal path means to a server that takes it, nobody knows.
    if (!keepsPathRule(path)) return true;
    const tree = comparedForm(path);
    return tree === '/' || file === tree || file.startsWith(`${tree}/`);
  });
}

/** A deletion that succeeded: whether its path is legal, and whether the count can be right. */
export function judgeDeleted(
  call: Call,
  tree: Tree | undefined,
  taken: number,
  broken: string | undefined,
  report: Report,
): void {
  if (tree?.isClear && broken !== undefined) {
    const actual = say`status ${call.status} for ${tree.path}`;
    report(`deleteDriveTree.${broken}`, 'certain', { expected: say`a refusal`, actual });
  }
  const count = member(call.json, 'documentCount');
  // A file may have vanished otherwise meanwhile.
  if (typeof count === 'number' && count >= 0 && count < taken)
    report('deleteDriveTree.count-is-of-this-deletion', 'maybe', {
      expected: say`a documentCount of at least ${taken}`,
      actual: say`${count}`,
    });
}

/** Deletions of different trees are different jobs. */
export class Jobs {
  readonly #jobs = new Map<string, { subject: string; number: number }>();

  judge(call: Call, tree: Tree | undefined, report: Report): void {
    const id = member(call.json, 'jobId');
    if (typeof id !== 'string' || tree === undefined) return;
    const subject = JSON.stringify([call.params.driveId, comparedForm(tree.path)]);
    const known = this.#jobs.get(id);
    const expected = say`a jobId of this deletion`;
    const rule = 'deleteDriveTree.job-ids-tell-jobs-apart';
    if (id === '') report(rule, 'certain', { expected, actual: say`an empty text` });
    else if (known !== undefined && known.subject !== subject)
      report(rule, 'certain', { expected, actual: say`${id}, as of another tree`, proof: [known.number] });
    else this.#jobs.set(id, { subject, number: call.number });
  }
}
