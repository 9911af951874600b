/**
 * Loaded before the command line (`--import`) to break the suite in one place. `BREAK_SUITE` says where; the thrown
 * error contains the key, as a careless one would.
 */
import { setTimeout } from 'node:timers';
import { reporters } from '../../conformance/report/index.ts';
import { Receipt } from '../../conformance/safety/receipt.ts';
import { Session } from '../../conformance/target/session.ts';

const error = () => new Error(`broken on purpose, with ${process.env.AGENT_PLATFORM_API_KEY}`);

const fail = (): never => {
  throw error();
};

/** What can be broken: a check, the work before all checks, the writing of a report, and anything else at some point. */
const places: Record<string, () => void> = {
  check: () => {
    Session.prototype.successesOf = fail;
  },
  start: () => {
    Session.prototype.ask = fail;
  },
  report: () => {
    reporters.junit.write = fail;
  },
  signal: () => {
    process.on('SIGUSR2', () => setTimeout(fail));
  },
  timer: () => {
    const { note } = Receipt.prototype;
    // Outside any work in progress, once there is something to report.
    Receipt.prototype.note = function (leftover) {
      note.call(this, leftover);
      setTimeout(fail);
    };
  },
};

places[process.env.BREAK_SUITE ?? '']?.();
