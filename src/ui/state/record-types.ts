// Records as the admin API shows them. Times are ISO date-times.

export interface AgentRecord {
  id: string;
  name: string;
  /** Oldest first. */
  revisions: readonly { id: string; createdAt: string }[];
  /** The published revision. */
  activeRevisionId?: string;
  hasChanges: boolean;
  updatedAt?: string;
}

export interface DriveRecord {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  holds: { files: number };
}

export interface FileRecord {
  id: string;
  path: string;
  status: string;
  sizeBytes?: number;
  modifiedAt?: string;
  /** The status that it changes to by itself. */
  becomes?: { status: string; at: string };
}

export interface ServerRecord {
  id: string;
  name: string;
  url: string;
  type: string;
  createdAt?: string;
  tools: readonly { name: string; description: string }[];
  /** Why its tools could not be read. */
  toolsProblem?: string;
}

export interface KeyRecord {
  /** The same as {@link keyId}: every record has an id and a name. */
  id: string;
  name: string;
  key: string;
  /** It distinguishes keys but gives no access. */
  keyId: string;
}
