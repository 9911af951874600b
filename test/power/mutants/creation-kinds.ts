import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { type Created, drivesOf, mcpServersOf, organizationsOf, type Shelf } from './patch-store.ts';

/** A fault that each of the two kinds of creations can have. */
export interface SharedFault {
  /** With `thing` for what is created: `drive` or `mcp-server`. */
  id: string;
  requirement: string | ((kind: Kind) => string);
  check(kind: Kind): string;
  /** With `thing` for what is created: `drive` or `MCP server`. */
  fault: string;
  break<T extends Created>(shelf: Shelf<T>, organization: Organization, kind: Kind): void;
}

/** One of the two things that can be created. */
export interface Kind {
  slug: string;
  noun: string;
  create: OperationId;
  list: OperationId;
  /** What the checks of the list call it. */
  name: 'drive' | 'server';
  idKind: 'drive' | 'mcpServer';
  breakEach(engine: Engine, fault: SharedFault): void;
}

export const kinds: readonly Kind[] = [
  {
    slug: 'drive',
    noun: 'drive',
    create: 'createDrive',
    list: 'listDrives',
    name: 'drive',
    idKind: 'drive',
    breakEach(engine, fault) {
      for (const one of organizationsOf(engine)) fault.break(drivesOf(one), one, this);
    },
  },
  {
    slug: 'mcp-server',
    noun: 'MCP server',
    create: 'createMcpServer',
    list: 'listMcpServers',
    name: 'server',
    idKind: 'mcpServer',
    breakEach(engine, fault) {
      for (const one of organizationsOf(engine)) fault.break(mcpServersOf(one), one, this);
    },
  },
];
