import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommand } from './support/command.ts';
import { planted, reliedOn, varyFrontend } from './support/sample-frontend.ts';

it('vary finds each dependency of the sample frontend', async () => {
  const choices = ['createStatus=226', 'errorBody=list', 'idFormat=uuid', 'listOrder=newestFirst', 'keyOrder=reversed'];
  const report = await varyFrontend([...choices.flatMap((choice) => ['--only', choice]), '--repeat', '1']);
  expect(reliedOn(report)).toEqual(planted);
  expect(report.endedBy).toBe('end');
  expect(report).not.toHaveProperty('flakiness');
});

it('the guide shows what vary prints for the sample frontend', async () => {
  const guide = readFileSync(new URL('../docs/what-does-your-frontend-rely-on.md', import.meta.url), 'utf8');
  const shown = guide.split('<!-- dependency -->\n\n```text\n')[1]?.split('```')[0];
  const line = 'vary --profile examples/frontend/profile.yaml --only createStatus=226';
  const tests = 'node --test examples/frontend/drive-browser.test.js';
  const { stdout } = await runCommand([...line.split(' '), '--', ...tests.split(' ')]);
  expect(stdout).toContain(shown);
});
