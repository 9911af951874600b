import type { CheckResult } from '../../conformance/index.ts';
import type { Terminal } from './terminal.ts';

const width = 78;

/** One line that is written over and over while a person looks on; nothing elsewhere. */
export function progressOn(
  terminal: Terminal,
  selected: readonly { id: string }[],
): { note(result: CheckResult): void; end(): void } {
  if (!terminal.isInteractive) return { note: () => undefined, end: () => undefined };
  const ids = new Set(selected.map(({ id }) => id));
  let done = 0;
  let failed = 0;
  return {
    note: ({ id, outcome }) => {
      if (!ids.has(id)) return;
      done++;
      if (outcome === 'failed') failed++;
      const failures = failed === 0 ? '' : `, ${failed} failed`;
      terminal.write(`\r${`${done} of ${ids.size}${failures}: ${id}`.slice(0, width).padEnd(width)}`);
    },
    end: () => terminal.write(`\r${' '.repeat(width)}\r`),
  };
}
