import { type ContractDocument, dereference, type OperationObject, type ParameterObject } from './document.ts';
import type { operations } from './types.gen.ts';

/** The name of an operation in the contract. */
export type OperationId = keyof operations;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** One method on one path of the contract, with its references resolved. */
export interface Operation {
  operationId: OperationId;
  /** In upper case, as on the wire. */
  method: string;
  /** As in the contract, for instance `/drives/{driveId}/files/{fileId}`. */
  path: string;
  segments: readonly Segment[];
  parameters: readonly ParameterObject[];
  /** Whether the operation takes a JSON body. */
  takesBody: boolean;
  definition: OperationObject;
}

type Segment = { literal: string } | { parameter: string };

/** All operations of the contract, in its order. */
export function operationsOf(document: ContractDocument): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const definition = item?.[method] as OperationObject | undefined;
      return definition === undefined ? [] : [toOperation(document, path, method, definition)];
    }),
  );
}

function toOperation(document: ContractDocument, path: string, method: string, definition: OperationObject): Operation {
  return {
    operationId: definition.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    segments: path.slice(1).split('/').map(toSegment),
    parameters: (definition.parameters ?? []).map((parameter) => dereference<ParameterObject>(document, parameter)),
    takesBody: definition.requestBody !== undefined,
    definition,
  };
}

function toSegment(text: string): Segment {
  return text.startsWith('{') ? { parameter: text.slice(1, -1) } : { literal: text };
}

/** The operations whose path template fits `path` (without the base address), whatever their method. */
export function operationsAt(operations: readonly Operation[], path: string): Operation[] {
  const parts = path.slice(1).split('/');
  return operations.filter((operation) => fits(operation.segments, parts));
}

function fits(segments: readonly Segment[], parts: readonly string[]): boolean {
  return (
    segments.length === parts.length &&
    segments.every((segment, index) => ('literal' in segment ? segment.literal === parts[index] : parts[index] !== ''))
  );
}

/** The path segment that every base address ends with, as the contract's server shows it (`/v0.1`; section 9). */
export function basePathOf(document: ContractDocument): string {
  return new URL(document.servers?.[0]?.url ?? 'http://localhost/').pathname.replace(/\/$/, '');
}
