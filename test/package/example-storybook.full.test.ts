import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBrowser, noBrowser } from '../support/browser.ts';
import { installExample, runPlaywrightExample } from '../support/examples.ts';
import { type ShellOptions, type TemporaryFolder, temporaryFolder } from '../support/shell.ts';

const browser = findBrowser();

describe('the example of stories', () => {
  let folder: TemporaryFolder | undefined;
  let shell: ShellOptions;

  beforeAll(async () => {
    if (browser === undefined) return;
    folder = temporaryFolder('example-storybook');
    shell = await installExample('storybook', folder);
  });
  afterAll(() => folder?.remove());

  const at = (...segments: string[]) => join(shell.cwd, ...segments);
  beforeEach((test) => test.skip(browser === undefined, noBrowser));
  const runTests = () => runPlaywrightExample(shell, browser ?? '', ['npm', 'test', '--']);

  it('shows a file in each status', async () => {
    expect(await runTests()).toEqual({ passed: 3, failures: [], workers: 1 });
    const { entries } = JSON.parse(readFileSync(at('storybook-static/index.json'), 'utf8'));
    expect(Object.keys(entries)).toEqual(['file-card--processing', 'file-card--ready', 'file-card--failed']);
  });

  it('shows what the state of the mock is, not what the story is called', async () => {
    const stories = at('src/file-card.stories.js');
    const text = readFileSync(stories, 'utf8');
    writeFileSync(stories, text.replace("inStatus('error')", "inStatus('ready')"));
    const { passed, failures } = await runTests().finally(() => writeFileSync(stories, text));
    expect(passed).toBe(2);
    expect(failures).toEqual([expect.stringContaining('Received: "Ready to use."')]);
  });
});
