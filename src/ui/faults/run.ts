import { signal } from '@preact/signals';

/** The error of the latest change; empty if there is none. */
export const problem = signal('');

/** Makes a change. Its error is shown above the list. */
export async function run(act: () => Promise<unknown>): Promise<void> {
  problem.value = '';
  await act().catch((error: Error) => {
    problem.value = error.message;
  });
}
