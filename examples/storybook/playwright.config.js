import { defineConfig } from '@playwright/test';

// CHROMIUM_PATH: a Chromium that is there already, in place of the one that Playwright downloads.
const { CHROMIUM_PATH, STORYBOOK_URL } = process.env;

export default defineConfig({
  // A limit only ends what hangs.
  timeout: 60_000,
  use: {
    baseURL: STORYBOOK_URL,
    launchOptions: CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] },
  },
  // The built Storybook, on any free port. Its URL is put into STORYBOOK_URL.
  webServer: {
    command: 'vite preview --host 127.0.0.1 --port 0',
    env: { FORCE_COLOR: '0' },
    wait: { stdout: /(?<storybook_url>http:\S+)/ },
  },
});
