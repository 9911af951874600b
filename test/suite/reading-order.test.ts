import { expect, it } from 'vitest';
import type { CheckResult, Report } from '../../conformance/report.ts';
import { inReadingOrder } from '../../conformance/reporters/order.ts';

/** The failures with these ids in the order in which to look at them. A result may follow from one of them: `id <- cause`. */
function inOrder(...failed: readonly string[]): string[] {
  const checks = failed.map((text) => {
    const [id = '', because] = text.split(' <- ');
    const [operation] = id.split('.');
    return {
      id,
      operation,
      outcome: 'failed',
      requirements: [],
      ...(because !== undefined && { because }),
    } as unknown as CheckResult;
  });
  return inReadingOrder({ checks } as unknown as Report).map(({ id }) => id);
}

const [atOnce, alsoAtOnce] = ['listAgents.own-list-at-once', 'listDrives.own-list-at-once'];
const [hidden, served] = ['listDrives.hides-other-organization', 'listDrives.is-served'];
const follows = 'createDrive.name-kept.long <- createDrive.is-served';

it.each<[string, failed: string[], ordered: string[]]>([
  [
    'requests that get the organization of others first, whatever else breaks by it',
    [served, 'listMcpServerTools.bearer-key', hidden, atOnce, alsoAtOnce],
    [atOnce, alsoAtOnce, served, 'listMcpServerTools.bearer-key', hidden],
  ],
  ['the one list that shows it at once, where others show it in turn', [hidden, atOnce], [atOnce, hidden]],
  [
    'one list that alone is wrong, like any other',
    ['createDrive.belongs-to-organization', alsoAtOnce, hidden],
    [hidden, 'createDrive.belongs-to-organization', alsoAtOnce],
  ],
  [
    'what explains others first, and what follows from it last',
    [follows, 'createDrive.field-types', 'createDrive.is-served'],
    ['createDrive.is-served', 'createDrive.field-types', 'createDrive.name-kept.long'],
  ],
  [
    'a plain value before the unusual ones',
    ['updateDriveFile.path-kept.escapes', 'updateDriveFile.path-taken-over'],
    ['updateDriveFile.path-taken-over', 'updateDriveFile.path-kept.escapes'],
  ],
])('findings are looked at in an order: %s', (_, failed, ordered) => {
  expect(inOrder(...failed)).toEqual(ordered);
});
