import type { Values } from '../../lib/options.ts';
import { packageVersion } from '../../lib/package-version.ts';
import { type Paint, painter } from '../../lib/terminal-colors.ts';
import { columns, plural } from '../../lib/text.ts';
import { sightingOf, toLearnedYaml } from '../../openapi/reading/learned-profile.ts';
import { proxyFlags } from '../options/proxy-options.ts';
import { createProxy, type ProxyOptions, type ValidatingProxy } from '../proxy/create-proxy.ts';
import type { FailureKind, ProxyExchange, Severity } from '../proxy/exchange.ts';
import { titleOf } from '../proxy/failures.ts';
import { toSeedYaml } from '../proxy/recording.ts';
import type { ProxySummary, Tally } from '../proxy/summary.ts';
import { createLog, isPretty, type Log } from './log.ts';
import { findUnwritable, inputsOf, type Output, writeAll } from './output-files.ts';
import { pageAddress } from './page-address.ts';
import { parseChoices } from './parse-choices.ts';
import { readOptions, UsageError } from './read-options.ts';
import { type Terminal, wantsColor } from './terminal.ts';

type ProxyValues = Values<typeof proxyFlags>;

/** `agent-platform-contract proxy`: listens until it is stopped, then prints a summary. Returns the exit code. */
export async function runProxy(args: readonly string[], terminal: Terminal): Promise<number> {
  terminal.waitForNoReader();
  const values = readOptions(proxyFlags, args, terminal);
  const options = toProxyOptions(values);
  const outputs = outputsOf(values);
  // Fail now rather than after a day of traffic.
  const unwritable = findUnwritable(outputs, inputsOf({ '--profile': values.profile }));
  if (unwritable !== undefined) throw new UsageError(unwritable);
  const log = createLog(values, terminal);
  const onExchange = (exchange: ProxyExchange) => logExchange(log, exchange);
  const proxy = await createProxy({ ...options, ref: true, onExchange, onUnexpected: log.unexpected });
  announce(values, terminal, log, proxy);
  await terminal.stopped();
  await proxy.close();
  return finish(values, terminal, log, proxy, outputs);
}

function toProxyOptions({
  upstream,
  set,
  observe,
  record,
  logFormat,
  logLevel,
  color,
  ...rest
}: ProxyValues): ProxyOptions {
  if (upstream === undefined) {
    throw new UsageError(
      '--upstream is missing: the base URL of the server, such as --upstream http://127.0.0.1:4010/v0.1.',
    );
  }
  return { upstream, port: proxyFlags.port.default, ...rest, ...(set && { set: parseChoices('set', set) }) };
}

function outputsOf({ observe, record }: ProxyValues): Output<ValidatingProxy>[] {
  const time = () => new Date().toISOString();
  const profile = (proxy: ValidatingProxy) => {
    const { learned } = proxy.summary();
    return isEmpty(learned.observed) ? undefined : toLearnedYaml(learned, proxy.upstream, time());
  };
  const seed = (proxy: ValidatingProxy) => {
    const recorded = proxy.recorded();
    return isEmpty(recorded.seed.organizations) ? undefined : toSeedYaml(recorded, proxy.upstream, time());
  };
  return [
    ...(observe === undefined ? [] : [{ option: '--observe', path: observe, write: profile }]),
    ...(record === undefined ? [] : [{ option: '--record', path: record, write: seed }]),
  ];
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

const levels = { Error: 'error', Warning: 'warn', Information: 'info', Hint: 'info' } as const satisfies Record<
  Severity,
  string
>;

function logExchange(log: Log, exchange: ProxyExchange): void {
  log.exchange?.(exchange);
  const { requestId, notJudged, violations, failure } = exchange;
  if (failure !== undefined) log.note('error', failure.detail, { requestId, failure: failure.kind });
  for (const violation of violations) {
    const { message, ...facts } = violation;
    const { location, severity } = facts;
    const side = location[0] === 'request' ? 'client' : 'server';
    log.note(levels[severity], `${side}: ${message} (${location.join('.')})`, { requestId, ...facts });
  }
  for (const reason of notJudged) log.note('info', `not checked: ${reason}`, { requestId });
}

function announce(values: ProxyValues, terminal: Terminal, log: Log, proxy: ValidatingProxy): void {
  const { url, upstream } = proxy;
  const hasProfile = values.profile !== undefined || values.set !== undefined;
  if (isPretty(values, terminal))
    terminal.write(proxyBanner(proxy, hasProfile, values.errors === true, painter(wantsColor(values, terminal))));
  log.listening({ url, page: pageAddress(url, '/__admin/'), upstream });
  if (upstream.endsWith('/v0.1')) return;
  log.note('warn', `The upstream base URL does not end with /v0.1. Did you mean ${upstream}/v0.1?`, { upstream });
}

function finish(
  values: ProxyValues,
  terminal: Terminal,
  log: Log,
  proxy: ValidatingProxy,
  outputs: readonly Output<ValidatingProxy>[],
): number {
  log.close();
  const text = proxySummary(proxy.summary());
  if (isPretty(values, terminal)) terminal.write(`\n${text}`);
  else terminal.complain(text.trimEnd());
  const { written, problems, empty } = writeAll(outputs, proxy);
  // An earlier file holds more than an empty one, which the mock might refuse.
  for (const path of empty) terminal.complain(`${path} was not written, because the traffic showed nothing for it.`);
  const { length } = proxy.recorded().leftOut;
  if (length > 0 && written.some((path) => path === values.record))
    terminal.complain(
      `${values.record} leaves out ${length} of the things that the server showed. Its first lines say which, and why.`,
    );
  for (const problem of problems) terminal.complain(problem.plain);
  return problems.length > 0 ? 1 : 0;
}

/** What a user sees after startup. `isStrict`: errors are blocked. */
function proxyBanner({ url, upstream }: ValidatingProxy, hasProfile: boolean, isStrict: boolean, paint: Paint): string {
  const { origin } = new URL(url);
  return [
    `${paint('bold', 'Agent Platform proxy')} ${packageVersion()}`,
    '',
    ...columns([
      ['Base URL', `${paint('address', url)} ${paint('dim', 'for your client')}`],
      ['Upstream', paint('address', upstream)],
      ['Checks', hasProfile ? 'the contract and the profile' : 'the contract; open points are not checked'],
      [
        'Violations',
        `${isStrict ? 'errors are blocked, all are ' : ''}reported in the sl-violations header, the log and the request log`,
      ],
      ['UI', `${paint('address', pageAddress(url, '/__admin/'))} ${paint('dim', 'watch traffic')}`],
      ['Summary', paint('address', `${origin}/__admin/summary`)],
      ['Request log', paint('address', `${origin}/__admin/requests`)],
    ]),
    '',
    paint('dim', '  Keys are forwarded and never logged. Ctrl+C stops the proxy and prints a summary.'),
    '',
    '',
  ].join('\n');
}

/** The summary for people: who broke what, how often and where first, and what the server chose. */
function proxySummary(summary: ProxySummary): string {
  const { upstream, requests, judged, client, server, restsOnOpenPoints, contradictions } = summary;
  const failures = Object.entries(summary.failures);
  return [
    `${plural(requests, 'request')} to ${upstream}, ${judged} checked.`,
    ...counts('Not checked, or only in part', summary.notJudged),
    ...counts('Failed', Object.fromEntries(failures.map(([kind, number]) => [titleOf(kind as FailureKind), number]))),
    '',
    ...section('The client broke the contract', client),
    ...section('The server broke the contract', server),
    ...(restsOnOpenPoints.length === 0 ? [] : section('The client relies on open points', restsOnOpenPoints)),
    ...(contradictions.length === 0
      ? []
      : section('The server contradicted itself, unless another client made the change', contradictions)),
    ...learnedLines(summary),
    '',
  ].join('\n');
}

function counts(title: string, numbers: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(numbers).map(([reason, number]) => `${reason} (${number})`);
  return parts.length === 0 ? [] : [`${title}: ${parts.join(', ')}.`];
}

function section(title: string, tallies: readonly Tally[]): string[] {
  const times = tallies.reduce((sum, tally) => sum + tally.count, 0);
  return [`${title}: ${times === 0 ? 'never' : plural(times, 'time')}.`, ...tallies.flatMap(tallyLines), ''];
}

function tallyLines({ operation, severity, place, code, count, first }: Tally): string[] {
  return [
    `  ${severity.toLowerCase()}  ${operation ?? 'no operation'}  ${place}  ${code}  (${plural(count, 'time')})`,
    `      ${first.message}`,
    `      first: ${first.method} ${first.path} -> ${first.status}  [${first.requestId}]`,
  ];
}

function learnedLines({ learned: { observed, evidence, unclear } }: ProxySummary): string[] {
  const choices = Object.entries(observed);
  if (choices.length === 0) return ['No open point was observed.'];
  const rows = choices.map(([id, choice]) => {
    const times = evidence[id as keyof typeof evidence]?.count ?? 0;
    return [id, `${choice} (${plural(times, 'time')})`];
  });
  const linesOf = (isMeant: (count: number) => boolean) =>
    Object.entries(unclear)
      .filter(([, sightings = []]) => isMeant(sightings.length))
      .map(([id, sightings = []]) => `  ${id}: ${sightings.map(sightingOf).join('; ')}`);
  const conflicts = linesOf((count) => count > 1);
  const strangers = linesOf((count) => count <= 1);
  return [
    `What the server chose at ${plural(choices.length, 'open point')}:`,
    ...columns(rows),
    ...(conflicts.length === 0 ? [] : ['Contradictory observations:', ...conflicts]),
    ...(strangers.length === 0 ? [] : ['Observed, but matching none of the choices:', ...strangers]),
  ];
}
