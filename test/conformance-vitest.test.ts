import { afterAll } from 'vitest';
import { registerConformance } from '../conformance/vitest.ts';
import { createMock } from '../src/index.ts';
import { fixturesOf } from './support/fixtures.ts';

// Our own mock, judged within our own run as a team would judge its server.
const mock = await createMock();
afterAll(() => mock.close());

registerConformance(
  {
    baseUrl: mock.url,
    apiKey: 'demo-key',
    otherApiKey: 'demo-key-2',
    allowWrites: true,
    allowDestructive: true,
    fixtures: fixturesOf(mock),
    openPoints: { treePathParameter: 'path' },
  },
  { skip: ['listMcpServerTools.hosted-tools.*'] },
);
