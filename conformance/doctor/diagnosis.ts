import type { Sentence } from '../../lib/sentence.ts';
import type { NeedName } from '../plan/needs.ts';
import type { AuthHeaderName } from '../target/credentials.ts';

/** The result of one of the two safe requests that need no data, with the key in either header. */
export interface AuthHeaderFinding {
  request: string;
  header: string;
  bearer: string;
}

/** A resource in a list that a config can declare. */
export interface Discovered {
  id: string;
  name: string;
  isPublished?: boolean;
}

/** What is known about one setting. `partly`: useful, but incomplete. `unknown`: reading does not show it. */
export interface Finding {
  /** A place in the config, or a flag. */
  setting: string;
  state: 'fine' | 'partly' | 'missing' | 'wrong' | 'unknown';
  note: string;
}

/** A finding that is not redacted yet. */
export type RawFinding = Omit<Finding, 'note'> & { note: Sentence };

/** What safe requests show about a target. */
export interface Diagnosis {
  authHeaders: AuthHeaderFinding[];
  /** The header that works, if only one does. */
  onlyAuthHeader: AuthHeaderName | undefined;
  findings: Finding[];
  /** The data that the target lacks. */
  absent: NeedName[];
  agents: Discovered[];
  drives: Discovered[];
  mcpServers: Discovered[];
  /** The id of one of the first MCP servers that offers tools. */
  serverWithTools: string | undefined;
}
