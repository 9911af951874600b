/** How much of what a run creates, publishes and deletes on a sound target. */
export interface Amounts {
  drives: number;
  mcpServers: number;
  /** Drives of the second organization. */
  otherDrives: number;
  publications: number;
  /** Disposable files, at most: a check that finds none left does without. */
  deletions: number;
}
