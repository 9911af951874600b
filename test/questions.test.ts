import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isSame, runExamples } from '../docs/questions/exchanges.ts';
import { loadCosts, loadParts } from '../docs/questions/questions.ts';
import { sentenceWriter } from '../docs/questions/sentences.ts';
import { loadOpenPoints } from '../openapi/contract/load.ts';

const points = loadOpenPoints();
const costs = loadCosts();
const write = sentenceWriter(points, costs);
const questions = (await loadParts()).flatMap((part) => part.questions);
const page = readFileSync(new URL('../docs/questions.md', import.meta.url), 'utf8');

describe('an open point without an example', () => {
  const [point] = points;

  it('is refused with the words that would add one', async () => {
    if (point === undefined) throw new Error('there is no open point');
    await expect(runExamples([{ point, example: undefined }])).rejects.toThrow(
      /no example for createStatus. Add `example: .* or `example: \{ none: .*why no exchange shows it/,
    );
    const example = { send: 'GET /agents' };
    await expect(runExamples([{ point, example }])).rejects.toThrow(/answered alike under 201 and 200. Send another/);
  });
});

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
      const own = point.choices.filter(({ value }) => points.every(({ id }) => id !== value));
      const sentences = own.map(({ value }) => write(point.id, value));
      for (const sentence of sentences) expect(sentence, point.id).toMatch(/^\S.*\.$/s);
      expect(new Set(sentences).size, point.id).toBe(sentences.length);
    }
  });

  it('can be pasted: they name no open point, no words of ours, and end as the value that a reference has', () => {
    for (const { answers, point } of questions) {
      for (const { sentence } of answers) {
        expect(sentence, point.id).not.toMatch(/\{\w+\}|refusal|refused as|our reading/i);
        for (const { id } of points.filter(({ id }) => /Status$|Rules$/.test(id))) expect(sentence).not.toContain(id);
      }
    }
    expect(write('unknownAgentStatus', 'notFoundStatus')).toBe('An unknown agent is answered with status 404.');
    expect(write('requiredServerFields', 'requiredBodyFields')).toContain('name and url are required.');
    expect(write('pathConflict', 'refused')).toContain('status 409');
  });

  it('refer to open points that exist only', () => {
    const known = ['value', ...points.map(({ id }) => id)];
    for (const [id, { says }] of Object.entries(costs))
      for (const [, name] of Object.values(says)
        .join()
        .matchAll(/\{(\w+)\}/g))
        expect(known, id).toContain(name);
  });

  it('name no choice that does not exist', () => {
    for (const { id, choices } of points) {
      const known = ['*', ...choices.map(({ value }) => String(value))];
      expect(known, id).toEqual(expect.arrayContaining(Object.keys(costs[id]?.says ?? {})));
    }
  });

  it('are each shown by requests that two choices answer differently, or say why none shows them', () => {
    expect(questions.map(({ point }) => point.id).sort()).toEqual(points.map(({ id }) => id).sort());
    for (const { point, example } of questions) {
      if (typeof example === 'string') expect(example, point.id).toMatch(/^[A-Z].*\.$/s);
      else
        expect(
          example.steps.some(({ answers: [one, two] }) => !isSame(one, two)),
          point.id,
        ).toBe(true);
    }
    expect(questions.filter(({ example }) => typeof example === 'string').length).toBeLessThan(points.length / 10);
  });

  it('quote what the specification says where it is silent', () => {
    for (const { point, text, section } of questions) {
      expect(text.length, point.id).toBeGreaterThan(0);
      expect(section, point.id).toMatch(/^Section \d[\d.]*(?:, [A-Z].*)?$|^Introduction$/);
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
