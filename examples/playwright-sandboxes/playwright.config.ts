import { defineConfig } from '@playwright/test';

// CHROMIUM_PATH: a Chromium that is there already, in place of the one that Playwright downloads.
const { AGENT_PLATFORM_BASE_URL, CHROMIUM_PATH } = process.env;

/**
 * The mock, on any free port. Its first line has its URL, which Playwright puts into AGENT_PLATFORM_BASE_URL. The page of
 * this example is opened as a file. Pages that a server of this machine serves may call the mock without `cors=any`.
 */
const mock = {
  command: 'npx agent-platform-contract mock --open-keys --set cors=any --port 0',
  wait: { stdout: /"url":"(?<agent_platform_base_url>[^"]+)"/ },
};

export default defineConfig({
  fullyParallel: true,
  workers: 2,
  use: {
    baseURL: `${AGENT_PLATFORM_BASE_URL}/`,
    launchOptions: CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] },
  },
  // None when a mock runs already.
  webServer: AGENT_PLATFORM_BASE_URL === undefined ? [mock] : [],
});
