import { afterAll } from 'vitest';
import { registerConformance } from '../../conformance/vitest.ts';
import { createMock } from '../../src/index.ts';
import { isFull } from '../support/depth.ts';
import { wholeConfig } from '../support/whole-settings.ts';

// Our own mock, judged within our own run as a team would judge its server.
const mock = await createMock();
afterAll(() => mock.close());

registerConformance(wholeConfig(mock), {
  only: isFull ? [] : ['listAgents.*', 'createDrive.*', 'updateDriveFile.path*', 'deleteDriveTree.is-served'],
  skip: ['listMcpServerTools.hosted-tools.*'],
});
