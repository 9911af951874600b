import { createRedact, type Redact, type Secret, SuiteError } from '../../conformance/index.ts';
import { errorExitCodes } from './exit-codes.ts';
import { UsageError } from './read-options.ts';
import type { Terminal } from './terminal.ts';

/** A terminal for a command that knows secrets. */
export interface SafeTerminal extends Terminal {
  /** For user input that is shown. */
  readonly redact: Redact;
  /** Adds secrets. */
  learn(secrets: readonly Secret[]): void;
  /** Text to print even after an error; may be empty. */
  lastWords: () => string;
}

// A shorter value, such as `true`, is no secret and occurs in many texts.
const shortestSecret = 6;

/** A terminal for a command that got these secrets. */
export function hideSecrets(terminal: Terminal, known: readonly Secret[]): SafeTerminal {
  let secrets: Secret[] = [];
  let redact = createRedact(secrets);
  const safe: SafeTerminal = {
    ...terminal,
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

/** Runs a command and prints its errors without secrets. The exit code. */
export async function runSafely(terminal: SafeTerminal, name: string, run: () => Promise<number>): Promise<number> {
  const fail = (error: unknown) => {
    const last = terminal.lastWords();
    if (last !== '') terminal.write(last);
    terminal.complain(describe(error, name, terminal.redact));
    return error instanceof UsageError ? errorExitCodes.usage : errorExitCodes.suite;
  };
  terminal.onCrash(fail);
  try {
    return await run();
  } catch (error) {
    return fail(error);
  }
}

function describe(error: unknown, name: string, redact: Redact): string {
  if (error instanceof UsageError) return `${error.sentence.shown(redact)}\nSee agent-platform ${name} --help.`;
  if (error instanceof SuiteError) return error.sentence.shown(redact);
  // Other errors may hold anything.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `The suite stopped; this says nothing about the target. ${redact(text)}`;
}
