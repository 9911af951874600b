import type { SchemaObject } from '../../openapi/contract/document.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import { readPage } from '../scene/paging.ts';
import { sampled } from '../scene/samples.ts';
import type { Session } from '../session.ts';
import { items, member } from '../target/expectations.ts';
import { ifSeen, ownReplies } from './observer.ts';

/** An object in an answer, and the schema that the contract has for it. */
export interface ShownObject {
  schema: string;
  value: Record<string, unknown>;
}

/** Safe readings of whatever can be read, so that there is something to look at. They are sent once in a run. */
export async function firstLook(session: Session): Promise<void> {
  for (const operation of ['listAgents', 'listDrives', 'listMcpServers', 'getDriveFile'] as const) {
    await ifSeen(sampled(session, operation));
  }
  // Before the observers create any: a default limit is told by how pages differ later.
  await ifSeen(readPage(session, {}));
}

/** Every object that the successful answers showed the own organization so far. */
export function shownObjects(session: Session): ShownObject[] {
  return ownReplies(session)
    .filter(({ isSuccess }) => isSuccess)
    .flatMap(({ sending, json }) => objectsIn(sending.operation, json))
    .filter((shown): shown is ShownObject => isObject(shown.value));
}

/** The names of the fields that the contract shows for an object, in its order. */
export function shownFields(session: Session, schema: string): string[] {
  const definition = session.contract.components?.schemas?.[schema] as SchemaObject | undefined;
  return Object.keys(definition?.properties ?? {});
}

function objectsIn(operation: OperationId, json: unknown): { schema: string; value: unknown }[] {
  switch (operation) {
    case 'listAgents':
      return all('Agent', json);
    case 'listMcpServers':
      return all('McpServer', json);
    case 'listDrives':
      return [
        { schema: 'DrivePage', value: json },
        { schema: 'Pagination', value: member(json, 'pagination') },
        ...all('Drive', member(json, 'data')),
      ];
    case 'listMcpServerTools':
      return [{ schema: 'McpToolList', value: json }, ...all('McpTool', member(json, 'tools'))];
    default: {
      const schema = single[operation];
      return schema === undefined ? [] : [{ schema, value: json }];
    }
  }
}

const single: Partial<Record<OperationId, string>> = {
  createDrive: 'Drive',
  createMcpServer: 'McpServer',
  getDriveFile: 'DriveFile',
  updateDriveFile: 'DriveFile',
  deleteDriveTree: 'TreeDeletion',
};

function all(schema: string, list: unknown): { schema: string; value: unknown }[] {
  return items(list).map((value) => ({ schema, value }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
