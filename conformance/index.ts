export { createRedact, type Redact, type Secret } from '../lib/secrets.ts';
export type { Check, Phase } from './check.ts';
export { type Selection, selectIds } from './check.ts';
export { allChecks, type RegisteredCheck } from './checks/index.ts';
export { type Comparison, compareReports, toComparison } from './compare.ts';
export { withCommands } from './config/commands.ts';
export {
  type Config,
  type Fixtures,
  loadConfig,
  parseRequired,
  resolveSettings,
  type Settings,
  toSettings,
} from './config/settings.ts';
export type { Diagnosis } from './doctor/doctor.ts';
export { diagnose } from './doctor/doctor.ts';
export { describeDiagnosis, sampleConfig } from './doctor/doctor-text.ts';
export {
  type ExpectedFailure,
  listText,
  loadExpectedFailures,
  type RenewedList,
  renewList,
  withList,
} from './expected-failures.ts';
export { usualMoveLog } from './move-log.ts';
export { toObservedProfile, toProfileYaml } from './observe/observe.ts';
export type { Observer } from './observe/observer.ts';
export { observersFor } from './observe/table.ts';
export { contractDigest, loadReport, parseReport } from './parse-report.ts';
export {
  describeMoveLog,
  describePlan,
  estimateMs,
  explain,
  listing,
  type Plan,
  planOf,
  restoreHint,
  settingsFor,
} from './plan/plan.ts';
export type { CheckResult, Leftover, Outcome, Report, Verdict } from './report.ts';
export { toAnnotations, withoutCommands } from './reporters/github.ts';
export { type Reporter, type ReporterName, reporters } from './reporters/index.ts';
export { toReceipt, toTerminal } from './reporters/terminal.ts';
export { inWords } from './reporters/words.ts';
export {
  describeRestored,
  isBack,
  loadMovedFiles,
  type MovedFile,
  type MovedFiles,
  type RestoredFile,
  restoreFiles,
} from './restore.ts';
export { type RunOptions, runSuite } from './run.ts';
export type { Session } from './session.ts';
export { SuiteError, type SuiteErrorCode } from './suite-error.ts';
export { secretsOf } from './target/credentials.ts';
export { type ExitCode, endingOf, exitCodeOf } from './verdict.ts';
