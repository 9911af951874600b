import { defineConfig } from '@playwright/test';

// CHROMIUM_PATH: a Chromium that is there already, in place of the one that Playwright downloads.
const { APP_URL, CHROMIUM_PATH } = process.env;

export default defineConfig({
  testDir: 'browser',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: APP_URL ?? '',
    launchOptions: CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] },
  },
  // The built page in front of a mock. Its last line has both addresses, which Playwright puts into the environment.
  webServer: {
    command: 'node start.mjs --built',
    timeout: 180_000,
    wait: { stdout: /App (?<app_url>\S+) with the service (?<service_url>\S+)/ },
  },
});
