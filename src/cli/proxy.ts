import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import { createProxy, type ProxyOptions, type ValidatingProxy } from '../http/proxy/create-proxy.ts';
import type { ExchangeViolation, ProxyExchange, Severity } from '../http/proxy/exchange.ts';
import { toLearnedYaml } from '../http/proxy/observe/learned-profile.ts';
import { parseChoices } from './choices.ts';
import { createLog, isPretty } from './chosen-log.ts';
import type { Log } from './log.ts';
import { type Chosen, readOptions } from './options.ts';
import { proxyBanner } from './proxy-banner.ts';
import { defaultProxyPort, proxyOptions } from './proxy-options.ts';
import { proxySummary } from './proxy-summary.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** `agent-platform proxy`: listens until it is told to stop, and then says what it saw. The exit code. */
export async function runProxy(args: readonly string[], around: Terminal): Promise<number> {
  const chosen = readOptions(proxyOptions, args, around.environment);
  const terminal = chosen.get('no-color') === true ? withoutColours(around) : around;
  const options = toProxyOptions(chosen);
  requireWritable(chosen.get('observe') as string | undefined);
  const log = createLog(chosen, terminal);
  const proxy = await createProxy({
    ...options,
    onExchange: (exchange) => sayExchange(log, exchange),
    onUnexpected: log.unexpected,
  });
  sayListening(chosen, terminal, log, proxy);
  await terminal.stopped();
  await proxy.close();
  return sayGoodbye(chosen, terminal, log, proxy);
}

function withoutColours(terminal: Terminal): Terminal {
  return { ...terminal, write: (text) => terminal.write(stripVTControlCharacters(text)) };
}

function toProxyOptions(chosen: Chosen): ProxyOptions {
  const upstream = chosen.get('upstream') as string | undefined;
  if (upstream === undefined) {
    throw new UsageError(
      '--upstream is missing: the base URL of the server, such as --upstream http://127.0.0.1:4010/v0.1.',
    );
  }
  const settings = chosen.get('set') as string[] | undefined;
  const given: { [Name in keyof ProxyOptions]: ProxyOptions[Name] | undefined } = {
    upstream,
    port: (chosen.get('port') as number | undefined) ?? defaultProxyPort,
    host: chosen.get('host') as string | undefined,
    profile: chosen.get('profile') as string | undefined,
    set: settings && parseChoices('set', settings),
    errors: chosen.get('errors') === true,
    judgeLimitBytes: chosen.get('judge-limit') as number | undefined,
    timeoutMs: chosen.get('timeout') as number | undefined,
    journalLimit: chosen.get('journal-limit') as number | undefined,
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as ProxyOptions;
}

// Better now than after a day's work.
function requireWritable(file: string | undefined): void {
  if (file === undefined) return;
  const path = resolve(file);
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    if (!existsSync(path) || statSync(path).isFile()) return;
  } catch {
    // Said below.
  }
  throw new UsageError(
    `--observe ${file} cannot be written. Name a file in a folder that is there and may be written.`,
  );
}

const levels: Record<Severity, 'error' | 'warn' | 'info'> = { Error: 'error', Warning: 'warn', Information: 'info' };

function sayExchange(log: Log, { notJudged, violations, failure, ...exchange }: ProxyExchange): void {
  log.exchange?.(exchange);
  const { requestId } = exchange;
  if (failure !== undefined) log.note('error', failure.detail, { requestId, failure: failure.kind });
  for (const violation of violations)
    log.note(levels[violation.severity], inWords(violation), { requestId, ...violation });
  for (const why of notJudged) log.note('info', `not judged: ${why}`, { requestId });
}

function inWords({ location, message }: ExchangeViolation): string {
  return `${location[0] === 'request' ? 'client' : 'server'}: ${message} (${location.join('.')})`;
}

function sayListening(chosen: Chosen, terminal: Terminal, log: Log, proxy: ValidatingProxy): void {
  const judgesBy =
    chosen.has('profile') || chosen.has('set')
      ? 'the contract as the profile plays it'
      : 'the contract as it is written; what is open is not judged';
  const isStrict = chosen.get('errors') === true;
  if (isPretty(chosen, terminal)) terminal.write(proxyBanner(proxy, { judgesBy, isStrict }, packageVersion()));
  log.listening({ url: proxy.url, upstream: proxy.upstream });
  const { upstream } = proxy;
  if (!upstream.endsWith('/v0.1')) {
    log.note('warn', `The base URL of the upstream does not end with /v0.1. Did you mean ${upstream}/v0.1?`, {
      upstream,
    });
  }
}

async function sayGoodbye(chosen: Chosen, terminal: Terminal, log: Log, proxy: ValidatingProxy): Promise<number> {
  const summary = proxy.summary();
  const isRead = await log.flush();
  if (isPretty(chosen, terminal)) terminal.write(`\n${proxySummary(summary)}`);
  else terminal.complain(proxySummary(summary).trimEnd());
  const file = chosen.get('observe') as string | undefined;
  try {
    if (file !== undefined)
      writeFileSync(file, toLearnedYaml(summary.learned, summary.upstream, new Date().toISOString()));
  } catch {
    terminal.complain(`${file} cannot be written.`);
    return 1;
  }
  if (!isRead) terminal.giveUp();
  return 0;
}
