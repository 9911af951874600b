import type { CarrierName } from '../target/credentials.ts';

/** How one of the two readings that need nothing was answered, by either header. */
export interface CarrierFinding {
  request: string;
  header: string;
  bearer: string;
}

/** Something that a list shows, to be named in a config. */
export interface Discovered {
  id: string;
  name: string;
  isPublished?: boolean;
}

/**
 * What was found of one setting. `partly`: it is of use, and something is missing; `unknown`: reading alone does not
 * tell.
 */
export interface Finding {
  /** A place in the config, or a flag. */
  setting: string;
  state: 'fine' | 'partly' | 'missing' | 'wrong' | 'unknown';
  note: string;
}

/** What was learned of a target by reading alone. */
export interface Diagnosis {
  carriers: CarrierFinding[];
  /** The header that works, where only one does. */
  onlyCarrier: CarrierName | undefined;
  findings: Finding[];
  agents: Discovered[];
  drives: Discovered[];
  mcpServers: Discovered[];
  /** The id of one that offers tools, among the first ones. */
  serverWithTools: string | undefined;
}
