import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The mock of `npm start`, unless another server is named. The key stays here: the page never sees it.
const { AGENT_PLATFORM_BASE_URL = 'http://127.0.0.1:4010/v0.1', AGENT_PLATFORM_API_KEY = 'demo-key' } = process.env;

/** Everything that the contract describes goes to the service, as it would behind the server of a real frontend. */
const proxy = {
  '/v0.1': {
    target: new URL(AGENT_PLATFORM_BASE_URL).origin,
    changeOrigin: true,
    configure: (server: ProxyServer) => {
      server.on('proxyReq', (toService, { headers }) => {
        // The tests send keys of their own.
        if (headers['x-api-key'] === undefined) toService.setHeader('X-API-Key', AGENT_PLATFORM_API_KEY);
      });
    },
  },
};

interface ProxyServer {
  on(
    event: 'proxyReq',
    listener: (
      request: { setHeader(name: string, value: string): unknown },
      from: { headers: Record<string, unknown> },
    ) => void,
  ): unknown;
}

export default defineConfig({
  plugins: [react()],
  server: { proxy },
  preview: { proxy },
  test: {
    environment: 'jsdom',
    testTimeout: 120_000,
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/set-up.ts'],
  },
});
