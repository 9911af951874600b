import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openPointsOf } from '../../openapi/contract/document.ts';
import { loadDocument, loadOpenPoints } from '../../openapi/contract/load.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { profileDocument } from '../../openapi/contract/profile-document.ts';
import { linkedIn } from '../../openapi/contract/told-open-points.ts';

const points = loadOpenPoints();
const profile = defaultProfile(points);
const list = readFileSync(new URL('../../docs/open-points.md', import.meta.url), 'utf8');

/** Every place of a document that marks open points, by its path. */
function placesIn(value: unknown, path = '#'): { path: string; ids: string[]; description: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const ids = openPointsOf(value);
  const own =
    ids.length === 0 ? [] : [{ path, ids, description: (value as { description?: string }).description ?? '' }];
  return [...own, ...Object.entries(value).flatMap(([key, child]) => placesIn(child, `${path}/${key}`))];
}

describe('the descriptions of the document that is written by hand', () => {
  const written = placesIn(loadDocument());

  it('link each of their marks, in their last sentence', () => {
    for (const { path, ids, description } of written) {
      expect(linkedIn(description).toSorted(), path).toEqual(ids.toSorted());
      const words = description.replaceAll(/\]\([^)]*\)|`[^`]*`/g, ']').trim();
      expect(words, path).toMatch(/(?:^|\s)Unspecified:\s[^.]*\.$/);
    }
  });

  it('link to nothing else, and to anchors of the list of open points', () => {
    const text = JSON.stringify(loadDocument());
    const links = [...text.matchAll(/\]\(([^)#]*)#(\w+)\)/g)];
    expect(new Set(links.map(([, page]) => page))).toEqual(new Set(['../docs/open-points.md']));
    expect(links.map(([, , id]) => id).toSorted()).toEqual(written.flatMap(({ ids }) => ids).toSorted());
    expect(points.map(({ id }) => id).filter((id) => !list.includes(`<a id="${id}"></a>`))).toEqual([]);
  });

  it('are replaced in a used document, not repeated', () => {
    for (const { path, description } of placesIn(profileDocument(profile))) {
      expect(description.match(/Unspecified:/g), path).toHaveLength(1);
    }
  });
});

describe('the descriptions of a used document', () => {
  it('say in words what each of its marks leaves open, and what is used', () => {
    const places = placesIn(profileDocument(profile));
    expect(places.length).toBeGreaterThan(80);
    for (const { path, ids, description } of places) {
      for (const id of ids) {
        const choice = String(profile[id as keyof typeof profile]);
        expect(description, `${path} ${id}`).toContain(`Here \`${id}\` is \`${choice}\``);
      }
    }
  });

  it('tell the choices of their own profile', () => {
    const text = JSON.stringify(profileDocument({ ...profile, listOrder: 'byName', defaultLimit: 33 }));
    expect(text).toContain('Here `listOrder` is `byName` (by name).');
    expect(text).toContain('The default of limit. Here `defaultLimit` is `33`.');
  });

  it('link to the list from where the shipped document stands', () => {
    const shipped = readFileSync(new URL('../../openapi/openapi.default.yaml', import.meta.url), 'utf8');
    const links = [...shipped.matchAll(/\]\(\.\.\/docs\/open-points\.md#(\w+)\)/g)].map(([, id = '']) => id);
    const marked = placesIn(profileDocument(profile)).flatMap(({ ids }) => ids);
    expect(new Set(links)).toEqual(new Set(marked));
    // By default nobody is refused so.
    const unused = ['unknownParameterStatus', 'unreachableTools'];
    expect(points.map(({ id }) => id).filter((id) => !links.includes(id))).toEqual(unused);
    expect(links.filter((id) => !list.includes(`<a id="${id}"></a>`))).toEqual([]);
  });
});
