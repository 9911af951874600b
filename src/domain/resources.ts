/*
 * To add a field: the contract; here; `record-schemas.ts` (seed, snapshot and admin API); `src/engine/views.ts`
 * (responses); if it is required, also where the API creates the resource (`drives.ts`, `mcp-servers.ts`);
 * requirements and coverage. If it is optional: `optionalFields` in `openapi/points/fields.ts` and `x-open-point` of
 * the schema.
 */

/** The resources of section 2 as the store holds them. Records are replaced, never changed. Times in ms. */

export interface Revision {
  readonly id: string;
  readonly createdAtMs: number;
}

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Oldest first. */
  readonly revisions: readonly Revision[];
  /** The published revision; absent until one is published. */
  readonly activeRevisionId?: string;
  readonly hasChanges: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface Drive {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type FileStatus = 'processing' | 'ready' | 'error';

/** The status that a file changes to by itself at a certain time. */
export interface NextStatus {
  readonly status: FileStatus;
  readonly atMs: number;
}

export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly status: FileStatus;
  readonly next?: NextStatus;
  readonly modifiedAtMs: number;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly description?: string;
  readonly summary?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface McpTool {
  readonly name: string;
  readonly description: string;
}

export type McpServerType = 'sse' | 'streamableHttp';

export interface McpServer {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly url: string;
  readonly type: McpServerType;
  readonly tools: readonly McpTool[];
  /** Why the last request for its tools failed; absent if it succeeded or was never made. */
  readonly toolsProblem?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
