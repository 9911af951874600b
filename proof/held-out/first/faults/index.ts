import type { Fault } from '../variant.ts';
import { agentFaults } from './agents.ts';
import { authenticationFaults } from './authentication.ts';
import { driveCreationFaults } from './drive-creation.ts';
import { driveListFaults } from './drive-list.ts';
import { fileMovingFaults } from './file-moving.ts';
import { fileReadingFaults } from './file-reading.ts';
import { mcpServerFaults } from './mcp-servers.ts';
import { treeDeletionFaults } from './tree-deletion.ts';

export const faults: readonly Fault[] = [
  ...agentFaults,
  ...driveCreationFaults,
  ...driveListFaults,
  ...fileReadingFaults,
  ...fileMovingFaults,
  ...treeDeletionFaults,
  ...mcpServerFaults,
  ...authenticationFaults,
];
