/** What a command sees of the process around it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person sees standard output. */
  readonly isInteractive: boolean;
  /** Writes to standard output. */
  write(text: string): void;
  /** Ends the process although a write to standard output is stuck, because nobody reads it. */
  giveUp(): void;
  /** Resolves when the process is asked to end. */
  stopped(): Promise<void>;
}
