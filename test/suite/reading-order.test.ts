import { describe, expect, it } from 'vitest';
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

describe('the order in which to look at findings', () => {
  it('begins with requests that get the organization of others, whatever else breaks by it', () => {
    const atOnce = ['listAgents.own-list-at-once', 'listDrives.own-list-at-once'];
    const others = ['listDrives.is-served', 'listMcpServerTools.bearer-key', 'listDrives.hides-other-organization'];
    expect(inOrder(...others, ...atOnce)).toEqual([
      ...atOnce,
      'listDrives.is-served',
      'listMcpServerTools.bearer-key',
      'listDrives.hides-other-organization',
    ]);
  });

  it('begins with the one list that shows it at once, where others show it in turn', () => {
    const [atOnce, inTurn] = ['listAgents.own-list-at-once', 'listDrives.hides-other-organization'];
    expect(inOrder(inTurn, atOnce)).toEqual([atOnce, inTurn]);
  });

  it('does not where one list alone is wrong', () => {
    const [atOnce, plain] = ['listDrives.own-list-at-once', 'listDrives.hides-other-organization'];
    expect(inOrder('createDrive.belongs-to-organization', atOnce, plain)).toEqual([
      plain,
      'createDrive.belongs-to-organization',
      atOnce,
    ]);
  });

  it('shows what explains others first, and what follows from it last', () => {
    const follows = 'createDrive.name-kept.long <- createDrive.is-served';
    expect(inOrder(follows, 'createDrive.field-types', 'createDrive.is-served')).toEqual([
      'createDrive.is-served',
      'createDrive.field-types',
      'createDrive.name-kept.long',
    ]);
  });

  it('shows a plain value before the unusual ones', () => {
    const [plain, unusual] = ['updateDriveFile.path-taken-over', 'updateDriveFile.path-kept.escapes'];
    expect(inOrder(unusual, plain)).toEqual([plain, unusual]);
  });
});
