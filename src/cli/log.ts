import { pino } from 'pino';
import { type Paint, painter } from '../../lib/terminal-colors.ts';
import { visible } from '../../lib/text.ts';
import { type Exchange, noStatus } from '../app/request-log.ts';
import type { LogLevel } from '../options/shared-options.ts';
import { type Terminal, wantsColor } from './terminal.ts';

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
  color?: boolean;
}

/** Whether the log is formatted for people: by default on a terminal. */
export function isPretty({ logFormat }: LogValues, { isInteractive }: Pick<Terminal, 'isInteractive'>): boolean {
  return (logFormat ?? (isInteractive ? 'pretty' : 'json')) === 'pretty';
}

type LogTerminal = Pick<Terminal, 'write' | 'isInteractive' | 'environment'>;

/** A log on standard output: one JSON object per line, or the same for people. */
export function createLog(values: LogValues, terminal: LogTerminal): Log {
  const { logLevel: level = 'info' } = values;
  const output = new LogOutput(
    terminal,
    isPretty(values, terminal) ? painter(wantsColor(values, terminal)) : undefined,
  );
  const options = {
    ...{ level, base: null, messageKey: 'message' },
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, output);
  return {
    listening: (facts) => {
      logger.child({}, { level: 'info' }).info(facts, 'listening');
      output.flush();
    },
    exchange: logger.isLevelEnabled('info') ? (exchange) => logger.info(toFacts(exchange), 'request') : undefined,
    note: (at, message, facts) => logger[at](facts, message),
    unexpected: (err) => logger.error({ err }, 'unexpected error'),
    close: output.close,
  };
}

// Many lines share a millisecond. To write its text for each of them would take a third of the time for the log.
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

function toFacts({ method, path, status, durationMs, requestId, notes }: Exchange) {
  const shownMs = Math.round(durationMs * 100) / 100;
  return { requestMethod: method, requestPath: path, responseStatus: status, durationMs: shownMs, requestId, notes };
}

// Lines are written in batches: writing one line costs more than the response.
const batchLength = 16_000;
const flushEveryMs = 100;
// Lines beyond this many unread characters are dropped.
const unreadLength = 4_194_304;

/** Writes log lines to standard output without waiting for a reader. Write errors end nothing. */
class LogOutput {
  readonly #terminal: Pick<Terminal, 'write'>;
  readonly #paint: Paint | undefined;
  #text = '';
  #unread = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;

  /** `paint`: for lines for people. */
  constructor(terminal: Pick<Terminal, 'write'>, paint: Paint | undefined) {
    this.#terminal = terminal;
    this.#paint = paint;
  }

  readonly write = (line: string): void => {
    // Also after a crash. What a pipe accepts without waiting still arrives.
    if (!this.#isOpen) process.once('exit', this.flush);
    this.#isOpen = true;
    if (this.#unread > unreadLength) return;
    this.#text += this.#paint ? toPretty(JSON.parse(line), this.#paint) : line;
    if (this.#paint || this.#text.length >= batchLength) this.flush();
    else this.#timer ??= setTimeout(this.flush, flushEveryMs).unref();
  };

  readonly flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text;
    if (text === '') return;
    this.#text = '';
    this.#unread += text.length;
    // Written or lost: with a closed pipe or a full disk only these lines are lost.
    this.#terminal.write(text, () => {
      this.#unread -= text.length;
    });
  };

  /** Flushes at the end. */
  readonly close = (): void => {
    process.off('exit', this.flush);
    this.flush();
  };
}

type Line = { level: 'info' | 'warn' | 'error'; message: string; err?: { stack?: string } } & (
  | ReturnType<typeof toFacts>
  | { requestMethod?: undefined }
);

/** A line for people. The start is in the banner. */
function toPretty(line: Line, paint: Paint): string {
  if (line.requestMethod !== undefined) return toExchangeText(line, paint);
  if (line.message === 'listening') return '';
  const message = visible(line.err?.stack ?? line.message).replaceAll('\n', `\n${' '.repeat(18)}`);
  return `          ${paint(noteStyles[line.level], line.level.padEnd(5))}   ${message}\n`;
}

const noteStyles = { info: 'dim', warn: 'warning', error: 'bad' } as const;

function toExchangeText(facts: ReturnType<typeof toFacts>, paint: Paint): string {
  const { requestMethod, requestPath, responseStatus: status, durationMs, notes = [] } = facts;
  const time = paint('dim', new Date().toTimeString().slice(0, 8));
  const isLost = status === noStatus;
  const style = isLost || status >= 500 ? 'bad' : status < 300 ? 'good' : 'warning';
  const shown = paint(style, isLost ? '---' : String(status));
  const duration = paint('dim', `${durationMs.toFixed(1)} ms`);
  const line = `${time}  ${requestMethod.padEnd(6)} ${shown}  ${requestPath}  ${duration}\n`;
  return line + notes.map((note) => `${' '.repeat(22)}${paint('dim', visible(note))}\n`).join('');
}
