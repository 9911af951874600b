import { expect, it } from 'vitest';
import { entered } from '../../bench/house/entered.ts';
import { closures, longestChain } from '../../bench/house/imports.ts';
import { linesOf, placesOf } from '../../bench/house/places.ts';

it('measures what requests enter, imports, places and lines', async () => {
  const functions = new Map(await entered());
  const count = (what: string) => [...(functions.get(what)?.values() ?? [])].flat().length;
  const files = functions.get('GET /drives')?.size;
  expect(files).toBeGreaterThan(10);
  expect(files).toBeLessThanOrEqual(24);
  expect(count('GET /drives')).toBeLessThanOrEqual(70);
  expect(count('GET /drives')).toBeLessThan(count('GET /drives through the proxy'));
  const chain = longestChain();
  expect(new Set(chain).size).toBe(chain.length);
  expect(chain.length).toBeLessThanOrEqual(15);
  expect(closures()[0]?.[1]).toBeGreaterThan(chain.length);
  expect(placesOf().map(([fact]) => fact)).toContain('an auth header');
  expect(linesOf().every(([, lines]) => lines > 1_000)).toBe(true);
});
