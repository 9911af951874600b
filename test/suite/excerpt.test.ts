import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../conformance/report/excerpt.ts';

const items = Array.from({ length: 20 }, (_, index) => ({ id: `drive-${index}`, name: `Drive number ${index}` }));
const text = (index: number) => JSON.stringify(items[index]);

describe('the excerpt of a long list in a finding', () => {
  it.each<[string, unknown, string, string | undefined]>([
    [
      'has the items that it names',
      items,
      'drive-3 twice, and drive-7',
      `[… 3 more, ${text(3)}, … 3 more, ${text(7)}, … 12 more]`,
    ],
    ['takes an id for one only as a whole', items, 'drive-19', `[… 19 more, ${text(19)}]`],
    ['has the first item if it names none', items, 'status 200', `[${text(0)}, … 19 more]`],
    [
      'keeps what stands beside the list',
      { data: items, pagination: { total: 3 } },
      'drive-0',
      `{"data":[${text(0)}, … 19 more],"pagination":{"total":3}}`,
    ],
    ['is not needed for a short body', items.slice(0, 2), 'drive-1', undefined],
    ['is not made of an object without a list', { text: 'x'.repeat(1000) }, 'x', undefined],
    ['is not made of one item', [{ id: 'a', name: 'x'.repeat(1000) }], 'a', undefined],
  ])('%s', (_, json, finding, excerpt) => {
    expect(excerptOf(json, finding)).toBe(excerpt);
  });
});
