import { createHandlers } from 'agent-platform-contract/msw';
import { setupWorker } from 'msw/browser';
import { control, mock } from './mock.js';

const worker = setupWorker(...createHandlers(mock));

export default {
  // Once, before the first story: from then on, MSW responds to what the components ask the API.
  beforeAll: () => worker.start({ quiet: true, onUnhandledFrame: 'bypass' }),
  // Each story starts from the seed, in the sandbox of its own id.
  beforeEach: ({ id }) => control('POST', '/reset?organization=self', id),
};
