import { describe, expect, it } from 'vitest';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { inRepairOrder, reasonToRepair } from '../../src/vary/repair-order.ts';

/** A dependency on these open points. */
function relied(...ids: string[]) {
  return {
    openPoints: ids.map((id) => {
      const {
        impact = 'visible',
        operations = [],
        severity = 1,
        cost = '',
      } = loadOpenPoints().find((point) => point.id === id) ?? {};
      return { openPoint: id, impact, operations, severity, cost };
    }),
  };
}

const orderOf = (...all: ReturnType<typeof relied>[]) =>
  inRepairOrder(all).map(({ openPoints }) => openPoints.map(({ openPoint }) => openPoint).join(' and '));

describe('what to repair first', () => {
  it.each([
    ['is what a correct client does not notice, even if it costs little', 'idFormat, keyOrder, errorBody'],
    ['is then what costs most', 'successStatus.createDrive, optionalFields, successStatus.getDriveFile'],
    ['is then what concerns most operations', 'errorBody, successStatus.createDrive'],
    [
      'counts the gravest of several open points that fail only together',
      'timestamps.zone and keyOrder, successStatus.getDriveFile and successStatus.createDrive, successStatus.updateDriveFile',
    ],
  ])('%s', (_, order) => {
    const expected = order.split(', ');
    for (const given of [expected, expected.toReversed()])
      expect(orderOf(...given.map((one) => relied(...one.split(' and '))))).toEqual(expected);
  });

  it('has its reason in words', () => {
    expect(reasonToRepair(relied('keyOrder'))).toBe('hidden; a wrong guess is a nuisance; 10 operations');
    expect(reasonToRepair(relied('successStatus.updateDriveFile'))).toBe(
      'a wrong guess breaks the client; 1 operation',
    );
  });
});
