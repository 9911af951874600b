import { createRequire } from 'node:module';
import { styleText } from 'node:util';
import type { DestinationStream, Logger } from 'pino';
import { remembering } from '../../lib/remembering.ts';
import { visible } from '../../lib/text.ts';
import { type Exchange, noStatus } from '../workbench/exchange.ts';
import { LogOutput } from './log-output.ts';
import { type LogLevel, logLevels } from './shared-options.ts';
import type { Terminal } from './terminal.ts';

const require = createRequire(import.meta.url);

/** Facts beside a message. They must not have the key `message`: the line would have it twice. */
type Facts = Readonly<Record<string, unknown>> & { message?: never };

/** The log of a server while it runs. */
export interface Log {
  /** Written once, whatever the level. */
  listening(facts: { url: string } & Readonly<Record<string, unknown>>): void;
  exchange: ((exchange: Exchange) => void) | undefined;
  /** A note, usually about the latest exchange. */
  note(level: 'info' | 'warn' | 'error', message: string, facts: Facts): void;
  unexpected(error: unknown): void;
  /** Writes the lines that are still buffered. */
  close(): void;
}

interface LogValues {
  logFormat?: 'pretty' | 'json';
  logLevel?: LogLevel;
}

/** Whether the log is formatted for people: by default on a terminal. */
export function isPretty({ logFormat }: LogValues, { isInteractive }: Terminal): boolean {
  return (logFormat ?? (isInteractive ? 'pretty' : 'json')) === 'pretty';
}

export function createLog(values: LogValues, terminal: Terminal): Log {
  const { logLevel = 'info' } = values;
  const output = new LogOutput(terminal);
  if (!isPretty(values, terminal)) return createJsonLog(logLevel, output);
  const write = (text: string) => {
    output.write(text);
    output.flush();
  };
  return { ...createPrettyLog(logLevel, write), close: output.close };
}

function isLogged(line: LogLevel, level: LogLevel): boolean {
  return logLevels.indexOf(line) >= logLevels.indexOf(level);
}

/** One JSON object per line on standard output. */
function createJsonLog(level: LogLevel, output: LogOutput): Log {
  const timestamp = createTimestamp();
  let logger: Logger | undefined;
  const note: Log['note'] = (at, message, facts) => {
    try {
      logger ??= createLogger(level, timestamp, output);
      logger[at](facts, message);
    } catch {
      // The error to log may be the reason why the logger cannot be loaded, such as exhausted file descriptors.
      if (isLogged(at, level)) output.write(toPlainLine(at, timestamp(), message, facts));
    }
  };
  return {
    listening: (facts) => {
      output.write(`{"level":"info"${timestamp()},${JSON.stringify(facts).slice(1, -1)},"message":"listening"}\n`);
      output.flush();
    },
    exchange: isLogged('info', level) ? (exchange) => output.write(toJsonLine(timestamp(), exchange)) : undefined,
    note,
    unexpected: (error) => note('error', 'unexpected error', { err: error }),
    close: output.close,
  };
}

// Loaded with the first line that is neither the start nor a request: loading takes a tenth of the startup time.
function createLogger(level: LogLevel, timestamp: () => string, destination: DestinationStream): Logger {
  const { pino }: typeof import('pino') = require('pino');
  return pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

function toPlainLine(level: LogLevel, timestamp: string, message: string, facts: Facts): string {
  const withErrors = (_: string, value: unknown) =>
    value instanceof Error ? { type: value.name, message: value.message, stack: value.stack } : value;
  const rest = JSON.stringify({ ...facts, message }, withErrors).slice(1);
  return `{"level":"${level}"${timestamp},${rest}\n`;
}

// Many lines share a millisecond: its text is created once.
function createTimestamp(): () => string {
  let latestMs = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== latestMs) text = `,"timestamp":"${new Date(now).toISOString()}"`;
    latestMs = now;
    return text;
  };
}

const toPathText = remembering(JSON.stringify);

// Built by hand: there is one line per request, and a general-purpose logger takes several times as long.
function toJsonLine(timestamp: string, exchange: Exchange): string {
  const { method, path, status, durationMs, requestId, notes } = exchange;
  const request = `"requestMethod":"${method}","requestPath":${toPathText(path)},"responseStatus":${status}`;
  const duration = Math.round(durationMs * 100) / 100;
  const noted = notes === undefined ? '' : `,"notes":${JSON.stringify(notes)}`;
  return `{"level":"info"${timestamp},"message":"request",${request},"durationMs":${duration},"requestId":"${requestId}"${noted}}\n`;
}

/** One human-readable line per exchange. */
export function createPrettyLog(level: LogLevel, write: (text: string) => void): Log {
  return {
    listening: () => undefined,
    exchange: isLogged('info', level) ? (exchange) => write(toLine(exchange)) : undefined,
    note: (at, message) => {
      if (isLogged(at, level)) write(toNote(at, message));
    },
    unexpected: (error) => {
      if (level !== 'silent') console.error(error);
    },
    close: () => undefined,
  };
}

function toLine({ method, path, status, durationMs, notes = [] }: Exchange): string {
  const time = new Date().toTimeString().slice(0, 8);
  const isLost = status === noStatus;
  const colour = isLost || status >= 500 ? 'red' : status < 300 ? 'green' : 'yellow';
  const duration = styleText('dim', `${durationMs.toFixed(1)} ms`);
  const line = `${styleText('dim', time)}  ${method.padEnd(6)} ${styleText(colour, isLost ? '---' : String(status))}  ${path}  ${duration}\n`;
  return line + notes.map((note) => `${' '.repeat(22)}${styleText('dim', visible(note))}\n`).join('');
}

const noteColours = { info: 'dim', warn: 'yellow', error: 'red' } as const;

function toNote(level: 'info' | 'warn' | 'error', message: string): string {
  const text = visible(message).replaceAll('\n', `\n${' '.repeat(18)}`);
  return `          ${styleText(noteColours[level], level.padEnd(5))}   ${text}\n`;
}
