import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withWords } from '../../conformance/report/report-words.ts';
import { createMock } from '../../src/index.ts';
import { isFull } from '../support/depth.ts';
import {
  copied,
  detail,
  expectAccessible,
  looks,
  mayCopy,
  openPage,
  row,
  rows,
  story,
} from '../support/developer-page.ts';
import { createBench } from '../support/judging.ts';
import { believableReport, sampleReport, sampleResult } from '../support/sample-report.ts';
import { writtenByVary } from '../support/vary-report.ts';

// The view Reports of the developer page, against a real mock and with reports that the tools wrote.

const bench = await createBench();
const at = '#/reports';
const only = ['--only', 'listAgents.*'];
const wrongKey = 'listAgents.wrong-header-key';

const toFile = (name: string, content: unknown) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});
const choose = (page: Page, ...files: ReturnType<typeof toFile>[]) =>
  page.locator('input[type=file]').setInputFiles(files);
const part = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the report' }).getByRole('link', { name });
const closeOf = (page: Page, name: string) => page.getByRole('button', { name: `Close ${name}`, exact: true });

/** A report that the suite wrote: of a server that takes every key. */
async function judgedFlawed() {
  const mock = await createMock({ openKeys: true });
  try {
    return (await bench.reportOf([...only, '-u', mock.url])).report;
  } finally {
    await mock.close();
  }
}

/** Drops files on the page, as a browser does. */
async function drop(page: Page, files: readonly { name: string; text: string }[]): Promise<void> {
  const transfer = await page.evaluateHandle((given) => {
    const dropped = new DataTransfer();
    for (const { name, text } of given) dropped.items.add(new File([text], name));
    return dropped;
  }, files);
  const target = page.locator('.reports');
  await target.dispatchEvent('dragover', { dataTransfer: transfer });
  await page.locator('.reports.over').waitFor();
  await target.dispatchEvent('drop', { dataTransfer: transfer });
  await expect.poll(() => page.locator('.reports.over').count()).toBe(0);
}

/** Pastes a text while nothing has the focus. */
const paste = (page: Page, text: string) =>
  page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', given);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

it('a report of conformance is chosen, shows verdict and counts, and each check in full', async (test) => {
  const flawed = await judgedFlawed();
  const { page, mock } = await openPage(test, { at, look: mayCopy });
  await page.getByText(new RegExp(`--base-url ${mock.url} .*--allow-writes`)).waitFor();
  await choose(page, toFile('flawed.json', flawed));
  const { word, rest } = flawed.words?.headline ?? { word: '', rest: '' };
  expect(word).not.toBe('');
  await page.locator('.verdict', { hasText: `${word} ${rest}` }).waitFor();
  const counts = await page.locator('.report-head').innerText();
  for (const [outcome, count] of Object.entries(flawed.summary))
    if (count > 0) expect(counts).toContain(`${count} ${outcome.replace('-', ' ')}`);
  // The page opens its first finding once it is drawn, and would open it over a check that is chosen before.
  await detail(page).waitFor();
  await row(page, wrongKey).click();
  await page.getByRole('region', { name: wrongKey, exact: true }).waitFor();
  const check = flawed.checks.find(({ id }) => id === wrongKey);
  const shown = await detail(page).innerText();
  for (const text of [
    check?.requirement,
    check?.required?.[0]?.text,
    check?.evidence?.expected,
    check?.evidence?.actual,
  ])
    expect(shown).toContain(text);
  expect(shown).toContain('section 4, section 5');
  await detail(page).getByText('"name"').first().waitFor();
  await detail(page).getByRole('button', { name: 'Copy curl', exact: true }).click();
  await expect.poll(() => copied(page)).toBe(check?.evidence?.curl);
});

describe('a report of conformance', () => {
  story('says on how many checks its verdict rests, and what the others need', async (test) => {
    const { page } = await openPage(test, { at });
    const left = { outcome: 'not-enabled', reason: 'It needs --allow-writes.', setting: '--allow-writes' } as const;
    const checks = [sampleResult(wrongKey), sampleResult('createDrive.is-served', left)];
    await choose(page, toFile('report.json', withWords(sampleReport(checks))));
    const said = page.locator('.verdict', { hasText: 'conformant in 1 of 2 checks; 1 needs --allow-writes' });
    await said.locator('strong.warn').waitFor();
    await part(page, 'Not enabled 1').click();
    await page.getByText('1 check needs --allow-writes').waitFor();
    await page.getByRole('link', { name: 'createDrive.is-served' }).click();
    await detail(page).getByText('It needs --allow-writes.').waitFor();
  });

  story('is shown as far as it goes if the suite has not put it into words', async (test) => {
    const { page } = await openPage(test, { at });
    await choose(page, toFile('old.json', believableReport()));
    await page.locator('.verdict', { hasText: 'non-conformant' }).waitFor();
    await page.getByText('3 failed, 3 warned, 8 not enabled, 24 passed, 1 skipped').waitFor();
    await row(page, 'createDrive.timestamps-are-utc').click();
    await detail(page).getByText('A timestamp is not in UTC.').waitFor();
  });

  story('is filtered and searched, and the address keeps what is selected', async (test) => {
    const { page } = await openPage(test, { at });
    await choose(page, toFile('report.json', believableReport()));
    const outcome = page.getByRole('combobox', { name: 'Outcome' });
    await outcome.selectOption('3 warned');
    await expect.poll(() => rows(page).count()).toBe(3);
    await outcome.selectOption({ index: 0 });
    await page.locator('main').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing-like-this');
    await page.getByText('No check matches.').waitFor();
    await page.getByRole('searchbox').fill('bounds limit');
    await row(page, 'listDrives.limit-hundred-accepted').click();
    expect(page.url()).toMatch(/#\/reports\/listDrives\.limit-hundred-accepted\?find=bounds\+limit$/);
    await page.goBack();
    await expect.poll(() => detail(page).count()).toBe(0);
  });

  story('tells what came with the run', async (test) => {
    const { page } = await openPage(test, { at });
    const serverErrors = [{ method: 'GET', path: '/agents', status: 500, count: 3, curl: 'curl -i x' }];
    const report = believableReport();
    const crashes = [{ request: 'GET http://a/drives', check: wrongKey, isRepeated: true }];
    const run = { ...report.run, suiteError: 'the target is gone', targetName: 'Build 7', crashes };
    await choose(page, toFile('report.json', withWords({ ...report, serverErrors, run })));
    for (const text of ['so this report is incomplete: the target is gone', 'Build 7'])
      await page.getByText(text).waitFor();
    for (const [title, text] of [
      ['Crashes and server errors 2', 'GET /agents: 500, 3 times'],
      ['Left behind 3', /conformance-k7m2x9-2/],
      ['Expected failures 3', 'did not fail: remove it from the list'],
      ['Observed choices 14', '{"error_code":"E1042"'],
      ['The run', 'Random seed'],
    ] as const) {
      await part(page, title).click();
      await page.locator('.report-part').getByText(text).waitFor();
    }
    await part(page, 'Summary').click();
    await page.getByRole('link', { name: 'deleteDriveTree' }).click();
    await expect.poll(() => rows(page).count()).toBe(4);
  });

  story('opens an exchange in Try', async (test) => {
    const { page } = await openPage(test, { at });
    const flawed = await judgedFlawed();
    const text = JSON.stringify(flawed).replaceAll('/v0.1/agents"', '/v0.1/drives?limit=100"');
    await choose(page, toFile('report.json', text.replaceAll('"operation":"listAgents"', '"operation":"listDrives"')));
    await row(page, wrongKey).click();
    await detail(page).getByRole('button', { name: 'Open in Try' }).last().click();
    await expect.poll(() => page.locator('[id="field-query.limit"]').inputValue()).toBe('100');
    await page.goBack();
    await detail(page).waitFor();
  });

  story('is walked through with keys alone, also with a thousand checks', async (test) => {
    const { page } = await openPage(test, { at });
    const checks = Array.from({ length: 1_000 }, (_, index) =>
      sampleResult(`listAgents.case-${index}`, { outcome: 'failed', reason: `${'long '.repeat(400)}${index}` }),
    );
    await choose(page, toFile('long.json', sampleReport(checks)));
    await page.locator('.verdict').waitFor();
    const ids = await page.locator('.row-link').allInnerTexts();
    expect(ids.length).toBeLessThan(80);
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('region', { name: ids[1] ?? '' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(ids[1]);
  });

  story('shows markup as text', async (test) => {
    const { page } = await openPage(test, { at });
    const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const text = JSON.stringify(believableReport()).replaceAll(
      /"(reason|actual|expected|text|note|body|url)":"/g,
      (member) => member + markup.replaceAll('"', '\\"'),
    );
    await choose(page, toFile(`${markup}.json`, text));
    await row(page, 'createDrive.timestamps-are-utc').click();
    await detail(page).getByText(markup).first().waitFor();
    expect(await page.locator('#page img, #page script').count()).toBe(0);
  });
});

describe('a report of vary', () => {
  story('is dropped, and shows causes, choices, tests and commands', async (test) => {
    const report = await writtenByVary();
    const [dependency] = report.dependencies;
    const { page } = await openPage(test, { at });
    await drop(page, [{ name: 'vary.json', text: JSON.stringify(report) }]);
    await page.locator('.verdict', { hasText: '1 dependency' }).waitFor();
    const cause = await page.locator('.cause').innerText();
    const { legal, question, reliesOn } = dependency?.openPoints[0] ?? {};
    for (const text of [
      `successStatus.createDrive = ${reliesOn}`,
      'successStatus.createDrive = 200 alone',
      legal,
      question,
      dependency?.again,
      dependency?.mock,
    ])
      expect(cause).toContain(text);
    await page.getByText('Output of the tests (exit code 1)').click();
    await page.getByText('<b>no drive</b> was created').first().waitFor();
    await page.getByText('1 profile tried besides the base').click();
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('1 relied on');
    await expect.poll(() => page.locator('.item code').allInnerTexts()).toEqual(['successStatus.createDrive']);
  });

  story('says when the tests fail with the base, are flaky or fail for unknown reasons', async (test) => {
    const { page } = await openPage(test, { at });
    const report = await writtenByVary();
    const base = { ...report.base, outcome: 'red', runs: 3, red: 3, requests: 0 };
    const choices = { listOrder: 'byName' };
    const variant = {
      name: 'profile 9',
      choices,
      remaining: choices,
      outcome: 'red',
      runs: 4,
      red: 4,
      again: 'npm run vary x',
    };
    const flakiness = {
      runs: 9,
      red: 2,
      variants: [{ purpose: 'the base profile', choices: {}, runs: 5, red: 1 }],
      ending: 'exit code 1',
      output: '',
    };
    await choose(
      page,
      toFile('vary.json', { ...report, dependencies: [], base, flakiness, variants: [variant], endedBy: 'maxRuns' }),
    );
    for (const text of [
      'the tests fail with the base profile',
      'They sent no request to the mock.',
      'Your tests are flaky: 2 of 9 runs',
      'Your tests fail with profile 9, in 4 of 4 runs',
      'it reached --max-runs',
      'npm run vary x',
    ])
      await expect.poll(() => page.locator('.reports').innerText()).toContain(text);
  });
});

story('names the commands that write a report as the server says', async (test) => {
  const { page, mock } = await openPage(test, { at });
  const { commands } = await (await fetch(new URL('/', mock.url), { headers: { accept: 'application/json' } })).json();
  expect(commands.conformance).toBe(
    `npm run conformance -- --base-url ${mock.url} --api-key demo-key --allow-writes --json report.json`,
  );
  expect(commands.vary).toBe('npm run vary -- --json report.json -- npm test');
  await page.getByText(commands.conformance).waitFor();
  // In full: nothing has to be scrolled into sight.
  const commandLines = page.locator('.command pre');
  expect(await commandLines.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))).toEqual([0, 0]);
  expect((await page.getByRole('button', { name: 'Copy command' }).first().boundingBox())?.x).toBeLessThan(1200);
  await page.route('**/', async (route) => {
    if (route.request().resourceType() === 'document') return route.continue();
    const response = await route.fetch();
    await route.fulfill({
      json: { ...(await response.json()), commands: { conformance: 'as told', vary: 'as well' } },
    });
  });
  await page.reload();
  await page.getByText('as told').waitFor();
});

describe('what is given', () => {
  story(
    'may be pasted, anywhere or into the field; no report is refused with a sentence, and what is open stays open',
    async (test) => {
      const { page } = await openPage(test, { at });
      await page.getByText('Open a report').waitFor();
      await paste(page, JSON.stringify(believableReport()));
      await page.locator('.verdict').waitFor();
      await closeOf(page, 'The pasted text').click();
      await page.getByLabel('Paste the text of a report').fill(JSON.stringify(believableReport()));
      await page.locator('.verdict').waitFor();
      await closeOf(page, 'The pasted text').click();
      await choose(page, toFile('report.xml', '<testsuites/>'));
      await page.getByRole('alert').getByText('report.xml is not shown. This is a JUnit report.').waitFor();
      await paste(page, 'no report');
      await page
        .getByRole('alert')
        .getByText('The pasted text is not shown. This is not JSON, or only a part of it')
        .waitFor();
      await choose(page, toFile('good.json', believableReport()));
      await page.locator('.verdict').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await drop(page, [{ name: 'torn.json', text: '{"verdict":"conf' }]);
      await page.getByRole('alert').getByText('This is not JSON, or only a part of it').waitFor();
      await page.locator('.verdict').waitFor();
    },
  );

  story('is neither sent nor stored', async (test) => {
    const { page } = await openPage(test, { at });
    await page.getByRole('combobox', { name: 'Sandbox', exact: true }).waitFor();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
    await choose(page, toFile('report.json', believableReport()));
    await row(page, 'createDrive.timestamps-are-utc').click();
    await detail(page).waitFor();
    const itsOwn = /^GET http:\/\/[^/]+\/(?:__admin\/(?:organizations|faults|requests\/live))? $/;
    expect(sent.filter((one) => !itsOwn.test(one))).toEqual([]);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toContain('createDrive');
    await page.reload();
    await page.getByText('report.json was open before the page was reloaded.').waitFor();
    await choose(page, toFile('other.json', believableReport()));
    await closeOf(page, 'other.json').click();
    await page.getByText('Open a report').waitFor();
    expect(await page.getByText('was open before').count()).toBe(0);
  });

  story('in which something is missing is not shown', async (test) => {
    const { page } = await openPage(test, { at });
    await choose(page, toFile('cut.json', { ...believableReport(), run: {} }));
    await page.getByRole('alert').getByText('This report was changed or damaged').waitFor();
    await closeOf(page, 'cut.json').click();
    await page.getByText('Open a report').waitFor();
  });

  story('is said to be of another version where it is', async (test) => {
    const { page } = await openPage(test, { at });
    const report = believableReport();
    await choose(
      page,
      toFile('old.json', { ...report, run: { ...report.run, tool: 'agent-platform-conformance/0.0.9' } }),
    );
    const words = 'Written by version 0.0.9; this page has version';
    await expect.poll(() => page.locator('.toolbar').innerText()).toContain(words);
  });
});

it.runIf(isFull).for(looks)(
  'is accessible in $colorScheme at $width px, empty, full and refused',
  async ({ look }, test) => {
    // While a message fades in, its colours have no contrast yet.
    const { page } = await openPage(test, { at, look: { ...look, reducedMotion: 'reduce' } });
    await page.getByText('Open a report').waitFor();
    await expectAccessible(page);
    await choose(page, toFile('report.xml', '<testsuites/>'));
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await choose(page, toFile('report.json', believableReport()));
    await page.locator('.verdict').waitFor();
    await expectAccessible(page);
    await row(page, 'createDrive.timestamps-are-utc').click();
    await detail(page).waitFor();
    await expectAccessible(page);
    await detail(page).getByRole('link', { name: 'Close' }).click();
    await choose(page, toFile('vary.json', await writtenByVary()));
    await page.locator('.cause').waitFor();
    await expectAccessible(page);
  },
);
