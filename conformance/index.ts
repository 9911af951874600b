export { createRedact, type Redact, type Secret } from '../lib/secrets.ts';
export type { Check, Phase } from './checks/check.ts';
export { type Selection, selectIds } from './checks/check.ts';
export { allChecks, type RegisteredCheck } from './checks/index.ts';
export { toObservedProfile, toProfileYaml } from './observe/observe.ts';
export type { Observer } from './observe/observer.ts';
export { observersFor } from './observe/table.ts';
export { type Comparison, compareReports, toComparison } from './report/compare.ts';
export {
  type ExpectedFailure,
  listText,
  loadExpectedFailures,
  type RenewedList,
  renewList,
  withList,
} from './report/expected-failures.ts';
export { toAnnotations, withoutCommands } from './report/github.ts';
export { type Reporter, type ReporterName, reporters } from './report/index.ts';
export { contractDigest, loadReport, parseReport } from './report/parse-report.ts';
export type { CheckResult, Leftover, Outcome, Report, Verdict } from './report/report.ts';
export { toReceipt, toTerminal } from './report/terminal.ts';
export { inWords } from './report/words.ts';
export { withCommands } from './run/commands.ts';
export type { Diagnosis } from './run/doctor.ts';
export { diagnose } from './run/doctor.ts';
export { describeDiagnosis, sampleConfig } from './run/doctor-text.ts';
export { idleSettings } from './run/idle-settings.ts';
export {
  describeMoveLog,
  describePlan,
  estimateMs,
  explain,
  listing,
  modeOf,
  type Plan,
  planOf,
  restoreHint,
  settingsFor,
} from './run/plan.ts';
export { type RunOptions, runSuite } from './run/run.ts';
export {
  type Config,
  type Fixtures,
  loadConfig,
  parseRequired,
  resolveSettings,
  type Settings,
  toSettings,
} from './run/settings.ts';
export { SuiteError, type SuiteErrorCode } from './run/suite-error.ts';
export { type Ending, type ExitCode, endingOf, exitCodeOf } from './run/verdict.ts';
export { usualMoveLog } from './safety/move-log.ts';
export {
  describeRestored,
  isBack,
  loadMovedFiles,
  type MovedFile,
  type MovedFiles,
  type RestoredFile,
  restoreFiles,
} from './safety/restore.ts';
export { secretsOf } from './target/credentials.ts';
export type { Session } from './target/session.ts';
