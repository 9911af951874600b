import type { Violation } from '../../../openapi/contract/schemas.ts';

/** Why a fault was not taken in or changed. */
export type FaultErrorCode = 'FAULT_INVALID' | 'FAULT_ID_TAKEN' | 'FAULT_UNKNOWN';

/** A fault that was not taken in or changed. The message says what was wrong, where, and what to do. */
export class FaultError extends Error {
  readonly code: FaultErrorCode;
  /** What is wrong with its fields; empty when it is something else. */
  readonly violations: readonly Violation[];

  constructor(code: FaultErrorCode, message: string, violations: readonly Violation[] = []) {
    super(message);
    this.name = 'FaultError';
    this.code = code;
    this.violations = violations;
  }
}

/** The error for a fault whose fields are wrong. */
export function invalidFault(violations: readonly Violation[]): FaultError {
  const text = violations.map(({ location, message }) => `${location.join('.') || 'The fault'} ${message}`).join('\n');
  return new FaultError('FAULT_INVALID', text, violations);
}
