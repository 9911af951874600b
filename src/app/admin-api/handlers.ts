/*
 * To add an endpoint: `admin-api.yaml`, and a handler in the `*-handlers.ts` for its subject. Handlers get a
 * `ControlContext` (`control.ts`), filled in `../edge/edge-context.ts`. For the proxy: `src/proxy/admin-api.yaml`
 * and `control.ts`.
 */
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { loadOwnYaml } from '../../../openapi/contract/own-files.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { controlRecordSchemas } from '../../domain/resources.ts';
import { loadFaultSchemas } from '../faults/parse-fault.ts';
import { defineControl } from './admin-api.ts';
import { agentHandlers } from './agent-handlers.ts';
import type { ControlContext, ControlHandler } from './control.ts';
import { faultHandlers } from './fault-handlers.ts';
import { fileHandlers } from './file-handlers.ts';
import { mcpServerHandlers } from './mcp-server-handlers.ts';
import { organizationHandlers } from './organization-handlers.ts';
import { requestLogHandlers } from './request-log-handlers.ts';
import { settingsHandlers } from './settings-handlers.ts';
import { stateHandlers } from './state-handlers.ts';

/** The admin API's own OpenAPI document, with the schemas of faults and records. */
export function loadControlDocument(): ContractDocument {
  const document = loadOwnYaml('src/app/admin-api/admin-api.yaml') as ContractDocument;
  const schemas = document.components?.schemas ?? {};
  Object.assign(schemas, loadFaultSchemas(), controlRecordSchemas());
  return document;
}

type Handlers = Readonly<Record<string, ControlHandler<ControlContext>>>;

/** The handlers of the mock's admin API, by the operation ids of its document. Faults tell of their changes themselves. */
export const controlHandlers: Handlers = {
  ...tellingChanges({
    ...stateHandlers,
    ...settingsHandlers,
    ...requestLogHandlers,
    ...organizationHandlers,
    ...agentHandlers,
    ...fileHandlers,
    ...mcpServerHandlers,
  }),
  ...faultHandlers,
};

export const mockControl = defineControl<ControlContext>(loadControlDocument, controlHandlers);

/** The same handlers, with notification of changes. */
function tellingChanges(handlers: Handlers): Handlers {
  const telling = Object.entries(handlers).map(([operationId, handle]): [string, Handlers[string]] => [
    operationId,
    (input, context) => {
      const result = handle(input, context);
      if (!input.isRead && !isRefusal(result)) context.changes.tell(operationId);
      return result;
    },
  ]);
  return Object.fromEntries(telling);
}
