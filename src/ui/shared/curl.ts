import { type CurlRequest, toCurlCommand } from '../../../lib/curl.ts';
import { inQuotes } from '../../../lib/text.ts';

/** The variable that holds the key, the same as in the reports of the suite. */
export const keyVariable = 'AGENT_PLATFORM_API_KEY';

/** How a shell quotes a word, reads the key's variable, and continues a command on the next line. */
const posix = { word: inQuotes, variable: `$${keyVariable}`, separator: ' \\\n  ' };
const cmd: typeof posix = { word: inCarets, variable: `%${keyVariable}%`, separator: ' ^\n  ' };

/** A curl command for POSIX shells. {@link keyVariable} stands for a secret that is no longer known. */
export function toCurl(request: CurlRequest): string {
  return commandFor(posix, request);
}

// The longest line that cmd.exe accepts.
const longestForCmd = 8_191;

/**
 * The same for the prompt of cmd.exe. Undefined if cmd.exe cannot pass it on: it drops carriage returns, stops at a NUL
 * and limits the length of a line.
 */
export function toCurlForCmd(request: CurlRequest): string | undefined {
  const command = commandFor(cmd, request);
  return /[\r\0]/.test(command) || command.length > longestForCmd ? undefined : command;
}

function commandFor({ word, variable, separator }: typeof posix, request: CurlRequest): string {
  const header = (name: string, value: string) => {
    if (!isLost(name, value)) return undefined;
    return name.toLowerCase() === 'authorization' ? `"Authorization: Bearer ${variable}"` : `"${name}: ${variable}"`;
  };
  return toCurlCommand(request, { word, header, separator });
}

// Within double quotes, a shell would expand more than the variable.
function isLost(name: string, value: string): boolean {
  return value.includes('[REDACTED]') && /^[\w-]+$/.test(name);
}

/** Whether a copied command takes the key from {@link keyVariable}. */
export function hasLostSecret({ headers }: CurlRequest): boolean {
  return headers.some(([name, value]) => isLost(name, value));
}

/**
 * A text as one word for a program that cmd.exe starts. The program interprets quotes and the backslashes before them.
 * cmd.exe first interprets its special characters, which a caret escapes. A caret after each percent sign prevents it
 * from starting a variable.
 */
export function inCarets(text: string): string {
  const word = `"${text.replaceAll(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)\\+$/, '$&$&')}"`;
  return word
    .replaceAll(/[()%!^"<>&|]/g, '^$&')
    .replaceAll('\n', '^\n\n')
    .replaceAll(/%(?!\^)/g, '%^');
}

const ofTheConnection =
  /^(?:host|connection|content-length|accept-encoding|accept-language|user-agent|referer|origin|cookie|dnt|pragma|cache-control|priority|sec-.*)$/i;

/** The headers of a received request that its author chose. */
export function chosenHeaders(headers: Readonly<Record<string, string>>): CurlRequest['headers'] {
  return Object.entries(headers).filter(
    ([name, value]) => !ofTheConnection.test(name) && !(name === 'accept' && value === '*/*'),
  );
}
