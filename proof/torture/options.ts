/** How a torture is run. */
export interface TortureOptions {
  /** The same seed uses the same run again, as far as the machine lets it. */
  seed: number;
  /** How many rounds. Default: as many as a thorough run needs. */
  count?: number;
  /** What the torture is limited to, where it has parts. Default: all. */
  names?: readonly string[];
  /** Whether the document of the torture gets the figures, where it has one. */
  isWritten?: boolean;
  /** Prints a line. */
  print(line: string): void;
}
