import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Notice } from './parts.tsx';

/** Something that people do and that may fail. `Problem` says why it failed, until it is tried again. */
export function createAction(after: () => Promise<unknown> = async () => undefined) {
  const problem = signal('');
  const run = async (act: () => unknown): Promise<void> => {
    problem.value = '';
    try {
      await act();
    } catch (error) {
      problem.value = (error as Error).message;
    }
    await after();
  };
  const Problem = ({ lead = '' }: { lead?: string }) =>
    problem.value === '' ? null : <Notice kind="error">{`${lead} ${problem.value}`.trim()}</Notice>;
  return { run, Problem };
}

/** The same, for as long as a component is shown. */
export const useAction = () => useMemo(() => createAction(), []);
