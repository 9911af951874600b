/** What a command sees of the process around it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person sees standard output. */
  readonly isInteractive: boolean;
  /** Writes to standard output. */
  write(text: string): void;
  /** Resolves when the process is asked to end. */
  stopped(): Promise<void>;
}
