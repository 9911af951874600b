import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadCosts, sentenceOf } from '../docs/questions-page.ts';
import { loadOpenPoints } from '../openapi/contract/load.ts';

const points = loadOpenPoints();
const costs = loadCosts();
const page = readFileSync(new URL('../docs/questions.md', import.meta.url), 'utf8');

describe('the questions for the owners of the specification', () => {
  it('say of every open point what a wrong guess costs, and of no other', () => {
    expect(Object.keys(costs).sort()).toEqual(points.map(({ id }) => id).sort());
    for (const [id, { cost, breaks }] of Object.entries(costs)) {
      expect([1, 2, 3], id).toContain(cost);
      expect(breaks, id).toMatch(/^[A-Z].*\.$/s);
    }
  });

  it('have a sentence for each choice, each its own', () => {
    for (const point of points) {
      const cost = costs[point.id];
      const sentences = point.choices.map(({ value }) => cost && sentenceOf(cost, value));
      for (const sentence of sentences) expect(sentence, point.id).toMatch(/^\S.*\.$/s);
      expect(new Set(sentences).size, point.id).toBe(sentences.length);
    }
  });

  it('name no choice that does not exist', () => {
    for (const { id, choices } of points) {
      const known = ['*', ...choices.map(({ value }) => String(value))];
      expect(known, id).toEqual(expect.arrayContaining(Object.keys(costs[id]?.says ?? {})));
    }
  });

  it('are all on the page, the most expensive first in each part', () => {
    for (const { id } of points) expect(page.split(`(open-points-list.md#${id.toLowerCase()})`), id).toHaveLength(2);
    for (const part of page.split('\n## ').slice(1)) {
      const prices = [...part.matchAll(/#([a-z0-9]+)\)\.$/gm)].map(
        ([, anchor]) => costs[points.find(({ id }) => id.toLowerCase() === anchor)?.id ?? '']?.cost ?? 0,
      );
      expect(prices).toEqual(prices.toSorted((one, other) => other - one));
    }
  });
});
