/**
 * The strict types of the contract for clients, such as `openapi-fetch`: what is stated, and no more. What is open is a
 * union, optional, or `unknown`: code that relies on a guess does not compile. So a request has all fields that are shown,
 * since any of them may be required. `types.default.gen.ts` has the convenient types, under the default profile.
 */
import type * as named from './contract/types.gen.ts';

export type components = named.components;

/** The operations, by id. */
export interface operations extends Omit<named.operations, 'deleteDriveTree'> {
  deleteDriveTree: WithFreeQuery<named.operations['deleteDriveTree']>;
}

/** The operations, by path and method. */
export interface paths extends Omit<named.paths, '/drives/{driveId}/items/tree'> {
  '/drives/{driveId}/items/tree': Omit<named.paths['/drives/{driveId}/items/tree'], 'delete'> & {
    delete: operations['deleteDriveTree'];
  };
}

// The name of the parameter is open (4.7).
type WithFreeQuery<Operation extends { parameters: { query: object } }> = Omit<Operation, 'parameters'> & {
  parameters: Omit<Operation['parameters'], 'query'> & { query: Record<string, components['schemas']['DrivePath']> };
};
