import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { styleText } from 'node:util';
import type { DestinationStream, Logger } from 'pino';
import sonicBoom from 'sonic-boom';
import { remembering } from '../../openapi/reading/remembering.ts';
import { visible } from '../../reporting/text.ts';
import { type Exchange, noStatus } from '../workbench/exchange.ts';
import { type LogLevel, logLevels } from './shared-options.ts';
import type { Terminal } from './terminal.ts';

const require = createRequire(import.meta.url);

/** Facts beside a message. Its own key is not for them: it would stand twice in the line. */
type Facts = Readonly<Record<string, unknown>> & { message?: never };

/** The log of a server while it runs. */
export interface Log {
  /** Written once, at any level. */
  listening(facts: { url: string } & Readonly<Record<string, unknown>>): void;
  exchange: ((exchange: Exchange) => void) | undefined;
  /** A note, usually about the last exchange. */
  note(level: 'info' | 'warn' | 'error', message: string, facts: Facts): void;
  unexpected(error: unknown): void;
  /** Writes what is still buffered. False when nobody reads it. */
  flush(): Promise<boolean>;
}

interface LogValues {
  logFormat?: 'pretty' | 'json';
  logLevel?: LogLevel;
}

/** Whether the log is for people: by default on a terminal. */
export function isPretty({ logFormat }: LogValues, { isInteractive }: Terminal): boolean {
  return (logFormat ?? (isInteractive ? 'pretty' : 'json')) === 'pretty';
}

/** The log that the options select. */
export function createLog(values: LogValues, terminal: Terminal): Log {
  const { logLevel = 'info' } = values;
  return isPretty(values, terminal) ? createPrettyLog(logLevel, terminal.write) : createJsonLog(logLevel, terminal);
}

// Lines are written in batches: writing each at once costs more than the response.
const batchBytes = 16_000;
const flushEveryMs = 100;
// Lines that nobody reads are dropped beyond this.
const bufferBytes = 4_194_304;
const flushLimitMs = 500;

function isLogged(line: LogLevel, level: LogLevel): boolean {
  return logLevels.indexOf(line) >= logLevels.indexOf(level);
}

/** One JSON object per line on standard output. */
function createJsonLog(level: LogLevel, terminal: Terminal): Log {
  const destination = destinationOn(terminal);
  const timestamp = createTimestamp();
  let logger: Logger | undefined;
  const loggerNow = () => (logger ??= createLogger(level, timestamp, destination));
  return {
    listening: (facts) => {
      destination.write(`{"level":"info"${timestamp()},${JSON.stringify(facts).slice(1, -1)},"message":"listening"}\n`);
      destination.flush();
    },
    exchange: isLogged('info', level) ? (exchange) => destination.write(toJsonLine(timestamp(), exchange)) : undefined,
    note: (at, message, facts) => loggerNow()[at](facts, message),
    unexpected: (error) => loggerNow().error({ err: error }, 'unexpected error'),
    flush: () => Promise.race([flushed(destination), setTimeout(flushLimitMs, false, { ref: false })]),
  };
}

/** Where lines go, without waiting for their reader. */
interface Destination extends DestinationStream {
  flush(done?: () => void): void;
}

function destinationOn({ outputFd, write }: Terminal): Destination {
  if (outputFd === undefined) return { write, flush: (done) => done?.() };
  return gathering(() => openOutput(outputFd));
}

/** Hands the lines of one turn of the event loop on together; at the end of the process, too. */
function gathering(open: () => Destination): Destination {
  let lines: string[] = [];
  const handOn = () => {
    if (lines.length > 0) destination.write(lines.join(''));
    lines = [];
  };
  // Before the destination is opened, which writes what it has at the exit.
  process.once('exit', handOn);
  const destination = open();
  return {
    write: (line) => {
      if (lines.push(line) === 1) setImmediate(handOn);
    },
    flush: (done) => {
      handOn();
      destination.flush(done);
    },
  };
}

function openOutput(outputFd: number): Destination {
  const stream = new sonicBoom.SonicBoom({
    fd: outputFd,
    minLength: batchBytes,
    maxLength: bufferBytes,
    sync: false,
    periodicFlush: flushEveryMs,
  });
  let isRead = true;
  // A closed pipe must not stop the process.
  stream.on('error', () => {
    isRead = false;
  });
  process.once('exit', () => writeRest(stream));
  return {
    write: (line) => {
      if (isRead) stream.write(line);
    },
    flush: (done) => {
      if (isRead) stream.flush(done);
      else done?.();
    },
  };
}

function writeRest(stream: sonicBoom.SonicBoom): void {
  try {
    stream.flushSync();
  } catch {
    // Nobody reads it any more.
  }
}

function flushed(destination: Destination): Promise<boolean> {
  return new Promise((resolve) => destination.flush(() => resolve(true)));
}

// Loaded with the first line that is neither the start nor a request: it takes a tenth of the start.
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

// Many lines share a millisecond: its text is made once.
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

// Built by hand: there is one line per request, and a general logger takes several times as long.
function toJsonLine(timestamp: string, exchange: Exchange): string {
  const { method, path, status, durationMs, requestId, notes } = exchange;
  const request = `"requestMethod":"${method}","requestPath":${toPathText(path)},"responseStatus":${status}`;
  const duration = Math.round(durationMs * 100) / 100;
  const noted = notes === undefined ? '' : `,"notes":${JSON.stringify(notes)}`;
  return `{"level":"info"${timestamp},"message":"request",${request},"durationMs":${duration},"requestId":"${requestId}"${noted}}\n`;
}

/** One line for people per exchange. */
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
    flush: async () => true,
  };
}

function toLine({ method, path, status, durationMs, notes = [] }: Exchange): string {
  const time = new Date().toTimeString().slice(0, 8);
  const isLost = status === noStatus;
  const colour = isLost || status >= 500 ? 'red' : status < 300 ? 'green' : 'yellow';
  const duration = styleText('dim', `${durationMs.toFixed(1)} ms`);
  const line = `${styleText('dim', time)}  ${method.padEnd(6)} ${styleText(colour, isLost ? '---' : String(status))}  ${path}  ${duration}\n`;
  return line + notes.map((note) => `${' '.repeat(22)}${styleText('dim', note)}\n`).join('');
}

const noteColours = { info: 'dim', warn: 'yellow', error: 'red' } as const;

function toNote(level: 'info' | 'warn' | 'error', message: string): string {
  const text = visible(message).replaceAll('\n', `\n${' '.repeat(18)}`);
  return `          ${styleText(noteColours[level], level.padEnd(5))}   ${text}\n`;
}
