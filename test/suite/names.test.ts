import { describe, expect, it } from 'vitest';
import { differenceFrom } from '../../conformance/probing/creations.ts';
import { markIn, otherShapes, shapesLike, usualShape } from '../../conformance/probing/names.ts';

const runId = 'run-0a1b2c3d';
const shapes = [usualShape, ...otherShapes];

describe('names', () => {
  it('differ from each other, and carry the id of the run or the letters that stand for it', () => {
    const names = shapes.flatMap((shape) => [1, 12, 345].map((count) => shape.make(runId, count)));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => markIn(name, runId) === undefined)).toEqual([]);
    expect(markIn(usualShape.make(runId, 1), runId)).toBe(runId);
    expect(markIn('Marketing assets', runId)).toBeUndefined();
  });

  it.each([
    ['at most 16 characters', /^.{1,16}$/],
    ['at least 40, at most 64 characters', /^.{40,64}$/],
    ['letters only', /^[a-z]+$/i],
    ['small letters only', /^[a-z]+$/],
    ['at least 40 letters', /^[a-z]{40,}$/i],
    ['a capital first, no digit last', /^[A-Z].*[a-z]$/],
  ])('have a shape of %s', (_, rule) => {
    expect(shapes.some((shape) => [1, 99, 1_234].every((count) => rule.test(shape.make(runId, count))))).toBe(true);
  });

  it('can be like those of a list', () => {
    const made = shapesLike(['Team-7 Reports', 'x']).map((shape) => shape.make(runId, 1));
    expect(made[0]).toMatch(/^[A-Z][a-z]{3}-\d [A-Z][a-z]{6}$/);
    expect(made[1]).toMatch(/^Team-7 [A-Z][a-z]{6}$/);
  });
});

describe('a name in a response', () => {
  it.each([
    ['Reports', 'Reports', true],
    ['Reports', 'reports', false],
    ['Reports', '', false],
    ['Reports', undefined, true],
    [' Reports ', 'Reports', true],
    ['', 'Untitled', true],
    [' ', 'Untitled', true],
    ['Cafe\u0301', 'Caf\u00e9', true],
  ])('sent as %j and shown as %j: legal is %j', (sent, shown, isLegal) => {
    expect(differenceFrom({ name: sent }, { id: 'drv_1', name: shown }) === undefined).toBe(isLegal);
  });
});
