export type FailureKind = 'unauthenticated' | 'unknown-route' | 'not-found' | 'invalid' | 'conflict' | 'internal';

/** A refusal that the error middleware turns into an answer. */
export class Failure extends Error {
  kind: FailureKind;
  /** Only for variants that need another status than the settings give to the kind. */
  status: number | undefined;

  constructor(kind: FailureKind, message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}
