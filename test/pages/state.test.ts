import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { validateSeed } from '../../src/domain/validate-seed.ts';
import type { Mock } from '../../src/index.ts';
import { isFull } from '../support/depth.ts';
import {
  button,
  copied,
  downloaded,
  expectAccessible,
  giveFile,
  goToView,
  isLive,
  looks,
  mayCopy,
  openPage,
  press,
  row,
  rows,
  story,
  tryAgain,
  undo,
} from '../support/developer-page.ts';
import { tinySeed } from '../support/tiny-seed.ts';

// The view State of the developer page, against a real mock.

const inOrg = (where: string, query = '') => `#/state/${encodeURIComponent(where)}?sandbox=org-a${query}`;

async function control(mock: Mock, method: string, path: string, json?: unknown) {
  const sent =
    json === undefined ? {} : { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
  const response = await fetch(`${mock.adminUrl}${path}`, { method, ...sent });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** What the mock holds, without what counts on by itself. */
async function stateOf(mock: Mock): Promise<unknown> {
  const { organizations, revokedKeys } = (await control(mock, 'GET', '/snapshot')).body;
  const stable = organizations.map(({ ids: _, deferred, ...rest }: Record<string, { tasks: unknown }>) => ({
    ...rest,
    tasks: deferred?.tasks,
  }));
  return { organizations: stable, revokedKeys };
}

const agent = async (mock: Mock, id = 'agent-two-revisions') =>
  (await control(mock, 'GET', `/organizations/org-a/agents/${id}`)).body;
const file = async (mock: Mock, id = 'file-plain') =>
  (await control(mock, 'GET', `/organizations/org-a/drives/drive-full/files/${id}`)).body;
const record = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const field = (page: Page, name: string) => page.locator('.record').getByLabel(name, { exact: true });
/** The name of the row that has the focus, its level, and whether it is open. */
const activeRow = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement?.closest('tr');
    const values = ['aria-level', 'aria-expanded'].map((name) => active?.getAttribute(name) ?? '');
    return [document.activeElement?.textContent, ...values].join(' ');
  });
const load = (page: Page, name: string, text: string) => giveFile(page.getByLabel('Snapshot to load'), { name, text });

/** Changes something, sees that the mock has it, takes it back by the button, and sees that all is as before. */
async function expectUndone(page: Page, mock: Mock, what: string | RegExp, change: () => Promise<void>): Promise<void> {
  const before = await stateOf(mock);
  await change();
  await expect.poll(() => undo(page).textContent()).toMatch(what);
  expect(await stateOf(mock)).not.toEqual(before);
  await undo(page).click();
  await expect.poll(() => undo(page).textContent()).toBe('Undo');
  expect(await stateOf(mock)).toEqual(before);
}

describe('sandboxes', () => {
  story('are listed with what they hold, and lead to their records', async (test) => {
    const { page } = await openPage(test, { at: '#/state' });
    await row(page, 'Second by name').waitFor();
    const parts = page.getByRole('navigation', { name: 'Parts of the state' });
    await parts.getByRole('link', { name: 'Sandboxes 2' }).click();
    await row(page, 'Alder').click();
    await record(page, 'Sandbox Alder').getByRole('link', { name: '2 drives' }).click();
    await row(page, 'Middle').waitFor();
    expect(await parts.getByRole('link', { name: 'Drives 2' }).getAttribute('aria-current')).toBe('page');
    await page.getByRole('combobox', { name: 'Sandbox', exact: true }).selectOption('Birch');
    await parts.getByRole('link', { name: /^Agents/ }).click();
    await row(page, /Foreign/).waitFor();
  });

  story('are opened and deleted, both undone', async (test) => {
    // A list may be on its way when its organization goes.
    const { page, mock } = await openPage(test, { at: '#/state/sandboxes', mayFail: true });
    await isLive(page);
    await expectUndone(page, mock, /^Undo: Open Probe$/, async () => {
      await button(page, 'Open a sandbox').click();
      await page.getByLabel('Name (optional)').fill('Probe');
      await page.getByLabel('Copy of').selectOption('Nothing: it starts empty');
      await button(page, 'Open').click();
      await row(page, 'Probe').waitFor();
    });
    await control(mock, 'PATCH', '/settings?organization=org-b', { profile: { listOrder: 'byName' } });
    const fault = { id: 'slow', organizationId: 'org-b', effect: { latency: { delayMs: 1 } } };
    await control(mock, 'POST', '/faults', fault);
    await row(page, 'Birch').click();
    await expectUndone(page, mock, /^Undo: Delete Birch$/, async () => {
      await press(page, 'Delete', 'Delete Birch and everything in it?');
      await expect.poll(async () => (await control(mock, 'GET', '/organizations')).body.length).toBe(1);
    });
    await expect
      .poll(async () => (await control(mock, 'GET', '/settings?organization=org-b')).body)
      .toMatchObject({ hasOwnProfile: true, profile: { listOrder: 'byName' }, faults: [{ id: 'slow' }] });
  });
});

describe('agents', () => {
  const at = inOrg('agents/agent-two-revisions');

  story('are added, changed and deleted, each undone', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents') });
    await isLive(page);
    await expectUndone(page, mock, /^Undo: Add an agent$/, async () => {
      await button(page, 'Add an agent').click();
      await field(page, 'id').fill('made');
      await field(page, 'name').fill('Made here');
      await button(page, 'Add').click();
      await row(page, 'Made here').waitFor();
      expect(await agent(mock, 'made')).toMatchObject({ name: 'Made here' });
    });
    await page.getByText('There is no such record').waitFor();
    await row(page, 'Second by name').click();
    await expectUndone(page, mock, /^Undo: Change the agent Second by name$/, async () => {
      await field(page, 'name').fill('Renamed');
      await field(page, 'description').fill('');
      await button(page, 'Save').click();
      await row(page, 'Renamed').waitFor();
      expect(await agent(mock)).not.toHaveProperty('description');
    });
    await row(page, 'Second by name').waitFor();
    await expectUndone(page, mock, /^Undo: Delete the agent Second by name$/, async () => {
      await button(page, 'Delete').dblclick();
      await press(page, 'Delete Second by name?');
      await expect.poll(() => row(page, 'Second by name').count()).toBe(0);
      await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('row-link');
    });
    await row(page, 'Second by name').waitFor();
  });

  story('get revisions, which are published and unpublished', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await expectUndone(page, mock, /^Undo: Add a revision to Second by name$/, async () => {
      await button(page, 'Add a revision').click();
      await button(page, 'Publish revision 3').waitFor();
    });
    await expect.poll(() => button(page, 'Publish revision 3').count()).toBe(0);
    await expectUndone(page, mock, /^Undo: Publish revision 2 of Second by name$/, async () => {
      await button(page, 'Publish revision 2').click();
      await button(page, 'Unpublish revision 2').waitFor();
      expect(await agent(mock)).toMatchObject({ activeRevisionId: 'rev-2', hasChanges: false });
    });
    await button(page, 'Publish revision 1').click();
    await row(page, 'Second by name').getByText('has changes').waitFor();
    await button(page, 'Unpublish revision 1').click();
    await expect.poll(() => agent(mock)).not.toHaveProperty('activeRevisionId');
  });

  story('are edited as JSON too; the page says where it is wrong, the mock what it refuses', async (test) => {
    const { page, mock } = await openPage(test, { at, mayFail: true });
    const before = await stateOf(mock);
    await page.getByLabel('As JSON').check();
    const text = page.getByLabel('Record as JSON');
    await text.fill('{ "name": "x", oops }');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('This is not JSON.').waitFor();
    await text.fill('[]');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('The record must be an object').waitFor();
    await button(page, 'Discard').click();
    await field(page, 'updatedAt').fill('yesterday');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('body.updatedAt must be an ISO date-time').waitFor();
    expect(await stateOf(mock)).toEqual(before);
    expect(await undo(page).textContent()).toBe('Undo');
  });

  story('keep what is typed when the record changes, and save only that', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await field(page, 'name').fill('Mine');
    await control(mock, 'PATCH', '/organizations/org-a/agents/agent-two-revisions', { description: 'Their\ntext' });
    await expect.poll(() => field(page, 'description').inputValue()).toBe('Their\ntext');
    await button(page, 'Save').click();
    await expect.poll(() => agent(mock)).toMatchObject({ name: 'Mine', description: 'Their\ntext' });
  });

  story('keep what is typed while something else is shown, and as JSON', async (test) => {
    const { page } = await openPage(test, { at });
    await field(page, 'name').fill('Mine');
    await row(page, 'First by name').click();
    await expect.poll(() => field(page, 'name').inputValue()).toBe('First by name');
    await goToView(page, 'Traffic');
    await goToView(page, 'State');
    await row(page, 'Second by name').click();
    await expect.poll(() => field(page, 'name').inputValue()).toBe('Mine');
    const [asJson, text] = [page.getByRole('checkbox', { name: 'As JSON' }), page.getByLabel('Record as JSON')];
    await asJson.check();
    expect(await text.inputValue()).toContain('"name": "Mine"');
    await text.fill('{ oops }');
    await asJson.click();
    await page.getByRole('alert').getByText('This is not JSON.').waitFor();
    await expect.poll(() => asJson.isChecked()).toBe(true);
    await text.fill('{ "name": "As JSON" }');
    await asJson.uncheck();
    expect(await field(page, 'name').inputValue()).toBe('As JSON');
    await button(page, 'Discard').click();
    await expect.poll(() => field(page, 'name').inputValue()).toBe('Second by name');
    await page.getByRole('combobox', { name: 'Sandbox', exact: true }).selectOption('Birch');
    await row(page, /Foreign/).waitFor();
    await expect.poll(() => page.locator('.detail').count()).toBe(0);
  });

  story('are sorted by a column, which stays in the address', async (test) => {
    const { page } = await openPage(test, { at: inOrg('agents') });
    const names = () => page.locator('.row-link').allInnerTexts();
    await row(page, 'Second by name').waitFor();
    await button(page, /^Name/).click();
    await expect.poll(names).toEqual((await names()).toSorted());
    await button(page, /^Name/).click();
    await expect.poll(names).toEqual((await names()).toSorted().reverse());
    expect(page.url()).toContain('sort=-Name');
    await page.getByLabel('Find').fill('Second');
    await expect.poll(() => page.url()).toContain('find=Second');
    await page.getByRole('link', { name: /^Keys/ }).click();
    await expect.poll(() => page.url()).not.toMatch(/find|sort/);
    await page.goBack();
    await expect
      .poll(() => page.getByRole('columnheader', { name: /^Name/ }).getAttribute('aria-sort'))
      .toBe('descending');
  });
});

const aFile = inOrg('drives/drive-full/files/file-plain');

it('changes a file: record, scheduled status, deletion, each undone', async (test) => {
  const { page, mock } = await openPage(test, { at: aFile });
  await isLive(page);
  await expectUndone(page, mock, /^Undo: Change the file/, async () => {
    await field(page, 'path').fill('/moved/here.txt');
    await field(page, 'status').selectOption('error');
    await field(page, 'metadata').fill('');
    await button(page, 'Save').click();
    await expect.poll(async () => (await file(mock)).path).toBe('/moved/here.txt');
    expect(await file(mock)).toMatchObject({ status: 'error' });
    expect(await file(mock)).not.toHaveProperty('metadata');
  });
  await expectUndone(page, mock, /^Undo: Schedule status error of/, async () => {
    await page.getByLabel('After, in seconds').fill('3600');
    await button(page, 'Schedule').click();
    await expect.poll(async () => (await file(mock)).becomes?.status).toBe('error');
    await page.getByText(/^error at /).waitFor();
  });
  await expectUndone(page, mock, /^Undo: Delete the file/, async () => {
    await press(page, 'Delete', 'Delete /docs/plan.txt?');
    await expect.poll(async () => (await file(mock)).status).toBe(404);
  });
});

describe('drives and files', () => {
  story('show the next status of a file when its time comes', async (test) => {
    const { page } = await openPage(test, { at: aFile });
    await page.getByLabel('After, in seconds').fill('soon');
    expect(await button(page, 'Schedule').isDisabled()).toBe(true);
    await page.getByLabel('After, in seconds').fill('0.5');
    await button(page, 'Schedule').click();
    await row(page, 'plan.txt').getByText('error', { exact: true }).waitFor();
  });

  story('add a file, and delete a drive with all files, each undone', async (test) => {
    // Files may be on their way when their drive goes.
    const { page, mock } = await openPage(test, { at: inOrg('drives/drive-full'), mayFail: true });
    await expectUndone(page, mock, /^Undo: Add a file to Middle$/, async () => {
      await button(page, 'Add a file').click();
      await field(page, 'id').fill('made');
      await field(page, 'path').fill('/a/b c/%2e.txt');
      await button(page, 'Add').click();
      await record(page, 'File /a/b c/%2e.txt').waitFor();
      expect(await file(mock, 'made')).toMatchObject({ path: '/a/b c/%2e.txt' });
    });
    await row(page, 'Middle').click();
    await expectUndone(page, mock, /^Undo: Delete the drive Middle$/, async () => {
      await press(page, 'Delete', 'Delete Middle with 3 files?');
      await expect.poll(() => row(page, 'Middle').count()).toBe(0);
    });
    await row(page, 'Middle').waitFor();
  });

  story('form a tree that keys move through', async (test) => {
    const { page } = await openPage(test, { at: inOrg('drives') });
    const press = async (key: string, then: string) => {
      await page.keyboard.press(key);
      await expect.poll(() => activeRow(page)).toBe(then);
    };
    await row(page, 'Middle').waitFor();
    await press('j', 'Middle 1 false');
    await press('ArrowRight', 'Middle 1 true');
    await row(page, 'docs/').waitFor();
    await press('ArrowRight', 'docs/ 2 true');
    await press('ArrowDown', 'old/ 3 true');
    await press('ArrowRight', 'notes.txt 4 ');
    await press('ArrowLeft', 'old/ 3 true');
    await press('ArrowLeft', 'old/ 3 false');
    await press('ArrowDown', 'plan.txt 3 ');
    await page.keyboard.press('Enter');
    await record(page, 'File /docs/plan.txt').waitFor();
    expect(await row(page, 'plan.txt').getAttribute('aria-selected')).toBe('true');
    await press('End', 'Aardvark 1 ');
    await press('Home', 'Middle 1 true');
    await page.keyboard.press('Escape');
    await record(page, 'Drive Middle').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.detail').count()).toBe(0);
  });

  story('give the focus to the record that takes their place where it is narrow, and get it back', async (test) => {
    const { page } = await openPage(test, { at: inOrg('agents'), look: { viewport: { width: 400, height: 700 } } });
    await row(page, 'Second by name').waitFor();
    await row(page, 'Second by name').locator('.row-link').press('Enter');
    await record(page, 'Agent Second by name').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('Close');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Second by name');
  });

  story('are found by part of a name, which stays in the address', async (test) => {
    const { page } = await openPage(test, { at: aFile });
    await row(page, 'plan.txt').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('NOTES');
    await expect.poll(() => rows(page).count()).toBe(4);
    expect(page.url()).toContain('find=NOTES');
    await page.getByLabel('Find').fill('nothing-like-this');
    await page.getByText('No name matches').waitFor();
    await button(page, 'Show all').click();
    await row(page, 'Aardvark').waitFor();
  });

  story('stay usable with 10,000 files', async (test) => {
    const files = Array.from({ length: 10_000 }, (_, index) => ({
      id: `f${index}`,
      path: `/dir-${String(index % 100).padStart(2, '0')}/file-${String(index).padStart(5, '0')}.txt`,
    }));
    const drive = { id: 'large', name: 'Large', files };
    const [first, ...others] = tinySeed.organizations;
    const seed = {
      organizations: [{ ...first, drives: [drive] } as (typeof tinySeed.organizations)[number], ...others],
    };
    const { page } = await openPage(test, { at: inOrg('drives'), mock: { seed } });
    await row(page, 'Large').getByText('10,000 files').waitFor();
    await row(page, 'Large').click();
    await row(page, 'dir-00/').waitFor();
    await page.keyboard.press('End');
    await row(page, 'dir-99/').click();
    await page.keyboard.press('End');
    await row(page, 'file-09999.txt').click();
    await record(page, /^File .*file-09999/).waitFor();
    expect(await rows(page).count()).toBeLessThan(80);
    await field(page, 'status').selectOption('error');
    await button(page, 'Save').click();
    await row(page, 'file-09999.txt').getByText('error').waitFor();
    await undo(page).click();
    await row(page, 'file-09999.txt').getByText('ready').waitFor();
  });
});

story('MCP servers change their tools as JSON, and are deleted, each undone', async (test) => {
  const { page, mock } = await openPage(test, { at: inOrg('mcp-servers/server-tools') });
  const tools = async () => (await control(mock, 'GET', '/organizations/org-a/mcp-servers/server-tools/tools')).body;
  await expectUndone(page, mock, /^Undo: Change the tools of Tools$/, async () => {
    await field(page, 'tools').fill('[{"name": "look", "description": "Looks."}]');
    await button(page, 'Save').click();
    await expect.poll(tools).toEqual([{ name: 'look', description: 'Looks.' }]);
  });
  await expectUndone(page, mock, /^Undo: Delete the MCP server Tools$/, async () => {
    await press(page, 'Delete', 'Delete Tools?');
    await page.getByText('No MCP servers').waitFor();
  });
  await row(page, 'Tools').waitFor();
});

story('keys are copied, issued and revoked, each undone', async (test) => {
  const { page, mock } = await openPage(test, { at: inOrg('keys'), look: mayCopy });
  const status = async (key: string) => (await fetch(`${mock.url}/agents`, { headers: { 'x-api-key': key } })).status;
  await rows(page).filter({ hasText: 'key-a' }).first().click();
  await button(page, 'Copy key').click();
  await expect.poll(() => copied(page)).toBe('key-a');
  await expectUndone(page, mock, /^Undo: Issue a key$/, async () => {
    await button(page, 'Issue a key').click();
    await page.getByRole('dialog').getByLabel('key').fill('fresh');
    await button(page, 'Issue').click();
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(await status('fresh')).toBe(200);
  });
  expect(await status('fresh')).toBe(401);
  await expectUndone(page, mock, /^Undo: Revoke the key/, async () => {
    await button(page, 'Revoke').click();
    await page.getByRole('button', { name: /Requests with it get 401/ }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await status('key-a')).toBe(401);
  });
  expect(await status('key-a')).toBe(200);
});

describe('the whole state', () => {
  const rename = (mock: Mock) =>
    control(mock, 'PATCH', '/organizations/org-a/agents/agent-blank', { name: 'Changed before' });

  it.runIf(isFull).for([
    ['Alder', inOrg('agents')],
    ['everything', '#/state/sandboxes'],
  ] as const)('is reset with its settings, which is undone: %s', async ([name, at], test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await rename(mock);
    await control(mock, 'POST', '/organizations', { name: 'Extra' });
    await control(mock, 'PATCH', '/settings?organization=org-a', { profile: { listOrder: 'byName' } });
    const fault = { id: 'latency:own', organizationId: 'org-a', effect: { latency: { delayMs: 1 } } };
    await control(mock, 'POST', '/faults', { ...fault, when: { next: 1 }, matched: 2, applied: 1 });
    await button(page, `Reset ${name}`).click();
    await page.getByText(/and all requests in Traffic|its requests in Traffic/).waitFor();
    await page.keyboard.press('Escape');
    await expectUndone(page, mock, new RegExp(`^Undo: Reset ${name}$`), async () => {
      await press(page, `Reset ${name}`, `Reset ${name} to the seed?`);
      await expect.poll(async () => (await agent(mock, 'agent-blank')).name).toBe('First by name');
      expect((await control(mock, 'GET', '/faults')).body).toEqual([]);
    });
    expect((await control(mock, 'GET', '/settings?organization=org-a')).body).toMatchObject({
      ...{ hasOwnProfile: true, profile: { listOrder: 'byName' } },
    });
    expect((await control(mock, 'GET', '/faults')).body).toMatchObject([{ id: 'latency:own', isUsedUp: true }]);
  });

  const save = async (page: Page, name: string) => {
    await page.locator('.menu summary', { hasText: 'Snapshot' }).click();
    return downloaded(page, button(page, name));
  };

  story('is saved to a file and loaded again, which is undone', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/state/sandboxes' });
    await isLive(page);
    const saved = await save(page, 'Save snapshot');
    expect(saved.name).toBe('snapshot.json');
    const start = await stateOf(mock);
    await rename(mock);
    await control(mock, 'POST', '/organizations', { name: 'Extra' });
    await row(page, 'Extra').waitFor();
    await expectUndone(page, mock, /^Undo: Load snapshot\.json$/, async () => {
      await load(page, 'snapshot.json', saved.text);
      await expect.poll(() => row(page, 'Extra').count()).toBe(0);
      expect(await stateOf(mock)).toEqual(start);
    });
    await row(page, 'Extra').waitFor();
  });

  story('of one sandbox is saved and loaded as such, and as a seed', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents') });
    await isLive(page);
    const snapshot = await save(page, 'Save snapshot');
    expect([snapshot.name, JSON.parse(snapshot.text).id]).toEqual(['snapshot-Alder.json', 'org-a']);
    const seed = await save(page, 'Save as seed');
    expect([seed.name, validateSeed(JSON.parse(seed.text))]).toEqual(['seed-Alder.json', []]);
    await rename(mock);
    await row(page, 'Changed before').waitFor();
    await load(page, 's.json', snapshot.text);
    await row(page, 'First by name').waitFor();
  });

  story('is asked for before a file replaces more than what is shown', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents') });
    await isLive(page);
    const loadFrom = async (path: string) => {
      const text = await (await fetch(mock.adminUrl + path)).text();
      await rename(mock);
      await load(page, 's.json', text);
    };
    await loadFrom('/snapshot?organization=org-b');
    await page.getByText('s.json is a snapshot of Birch, not only of Alder. Loading it replaces Birch.').waitFor();
    await button(page, 'Cancel').click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect((await agent(mock, 'agent-blank')).name).toBe('Changed before');
    await control(mock, 'POST', '/reset');
    await loadFrom('/snapshot');
    await page.getByText('Loading it replaces everything: Alder, Birch').waitFor();
    expect((await agent(mock, 'agent-blank')).name).toBe('Changed before');
    await button(page, 'Replace everything').click();
    await expect.poll(async () => (await agent(mock, 'agent-blank')).name).toBe('First by name');
  });

  story('is not loaded from what is no snapshot', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/state/sandboxes', mayFail: true });
    await isLive(page);
    const before = await stateOf(mock);
    for (const [text, words] of [
      ['{"organizations": [,]}', 'bad.json: This is not JSON.'],
      ['{"organizations": []}', 'bad.json is not a snapshot'],
      ['{"organizations": [{}], "revokedKeys": []}', 'body.organizations'],
      ['{"id": "nobody", "keys": []}', 'no organization'],
    ] as const) {
      await load(page, 'bad.json', text);
      await page.getByRole('alert').getByText(words).waitFor();
    }
    expect(await stateOf(mock)).toEqual(before);
  });
});

describe('undo', () => {
  const at = inOrg('agents/agent-two-revisions');
  const publish = async (page: Page) => {
    await button(page, 'Publish revision 1').click();
    await button(page, 'Unpublish revision 1').waitFor();
    await expect.poll(() => undo(page).isEnabled()).toBe(true);
  };

  story('leaves what others did to other records, and belongs to its view', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await publish(page);
    await control(mock, 'PATCH', '/organizations/org-a/agents/agent-blank', { name: 'By others' });
    await control(mock, 'POST', '/organizations/org-a/drives/drive-late/files', { id: 'theirs', path: '/x' });
    await goToView(page, 'Faults');
    await expect.poll(() => undo(page).textContent()).toBe('Undo');
    await goToView(page, 'State');
    await page.keyboard.press('u');
    await expect.poll(() => agent(mock)).not.toHaveProperty('activeRevisionId');
    expect((await agent(mock, 'agent-blank')).name).toBe('By others');
    expect((await control(mock, 'GET', '/organizations/org-a/drives/drive-late/files')).body).toHaveLength(1);
  });

  story('says when others changed the same field, and then does what is chosen', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await publish(page);
    const theirs = { name: 'By others', activeRevisionId: 'rev-2' };
    await control(mock, 'PATCH', '/organizations/org-a/agents/agent-two-revisions', theirs);
    await undo(page).click();
    await page.getByText('Others have since changed: agent By others.').waitFor();
    expect(await agent(mock)).toMatchObject(theirs);
    await button(page, 'Cancel').click();
    await expect.poll(() => button(page, 'Undo anyway').count()).toBe(0);
    await undo(page).click();
    await button(page, 'Undo anyway').click();
    await expect.poll(() => agent(mock)).not.toHaveProperty('activeRevisionId');
    expect(await agent(mock)).toMatchObject({ name: 'By others' });
  });

  story('says when it is impossible, and changes nothing', async (test) => {
    const { page, mock } = await openPage(test, { at: at.replace(/\?.*/, ''), mayFail: true });
    await publish(page);
    await control(mock, 'DELETE', '/organizations/org-a');
    await undo(page).click();
    await page.getByText('Not undone: No organization').waitFor();
  });
});

describe('what others do', () => {
  it('is said where it concerns an edited field, before it is overwritten; undoing works by keys alone', async (test) => {
    const { page, mock } = await openPage(test, { at: aFile });
    await isLive(page);
    await field(page, 'path').fill('/mine.txt');
    await control(mock, 'PATCH', '/organizations/org-a/drives/drive-full/files/file-plain', { path: '/theirs.txt' });
    await page.getByText('path changed meanwhile. Save overwrites that; Discard shows it.').waitFor();
    await button(page, 'Discard').click();
    await expect.poll(() => field(page, 'path').inputValue()).toBe('/theirs.txt');
    for (const path of ['/one.txt', '/two.txt']) {
      await field(page, 'path').fill(path);
      await button(page, 'Save').click();
      await expect.poll(async () => (await file(mock)).path).toBe(path);
    }
    await undo(page).focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await file(mock)).path).toBe('/one.txt');
    await expect.poll(() => undo(page).isEnabled()).toBe(true);
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('undo');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await file(mock)).path).toBe('/theirs.txt');
  });

  it('Undo waits for a change under way, and undoes that', async (test) => {
    const { page, mock } = await openPage(test, { at: aFile });
    await isLive(page);
    const before = await file(mock);
    const undoPressed = Promise.withResolvers<void>();
    let reads = 0;
    await page.route(/__admin\/snapshot/, async (route) => {
      // The second tells what the change has changed.
      if (++reads === 2) await undoPressed.promise;
      await route.continue();
    });
    await field(page, 'path').fill('/one.txt');
    await button(page, 'Save').click();
    await expect.poll(() => reads).toBe(2);
    await undo(page).focus();
    await page.keyboard.press('Enter');
    undoPressed.resolve();
    await expect.poll(async () => (await file(mock)).path).toBe(before.path);
  });

  story('appears by itself: a call of the API, and one of the admin API', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('drives') });
    await isLive(page);
    const headers = { 'x-api-key': 'key-a', 'content-type': 'application/json' };
    await fetch(`${mock.url}/drives`, { method: 'POST', headers, body: '{"name":"By API"}' });
    await row(page, 'By API').waitFor();
    await control(mock, 'DELETE', '/organizations/org-a/drives/drive-late');
    await expect.poll(() => row(page, 'Aardvark').count()).toBe(0);
  });

  story('is missed while the mock is gone: the old data stay, and say so', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents/agent-two-revisions'), mayFail: true });
    await isLive(page);
    await page.context().setOffline(true);
    await button(page, 'Add a revision').click();
    await page.getByRole('alert').getByText('The mock does not respond.').first().waitFor();
    await row(page, 'Second by name').waitFor();
    await page.getByText(/^As of \d\d:\d\d:\d\d UTC$/).waitFor();
    await control(mock, 'DELETE', '/organizations/org-a/agents/agent-blank');
    await page.context().setOffline(false);
    await tryAgain(page);
    await expect.poll(() => row(page, 'First by name').count()).toBe(0);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  story('is asked for every few seconds where there is no request log', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents'), mock: { requestLogLimit: 0 }, mayFail: true });
    await row(page, 'Second by name').click();
    await button(page, 'Publish revision 2').click();
    await button(page, 'Unpublish revision 2').waitFor();
    await control(mock, 'DELETE', '/organizations/org-a/agents/agent-blank');
    await expect.poll(() => row(page, 'First by name').count(), { timeout: 10_000 }).toBe(0);
  });
});

describe('the view', () => {
  const blank = (mock: Mock) => control(mock, 'POST', '/organizations', { name: 'Blank', copyOf: null });

  story('says what is missing where it is empty', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/state', before: blank });
    await page.getByRole('combobox', { name: 'Sandbox', exact: true }).selectOption('Blank');
    await page.getByText('No agents').waitFor();
    await page.getByRole('link', { name: /^Drives/ }).click();
    await page.getByText(`POST ${mock.url}/drives`).waitFor();
    await page.getByRole('link', { name: /^MCP servers/ }).click();
    await page.getByText(`POST ${mock.url}/mcp-servers`).waitFor();
  });

  story('stays in shape where names are long', async (test) => {
    const name = 'x'.repeat(200);
    const before = async (mock: Mock) => {
      await control(mock, 'POST', '/organizations', { name, copyOf: null });
      await control(mock, 'PATCH', '/organizations/org-a/agents/agent-blank', { name: 'שלום' });
      const path = `${'/deep'.repeat(30)}/x.txt`;
      await control(mock, 'POST', '/organizations/org-a/drives/drive-full/files', { id: 'deep', path });
    };
    const { page } = await openPage(test, { at: inOrg('drives/drive-full/files/deep'), before });
    const deep = row(page, 'x.txt').locator('.row-link');
    await expect.poll(async () => (await deep.boundingBox())?.width).toBeGreaterThan(20);
    await page.getByRole('link', { name: /^Agents/ }).click();
    const leftOf = async (text: string) => (await row(page, text).locator('.row-link').boundingBox())?.x;
    await row(page, 'שלום').waitFor();
    expect(await leftOf('שלום')).toBe(await leftOf('Second by name'));
    await page.getByRole('combobox', { name: 'Sandbox', exact: true }).selectOption(name);
    const owner = page.getByText(`of ${name}`);
    await expect.poll(async () => (await owner.boundingBox())?.width).toBeLessThan(400);
    await page.setViewportSize({ width: 400, height: 700 });
    expect(await owner.isVisible()).toBe(true);
    await page.getByRole('link', { name: /^Sandboxes/ }).click();
    await expect.poll(() => owner.count()).toBe(0);
  });

  it.runIf(isFull).for(looks)(
    'is accessible in $colorScheme at $width px: full, empty, with an error',
    async ({ look }, test) => {
      const { page, mock } = await openPage(test, { at: '#/state/sandboxes', look, before: blank, mayFail: true });
      await row(page, 'Alder').waitFor();
      await expectAccessible(page);
      const { origin } = new URL(mock.url);
      const show = async (at: string, sign: string | RegExp) => {
        await page.goto(`${origin}/${at}`);
        await page.getByText(sign).filter({ visible: true }).first().waitFor();
        await expectAccessible(page);
      };
      await show(inOrg('agents'), 'Second by name');
      await show(inOrg('agents/agent-two-revisions'), 'activeRevisionId');
      await show(inOrg('drives/drive-full/files/file-processing'), '/inbox/scan.tif');
      await show(inOrg('mcp-servers/server-tools'), 'Delete');
      await show(inOrg('keys'), 'Issue a key');
      await button(page, 'Issue a key').click();
      await expectAccessible(page);
      await show(inOrg('agents/nobody'), 'There is no such record');
      const sandboxes = (await control(mock, 'GET', '/organizations')).body as { id: string; name: string }[];
      await show(`#/state/drives?sandbox=${sandboxes.find(({ name }) => name === 'Blank')?.id}`, 'No drives');
      await show(inOrg('agents/agent-two-revisions'), 'activeRevisionId');
      await page.getByLabel('As JSON').check();
      await page.context().setOffline(true);
      await button(page, 'Add a revision').click();
      await page.getByRole('alert').getByText('The mock does not respond.').first().waitFor();
      await expectAccessible(page);
    },
  );
});
