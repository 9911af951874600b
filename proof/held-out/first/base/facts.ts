export interface Facts {
  /** Name of the query parameter of operation 4.7 on this server. */
  treePathParameter: string;
  /** How long, in ms, an effect may take to show (asynchronous deletion, replicas). 0 if at once. */
  settleMs: number;
  /** The organization under test first, then the other one. Each owns its own things. */
  organizations: [OrganizationFacts, OrganizationFacts];
}

export interface OrganizationFacts {
  id: string;
  apiKey: string;
  /** Revisions are ones that may be published, at least two for one agent. */
  agents: { id: string; revisionIds: string[] }[];
  drives: { id: string; files: { id: string; path: string }[] }[];
  mcpServers: { id: string }[];
}
