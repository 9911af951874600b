import { run } from '../../src/cli/run.ts';
import type { Ended } from './command.ts';

/** Runs a command line of `agent-platform` within this process, where starting one each time would take too long. */
export async function runInProcess(
  args: readonly string[],
  environment: Record<string, string> = {},
  { isInteractive = false, stopped = new Promise<void>(() => undefined) } = {},
): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const code = await run(args, {
    environment,
    isInteractive,
    write: (text) => {
      said.stdout += text;
    },
    complain: (text) => {
      said.stderr += `${text}\n`;
    },
    onCrash: () => undefined,
    giveUp: () => undefined,
    stopped: () => stopped,
  });
  return { code, ...said };
}
