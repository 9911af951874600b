import { setTimeout } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type DestinationStream, pino } from 'pino';
import { type Exchange, noStatus } from '../http/exchange.ts';
import { type LogLevel, logLevels } from './mock-options.ts';

/** What a command says while it runs. */
export interface Log {
  /** Said once, whatever the level. */
  listening(facts: { url: string } & Readonly<Record<string, unknown>>): void;
  exchange: ((exchange: Exchange) => void) | undefined;
  /** Something of note about what was said last. */
  note(level: 'info' | 'warn' | 'error', message: string, facts: Readonly<Record<string, unknown>>): void;
  unexpected(error: unknown): void;
  /** Writes what is still held back. False when nobody reads it. */
  flush(): Promise<boolean>;
}

// Log lines are written in batches: writing each at once costs more than answering.
const batchBytes = 8_192;
const flushEveryMs = 100;
// What nobody reads is dropped in the end, not kept for ever.
const keptBytes = 4_194_304;
const flushLimitMs = 500;

/** One JSON object per line on standard output. */
export function createJsonLog(level: LogLevel): Log {
  const destination = pino.destination({
    dest: 1,
    minLength: batchBytes,
    maxLength: keptBytes,
    sync: false,
    periodicFlush: flushEveryMs,
  });
  // Nobody reads any more: nothing to say, and no reason to stop.
  destination.on('error', () => undefined);
  const timestamp = createTimestamp();
  const logger = createLogger(level, timestamp, destination);
  return {
    listening: (facts) => {
      logger.child({}, { level: 'info' }).info(facts, 'listening');
      destination.flush();
    },
    exchange: logger.isLevelEnabled('info')
      ? (exchange) => destination.write(toJsonLine(timestamp(), exchange))
      : undefined,
    note: (at, message, facts) => logger[at](facts, message),
    unexpected: (error) => logger.error({ err: error }, 'unexpected error'),
    flush: () => Promise.race([flushed(destination), setTimeout(flushLimitMs, false, { ref: false })]),
  };
}

function flushed(destination: ReturnType<typeof pino.destination>): Promise<boolean> {
  return new Promise((resolve) => destination.flush(() => resolve(true)));
}

function createLogger(level: LogLevel, timestamp: () => string, destination: DestinationStream) {
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

// Many lines fall into one millisecond: its text is made once.
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

// Put together by hand: there is one for each request, and a general logger takes several times as long.
function toJsonLine(timestamp: string, { method, path, status, durationMs, requestId }: Exchange): string {
  const request = `"requestMethod":"${method}","requestPath":${JSON.stringify(path)},"responseStatus":${status}`;
  const duration = Math.round(durationMs * 100) / 100;
  return `{"level":"info"${timestamp},"message":"request",${request},"durationMs":${duration},"requestId":"${requestId}"}\n`;
}

/** One line for people per exchange. */
export function createPrettyLog(level: LogLevel, write: (text: string) => void): Log {
  const isSaid = level === 'debug' || level === 'info';
  return {
    listening: () => undefined,
    exchange: isSaid ? (exchange) => write(toLine(exchange)) : undefined,
    note: (at, message) => {
      if (logLevels.indexOf(at) >= logLevels.indexOf(level)) write(toNote(at, message));
    },
    unexpected: (error) => {
      if (level !== 'silent') console.error(error);
    },
    flush: async () => true,
  };
}

function toLine({ method, path, status, durationMs }: Exchange): string {
  const time = new Date().toTimeString().slice(0, 8);
  const isLost = status === noStatus;
  const colour = isLost || status >= 500 ? 'red' : status < 300 ? 'green' : 'yellow';
  const duration = styleText('dim', `${durationMs.toFixed(1)} ms`);
  return `${styleText('dim', time)}  ${method.padEnd(6)} ${styleText(colour, isLost ? '---' : String(status))}  ${path}  ${duration}\n`;
}

const noteColours = { info: 'dim', warn: 'yellow', error: 'red' } as const;

function toNote(level: 'info' | 'warn' | 'error', message: string): string {
  return `          ${styleText(noteColours[level], level.padEnd(5))}   ${message}\n`;
}
