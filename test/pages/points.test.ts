import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { defaultProfile, type Profile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints, sharedPoints } from '../../openapi/points/index.ts';
import type { Choice, OpenPoint } from '../../openapi/points/open-point.ts';
import { drawProfile } from '../../src/app/draw-profile.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { clientsOf } from '../support/control.ts';
import { isFull, sampleOf } from '../support/depth.ts';
import {
  button,
  copied,
  downloaded,
  expectAccessible,
  giveFile,
  isLive,
  keys,
  looks,
  mayCopy,
  openPage,
  row,
  sees,
  story,
  undo,
} from '../support/developer-page.ts';

// The view Open points of the developer page, against a real mock.

const points = loadOpenPoints();
const defaults = defaultProfile(points);

/** What the admin API tells of the choices, of one organization or of all. */
async function settingsOf(mock: Mock, organization = ''): Promise<{ profile: Profile; hasOwnProfile?: boolean }> {
  const scope = organization === '' ? '' : `?organization=${organization}`;
  return (await clientsOf(mock).control('GET', `/settings${scope}`)).body;
}

const choiceOf = async (mock: Mock, id: string, organization = '') =>
  (await settingsOf(mock, organization)).profile[id as keyof Profile];

async function change(mock: Mock, profile: Partial<Profile> | null, organization = ''): Promise<void> {
  const scope = organization === '' ? '' : `?organization=${organization}`;
  const { status } = await clientsOf(mock).control('PATCH', `/settings${scope}`, { json: { profile } });
  expect(status).toBe(200);
}

const detail = (page: Page, id: string) => page.getByRole('region', { name: id, exact: true });
const line = (page: Page, id: string) => page.locator('.list .item', { has: page.locator(`a[data-id="${id}"]`) });
const radio = (page: Page, id: string, value: Choice) =>
  detail(page, id).locator(`input[type="radio"][value=${JSON.stringify(String(value))}]`);
const only = (page: Page) => page.getByRole('combobox', { name: 'Show only' });
const changed = async (page: Page) =>
  (await only(page).locator('option').allInnerTexts()).find((one) => one.endsWith(' changed'));
const sandbox = (page: Page) => page.getByRole('combobox', { name: 'Sandbox', exact: true });
const isShown = (page: Page, id: string, value: Choice) =>
  expect.poll(() => line(page, id).locator('.now').textContent()).toBe(String(value));

async function select(page: Page, id: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/points/${id}`);
  await detail(page, id).waitFor();
}

/** Why nobody may make a choice, by the register and the code; undefined where it may be made. */
function whyNot({ id, choices }: OpenPoint, value: Choice, organization: string): RegExp | undefined {
  if (choices.find((choice) => choice.value === value)?.needs === 'liveMcp') return /start it with --live-mcp/;
  return organization !== '' && [...sharedPoints].some((shared) => shared === id) ? /change it for all/ : undefined;
}

/** Makes a choice in the page, and sees that it is used; or that the page says why it cannot be made. */
async function switchTo(page: Page, mock: Mock, point: OpenPoint, value: Choice, organization = ''): Promise<void> {
  const before = await choiceOf(mock, point.id, organization);
  const why = before === value ? undefined : whyNot(point, value, organization);
  if (why === undefined) {
    await radio(page, point.id, value).check();
    await expect.poll(() => choiceOf(mock, point.id, organization)).toBe(value);
    return;
  }
  expect([value, await radio(page, point.id, value).isDisabled()]).toEqual([value, true]);
  expect(await detail(page, point.id).locator('.choices').textContent()).toMatch(why);
}

describe('every choice of every open point', () => {
  story('can be made for all, or the page says why not', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points' });
    for (const point of sampleOf(points, 1)) {
      await select(page, point.id);
      const values = point.choices.map((choice) => choice.value);
      expect(await detail(page, point.id).getByRole('radio').count()).toBe(values.length);
      expect(await radio(page, point.id, point.default).isChecked()).toBe(true);
      for (const value of [...values.filter((one) => one !== point.default), point.default])
        await switchTo(page, mock, point, value);
      await isShown(page, point.id, point.default);
    }
    expect((await settingsOf(mock)).profile).toEqual(defaults);
  });

  // All that one sandbox cannot choose, and a part of the rest.
  const some = points.filter(
    ({ id, choices }, index) =>
      index % 6 === 0 ||
      [...sharedPoints].some((shared) => shared === id) ||
      choices.some(({ needs }) => needs !== undefined),
  );

  story('can be made for one sandbox alone, or the page says why not', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points?sandbox=org-a' });
    const expected: Record<string, Choice> = { ...defaults };
    for (const point of sampleOf(some, 6)) {
      await page.goto(`${new URL(mock.url).origin}/#/points/${point.id}?sandbox=org-a`);
      await detail(page, point.id).waitFor();
      for (const { value } of point.choices) {
        await switchTo(page, mock, point, value, 'org-a');
        if (whyNot(point, value, 'org-a') === undefined) expected[point.id] = value;
      }
    }
    expect((await settingsOf(mock, 'org-a')).profile).toEqual(expected);
    expect((await settingsOf(mock)).profile).toEqual(defaults);
    expect((await settingsOf(mock, 'org-b')).hasOwnProfile).toBe(false);
  });

  story('that is not listed is typed; others are refused in the words of the mock', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points/successStatus.createDrive', mayFail: true });
    const number = detail(page, 'successStatus.createDrive').getByLabel('Other number');
    const refusal = detail(page, 'successStatus.createDrive').getByRole('alert');
    await number.fill('300');
    await number.press('Enter');
    await refusal.getByText('300 is not a choice of successStatus.createDrive').waitFor();
    await number.fill('204');
    await button(page, 'Set').click();
    await refusal.getByText('204 is not a choice').waitFor();
    expect(await choiceOf(mock, 'successStatus.createDrive')).toBe(201);
    await number.fill('299');
    await number.press('Enter');
    await expect.poll(() => choiceOf(mock, 'successStatus.createDrive')).toBe(299);
    await expect.poll(() => radio(page, 'successStatus.createDrive', 299).isChecked()).toBe(true);
    await select(page, 'treePathParameter');
    const field = detail(page, 'treePathParameter').getByLabel('Other text');
    await field.fill('x'.repeat(65));
    await button(page, 'Set').click();
    await detail(page, 'treePathParameter').getByText('1 to 64 visible characters').waitFor();
    await page.getByRole('alert').getByText('is not a choice of treePathParameter').waitFor();
    await field.fill('filter[path]');
    await button(page, 'Set').click();
    await expect.poll(() => choiceOf(mock, 'treePathParameter')).toBe('filter[path]');
    await select(page, 'optionalFields');
    const words = detail(page, 'optionalFields');
    await words.getByText('“without”, then any of').waitFor();
    await words.getByLabel('Other text').fill('without size updatedAt');
    await button(page, 'Set').click();
    await expect.poll(() => choiceOf(mock, 'optionalFields')).toBe('without size updatedAt');
    await expect.poll(() => words.getByLabel('Other text').inputValue()).toBe('without size updatedAt');
  });
});

const created = async (mock: Mock, key: string) =>
  (await createClient(mock.url, key)('POST', '/drives', { json: { name: 'New' } })).status;

it('a switch changes at once what every client gets, or those of one sandbox', async (test) => {
  const { page, mock } = await openPage(test, { at: '#/points/successStatus.createDrive' });
  await radio(page, 'successStatus.createDrive', 202).check();
  await expect.poll(() => created(mock, 'key-a')).toBe(202);
  expect(await created(mock, 'key-b')).toBe(202);
  await sandbox(page).selectOption('Birch');
  await page.getByText('Your first change here gives it its own profile').waitFor();
  await radio(page, 'successStatus.createDrive', 200).check();
  await expect.poll(() => created(mock, 'key-b')).toBe(200);
  expect(await created(mock, 'key-a')).toBe(202);
  await page.getByText('Birch has its own profile').waitFor();
  await sandbox(page).selectOption('All sandboxes');
  await page.getByRole('link', { name: 'Birch' }).click();
  await expect.poll(() => radio(page, 'successStatus.createDrive', 200).isChecked()).toBe(true);
});

describe('a switch', () => {
  story('marks and counts what differs from the default, and takes few requests', async (test) => {
    const { page } = await openPage(test, { at: '#/points/listOrder' });
    await isLive(page);
    await expect.poll(() => changed(page)).toBe('0 changed');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await radio(page, 'listOrder', 'byName').check();
    await expect.poll(() => sent).toContain('GET /__admin/open-points');
    expect(sent.filter((each) => each !== 'GET /__admin/faults').sort()).toEqual([
      ...['GET /__admin/open-points', 'GET /__admin/organizations', 'PATCH /__admin/settings'],
    ]);
    await only(page).selectOption('1 changed');
    await expect.poll(() => page.locator('.list .item').count()).toBe(1);
    await line(page, 'listOrder').getByText('default: oldestFirst').waitFor();
    await detail(page, 'listOrder').getByText('not the default').waitFor();
    await radio(page, 'listOrder', 'oldestFirst').check();
    await page.getByText('Every open point has its default').waitFor();
  });

  for (const width of [400, 900, 1280])
    story(`keeps the choices where they are while one is changed, at ${width} px`, async (test) => {
      const look = { viewport: { width, height: 800 } };
      const { page } = await openPage(test, { at: '#/points/errorBody', look });
      const top = async () => (await radio(page, 'errorBody', 'empty').boundingBox())?.y;
      await radio(page, 'errorBody', 'nested').waitFor();
      await page.locator('.stream.live').waitFor({ state: 'attached' });
      const before = await top();
      await radio(page, 'errorBody', 'nested').check();
      await expect.poll(() => undo(page).innerText()).toContain('Undo: Set errorBody to nested');
      expect(await top()).toBe(before);
    });

  story('moves by keys, and says aloud what is used', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points/listOrder' });
    await radio(page, 'listOrder', 'oldestFirst').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => choiceOf(mock, 'listOrder')).toBe('newestFirst');
    await page.getByRole('status').getByText('Set listOrder to newestFirst: done.').waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => choiceOf(mock, 'listOrder')).toBe('byName');
    await isShown(page, 'listOrder', 'byName');
    // Faster than the mock answers: to the last one, over the end of the list, and one further.
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown');
    expect(await radio(page, 'listOrder', 'newestFirst').isChecked()).toBe(true);
    await isShown(page, 'listOrder', 'newestFirst');
    expect(await choiceOf(mock, 'listOrder')).toBe('newestFirst');
    expect(await radio(page, 'listOrder', 'newestFirst').isChecked()).toBe(true);
  });

  story('that came to be impossible meanwhile is refused in the words of the mock', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points/successStatus.createDrive', mayFail: true });
    await radio(page, 'successStatus.createDrive', 201).waitFor();
    // As from a mock that knows fewer choices than it told.
    await page.route('**/__admin/settings', (route) =>
      route.request().method() === 'PATCH'
        ? route.continue({ postData: JSON.stringify({ profile: { 'successStatus.createDrive': 204 } }) })
        : route.continue(),
    );
    await radio(page, 'successStatus.createDrive', 202).click();
    await page.getByRole('alert').getByText('204 is not a choice of successStatus.createDrive').waitFor();
    await expect.poll(() => radio(page, 'successStatus.createDrive', 201).isChecked()).toBe(true);
    expect((await settingsOf(mock)).profile).toEqual(defaults);
    expect(await undo(page).textContent()).toBe('Undo');
  });

  story('says where a choice has no effect, and where one sandbox has none', async (test) => {
    const { page } = await openPage(test, { at: '#/points/unreachableTools' });
    await detail(page, 'unreachableTools').getByText('has no effect, because this mock contacts no MCP').waitFor();
    await page.goto(`${page.url().split('#')[0]}#/points/bothAuthHeaders?sandbox=org-a`);
    await detail(page, 'bothAuthHeaders').getByText('is the same for all organizations').waitFor();
    await button(page, 'Show it for all sandboxes').click();
    await expect.poll(() => radio(page, 'bothAuthHeaders', 'apiKeyWins').isEnabled()).toBe(true);
    const live = await openPage(test, { at: '#/points/toolsOfNewServer', mock: { liveMcp: true } });
    await expect.poll(() => radio(live.page, 'toolsOfNewServer', 'live').isChecked()).toBe(true);
  });
});

describe('what others change', () => {
  story('shows by itself, for all and for the chosen sandbox', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points/errorBody' });
    await isLive(page);
    await change(mock, { errorBody: 'nested' });
    await expect.poll(() => radio(page, 'errorBody', 'nested').isChecked()).toBe(true);
    await isShown(page, 'errorBody', 'nested');
    mock.setProfile({ keyOrder: 'reversed' });
    await isShown(page, 'keyOrder', 'reversed');
    await change(mock, { errorBody: 'message' }, 'org-b');
    await page.getByText('except those with their own profile').waitFor();
    await sandbox(page).selectOption('Birch');
    await expect.poll(() => radio(page, 'errorBody', 'message').isChecked()).toBe(true);
    await change(mock, null, 'org-b');
    await page.getByText('Birch uses the shared profile').waitFor();
    await expect.poll(() => radio(page, 'errorBody', 'nested').isChecked()).toBe(true);
  });
});

describe('a drawn profile', () => {
  const rows = (page: Page) => page.locator('.rows tbody tr');
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Draw a profile' });

  async function draw(page: Page, randomSeed: number, isVisible: boolean): Promise<void> {
    await button(page, 'Draw a profile').click();
    await dialog(page).getByLabel('Random seed').fill(String(randomSeed));
    await dialog(page).getByRole('checkbox').setChecked(isVisible);
    await dialog(page)
      .getByText(`--vary=${isVisible ? 'visible' : 'hidden'} --random-seed=${randomSeed}`)
      .waitFor();
  }

  it.runIf(isFull).for(
    sampleOf(
      [
        ['hidden', 11],
        ['visible', 12],
      ] as const,
      1,
    ),
  )('is that of --vary=%s: shown first, then used, undone in one step', async ([vary, seed], test) => {
    const drawn = drawProfile(points, defaults, vary, seed);
    const started = await createMock({ vary, randomSeed: seed });
    await started.close();
    expect(started.profile).toEqual(drawn);
    const changes = Object.entries(drawn).filter(([id, choice]) => defaults[id as keyof Profile] !== choice);
    const { page, mock } = await openPage(test, { at: '#/points' });
    await draw(page, seed, vary === 'visible');
    await expect.poll(() => rows(page).count()).toBe(changes.length);
    expect((await settingsOf(mock)).profile).toEqual(defaults);
    await button(page, new RegExp(`^Change ${changes.length} choices? for all sandboxes$`)).click();
    await expect.poll(() => settingsOf(mock)).toMatchObject({ profile: drawn });
    await expect.poll(() => changed(page)).toBe(`${changes.length} changed`);
    await expect.poll(() => dialog(page).count()).toBe(0);
    await draw(page, seed, vary === 'visible');
    await dialog(page).getByText('Nothing would change').waitFor();
    await page.keyboard.press('Escape');
    await undo(page).click();
    await expect.poll(() => undo(page).textContent()).toBe('Undo');
    expect((await settingsOf(mock)).profile).toEqual(defaults);
  });

  story('leaves a sandbox what it cannot change, and refuses a seed that is none', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points?sandbox=org-a', mayFail: true });
    const seeds = Array.from({ length: 50 }, (_, index) => index);
    const seed =
      seeds.find((each) => drawProfile(points, defaults, 'visible', each).bothAuthHeaders !== 'refused') ?? 0;
    await draw(page, seed, true);
    await button(page, /^Change \d+ choices for Alder$/).click();
    await expect.poll(() => settingsOf(mock, 'org-a')).toMatchObject({ hasOwnProfile: true });
    const kept = Object.fromEntries([...sharedPoints].map((id) => [id, defaults[id]]));
    const drawn = { ...drawProfile(points, defaults, 'visible', seed), ...kept };
    expect((await settingsOf(mock, 'org-a')).profile).toEqual(drawn);
    expect((await settingsOf(mock)).profile).toEqual(defaults);
    await button(page, 'Draw a profile').click();
    await dialog(page).getByLabel('Random seed').fill('1.5');
    await page.getByRole('alert').getByText('randomSeed').waitFor();
    await button(page, 'Another').click();
    await expect.poll(() => dialog(page).getByLabel('Random seed').inputValue()).toMatch(/^\d{1,6}$/);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});

describe('a profile in a file', () => {
  const load = (page: Page, name: string, text: string) => giveFile(page.getByLabel('Profile to load'), { name, text });
  const chosen: Partial<Profile> = {
    ...{
      'successStatus.createDrive': 299,
      answerMediaType: 'application/json; charset=utf-8',
      'timestamps.zone': '+00:00',
    },
    ...{ treePathParameter: `it's "$path" é`, optionalFields: 'without size' },
  };

  it.runIf(isFull).for(sampleOf(['YAML', 'JSON'], 1))(
    'is exported as %s, takes effect with --profile, and is loaded again',
    async (form, test) => {
      const before = (mock: Mock) => change(mock, chosen);
      const { page, mock } = await openPage(test, { at: '#/points', before });
      await expect.poll(() => changed(page)).toBe('5 changed');
      await button(page, 'Export').click();
      await page.getByRole('combobox', { name: 'Form' }).selectOption(form);
      const name = `profile.${form.toLowerCase()}`;
      const saved = await downloaded(page, button(page, `Save ${name}`));
      expect(saved.name).toBe(name);
      const started = await createMock({ profile: saved.path });
      await started.close();
      expect(started.profile).toEqual({ ...defaults, ...chosen });
      await page.keyboard.press('Escape');
      await button(page, 'Reset to the defaults').click();
      await expect.poll(() => settingsOf(mock)).toMatchObject({ profile: defaults });
      await load(page, name, saved.text);
      await button(page, 'Change 5 choices for all sandboxes').click();
      await expect.poll(() => settingsOf(mock)).toMatchObject({ profile: chosen });
      await expect.poll(() => undo(page).textContent()).toBe(`Undo: Load ${name}`);
      await undo(page).click();
      await expect.poll(() => undo(page).textContent()).toBe('Undo: Reset to the defaults');
      expect((await settingsOf(mock)).profile).toEqual(defaults);
      await undo(page).click();
      await expect.poll(() => settingsOf(mock)).toMatchObject({ profile: chosen });
    },
  );

  story('is copied as flags and as an option', async (test) => {
    const before = (mock: Mock) => change(mock, { 'successStatus.createDrive': 202, errorBody: 'nested' });
    const { page } = await openPage(test, { at: '#/points', before, look: mayCopy });
    await expect.poll(() => changed(page)).toBe('2 changed');
    await button(page, 'Export').click();
    const copiedAs = async (form: string) => {
      await page.getByRole('combobox', { name: 'Form' }).selectOption(form);
      await button(page, `Copy ${form}`).click();
      await page.getByRole('status').getByText(`${form} copied.`).waitFor();
      return copied(page);
    };
    expect(await copiedAs('Command line')).toBe('--set successStatus.createDrive=202 --set errorBody=nested');
    expect(await copiedAs('Library')).toBe(`profile: { 'successStatus.createDrive': 202, errorBody: 'nested' }`);
    await page.getByLabel(`All ${points.length} choices`).check();
    expect((await page.locator('dialog pre').textContent())?.split(', ')).toHaveLength(points.length);
  });

  story('that is wrong is refused, and nothing changes', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points' });
    await line(page, 'errorBody').waitFor();
    await load(page, 'bad.yaml', 'successStatus.createDrive: 202\ncreateDrive: 3\nlistOrder: newest\n');
    await page.getByRole('alert').getByText('there is no open point "createDrive" (did you mean').waitFor();
    await page.getByRole('alert').getByText('"newest" is not a choice of listOrder').waitFor();
    await page.keyboard.press('Escape');
    await load(page, 'bad.json', '{"successStatus.createDrive": 202,}');
    await page.getByRole('alert').getByText('This is not JSON.').waitFor();
    expect((await settingsOf(mock)).profile).toEqual(defaults);
    expect(await undo(page).textContent()).toBe('Undo');
  });

  story('leaves as it is what cannot be used here, and says so', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points?sandbox=org-a' });
    await line(page, 'errorBody').waitFor();
    await load(page, 'p.yaml', 'bothAuthHeaders: apiKeyWins\ntoolsOfNewServer: live\nlistOrder: byName\n');
    await sees(
      page,
      'stays as it is. bothAuthHeaders is the same for all organizations',
      'stays as it is. toolsOfNewServer: live makes the mock contact',
    );
    await button(page, 'Change 1 choice for Alder').click();
    await expect.poll(() => settingsOf(mock, 'org-a')).toMatchObject({ hasOwnProfile: true });
    expect((await settingsOf(mock, 'org-a')).profile).toEqual({ ...defaults, listOrder: 'byName' });
  });
});

describe('undo', () => {
  story('takes a choice back, also the first one of a sandbox, which then has no profile of its own', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points/keyOrder?sandbox=org-a' });
    await radio(page, 'keyOrder', 'reversed').check();
    await expect.poll(() => undo(page).textContent()).toBe('Undo: Set keyOrder to reversed for Alder');
    expect(await settingsOf(mock, 'org-a')).toMatchObject({ hasOwnProfile: true, profile: { keyOrder: 'reversed' } });
    await undo(page).click();
    await expect.poll(() => settingsOf(mock, 'org-a')).toMatchObject({ hasOwnProfile: false, profile: defaults });
    await expect.poll(() => radio(page, 'keyOrder', 'documented').isChecked()).toBe(true);
  });

  story('gives a sandbox its own profile back, and takes a reset back', async (test) => {
    const own = { keyOrder: 'reversed', 'successStatus.createDrive': 202 } as const;
    const before = (mock: Mock) => change(mock, own, 'org-a');
    const { page, mock } = await openPage(test, { at: '#/points?sandbox=org-a', before });
    await button(page, "Remove this sandbox's profile").click();
    await expect.poll(() => settingsOf(mock, 'org-a')).toMatchObject({ hasOwnProfile: false });
    await expect.poll(() => undo(page).isEnabled()).toBe(true);
    await change(mock, { bothAuthHeaders: 'apiKeyWins' });
    await undo(page).click();
    await expect.poll(() => settingsOf(mock, 'org-a')).toMatchObject({ hasOwnProfile: true, profile: own });
    await button(page, 'Reset to the defaults').click();
    await expect.poll(() => choiceOf(mock, 'successStatus.createDrive', 'org-a')).toBe(201);
    await expect.poll(() => undo(page).textContent()).toBe('Undo: Reset to the defaults for Alder');
    await undo(page).click();
    await expect.poll(() => settingsOf(mock, 'org-a')).toMatchObject({ hasOwnProfile: true, profile: own });
  });

  story('asks first where others changed the same open point, and leaves the rest alone', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points/listOrder' });
    await radio(page, 'listOrder', 'byName').check();
    await expect.poll(() => undo(page).isEnabled()).toBe(true);
    await change(mock, { listOrder: 'arbitrary', errorBody: 'list' });
    await undo(page).click();
    await page.getByText('Others have since changed: listOrder (now arbitrary).').waitFor();
    expect(await choiceOf(mock, 'listOrder')).toBe('arbitrary');
    await button(page, 'Undo anyway').click();
    await expect.poll(() => choiceOf(mock, 'listOrder')).toBe('oldestFirst');
    expect(await choiceOf(mock, 'errorBody')).toBe('list');
  });
});

describe('the address', () => {
  story(
    'holds the selected point and the filter; the costly points come first, the others are folded',
    async (test) => {
      const hidden = points.filter(({ impact }) => impact === 'hidden').length;
      const { page } = await openPage(test, { at: '#/points/idFormat?find=ids&only=hidden' });
      await detail(page, 'idFormat').getByRole('heading', { name: 'What do ids look like?' }).waitFor();
      expect(await line(page, 'idFormat').locator('a').getAttribute('aria-current')).toBe('true');
      expect(await page.getByLabel('Find').inputValue()).toBe('ids');
      expect(await only(page).locator('option:checked').innerText()).toBe(`${hidden} hidden from a client`);
      await page.getByLabel('Find').fill('no such words at all');
      await page.getByText('No open point matches').waitFor();
      await button(page, 'Show all open points').click();
      await expect.poll(() => page.locator('.list .item').count()).toBe(points.length);
      await page.goto(`${page.url().split('#')[0]}#/points/nobody`);
      await page.getByText('There is no such open point').waitFor();
      const costly = points.filter(({ severity }) => severity === 3).length;
      await expect.poll(() => page.locator('.list .item:visible').count()).toBe(costly);
      await page.getByText('A wrong guess is a nuisance').click();
      await line(page, 'bodySizeLimit').waitFor();
    },
  );

  story('follows the keys, which go from point to point and close one', async (test) => {
    const { page } = await openPage(test, { at: '#/try' });
    await keys(page, 'g', 'o');
    await line(page, 'errorBody').waitFor();
    const ids = await page.locator('.list .item a').evaluateAll((all) => all.map((link) => link.dataset.id ?? ''));
    for (const id of ids.slice(0, 2)) {
      await page.keyboard.press('j');
      await detail(page, id).waitFor();
    }
    await page.keyboard.press('k');
    await detail(page, ids[0] ?? '').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/points');
    await page.keyboard.press('/');
    await page.keyboard.type('bearer');
    await line(page, 'bearerSpelling').waitFor();
  });

  story('leads to Traffic, and from there back to the point', async (test) => {
    const { page, mock } = await openPage(test, { at: '#/points/listOrder' });
    await createClient(mock.url, 'key-a')('GET', '/drives');
    await detail(page, 'listOrder')
      .getByRole('link', { name: /Show the requests it affected/ })
      .click();
    await button(page, 'Remove point listOrder').waitFor();
    await row(page, /\/drives$/).click();
    await page.getByText(/open points? shaped the response/).click();
    await page.getByRole('link', { name: 'listOrder', exact: true }).click();
    await radio(page, 'listOrder', 'oldestFirst').waitFor();
  });
});

describe('the view', () => {
  it.runIf(isFull).for(looks)('is accessible in $colorScheme at $width px', async ({ look }, test) => {
    const before = async (mock: Mock) => {
      await change(mock, { 'successStatus.createDrive': 299, listOrder: 'byName' });
      await change(mock, { errorBody: 'list' }, 'org-a');
    };
    const { page } = await openPage(test, { at: '#/points', look, before, mayFail: true });
    await line(page, 'errorBody').waitFor();
    await expectAccessible(page);
    const show = async (at: string, sign: string) => {
      await page.goto(`${page.url().split('#')[0]}${at}`);
      await page.getByText(sign).filter({ visible: true }).first().waitFor();
      await expectAccessible(page);
    };
    await show('#/points?find=nowhere', 'No open point matches');
    await show('#/points?sandbox=org-a', "Remove this sandbox's profile");
    await show('#/points/bothAuthHeaders?sandbox=org-a', 'is the same for all organizations');
    await show('#/points/toolsOfNewServer', 'makes the mock contact MCP servers');
    await show('#/points/optionalFields', 'then any of');
    await show('#/points/successStatus.createDrive', 'a legal choice that is not listed');
    await detail(page, 'successStatus.createDrive').getByLabel('Other number').fill('204');
    await button(page, 'Set').click();
    await page.getByText('is not a choice').waitFor();
    await expectAccessible(page);
    await show('#/points', 'Draw a profile');
    await button(page, 'Draw a profile').click();
    await page.locator('.rows').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await button(page, 'Export').click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await giveFile(page.getByLabel('Profile to load'), { name: 'x.yaml', text: 'x' });
    await page.getByText('Line 1 cannot be read here').waitFor();
    await expectAccessible(page);
  });
});
