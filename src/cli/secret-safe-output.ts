import { setTimeout } from 'node:timers/promises';
import { createRedact, type Redact, type Secret, SuiteError } from '../../conformance/index.ts';
import { say } from '../../lib/sentence.ts';
import { shownCommand } from '../../lib/shown-command.ts';
import { errorExitCodes } from './exit-codes.ts';
import { UsageError } from './read-options.ts';
import { exitCodeOfSignal } from './stop-signals.ts';
import type { Terminal } from './terminal.ts';

/** A terminal for a command that knows secrets. */
export interface SafeTerminal extends Terminal {
  /** For user input that is shown. */
  readonly redact: Redact;
  /** Adds secrets. */
  learn(secrets: readonly Secret[]): void;
  /** Text to print even after an error; may be empty. */
  lastWords: () => string;
  /** Aborted with a sentence after an uncaught error: the runs should tidy up and end. */
  readonly crashed: AbortSignal;
  /** The signal that stopped the command, if one did: it decides the exit code. */
  signal(): NodeJS.Signals | undefined;
}

// A shorter value, such as `true`, is not a secret and occurs in many texts.
const shortestSecret = 6;

/** A terminal for a command that got these secrets. */
function hideSecrets(
  terminal: Terminal,
  known: readonly Secret[],
  ended: Pick<SafeTerminal, 'crashed' | 'signal'>,
): SafeTerminal {
  let secrets: Secret[] = [];
  let redact = createRedact(secrets);
  const safe: SafeTerminal = {
    ...terminal,
    ...ended,
    redact: (text) => redact(text),
    lastWords: () => '',
    learn: (more) => {
      secrets = [...secrets, ...more];
      redact = createRedact(secrets);
    },
  };
  safe.learn(known.flatMap(withoutName));
  return safe;
}

/** The value of a header that is written as `Name: value`; other secrets as they are. */
function withoutName({ value, shownAs }: Secret): Secret[] {
  if (shownAs !== '<header>') return [{ value, shownAs }];
  const text = value.slice(value.indexOf(':') + 1).trim();
  return text.length < shortestSecret ? [] : [{ value: text, shownAs }];
}

/** Runs a command and prints its errors without secrets. Returns the exit code: after a signal, the signal's code. */
export async function runSafely(
  terminal: Terminal,
  secrets: readonly Secret[],
  name: string,
  run: (terminal: SafeTerminal) => Promise<number>,
): Promise<number> {
  const crash = new AbortController();
  let signal: NodeJS.Signals | undefined;
  const safe = hideSecrets(terminal, secrets, { crashed: crash.signal, signal: () => signal });
  void terminal.stopped().then((name) => {
    signal = name;
  });
  terminal.onSecondSignal(() => sayLastWords(safe));
  const running = run(safe).catch((error: unknown) => {
    sayLastWords(safe);
    safe.complain(describe(error, name, safe.redact));
    return error instanceof UsageError ? errorExitCodes.usage : errorExitCodes.suite;
  });
  terminal.onCrash((error) => endAfterCrash(safe, crash, error, running));
  const code = await running;
  return signal === undefined ? code : exitCodeOfSignal(signal);
}

function sayLastWords(terminal: SafeTerminal): void {
  const last = terminal.lastWords();
  if (last !== '') terminal.write(last);
  terminal.lastWords = () => '';
}

// After an uncaught error, the command may never end by itself.
const longestTidyingMs = 60_000;

/** Lets a command tidy up after an uncaught error. Errors after the first are its consequences. */
async function endAfterCrash(
  terminal: SafeTerminal,
  crash: AbortController,
  error: unknown,
  running: Promise<number>,
): Promise<number> {
  if (!crash.signal.aborted) {
    terminal.complain(describe(error, '', terminal.redact));
    crash.abort(say`an error in the suite: ${error instanceof Error ? error.message : String(error)}`);
  }
  await Promise.race([running, setTimeout(longestTidyingMs, undefined, { ref: false })]);
  sayLastWords(terminal);
  return errorExitCodes.suite;
}

function describe(error: unknown, name: string, redact: Redact): string {
  if (error instanceof UsageError) return `${error.sentence.shown(redact)}\nSee ${shownCommand(name, ['--help'])}.`;
  if (error instanceof SuiteError) return error.sentence.shown(redact);
  // Anything can be thrown.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `The suite stopped; this says nothing about the target. ${redact(text)}`;
}
