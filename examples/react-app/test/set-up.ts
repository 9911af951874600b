import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { server } from './sandbox.tsx';

// A limit only ends what hangs.
configure({ asyncUtilTimeout: 20_000 });

beforeAll(() => server.listen({ onUnhandledFrame: 'bypass' }));
afterEach(() => {
  cleanup();
  localStorage.clear();
});
afterAll(() => server.close());
