import { expect, it } from 'vitest';
import { own } from '../../openapi/reading/sentence.ts';
import { judgedOnce } from '../../src/node/proxy/judge/judged-once.ts';

function counting() {
  const judged: unknown[] = [];
  const judge = judgedOnce(async (body: unknown) => {
    judged.push(body);
    const message = own(String(judged.length));
    return [{ location: ['response', 'body'], severity: 'Error' as const, code: 'type', message }];
  });
  return { judge, judged };
}

it('judges the same message once, and says the same of it', async () => {
  const { judge, judged } = counting();
  const first = await judge({ name: 'a' });
  expect(await judge({ name: 'a' })).toEqual(first);
  expect(judged).toHaveLength(1);
});

it.each<[string, unknown, unknown]>([
  ['another value', { name: 'a' }, { name: 'b' }],
  ['another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['null for a number that is too large', JSON.parse('[1e999]'), [null]],
  ['no body', undefined, null],
  ['a negative zero', JSON.parse('-0'), 0],
  ['the member __proto__', JSON.parse('{"__proto__":{}}'), {}],
])('judges %s anew', async (_, one, other) => {
  const { judge, judged } = counting();
  await judge(one);
  await judge(other);
  expect(judged).toEqual([one, other]);
});

it('keeps neither many messages nor long ones', async () => {
  const { judge, judged } = counting();
  const long = 'x'.repeat(40_000);
  for (const body of ['first', long, long]) await judge(body);
  expect(judged).toHaveLength(3);
  for (let number = 0; number < 200; number++) await judge(number);
  await judge('first');
  expect(judged).toHaveLength(204);
});

it('judges again after a failure', async () => {
  let count = 0;
  const judge = judgedOnce(async () => {
    count += 1;
    if (count === 1) throw new Error('broken');
    return [];
  });
  await expect(judge()).rejects.toThrow('broken');
  expect(await judge()).toEqual([]);
});
