import * as agents from './agent-handlers.ts';
import type { ControlHandler } from './control.ts';
import * as faults from './fault-handlers.ts';
import * as files from './file-handlers.ts';
import * as journal from './journal-handlers.ts';
import * as mcpServers from './mcp-server-handlers.ts';
import * as mock from './mock-handlers.ts';
import * as organizations from './organization-handlers.ts';
import * as settings from './settings-handlers.ts';

const { showOrganization: _, keyIdOf: __, ...organizationHandlers } = organizations;
const { refusing: ___, ...faultHandlers } = faults;

/** The handler of each operation of the control plane, by its operationId. */
export const controlHandlers: Readonly<Record<string, ControlHandler>> = {
  ...mock,
  ...settings,
  ...journal,
  ...faultHandlers,
  ...organizationHandlers,
  ...agents,
  ...files,
  ...mcpServers,
};
