import { expect, test } from '@playwright/test';

const { AGENT_PLATFORM_BASE_URL = '', APP_URL = '' } = process.env;
const admin = (path) => new URL(`/__admin${path}`, AGENT_PLATFORM_BASE_URL).href;

test.beforeEach(async ({ request }) => {
  await request.post(admin('/reset'));
});

test('the route handler returns the names of the drives', async ({ request }) => {
  const names = await (await request.get(`${APP_URL}/api/drives`)).json();
  expect(names).toHaveLength(5);
});

test('the page shows a new drive', async ({ page }) => {
  await page.goto(APP_URL);
  await expect(page.getByRole('status')).toHaveText('5 drives');
  await page.getByLabel('Name').fill('Launch plans');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Launch plans' })).toHaveCount(1);
});

test('the page says when the service fails', async ({ page, request }) => {
  const fault = { effect: { status: { code: 503 } }, operations: ['listDrives'] };
  await request.post(admin('/faults'), { data: fault });
  await page.goto(APP_URL);
  await expect(page.getByRole('status')).toHaveText('The drives could not be loaded.');
});
