import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult, Report } from '../../conformance/report/report.ts';
import { runSuite } from '../../conformance/run/run.ts';
import { toSettings } from '../../conformance/run/settings.ts';
import { receiptErrors, takeSnapshot } from '../../proof/power/snapshot.ts';
import { createMock } from '../../src/index.ts';
import { isFull } from './depth.ts';
import { once } from './once.ts';
import { wholeConfig } from './whole-settings.ts';

/** A run of all checks over the mock, with everything that a user can set. */
interface WholeRun {
  report: Report;
  /** The ids of the checks, in the order in which they ended. */
  told: string[];
  /** How its receipt differs from what became of the mock. */
  receiptErrors: string[];
  /** Whether moves were logged while it ran, and whether the log was left. */
  moveLog: { wasThere: boolean; isLeft: boolean };
  /** The report of another run over what it left behind; in the quick run, of what that is about. */
  again: Report;
}

/** The whole run of this test run, and the file with its trace. Both are recorded once. */
export async function wholeRun(): Promise<WholeRun & { trace: string }> {
  const folder = await once('whole-run', record);
  return { ...JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')), trace: join(folder, 'trace.har') };
}

async function record(folder: string): Promise<void> {
  const mock = await createMock();
  const [moveLog, trace] = [join(folder, 'moves.jsonl'), join(folder, 'trace.har')];
  const told: string[] = [];
  let wasThere = false;
  const onResult = ({ id }: CheckResult) => {
    told.push(id);
    wasThere ||= existsSync(moveLog);
  };
  const before = takeSnapshot(mock);
  const settings = toSettings({ ...wholeConfig(mock), settleMs: 1_500 });
  const report = await runSuite(settings, { tool: 'test/1', moveLog, trace, onResult });
  const after = takeSnapshot(mock);
  const isLeft = existsSync(moveLog);
  const only = isFull ? [] : ['deleteDriveTree.*', '*.is-served'];
  const again = await runSuite(settings, { tool: 'test/1', observe: false, only });
  await mock.close();
  const errors = receiptErrors(before, after, report.leftovers);
  const run: WholeRun = { report, told, receiptErrors: errors, moveLog: { wasThere, isLeft }, again };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run));
}
