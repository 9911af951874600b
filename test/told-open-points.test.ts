import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openPointsOf } from '../openapi/contract/document.ts';
import { loadOpenPoints } from '../openapi/contract/load.ts';
import { playedDocument } from '../openapi/contract/played-document.ts';
import { defaultProfile } from '../openapi/contract/profile.ts';

const points = loadOpenPoints();
const profile = defaultProfile(points);
const html = readFileSync(new URL('../docs/questions.html', import.meta.url), 'utf8');

/** Every place of a document that marks open points, by its path. */
function placesIn(value: unknown, path = '#'): { path: string; ids: string[]; description: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const ids = openPointsOf(value);
  const own =
    ids.length === 0 ? [] : [{ path, ids, description: (value as { description?: string }).description ?? '' }];
  return [...own, ...Object.entries(value).flatMap(([key, child]) => placesIn(child, `${path}/${key}`))];
}

describe('the descriptions of a played document', () => {
  it('say in words what each of its marks leaves open, and what is played', () => {
    const places = placesIn(playedDocument(profile));
    expect(places.length).toBeGreaterThan(80);
    for (const { path, ids, description } of places) {
      const code = /\/responses\/(\d{3})$/.exec(path)?.[1];
      for (const id of ids) {
        const choice = String(profile[id as keyof typeof profile]);
        const isOther = code !== undefined && /^[45]\d\d$/.test(choice) && choice !== code;
        expect(description.includes(`Here \`${id}\` is \`${choice}\``), `${path} ${id}`).toBe(!isOther);
      }
    }
  });

  it('tell the choices of their own profile', () => {
    const text = JSON.stringify(playedDocument({ ...profile, listOrder: 'byName', defaultLimit: 33 }));
    expect(text).toContain('Here `listOrder` is `byName` (by name).');
    expect(text).toContain('The default of limit. Here `defaultLimit` is `33`.');
  });

  it('link to the questions where the shipped document stands', () => {
    const shipped = readFileSync(new URL('../openapi/openapi.default.yaml', import.meta.url), 'utf8');
    const links = [...shipped.matchAll(/\]\(\.\.\/docs\/questions\.html#(\w+)\)/g)].map(([, id = '']) => id);
    const marked = placesIn(playedDocument(profile)).flatMap(({ ids }) => ids);
    expect(new Set(links)).toEqual(new Set(marked));
    // A played document has no answer of the kind 5XX, so what stands only there is missing.
    expect(points.map(({ id }) => id).filter((id) => !links.includes(id))).toEqual(['unreachableTools']);
    expect(links.filter((id) => !html.includes(` id="${id}"`))).toEqual([]);
  });

  it('say nothing of a place twice', () => {
    for (const { path, description } of placesIn(playedDocument(profile))) {
      expect(description.match(/^Open in the specification:/gm)?.length ?? 0, path).toBeLessThanOrEqual(1);
    }
  });
});
