import { expect, test } from './sandbox.ts';

test('each screen is one click away', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(12);
  await page.getByRole('link', { name: 'Drives' }).click();
  await expect(page.getByRole('row')).toHaveCount(6);
  await page.getByRole('link', { name: 'MCP servers' }).click();
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(4);
  await page.getByRole('button', { name: 'Tools' }).first().click();
  await expect(page.getByText(/^(Cannot load|Loading)/)).toHaveCount(0);
});
