import { signal } from '@preact/signals';

/** What went wrong with the latest change; empty for nothing. */
export const problem = signal('');

/** Changes something. What goes wrong is shown above the list. */
export async function run(act: () => Promise<unknown>): Promise<void> {
  problem.value = '';
  await act().catch((error: Error) => {
    problem.value = error.message;
  });
}
