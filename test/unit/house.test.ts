import { expect, it } from 'vitest';
import { entered } from '../../bench/house/entered.ts';
import { closures, longestChain } from '../../bench/house/imports.ts';
import { linesOf, placesOf } from '../../bench/house/places.ts';

it('measures what requests enter, imports, places and lines', async () => {
  const counted = new Map((await entered()).map(([what, ...counts]) => [what, counts]));
  expect(counted.get('GET /drives')?.[0]).toBeGreaterThan(10);
  expect(counted.get('GET /drives')?.[1]).toBeLessThan(counted.get('GET /drives through the proxy')?.[1] ?? 0);
  const chain = longestChain();
  expect(new Set(chain).size).toBe(chain.length);
  expect(closures()[0]?.[1]).toBeGreaterThan(chain.length);
  expect(placesOf().map(([fact]) => fact)).toContain('an auth header');
  expect(linesOf().every(([, lines]) => lines > 1_000)).toBe(true);
});
