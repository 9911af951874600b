import { expect, it } from 'vitest';
import { planted, reliedOn, varyFrontend } from '../support/sample-frontend.ts';

it('vary finds each dependency of the sample frontend', async () => {
  const choices = ['createStatus=226', 'errorBody=list', 'idFormat=uuid', 'listOrder=newestFirst', 'keyOrder=reversed'];
  const report = await varyFrontend([...choices.flatMap((choice) => ['--only', choice]), '--repeat', '1']);
  expect(reliedOn(report)).toEqual(planted);
  expect(report.endedBy).toBe('end');
  expect(report).not.toHaveProperty('flakiness');
});
