import { styleText } from 'node:util';
import { packageVersion } from '../../openapi/contract/package-version.ts';
import { sightingOf } from '../../openapi/reading/learned-profile.ts';
import { columns, plural } from '../../reporting/text.ts';
import type { ValidatingProxy } from '../node/proxy/create-proxy.ts';
import type { ProxySummary, Tally } from '../node/proxy/summary.ts';

/** What a person sees when the proxy has started. `isStrict`: violations are blocked. */
export function proxyBanner({ url, upstream }: ValidatingProxy, hasProfile: boolean, isStrict: boolean): string {
  const { origin } = new URL(url);
  return [
    `${styleText('bold', 'Agent Platform proxy')} ${packageVersion()}`,
    '',
    ...columns([
      ['Base URL', `${styleText('cyan', url)} ${styleText('dim', 'for your client')}`],
      ['Upstream', styleText('cyan', upstream)],
      ['Judged by', hasProfile ? 'the contract and the profile' : 'the contract; open points are not judged'],
      ['Violations', isStrict ? 'blocked' : 'reported in the header sl-violations, the log and the journal'],
      ['Summary', styleText('cyan', `${origin}/__admin/summary`)],
      ['Journal', styleText('cyan', `${origin}/__admin/requests`)],
    ]),
    '',
    styleText('dim', '  Keys are forwarded and never logged. Ctrl+C stops the proxy and prints a summary.'),
    '',
    '',
  ].join('\n');
}

/** The summary for a person: who broke what, how often and where first; and what the server chose. */
export function proxySummary(summary: ProxySummary): string {
  const { upstream, requests, judged, client, server, restsOnOpenPoints } = summary;
  return [
    `${plural(requests, 'request')} to ${upstream}, ${judged} judged.`,
    ...counts('Not judged, or only in part', summary.notJudged),
    ...counts('Failed', summary.failures),
    '',
    ...section('The client broke the contract', client),
    ...section('The server broke the contract', server),
    ...(restsOnOpenPoints.length === 0 ? [] : section('The client relies on open points', restsOnOpenPoints)),
    ...learnedLines(summary),
    '',
  ].join('\n');
}

function counts(title: string, numbers: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(numbers).map(([reason, number]) => `${number} ${reason}`);
  return parts.length === 0 ? [] : [`${title}: ${parts.join(', ')}.`];
}

function section(title: string, tallies: readonly Tally[]): string[] {
  const times = tallies.reduce((sum, tally) => sum + tally.count, 0);
  return [`${title}: ${times === 0 ? 'never' : plural(times, 'time')}.`, ...tallies.flatMap(tallyLines), ''];
}

function tallyLines({ operation, severity, place, count, first }: Tally): string[] {
  return [
    `  ${severity.toLowerCase()}  ${operation ?? 'no operation'}  ${place}  (${plural(count, 'time')})`,
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
  const conflicts = Object.entries(unclear).map(
    ([id, sightings = []]) => `  ${id}: ${sightings.map(sightingOf).join('; ')}`,
  );
  return [
    `What the server chose at ${plural(choices.length, 'open point')}:`,
    ...columns(rows),
    ...(conflicts.length === 0 ? [] : ['Contradictory observations:', ...conflicts]),
  ];
}
