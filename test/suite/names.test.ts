import { describe, expect, it } from 'vitest';
import { markIn, otherShapes, shapesLike, usualShape } from '../../conformance/probing/names.ts';
import { runSuite } from '../../conformance/run.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { startFront } from '../../proof/power/front.ts';
import { changeStatus, on } from '../../proof/power/mutants/wire-faults.ts';
import { oddLegalServers } from '../../proof/power/odd-legal-servers.ts';
import { receiptErrors, takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock } from '../../src/index.ts';

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

describe('a server that accepts only some names', () => {
  it.each(['names-of-letters', 'names-of-several-words'])('is not failed, and gets a whole receipt: %s', async (id) => {
    const { mock, baseUrl, close } = (await oddLegalServers.find((one) => one.id === id)?.start()) ?? {};
    if (mock === undefined || baseUrl === undefined) throw new Error(`there is no ${id}`);
    const before = takeSnapshot(mock);
    const only = ['create*.is-served', 'create*.name-taken-over', 'listDrives.parallel-creations'];
    const report = await runSuite(settingsForMock(mock, baseUrl, 'write'), { tool: 'test', only });
    expect(report.summary).toMatchObject({ failed: 0, inconclusive: 0, 'not-enabled': 0 });
    expect(receiptErrors(before, takeSnapshot(mock), report.leftovers)).toEqual([]);
    const notes = new Set(report.leftovers.map(({ note }) => note.replace(/contains \w+ in/, 'contains letters in')));
    const expected =
      id === 'names-of-letters'
        ? 'its name contains letters in place of the run id'
        : 'its name does not contain the run id';
    expect([...notes]).toEqual([`cannot be deleted through the API; ${expected}`]);
    await close?.();
  });

  it('fails where even names like the listed ones are refused, and does not apply where none are listed', async () => {
    const outcomes = async (seed: 'demo' | 'empty') => {
      const mock = await createMock(
        seed === 'demo' ? {} : { seed: { organizations: [{ name: 'A', keys: ['demo-key'] }] } },
      );
      const front = await startFront(
        mock.url,
        on(
          'createDrive',
          changeStatus(() => true, 422),
        ),
      );
      const settings = {
        ...settingsForMock(mock, front.baseUrl, 'write', { fixtures: {}, apiKey: 'demo-key', otherApiKey: 'other' }),
      };
      const report = await runSuite(settings, { tool: 'test', only: ['createDrive.is-served'] });
      await front.close();
      await mock.close();
      return report.checks.find(({ id }) => id === 'createDrive.is-served')?.outcome;
    };
    expect(await outcomes('demo')).toBe('failed');
    expect(await outcomes('empty')).toBe('skipped');
  });
});
