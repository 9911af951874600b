/** What a command sees of the process around it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person sees standard output. */
  readonly isInteractive: boolean;
  /** Writes to standard output. */
  write(text: string): void;
  /** Writes a line to standard error. */
  complain(text: string): void;
  /** Calls `handle` for what nobody caught, instead of showing it as it is, and ends with the exit code that it gives. */
  onCrash(handle: (error: unknown) => number): void;
  /** Ends the process although a write to standard output is stuck, because nobody reads it. */
  giveUp(): void;
  /** Resolves when the process is asked to end for the first time. The second time it ends at once. */
  stopped(): Promise<void>;
}
