import { signal, useSignalEffect } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type ControlError, isReachable } from './control.ts';
import { Notice } from './parts.tsx';

/** Something that people do and that may fail. `Problem` says why it failed, until it is tried again. */
export function createAction(after: () => Promise<unknown> = async () => undefined) {
  const problem = signal<Partial<ControlError> | undefined>(undefined);
  const run = async (act: () => unknown): Promise<void> => {
    problem.value = undefined;
    try {
      await act();
    } catch (error) {
      problem.value = error as Error;
    }
    await after();
  };
  const Problem = ({ lead = '' }: { lead?: string }) => {
    useSignalEffect(() => {
      // The server responds again.
      if (isReachable.value && problem.peek()?.status === 0) problem.value = undefined;
    });
    const { message } = problem.value ?? {};
    return message === undefined ? null : <Notice kind="error">{`${lead} ${message}`.trim()}</Notice>;
  };
  return { run, Problem };
}

/** The same, for as long as a component is shown. */
export const useAction = () => useMemo(() => createAction(), []);
