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
  looks,
  mayCopy,
  openPage,
  press,
  story,
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
const item = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });
const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();
const editor = (page: Page) => page.getByRole('textbox', { name: /as JSON/ });
/** The name of the active line of the tree that has the focus, its level, its place in its set, and whether it is open. */
const activeLine = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant');
    const row = document.getElementById(id ?? '');
    const values = ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'];
    return [row?.querySelector('.name')?.textContent, ...values.map((name) => row?.getAttribute(name))];
  });
const unfold = (page: Page, name: RegExp) => item(page, name).locator('.twist').click();
const load = (page: Page, name: string, text: string) => giveFile(page.getByLabel('Snapshot to load'), { name, text });

async function edit(page: Page, change: (text: string) => string): Promise<void> {
  await editor(page).fill(change(await editor(page).inputValue()));
}

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

describe('organizations', () => {
  story('are listed with what they hold, and lead to their records', async (test) => {
    const { page } = await openPage(test, { at: '#/state' });
    const table = page.getByRole('table', { name: 'Sandboxes' });
    await table.getByRole('link', { name: 'Drives of Alder: 2' }).click();
    await item(page, /^▸?\s*Middle/).waitFor();
    const sections = page.getByRole('navigation', { name: 'Parts of the sandbox' });
    expect(await sections.getByRole('link', { name: /^Drives/ }).getAttribute('aria-current')).toBe('page');
    await sections.getByRole('link', { name: /^Agents/ }).click();
    await item(page, /Second by name/).waitFor();
    await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('Birch');
    await item(page, /Foreign/).waitFor();
    await page.getByRole('combobox', { name: 'Sandbox' }).selectOption('All');
    await table.waitFor();
  });

  story('are opened as sandboxes and deleted, both undone', async (test) => {
    // A list may be on its way when its organization goes.
    const { page, mock } = await openPage(test, { at: '#/state', mayFail: true });
    await isLive(page);
    await expectUndone(page, mock, /^Undo: Open Probe$/, async () => {
      await button(page, 'Open a sandbox').click();
      await page.getByLabel('Name (optional)').fill('Probe');
      await page.getByLabel('Copy of').selectOption('Nothing: it starts empty');
      await button(page, 'Open').click();
      await page.getByText('No agents').waitFor();
    });
    await page.getByRole('link', { name: 'Birch', exact: true }).click();
    await item(page, /Foreign/).waitFor();
    await control(mock, 'PATCH', '/settings?organization=org-b', { profile: { listOrder: 'byName' } });
    const fault = { id: 'slow', organizationId: 'org-b', effect: { latency: { delayMs: 1 } } };
    await control(mock, 'POST', '/faults', fault);
    await expectUndone(page, mock, /^Undo: Delete Birch$/, async () => {
      await press(page, 'Delete sandbox', 'Delete Birch and everything in it?');
      await expect.poll(async () => (await control(mock, 'GET', '/organizations')).body.length).toBe(1);
    });
    await expect
      .poll(async () => (await control(mock, 'GET', '/settings?organization=org-b')).body)
      .toMatchObject({ hasOwnProfile: true, profile: { listOrder: 'byName' }, faults: [{ id: 'slow' }] });
  });
});

describe('agents', () => {
  const at = inOrg('agents/agent-two-revisions');

  story('are added, changed and deleted as JSON, each undone', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents') });
    await isLive(page);
    await expectUndone(page, mock, /^Undo: Add an agent$/, async () => {
      await button(page, 'Add an agent').click();
      await page.getByRole('dialog').getByRole('textbox').fill('{"id": "made", "name": "Made here"}');
      await button(page, 'Add').click();
      await item(page, /Made here/).waitFor();
      expect(await agent(mock, 'made')).toMatchObject({ name: 'Made here' });
    });
    await page.getByText('There is no such record').waitFor();
    await item(page, /Second by name/).click();
    await expectUndone(page, mock, /^Undo: Change the agent Second by name$/, async () => {
      await edit(page, (text) => text.replace('Second by name', 'Renamed').replace(/"description": "[^"]*",/, ''));
      await button(page, 'Save').click();
      await item(page, /Renamed/).waitFor();
      expect(await agent(mock)).not.toHaveProperty('description');
    });
    await item(page, /Second by name/).waitFor();
    await expectUndone(page, mock, /^Undo: Delete the agent Second by name$/, async () => {
      await press(page, 'Delete', 'Delete Second by name?');
      await expect.poll(() => item(page, /Second by name/).count()).toBe(0);
    });
    await item(page, /Second by name/).waitFor();
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
    await item(page, /Second by name.*published.*has changes/).waitFor();
    await button(page, 'Unpublish revision 1').click();
    await expect.poll(() => agent(mock)).not.toHaveProperty('activeRevisionId');
    await undo(page).click();
    await expect.poll(() => agent(mock)).toMatchObject({ activeRevisionId: 'rev-1' });
  });

  story('show where the JSON is wrong, and what the mock refuses', async (test) => {
    const { page, mock } = await openPage(test, { at, mayFail: true });
    const before = await stateOf(mock);
    await editor(page).fill('{\n  "name": "x",\n  oops\n}');
    await editor(page).blur();
    await page.getByText('Line 3, column 3: expected a name in double quotes.').waitFor();
    await button(page, 'Save').click();
    expect(await editor(page).evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(19);
    expect(await editor(page).getAttribute('aria-invalid')).toBe('true');
    await editor(page).fill('[]');
    await button(page, 'Save').click();
    await page.getByText('The record must be an object').waitFor();
    await button(page, 'Discard').click();
    await edit(page, (text) =>
      text.replace('"hasChanges": true', '"hasChanges": "maybe"').replace('"id": "rev-1"', '"id": "r"'),
    );
    await button(page, 'Save').click();
    await page.getByText(/body\.(?:hasChanges|revisions)/).waitFor();
    expect(await stateOf(mock)).toEqual(before);
    expect(await undo(page).textContent()).toBe('Undo');
  });

  story('keep what is typed when the record changes, and save only that', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await edit(page, (text) => text.replace('Second by name', 'Mine'));
    await control(mock, 'PATCH', '/organizations/org-a/agents/agent-two-revisions', { description: 'Theirs' });
    await page.getByText('The record has changed since you began').waitFor();
    await button(page, 'Save').click();
    await expect.poll(() => agent(mock)).toMatchObject({ name: 'Mine', description: 'Theirs' });
    await expect.poll(() => editor(page).inputValue()).toContain('Theirs');
    await editor(page).press('End');
    await editor(page).pressSequentially('xyz');
    await page.keyboard.press('Control+z');
    await expect.poll(() => editor(page).inputValue()).not.toContain('xyz');
  });
});

const aFile = inOrg('drives/drive-full/files/file-plain');

it('changes a file: status now, status later, record, deletion, each undone', async (test) => {
  const { page, mock } = await openPage(test, { at: aFile });
  await isLive(page);
  await expectUndone(page, mock, /^Undo: Set the status error of/, async () => {
    await page.getByLabel('Status').selectOption('error');
    await expect.poll(async () => (await file(mock)).status).toBe('error');
  });
  await expectUndone(page, mock, /^Undo: Schedule status error of/, async () => {
    await page.getByLabel('after seconds').fill('3600');
    await button(page, 'Plan').click();
    await expect.poll(async () => (await file(mock)).becomes?.status).toBe('error');
    await page.getByText('becomes error at').waitFor();
  });
  await page.getByLabel('after seconds').fill('3600');
  await press(page, 'Plan', 'Cancel');
  await expect.poll(async () => (await file(mock)).becomes).toBe(undefined);
  // The page knows of a change a moment after the mock.
  await expect.poll(() => undo(page).textContent()).toMatch(/^Undo: Cancel the scheduled/);
  for (let left = 2; left > 0; left--) {
    const label = await undo(page).textContent();
    await undo(page).click();
    await expect.poll(() => undo(page).textContent()).not.toBe(label);
  }
  await expectUndone(page, mock, /^Undo: Change the file/, async () => {
    await edit(page, (text) => text.replace('/docs/plan.txt', '/moved/here.txt').replace(/"metadata": \{[^}]*\},/, ''));
    await button(page, 'Save').click();
    await expect.poll(async () => (await file(mock)).path).toBe('/moved/here.txt');
    expect(await file(mock)).not.toHaveProperty('metadata');
  });
  await expectUndone(page, mock, /^Undo: Delete the file/, async () => {
    await press(page, 'Delete', 'Delete /docs/plan.txt?');
    await expect.poll(async () => (await file(mock)).status).toBe(404);
  });
});

describe('drives and files', () => {
  story('show the next status of a file when its time comes', async (test) => {
    const { page } = await openPage(test, { at: aFile });
    await page.getByLabel('after seconds').fill('soon');
    expect(await button(page, 'Plan').isDisabled()).toBe(true);
    await page.getByLabel('after seconds').fill('0.5');
    await button(page, 'Plan').click();
    await unfold(page, /Middle/);
    await item(page, /plan\.txt\s*error/).waitFor();
  });

  story('add a file, and delete a drive with all files, each undone', async (test) => {
    // Files may be on their way when their drive goes.
    const { page, mock } = await openPage(test, { at: inOrg('drives/drive-full'), mayFail: true });
    await expectUndone(page, mock, /^Undo: Add a file to Middle$/, async () => {
      await button(page, 'Add a file').click();
      await page.getByRole('dialog').getByRole('textbox').fill('{"path": "/a/b c/%2e.txt", "id": "made"}');
      await button(page, 'Add').click();
      await page.getByRole('region', { name: 'File /a/b c/%2e.txt' }).waitFor();
      expect(await file(mock, 'made')).toMatchObject({ path: '/a/b c/%2e.txt' });
    });
    await item(page, /^▾?\s*Middle/).click();
    await expectUndone(page, mock, /^Undo: Delete the drive Middle$/, async () => {
      await press(page, 'Delete', 'Delete Middle with 3 files?');
      await expect.poll(() => item(page, /Middle/).count()).toBe(0);
    });
    await item(page, /Middle/).waitFor();
  });

  story('form a tree that keys move through', async (test) => {
    const { page } = await openPage(test, { at: inOrg('drives') });
    const active = async () => (await activeLine(page)).join(' ');
    const press = async (key: string, then: string) => {
      await page.keyboard.press(key);
      await expect.poll(active).toBe(then);
    };
    await page.getByRole('tree', { name: 'Drives' }).focus();
    await expect.poll(active).toBe('Middle 1 1 2 false');
    await press('ArrowRight', 'Middle 1 1 2 true');
    await item(page, /docs\//).waitFor();
    await press('ArrowRight', 'docs/ 2 1 2 true');
    await press('ArrowDown', 'old/ 3 1 2 true');
    await press('ArrowRight', 'notes.txt 4 1 1 ');
    await press('ArrowLeft', 'old/ 3 1 2 true');
    await press('ArrowLeft', 'old/ 3 1 2 false');
    await press('ArrowDown', 'plan.txt 3 2 2 ');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'File /docs/plan.txt' }).waitFor();
    expect(await item(page, /plan\.txt/).getAttribute('aria-selected')).toBe('true');
    await press('End', 'Aardvark 1 2 2 false');
    await press('ArrowUp', 'scan.tif 3 1 1 ');
    await press('Home', 'Middle 1 1 2 true');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('region').count()).toBe(0);
  });

  story('leave the active line to the keys while a selection is on its way', async (test) => {
    const { page } = await openPage(test, { at: inOrg('drives') });
    const tree = page.getByRole('tree', { name: 'Drives' });
    await tree.focus();
    await page.keyboard.press('ArrowRight');
    await item(page, /scan\.tif/).waitFor();
    for (const [way, chosen, jump, end] of [
      ['ArrowDown', 'plan.txt', 'End', 'Aardvark'],
      ['ArrowUp', 'scan.tif', 'Home', 'Middle'],
    ] as const) {
      await expect
        .poll(async () => {
          const [name] = await activeLine(page);
          if (name !== chosen) await page.keyboard.press(way);
          return name;
        })
        .toBe(chosen);
      // In one task: the selection changes the address, and of that the page hears later.
      await tree.evaluate(
        (target, keys) => {
          for (const key of keys) target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        },
        ['Enter', jump],
      );
      await page.getByRole('region', { name: new RegExp(chosen) }).waitFor();
      await expect.poll(() => item(page, new RegExp(chosen)).getAttribute('aria-selected')).toBe('true');
      expect((await activeLine(page))[0]).toBe(end);
    }
  });

  story('give the focus to the record that takes their place where it is narrow', async (test) => {
    const { page } = await openPage(test, { at: inOrg('agents'), look: { viewport: { width: 400, height: 700 } } });
    await page.getByRole('tree').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Agent Second by name' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Close');
    await page.keyboard.press('Enter');
    await item(page, /Second by name/).waitFor();
  });

  story('are found by part of a name, which stays in the address', async (test) => {
    const { page } = await openPage(test, { at: inOrg('drives/drive-full') });
    await unfold(page, /Middle/);
    await item(page, /plan\.txt/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('NOTES');
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(4);
    expect(page.url()).toContain('find=NOTES');
    await page.getByLabel('Find').fill('nothing-like-this');
    await page.getByText('No name matches').waitFor();
    await button(page, 'Show all').click();
    await item(page, /Aardvark/).waitFor();
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
    const { page } = await openPage(test, { at: inOrg('drives/large'), mock: { seed } });
    await page.getByText('10,000 files').first().waitFor();
    await unfold(page, /Large/);
    await item(page, /dir-00\//).waitFor();
    const parts: string[] = [];
    page.on('request', (request) => request.url().includes('/files?') && parts.push(request.url()));
    await item(page, /dir-00\//).click();
    await item(page, /file-00000/).waitFor();
    await page.getByRole('tree').press('End');
    await item(page, /dir-99\//).click();
    await page.getByRole('tree').press('End');
    await item(page, /file-09999/).waitFor();
    expect(await item(page, /file-09999/).getAttribute('aria-setsize')).toBe('100');
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80);
    await item(page, /file-09999/).click();
    await page.getByLabel('Status').selectOption('error');
    await item(page, /file-09999.*error/).waitFor();
    expect(parts.filter((url) => url.endsWith('limit=1000&offset=9000')).length).toBeGreaterThan(0);
    await undo(page).click();
    await item(page, /file-09999.*ready/).waitFor();
  });
});

describe('MCP servers', () => {
  story('change their tools as JSON, and are deleted, each undone', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('mcp-servers/server-tools') });
    const tools = async () => (await control(mock, 'GET', '/organizations/org-a/mcp-servers/server-tools/tools')).body;
    await expectUndone(page, mock, /^Undo: Change the tools of Tools$/, async () => {
      await editor(page).fill('[{"name": "look", "description": "Looks."}]');
      await button(page, 'Save').click();
      await expect.poll(tools).toEqual([{ name: 'look', description: 'Looks.' }]);
    });
    await unfold(page, /Tools.*1 tool/);
    await item(page, /find/).click();
    await page.getByRole('region', { name: 'MCP server Tools' }).waitFor();
    await expectUndone(page, mock, /^Undo: Delete the MCP server Tools$/, async () => {
      await press(page, 'Delete', 'Delete Tools?');
      await page.getByText('No MCP servers').waitFor();
    });
    await item(page, /Tools/).waitFor();
  });
});

describe('keys', () => {
  story('are copied, issued and revoked, each undone', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('keys'), look: mayCopy });
    const status = async (key: string) => (await fetch(`${mock.url}/agents`, { headers: { 'x-api-key': key } })).status;
    await button(page, /^Copy key/)
      .first()
      .click();
    await page.getByText(/^key \w+ copied\.$/).waitFor();
    expect(await copied(page)).toBe('key-a');
    await expectUndone(page, mock, /^Undo: Issue a key$/, async () => {
      await button(page, 'Issue a key').click();
      await page.getByRole('dialog').getByRole('textbox').fill('{"key": "fresh"}');
      await button(page, 'Add').click();
      await expect.poll(() => page.getByRole('button', { name: /^Revoke/ }).count()).toBe(3);
      expect(await status('fresh')).toBe(200);
    });
    expect(await status('fresh')).toBe(401);
    await expectUndone(page, mock, /^Undo: Revoke the key/, async () => {
      await button(page, /^Revoke/)
        .first()
        .click();
      await page.getByRole('button', { name: /Requests with it get 401/ }).click();
      await expect.poll(() => page.getByRole('button', { name: /^Revoke/ }).count()).toBe(1);
      expect(await status('key-a')).toBe(401);
    });
    expect(await status('key-a')).toBe(200);
  });
});

describe('the whole state', () => {
  const rename = (mock: Mock) =>
    control(mock, 'PATCH', '/organizations/org-a/agents/agent-blank', { name: 'Changed before' });

  it.runIf(isFull).for([
    ['Alder', inOrg('agents')],
    ['everything', '#/state'],
  ] as const)('is reset with its settings, which is undone: %s', async ([name, at], test) => {
    const { page, mock } = await openPage(test, { at });
    await isLive(page);
    await rename(mock);
    await control(mock, 'POST', '/organizations', { name: 'Extra' });
    await control(mock, 'PATCH', '/settings?organization=org-a', { profile: { listOrder: 'byName' } });
    const fault = { id: 'slow', organizationId: 'org-a', effect: { latency: { delayMs: 1 } } };
    await control(mock, 'POST', '/faults', fault);
    await expectUndone(page, mock, new RegExp(`^Undo: Reset ${name}$`), async () => {
      await press(page, 'Reset', `Reset ${name} to the seed?`);
      await expect.poll(async () => (await agent(mock, 'agent-blank')).name).toBe('First by name');
      expect((await control(mock, 'GET', '/faults')).body).toEqual([]);
    });
    expect((await control(mock, 'GET', '/settings?organization=org-a')).body).toMatchObject({
      ...{ hasOwnProfile: true, profile: { listOrder: 'byName' }, faults: [{ id: 'slow' }] },
    });
  });

  story('is saved to a file and loaded again, which is undone', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/state' });
    await isLive(page);
    const saved = await downloaded(page, button(page, 'Save snapshot'));
    expect(saved.name).toBe('snapshot.json');
    const start = await stateOf(mock);
    await rename(mock);
    await control(mock, 'POST', '/organizations', { name: 'Extra' });
    await page.getByRole('link', { name: 'Extra', exact: true }).waitFor();
    await expectUndone(page, mock, /^Undo: Load snapshot\.json$/, async () => {
      await load(page, 'snapshot.json', saved.text);
      await expect.poll(() => page.getByRole('link', { name: 'Extra', exact: true }).count()).toBe(0);
      expect(await stateOf(mock)).toEqual(start);
    });
    await page.getByRole('link', { name: 'Extra', exact: true }).waitFor();
  });

  story('of one organization is saved and loaded as such, and as a seed', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents') });
    await isLive(page);
    const snapshot = await downloaded(page, button(page, 'Save snapshot'));
    expect([snapshot.name, JSON.parse(snapshot.text).id]).toEqual(['snapshot-Alder.json', 'org-a']);
    const seed = await downloaded(page, button(page, 'Save as seed'));
    expect([seed.name, validateSeed(JSON.parse(seed.text))]).toEqual(['seed-Alder.json', []]);
    await rename(mock);
    await item(page, /Changed before/).waitFor();
    await load(page, 's.json', snapshot.text);
    await item(page, /First by name/).waitFor();
    expect((await agent(mock, 'agent-blank')).name).toBe('First by name');
  });

  story('is asked for before a file replaces more than the chosen sandbox', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents') });
    await isLive(page);
    const loadFrom = async (path: string) => {
      const text = await (await fetch(mock.adminUrl + path)).text();
      await rename(mock);
      await load(page, 's.json', text);
    };
    await loadFrom('/snapshot?organization=org-b');
    await page.getByText('s.json is a snapshot of Birch. Loading it replaces Birch, not Alder.').waitFor();
    await button(page, 'Cancel').click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect((await agent(mock, 'agent-blank')).name).toBe('Changed before');
    await control(mock, 'POST', '/reset');
    await loadFrom('/snapshot');
    await page.getByText('Loading it replaces all sandboxes: Alder, Birch').waitFor();
    expect((await agent(mock, 'agent-blank')).name).toBe('Changed before');
    await button(page, 'Replace everything').click();
    await expect.poll(async () => (await agent(mock, 'agent-blank')).name).toBe('First by name');
  });

  story('is not loaded from what is no snapshot', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/state', mayFail: true });
    await isLive(page);
    const before = await stateOf(mock);
    await load(page, 'bad.json', '{"organizations": [,]}');
    await page.getByText('bad.json is not JSON. Line 1, column 20').waitFor();
    await load(page, 'bad.json', '{"organizations": []}');
    await page.getByText('bad.json is not a snapshot').waitFor();
    await load(page, 'bad.json', '{"organizations": [{}], "revokedKeys": []}');
    await page.getByRole('alert').getByText('body.organizations').waitFor();
    await load(page, 'bad.json', '{"id": "nobody", "keys": []}');
    await page.getByRole('alert').getByText('no organization').waitFor();
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

  story('leaves what others did to other records', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await publish(page);
    await control(mock, 'PATCH', '/organizations/org-a/agents/agent-blank', { name: 'By others' });
    await control(mock, 'POST', '/organizations/org-a/drives/drive-late/files', { id: 'theirs', path: '/x' });
    await page.keyboard.press('u');
    await expect.poll(() => agent(mock)).not.toHaveProperty('activeRevisionId');
    expect((await agent(mock, 'agent-blank')).name).toBe('By others');
    expect((await control(mock, 'GET', '/organizations/org-a/drives/drive-late/files')).body).toHaveLength(1);
  });

  story('says when others changed the same record, and then does what is chosen', async (test) => {
    const { page, mock } = await openPage(test, { at });
    await publish(page);
    await control(mock, 'PATCH', '/organizations/org-a/agents/agent-two-revisions', { name: 'By others' });
    await undo(page).click();
    await page.getByText('Others have since changed: agent By others.').waitFor();
    expect(await agent(mock)).toMatchObject({ name: 'By others', activeRevisionId: 'rev-1' });
    await button(page, 'Cancel').click();
    await expect.poll(() => button(page, 'Undo anyway').count()).toBe(0);
    await undo(page).click();
    await button(page, 'Undo anyway').click();
    await expect.poll(async () => (await agent(mock)).name).toBe('Second by name');
    expect(await agent(mock)).not.toHaveProperty('activeRevisionId');
  });

  story('says when it is impossible, and changes nothing', async (test) => {
    const { page, mock } = await openPage(test, { at, mayFail: true });
    await publish(page);
    await control(mock, 'DELETE', '/organizations/org-a');
    await undo(page).click();
    await page.getByText('Not undone: No organization').waitFor();
  });
});

describe('what others do', () => {
  story('appears by itself: a call of the API, and one of the admin API', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('drives') });
    await isLive(page);
    const headers = { 'x-api-key': 'key-a', 'content-type': 'application/json' };
    await fetch(`${mock.url}/drives`, { method: 'POST', headers, body: '{"name":"By API"}' });
    await item(page, /By API/).waitFor();
    await control(mock, 'DELETE', '/organizations/org-a/drives/drive-late');
    await expect.poll(() => item(page, /Aardvark/).count()).toBe(0);
  });

  story('is missed while the mock is gone: the old data stay, and say so', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents'), mayFail: true });
    await isLive(page);
    await page.context().setOffline(true);
    await button(page, 'Refresh').click();
    await page.getByRole('alert').getByText('This view may be out of date.').waitFor();
    await item(page, /Second by name/).waitFor();
    await page.getByText(/^As of /).waitFor();
    await control(mock, 'DELETE', '/organizations/org-a/agents/agent-blank');
    await page.context().setOffline(false);
    await button(page, 'Refresh').click();
    await expect.poll(() => item(page, /First by name/).count()).toBe(0);
    await expect.poll(() => page.getByText('This view may be out of date.').count()).toBe(0);
  });

  story('needs a refresh where there is no request log', async (test) => {
    const { page, mock } = await openPage(test, { at: inOrg('agents'), mock: { requestLogLimit: 0 }, mayFail: true });
    await page.getByText('Changes by others do not appear automatically').waitFor();
    await item(page, /Second by name/).click();
    await button(page, 'Publish revision 2').click();
    await button(page, 'Unpublish revision 2').waitFor();
    await undo(page).click();
    await button(page, 'Publish revision 2').waitFor();
    await control(mock, 'DELETE', '/organizations/org-a/agents/agent-blank');
    await button(page, 'Refresh').click();
    await expect.poll(() => item(page, /First by name/).count()).toBe(0);
  });
});

describe('the view', () => {
  story('says what is missing where it is empty', async (test) => {
    const before = (mock: Mock) => control(mock, 'POST', '/organizations', { name: 'Blank', copyOf: null });
    const { page, mock } = await openPage(test, { at: '#/state', before });
    await page.getByRole('link', { name: 'Agents of Blank: 0' }).click();
    await page.getByText('No agents').waitFor();
    await page.getByRole('link', { name: /^Drives/ }).click();
    await page.getByText(`POST ${mock.url}/drives`).waitFor();
    await page.getByRole('link', { name: /^MCP servers/ }).click();
    await page.getByText(`POST ${mock.url}/mcp-servers`).waitFor();
  });

  const blank = (mock: Mock) => control(mock, 'POST', '/organizations', { name: 'Blank', copyOf: null });

  it.runIf(isFull).for(looks)(
    'is accessible in $colorScheme at $width px: full, empty, with an error',
    async ({ look }, test) => {
      const { page, mock } = await openPage(test, { at: '#/state', look, before: blank, mayFail: true });
      await page.getByRole('link', { name: 'Alder', exact: true }).waitFor();
      await expectAccessible(page);
      const { origin } = new URL(mock.url);
      const show = async (at: string, sign: string | RegExp) => {
        await page.goto(`${origin}/${at}`);
        await page.getByText(sign).filter({ visible: true }).first().waitFor();
        await expectAccessible(page);
      };
      await show(inOrg('agents'), 'Second by name');
      await show(inOrg('agents/agent-two-revisions'), 'Record as JSON');
      await show(inOrg('drives/drive-full/files/file-processing'), '/inbox/scan.tif');
      await show(inOrg('mcp-servers/server-tools'), 'Tools as JSON');
      await show(inOrg('keys'), 'Issue a key');
      await button(page, 'Issue a key').click();
      await expectAccessible(page);
      await show(inOrg('agents/nobody'), 'There is no such record');
      const sandboxes = (await control(mock, 'GET', '/organizations')).body as { id: string; name: string }[];
      await show(`#/state/drives?sandbox=${sandboxes.find(({ name }) => name === 'Blank')?.id}`, 'No drives');
      await show(inOrg('agents/agent-two-revisions'), 'Record as JSON');
      await editor(page).fill('{');
      await editor(page).blur();
      await page.getByText('Line 1, column 2').waitFor();
      await page.context().setOffline(true);
      await button(page, 'Add a revision').click();
      await page.getByRole('alert').getByText('This view may be out of date.').waitFor();
      await expectAccessible(page);
    },
  );
});
