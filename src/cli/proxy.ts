import { stripVTControlCharacters } from 'node:util';
import type { Values } from '../../openapi/contract/options.ts';
import { toLearnedYaml } from '../../openapi/reading/learned-profile.ts';
import { createProxy, type ProxyOptions, type ValidatingProxy } from '../node/proxy/create-proxy.ts';
import type { ProxyExchange, Severity } from '../node/proxy/exchange.ts';
import type { ProxySummary } from '../node/proxy/summary.ts';
import { parseChoices } from './choices.ts';
import { proxyFlags } from './flags.ts';
import { createLog, isPretty, type Log } from './log.ts';
import { readOptions, UsageError } from './options.ts';
import { findUnwritable, type Output, writeAll } from './output-files.ts';
import { proxyBanner, proxySummary } from './proxy-text.ts';
import type { Terminal } from './terminal.ts';

type ProxyValues = Values<typeof proxyFlags>;

/** `agent-platform proxy`: listens until it is stopped, then prints a summary. The exit code. */
export async function runProxy(args: readonly string[], around: Terminal): Promise<number> {
  const values = readOptions(proxyFlags, args, around.environment);
  const terminal = values.color === false ? withoutColors(around) : around;
  const options = toProxyOptions(values);
  const outputs = outputsOf(values);
  // Fail now rather than after a day of traffic.
  const unwritable = findUnwritable(outputs);
  if (unwritable !== undefined) throw new UsageError(unwritable);
  const log = createLog(values, terminal);
  const onExchange = (exchange: ProxyExchange) => logExchange(log, exchange);
  const proxy = await createProxy({ ...options, onExchange, onUnexpected: log.unexpected });
  announce(values, terminal, log, proxy);
  await terminal.stopped();
  await proxy.close();
  return finish(values, terminal, log, proxy.summary(), outputs);
}

function withoutColors(terminal: Terminal): Terminal {
  return { ...terminal, write: (text) => terminal.write(stripVTControlCharacters(text)) };
}

function toProxyOptions({ upstream, set, observe, logFormat, logLevel, color, ...rest }: ProxyValues): ProxyOptions {
  if (upstream === undefined) {
    throw new UsageError(
      '--upstream is missing: the base URL of the server, such as --upstream http://127.0.0.1:4010/v0.1.',
    );
  }
  return { upstream, port: proxyFlags.port.default, ...rest, ...(set && { set: parseChoices('set', set) }) };
}

function outputsOf({ observe }: ProxyValues): Output<ProxySummary>[] {
  const write = ({ learned, upstream }: ProxySummary) => toLearnedYaml(learned, upstream, new Date().toISOString());
  return observe === undefined ? [] : [{ path: observe, write }];
}

const levels: Record<Severity, 'error' | 'warn' | 'info'> = { Error: 'error', Warning: 'warn', Information: 'info' };

function logExchange(log: Log, { notJudged, violations, failure, ...exchange }: ProxyExchange): void {
  log.exchange?.(exchange);
  const { requestId } = exchange;
  if (failure !== undefined) log.note('error', failure.detail, { requestId, failure: failure.kind });
  for (const violation of violations) {
    const { location, message, severity } = violation;
    const side = location[0] === 'request' ? 'client' : 'server';
    log.note(levels[severity], `${side}: ${message} (${location.join('.')})`, { requestId, ...violation });
  }
  for (const reason of notJudged) log.note('info', `not judged: ${reason}`, { requestId });
}

function announce(values: ProxyValues, terminal: Terminal, log: Log, proxy: ValidatingProxy): void {
  const { url, upstream } = proxy;
  const hasProfile = values.profile !== undefined || values.set !== undefined;
  if (isPretty(values, terminal)) terminal.write(proxyBanner(proxy, hasProfile, values.errors === true));
  log.listening({ url, upstream });
  if (upstream.endsWith('/v0.1')) return;
  log.note('warn', `The base URL of the upstream does not end with /v0.1. Did you mean ${upstream}/v0.1?`, {
    upstream,
  });
}

async function finish(
  values: ProxyValues,
  terminal: Terminal,
  log: Log,
  summary: ProxySummary,
  outputs: readonly Output<ProxySummary>[],
): Promise<number> {
  const isRead = await log.flush();
  const text = proxySummary(summary);
  if (isPretty(values, terminal)) terminal.write(`\n${text}`);
  else terminal.complain(text.trimEnd());
  const { problems } = writeAll(outputs, summary);
  for (const problem of problems) terminal.complain(problem.plain);
  if (problems.length > 0) return 1;
  if (!isRead) terminal.giveUp();
  return 0;
}
