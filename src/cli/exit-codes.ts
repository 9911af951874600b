// The guide to reports in `docs/` has a table of the suite's exit codes.
import type { StartErrorCode } from '../app/start-error.ts';

/** The exit codes of each command, one line each, as help and documents show them. */
export const exitCodes = {
  mock: [
    '0 after a clean stop',
    '1 if the mock cannot start, or can no longer write its state',
    '2 for an invalid command line, seed, profile or state file',
  ],
  proxy: [
    '0 after a clean stop',
    '1 if the proxy cannot start or cannot write a file',
    '2 for an invalid command line or profile',
  ],
  contract: [
    '0 if the document is written',
    '2 for an invalid command line or profile, or if the file cannot be written',
  ],
  vary: [
    '0 if nothing was found',
    '1 if the tests rely on unspecified behaviour; with --strict also if they are flaky or the search ended at --max-runs',
    '2 if the command line, seed or profile is invalid, the tests cannot be started, fail with the base profile or never call the mock, you stopped vary (Ctrl+C) before it found anything, --max-runs ended it before it tried a profile, or a report could not be written although the code would be 0',
  ],
  conformance: [
    '0 if no check failed unexpectedly, no enabled check was inconclusive (other than because of an expected failure), and no code below applies',
    '1 if a check failed unexpectedly, an expected failure passed or a required choice was not seen; with --strict also if a check warned or is not enabled',
    '2 if the command line or config is invalid, the base URL does not serve the API, the suite has an error, nothing was judged, or a file could not be written although the code would be 0',
    '3 if no check failed unexpectedly, but an enabled check was inconclusive (other than because of an expected failure), the server crashed or stopped responding, or the run reached --time-limit',
    '129, 130, 131 or 143 after SIGHUP, SIGINT, SIGQUIT or SIGTERM',
  ],
  doctor: ['0 if the server could be examined', '2 if it could not'],
  restore: [
    '0 if every file is back',
    '1 if a file is not back',
    '2 if the command line, move log or report is invalid, --base-url differs from the base URL in the file and --any-base-url is not set, or the base URL does not serve the API',
  ],
  compare: ['0 if no check newly fails', '1 if a check newly fails', '2 for files that are not reports'],
} as const satisfies Record<string, readonly string[]>;

/**
 * The exit code for an error that the user can fix, for one on the machine (a port in use), for an error during a run
 * of the suite (also if the target cannot be reached), and for a report that cannot be written. The codes of verdicts
 * are in conformance/run/verdict.ts, those of `vary` in src/vary/report.ts.
 */
export const errorExitCodes = { usage: 2, machine: 1, suite: 2, report: 2 } as const;

// Errors that the user can fix on the command line or in a file. The others are about the machine.
const usageCodes: readonly StartErrorCode[] = [
  'FILE_UNREADABLE',
  'FILE_UNWRITABLE',
  'FILE_MALFORMED',
  'SEED_INVALID',
  'PROFILE_INVALID',
  'OPTION_INVALID',
  'STATE_INVALID',
];

/** The exit code of a mock or a proxy that could not start. */
export function exitCodeOfStart(code: StartErrorCode): number {
  return errorExitCodes[usageCodes.includes(code) ? 'usage' : 'machine'];
}
