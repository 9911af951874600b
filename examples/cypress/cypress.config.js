import { createMock } from 'agent-platform-contract';
import { defineConfig } from 'cypress';

export default defineConfig({
  e2e: {
    supportFile: false,
    // One mock for all tests. Each test makes up a key, which opens a sandbox of its own.
    async setupNodeEvents(on, config) {
      const mock = await createMock({ openKeys: true });
      on('after:run', () => mock.close());
      return { ...config, env: { ...config.env, apiUrl: mock.url, adminUrl: mock.adminUrl } };
    },
  },
});
