import { afterAll } from 'vitest';
import { registerConformance } from '../../conformance/vitest.ts';
import { createMock } from '../../src/index.ts';
import { wholeConfig } from '../support/whole-settings.ts';

// Our own mock, judged within our own run as a team would judge its server.
const mock = await createMock();
afterAll(() => mock.close());

registerConformance(wholeConfig(mock), { skip: ['listMcpServerTools.hosted-tools.*'] });
