import { expect, it } from 'vitest';
import { mutants } from './mutants/index.ts';
import { startMutant } from './start-mutant.ts';

// `npm run power` judges every mutant, which takes long. A mutant that cannot be made any more shows here.

const atOnce = 16;

it('every mutant can be started', async () => {
  const broken: string[] = [];
  const tryToStart = async (mutant: (typeof mutants)[number]) => {
    try {
      const { close } = await startMutant(mutant);
      await close();
    } catch (error) {
      broken.push(`${mutant.id}: ${error}`);
    }
  };
  for (let first = 0; first < mutants.length; first += atOnce)
    await Promise.all(mutants.slice(first, first + atOnce).map(tryToStart));
  expect(broken).toEqual([]);
  expect(mutants.length).toBeGreaterThan(700);
});
