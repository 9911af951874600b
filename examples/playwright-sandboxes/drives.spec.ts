import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './sandbox.ts';

/** Opens the page, which would be `page.goto('/')` with the server of a real frontend. */
async function openDrives(page: Page, baseURL = ''): Promise<void> {
  const url = new URL('drives.html', pathToFileURL(test.info().file));
  await page.goto(`${url}?${new URLSearchParams({ api: baseURL })}`);
}

// The same for each of four tests in two workers: each sees the five drives of the seed, and none of the others' drives.
for (const number of [1, 2, 3, 4]) {
  test(`a new drive is in the list, and none of another test (${number})`, async ({ page, request, baseURL }) => {
    await openDrives(page, baseURL);
    await expect(page.getByRole('status')).toHaveText('5 drives');
    await page.getByLabel('Name').fill('Launch plans');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Launch plans' })).toHaveCount(1);
    await expect(page.getByRole('status')).toHaveText('6 drives');
    const { data } = await (await request.get('drives?limit=100&offset=0')).json();
    expect(data).toHaveLength(6);
  });
}
