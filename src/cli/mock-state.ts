import type { Values } from '../../lib/options.ts';
import type { Mock } from '../node/mock/mock-handle.ts';
import { mockFlags } from './command-options.ts';
import type { Log } from './log.ts';

/** The options that a state file overrides. */
const ofFile = ['seed', 'randomSeed', 'clock'] as const;

/** Says at startup where the state is kept, and which options it overrides. */
export function noteState({ state }: Mock, values: Values<typeof mockFlags>, log: Log): void {
  if (state === undefined) return;
  const { file, isContinued } = state;
  const idle = isContinued ? ofFile.filter((key) => key in values).map((key) => `--${mockFlags[key].name}`) : [];
  const begin = isContinued ? `Resumes from the state in ${file}.` : `Keeps its state in the new file ${file}.`;
  const ignored = idle.length === 0 ? '' : ` The file overrides ${idle.join(' and ')}.`;
  log.note(idle.length === 0 ? 'info' : 'warn', begin + ignored, { file });
}

/** The closing line about the state, for people. */
export function stateLine({ state }: Mock): string {
  return state === undefined
    ? 'State is in memory and lost when the mock stops; --state <file> keeps it. Ctrl+C stops the mock.'
    : `State is kept in ${state.file}. Ctrl+C stops the mock.`;
}
