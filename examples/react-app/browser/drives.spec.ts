import { control, expect, test } from './sandbox.ts';

// The same in two workers: each has its own five drives, and none of the others'.
for (const number of [1, 2]) {
  test(`a new drive is created and opened, and a file in it is moved (${number})`, async ({ page, request }) => {
    await page.goto('/#/drives');
    await expect(page.getByRole('row')).toHaveCount(6);
    await page.getByLabel('Name').fill('Launch plans');
    await page.getByRole('button', { name: 'Create drive' }).click();
    await page.getByRole('link', { name: 'Launch plans' }).first().click();
    const driveId = decodeURIComponent(new URL(page.url()).hash.split('/')[2] ?? '');
    const { id } = await control(request, `organizations/self/drives/${driveId}/files`, { path: '/drafts/poster.pdf' });
    await page.getByLabel('File ids').fill(id);
    await page.getByRole('button', { name: 'Show files' }).click();
    await page.locator('summary').last().click();
    await page.getByLabel('New path').fill('/drafts/flyer.pdf');
    await page.getByRole('button', { name: 'Move' }).click();
    await expect(page.getByText('Moved to /drafts/flyer.pdf.')).toBeVisible();
  });
}

test('a lost response does not create a drive twice', async ({ page, request }) => {
  const fault = { effect: { connectionReset: {} }, moment: 'after', operations: ['createDrive'], when: { next: 1 } };
  await control(request, 'faults', { organizationId: 'self', ...fault });
  await page.goto('/#/drives');
  await page.getByLabel('Name').fill('Launch plans');
  await page.getByRole('button', { name: 'Create drive' }).click();
  await expect(page.getByText('nobody knows whether it was done')).toBeVisible();
  await expect(page.getByText('There is one of this name:')).toBeVisible();
  await expect(page.getByRole('table').getByRole('link', { name: 'Launch plans' })).toHaveCount(1);
});
