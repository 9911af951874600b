import * as agents from './agent-handlers.ts';
import type { ControlHandler } from './control.ts';
import * as files from './file-handlers.ts';
import * as journal from './journal-handlers.ts';
import * as mcpServers from './mcp-server-handlers.ts';
import * as mock from './mock-handlers.ts';
import * as organizations from './organization-handlers.ts';

const { showOrganization: _, keyIdOf: __, ...organizationHandlers } = organizations;

/** The handler of each operation of the control plane, by its operationId. */
export const controlHandlers: Readonly<Record<string, ControlHandler>> = {
  ...mock,
  ...journal,
  ...organizationHandlers,
  ...agents,
  ...files,
  ...mcpServers,
};
