import type { Draw } from './random-calls.ts';

/** Headers that carry a key in one way or another, or none. */
export function randomKey({ random, picture, organization, isMeantWell }: Draw): Record<string, string> {
  const key = random.pick(organization.keys);
  const other = random.pick(picture.organizations.flatMap(({ keys }) => keys));
  const good = [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }, { authorization: `bearer ${key}` }];
  const both = { 'x-api-key': key, authorization: `Bearer ${key}` };
  if (isMeantWell || random.chance(0.7)) return random.pick([...good, ...good, both]);
  return random.pick([{}, ...badKeys(key), { 'x-api-key': key, authorization: `Bearer ${other}` }]);
}

function badKeys(key: string): Record<string, string>[] {
  return [
    { 'x-api-key': `${key}x` },
    { 'x-api-key': key.toUpperCase() },
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: 'Bearer wrong' },
    { 'x-api-key': 'wrong', authorization: `Bearer ${key}` },
    { 'x-api-key': key, authorization: 'Bearer wrong' },
  ];
}
