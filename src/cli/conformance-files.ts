import { type Report, reporters, SuiteError, toProfileYaml } from '../../conformance/index.ts';
import { text } from './conformance-config.ts';
import type { Chosen, Environment } from './options.ts';
import { findUnwritable, type Output, reportOutputs } from './output-files.ts';

const defaultFolder = 'conformance-report';

/** The files that were asked for. Throws a {@link UsageError} for a form that there is not. */
export function outputsOf(chosen: Chosen, environment: Environment): Output<Report>[] {
  const json = text(chosen, 'json');
  const summary = environment.GITHUB_STEP_SUMMARY ?? '';
  const observed = text(chosen, 'observe');
  return [
    ...reportOutputs(chosen, reporters, defaultFolder),
    ...(json === undefined ? [] : [{ path: json, write: reporters.json.write }]),
    ...(observed === undefined ? [] : [{ path: observed, write: toProfileYaml }]),
    ...(summary === '' ? [] : [{ path: summary, write: reporters.markdown.write, isAppended: true }]),
  ];
}

/** Throws a `SuiteError` unless all files can be written: better now than after a run. */
export function requireWritable(outputs: readonly Output<Report>[]): void {
  const complaint = findUnwritable(outputs);
  if (complaint !== undefined) throw new SuiteError('FILE_UNWRITABLE', complaint);
}
