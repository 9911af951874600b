import { expect, test } from '@playwright/test';

const shown = {
  'file-card--processing': 'Is being processed. You can use it soon.',
  'file-card--ready': 'Ready to use.',
  'file-card--failed': 'Could not be processed. Choose another file.',
};

for (const [id, sentence] of Object.entries(shown)) {
  test(`${id} shows its status`, async ({ page }) => {
    await page.goto(`/iframe.html?id=${id}&viewMode=story`);
    const status = page.getByRole('status').filter({ hasNotText: 'Loading' });
    expect(await status.textContent()).toBe(sentence);
    await expect(page.getByRole('heading')).toHaveText('meridian-logo.svg');
  });
}
