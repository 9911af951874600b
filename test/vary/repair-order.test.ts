import { describe, expect, it } from 'vitest';
import { loadOpenPoints } from '../../openapi/contract/load.ts';
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
  it('is what a correct client does not notice, even if it costs little', () => {
    const all = [relied('errorBody'), relied('keyOrder'), relied('idFormat')];
    expect(orderOf(...all)).toEqual(['idFormat', 'keyOrder', 'errorBody']);
  });

  it('is then what costs most', () => {
    const all = [relied('readStatus'), relied('optionalFields'), relied('createStatus')];
    expect(orderOf(...all)).toEqual(['createStatus', 'optionalFields', 'readStatus']);
  });

  it('is then what concerns most operations', () => {
    expect(orderOf(relied('createStatus'), relied('errorBody'))).toEqual(['errorBody', 'createStatus']);
  });

  it('counts the gravest of several open points that fail only together', () => {
    const all = [relied('updateStatus'), relied('readStatus', 'createStatus'), relied('timestampZone', 'keyOrder')];
    expect(orderOf(...all)).toEqual(['timestampZone and keyOrder', 'readStatus and createStatus', 'updateStatus']);
  });

  it('has its reason in words', () => {
    expect(reasonToRepair(relied('keyOrder'))).toBe('a bug in the client; a wrong guess is a nuisance; 10 operations');
    expect(reasonToRepair(relied('updateStatus'))).toBe('a wrong guess breaks the client; 1 operation');
  });
});
