import type { Terminal } from '../terminal.ts';
import type { Run } from './ledger.ts';
import type { Cause } from './search.ts';
import { namesOf } from './search.ts';

const width = 78;

/** What is said while the tests run. */
export interface Progress {
  run(run: Run): void;
  cause(cause: Cause): void;
  end(): void;
}

/** On a terminal one line that is written over and over; elsewhere a line per run on standard error. */
export function progressOn(terminal: Terminal): Progress {
  return terminal.isInteractive ? renewedLine(terminal) : lines(terminal);
}

function lines({ complain }: Terminal): Progress {
  return {
    run: ({ number, purpose, isRed, durationMs, ending }) => {
      const colour = isRed ? `red, ${ending}` : 'green';
      complain(`run ${number}: ${purpose}: ${colour} (${seconds(durationMs)})`);
    },
    cause: ({ choices }) => complain(`found: ${namesOf(choices)} turns your tests red`),
    end: () => undefined,
  };
}

function renewedLine({ write }: Terminal): Progress {
  let found = 0;
  const show = (text: string) => write(`\r${text.slice(0, width).padEnd(width)}`);
  const clear = () => write(`\r${' '.repeat(width)}\r`);
  show('run 1: the base …');
  return {
    run: ({ number, purpose, isRed, durationMs }) => {
      const causes = found === 0 ? '' : `${found} found; `;
      show(`${causes}run ${number}: ${purpose}: ${isRed ? 'red' : 'green'} (${seconds(durationMs)})`);
    },
    cause: ({ choices }) => {
      found++;
      clear();
      write(`  Found: ${namesOf(choices)} turns your tests red.\n`);
    },
    end: clear,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
