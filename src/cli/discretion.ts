import { createRedact, type Secret, SuiteError } from '../../conformance/index.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** A terminal on which no secret shows. */
export interface Discreet extends Terminal {
  /** Secrets that are known from now on. */
  learn(secrets: readonly Secret[]): void;
  /** What has to be said still, whatever happens: empty when nothing has. */
  lastWords: () => string;
}

// A short value, such as `true`, is no secret, and stands in many texts.
const shortestSecret = 6;

/** Makes a terminal discreet: everything that is written to it, errors too, goes without the secrets. */
export function beDiscreet(terminal: Terminal, known: readonly Secret[]): Discreet {
  let secrets: Secret[] = [];
  let redact = createRedact(secrets);
  const discreet: Discreet = {
    ...terminal,
    write: (text) => terminal.write(redact(text)),
    complain: (text) => terminal.complain(redact(text)),
    lastWords: () => '',
    learn: (more) => {
      secrets = [...secrets, ...more];
      redact = createRedact(secrets);
    },
  };
  discreet.learn(known.flatMap(withoutName));
  return discreet;
}

/** The value of a header, where it is written as `Name: value`. */
function withoutName({ value, shownAs }: Secret): Secret[] {
  if (shownAs !== '<header>') return [{ value, shownAs }];
  const text = value.slice(value.indexOf(':') + 1).trim();
  return text.length < shortestSecret ? [] : [{ value: text, shownAs }];
}

/** Runs a command, and says what went wrong without giving a secret away. The exit code. */
export async function discreetly(
  terminal: Discreet,
  name: string,
  command: (terminal: Discreet) => Promise<number>,
): Promise<number> {
  const fail = (error: unknown) => {
    const last = terminal.lastWords();
    if (last !== '') terminal.write(last);
    terminal.complain(inWords(error, name));
    return 2;
  };
  terminal.onCrash(fail);
  try {
    return await command(terminal);
  } catch (error) {
    return fail(error);
  }
}

function inWords(error: unknown, name: string): string {
  if (error instanceof UsageError) return `${error.message}\nagent-platform ${name} --help says more.`;
  if (error instanceof SuiteError) return error.message;
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `The suite broke off; this says nothing of the target. ${what}`;
}
