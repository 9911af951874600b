import { defineConfig } from '@playwright/test';

// CHROMIUM_PATH: a Chromium that is there already, in place of the one that Playwright downloads.
const { CHROMIUM_PATH } = process.env;

// Both take any free port. Playwright puts the addresses that they print into the environment of what follows: Next.js reads
// AGENT_PLATFORM_BASE_URL.
const mock = {
  command: 'agent-platform-contract mock --port 0',
  wait: { stdout: /"url":"(?<agent_platform_base_url>[^"]+)"/ },
};
const app = {
  command: 'next start --port 0 --hostname 127.0.0.1',
  wait: { stdout: /Local: +(?<app_url>http:\/\/\S+)/ },
};

export default defineConfig({
  testDir: 'test',
  workers: 1,
  use: {
    launchOptions: CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] },
  },
  webServer: [mock, app],
});
